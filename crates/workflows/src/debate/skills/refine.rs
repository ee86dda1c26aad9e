//! Skill: one's own solution after the critiques, with an answer to every objection. Its twin keeps what there
//! was and answers nothing, for it has weighed nothing.

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, Desk, Looking, PARTS, Position, check_covers, check_positions, lines, with_positions};
use crate::debate::contribution::{Excerpt, Reply, Response};
use crate::debate::tools::ToolCall;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Refine;

/// What to refine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToRefine {
    /// The brief.
    pub brief: Brief,
    /// One's own proposal.
    pub own: String,
    /// Its positions.
    pub positions: Vec<Position>,
    /// Requirements it says it meets.
    pub covers: Vec<String>,
    /// Objections to answer, as `id (severity): claim`.
    pub objections: Vec<String>,
    /// The words of the critiques.
    pub critiques: Vec<String>,
    /// What the agent knows from earlier rounds.
    pub history: String,
    /// What it has looked up.
    #[serde(default)]
    pub desk: Desk,
}

/// A refined solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refined {
    /// The solution as Markdown.
    pub proposal: String,
    /// A position on every slot of the frame.
    pub positions: Vec<Position>,
    /// Ids of the requirements it meets.
    pub covers: Vec<String>,
    /// An answer to every objection.
    pub responses: Vec<Response>,
    /// Words of the context folder it rests on, copied exactly.
    #[serde(default)]
    pub quotes: Vec<Excerpt>,
    /// What to look up before saying anything else; empty unless it is allowed here.
    #[serde(default)]
    pub look: Vec<ToolCall>,
}

impl Looking for Refined {
    fn look(&self) -> &[ToolCall] {
        &self.look
    }
}

impl Skill for Refine {
    const NAME: &'static str = "debate_refine";
    const PROMPT: &'static str = include_str!("../prompts/refine.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    const MAX_TOKENS: u32 = 1536;
    type Input = ToRefine;
    type Output = Refined;

    fn vars(input: &ToRefine) -> Vars {
        input.desk.vars(input.brief.vars())
    }

    fn material(input: &ToRefine) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        let taken = input.positions.iter().map(|position| (&position.slot, &position.option));
        pieces.push(Piece::new("your proposal", with_positions(&input.own, taken), 0));
        if !input.objections.is_empty() {
            pieces.push(Piece::new("objections, each with its id", lines(&input.objections), 0));
        }
        pieces.extend(input.critiques.iter().map(|critique| Piece::new("a critique", critique, 2)));
        if !input.history.is_empty() {
            pieces.push(Piece::new("what you know from earlier rounds", &input.history, 4));
        }
        pieces.extend(input.desk.pieces());
        pieces
    }

    fn check(input: &ToRefine, output: &Refined) -> Vec<Problem> {
        if input.desk.is_wish(&output.look) {
            return Vec::new();
        }
        let mut problems = check_positions(&input.brief.frame, &output.positions);
        problems.extend(check_covers(&input.brief, &output.covers));
        for (at, given) in output.quotes.iter().enumerate() {
            problems.extend(input.desk.check_quote(&format!("/quotes/{at}"), given));
        }
        let asked: Vec<&str> =
            input.objections.iter().filter_map(|line| line.split_whitespace().next()).collect();
        for id in &asked {
            if !output.responses.iter().any(|response| response.objection == *id) {
                problems.push(Problem::new("/responses", format!("the objection {id:?} is not answered")));
            }
        }
        for (at, response) in output.responses.iter().enumerate() {
            if !asked.contains(&response.objection.as_str()) {
                let what = format!("there is no objection {:?}", response.objection);
                problems.push(Problem::new(format!("/responses/{at}"), what));
            }
            if response.reply == Reply::Rejected && response.reason.trim().is_empty() {
                problems.push(Problem::new(format!("/responses/{at}/reason"), "a rejection needs a reason"));
            }
        }
        problems
    }

    fn rules(input: &ToRefine) -> Option<Refined> {
        Some(Refined {
            proposal: input.own.clone(),
            positions: input.positions.clone(),
            covers: input.covers.clone(),
            responses: Vec::new(),
            quotes: Vec::new(),
            look: Vec::new(),
        })
    }
}
