//! Skill: a solution with a position on every slot. Its twin takes the positions the problem itself states.

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, Desk, PARTS, Position, check_covers, check_positions};
use crate::debate::contribution::Excerpt;
use crate::debate::positions;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Propose;

/// What to propose on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToPropose {
    /// The brief.
    pub brief: Brief,
    /// What the agent found in the context folder.
    pub found: Vec<String>,
}

/// A solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    /// The solution as Markdown.
    pub proposal: String,
    /// A position on every slot of the frame.
    pub positions: Vec<Position>,
    /// Ids of the requirements it meets.
    pub covers: Vec<String>,
    /// Words of the context folder it rests on, copied exactly.
    #[serde(default)]
    pub quotes: Vec<Excerpt>,
}

impl Skill for Propose {
    const NAME: &'static str = "debate_propose";
    const PROMPT: &'static str = include_str!("../prompts/propose.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    const MAX_TOKENS: u32 = 1536;
    type Input = ToPropose;
    type Output = Draft;

    fn vars(input: &ToPropose) -> Vars {
        input.brief.vars().with("documents", !input.found.is_empty())
    }

    fn material(input: &ToPropose) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        pieces.extend(input.found.iter().map(|found| Piece::new("found in the context folder", found, 3)));
        pieces
    }

    fn check(input: &ToPropose, output: &Draft) -> Vec<Problem> {
        let mut problems = check_positions(&input.brief.frame, &output.positions);
        problems.extend(check_covers(&input.brief, &output.covers));
        let desk = Desk { found: input.found.clone(), left: 0 };
        for (at, given) in output.quotes.iter().enumerate() {
            problems.extend(desk.check_quote(&format!("/quotes/{at}"), given));
        }
        if output.proposal.trim().is_empty() {
            problems.push(Problem::new("/proposal", "the proposal is empty"));
        }
        problems
    }

    fn rules(input: &ToPropose) -> Option<Draft> {
        let taken = positions::read(&input.brief.frame, &input.brief.problem);
        let line = |(slot, option): (&String, &String)| format!("- {slot}: {option}");
        let lines: Vec<String> = taken.iter().map(line).collect();
        (!taken.is_empty()).then(|| Draft {
            proposal: format!("Read from the problem by rules; nothing was weighed:\n\n{}", lines.join("\n")),
            positions: taken.into_iter().map(|(slot, option)| Position { slot, option }).collect(),
            covers: Vec::new(),
            quotes: Vec::new(),
        })
    }
}
