//! Skill: a judgement of a round: findings first, each with a quote that must stand in the contributions, then two
//! numbers. Its twin takes both numbers from the ledger.

use baton_agents::evidence::quote;
use baton_agents::skill::{Piece, Problem, Skill, Var, Vars, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, Desk, Looking, PARTS, lines};
use crate::debate::tools::ToolCall;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct JudgeRound;

/// What to judge.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToJudge {
    /// The brief.
    pub brief: Brief,
    /// The solutions that stand at the end of the round, by letter.
    pub standing: Vec<(String, String)>,
    /// Every objection with its answer, as `id (severity): claim -> answer`; those that stand first.
    pub open: Vec<String>,
    /// The words of this round's critiques, each with the letter of its target.
    #[serde(default)]
    pub critiques: Vec<(String, String)>,
    /// The ledger's agreement, per cent.
    pub agreement: Option<u8>,
    /// Points of the ledger that keep the solution from being ready.
    pub gaps: usize,
    /// Which of the two numbers decides.
    pub decides: String,
    /// What the judge has looked up.
    #[serde(default)]
    pub desk: Desk,
}

/// A judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// What the numbers rest on.
    pub findings: Vec<JudgeFinding>,
    /// Of 100 debates that look like this, in how many do the positions no longer conflict?
    #[schemars(range(min = 0, max = 100))]
    pub agreement: u8,
    /// Of 100 debates that look like this, in how many would a competent reviewer accept the solution as it is?
    #[schemars(range(min = 0, max = 100))]
    pub readiness: u8,
    /// What to look up before saying anything else; empty unless it is allowed here.
    #[serde(default)]
    pub look: Vec<ToolCall>,
}

impl Looking for Judged {
    fn look(&self) -> &[ToolCall] {
        &self.look
    }
}

/// What kind of thing a judge has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Solutions contradict each other.
    Contradiction,
    /// A requirement is not met.
    UnmetRequirement,
    /// A critique was not answered.
    UnansweredCritique,
    /// Nobody could say.
    OpenQuestion,
    /// Anything else.
    #[default]
    Other,
}

/// Something a judge has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Finding")] // as calls of earlier versions have it
pub struct JudgeFinding {
    /// What kind of thing it is.
    #[serde(default)]
    pub kind: FindingKind,
    /// What it is, in a sentence.
    pub what: String,
    /// The words it rests on, copied exactly from a solution or an objection.
    pub quote: String,
}

impl Skill for JudgeRound {
    const NAME: &'static str = "debate_judge";
    const PROMPT: &'static str = include_str!("../prompts/judge.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    type Input = ToJudge;
    type Output = Judged;

    fn vars(input: &ToJudge) -> Vars {
        input.desk.vars(input.brief.vars().with("decides", Var::id(&input.decides)))
    }

    fn material(input: &ToJudge) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        pieces.extend(input.standing.iter().map(|(letter, text)| Piece::tagged("solution", letter, text, 0)));
        if !input.open.is_empty() {
            pieces.push(Piece::new("objections and the answers to them", lines(&input.open), 1));
        }
        let critiques = input.critiques.iter();
        pieces.extend(critiques.map(|(letter, text)| Piece::tagged("critique of", letter, text, 2)));
        pieces.extend(input.desk.pieces());
        pieces
    }

    fn check(input: &ToJudge, output: &Judged) -> Vec<Problem> {
        if input.desk.is_wish(&output.look) {
            return Vec::new();
        }
        let mut problems = Vec::new();
        for (name, value) in [("agreement", output.agreement), ("readiness", output.readiness)] {
            if value > 100 {
                problems.push(Problem::new(format!("/{name}"), "the number is over 100"));
            }
        }
        let stands = |given: &str| {
            let shown = input.standing.iter().chain(&input.critiques).map(|(_, text)| text);
            shown.chain(&input.desk.found).any(|text| quote::find(text, given).is_some())
                || input.open.iter().any(|one| quote::find(&one_line(one), given).is_some())
        };
        for (at, finding) in output.findings.iter().enumerate() {
            if finding.quote.trim().is_empty() || !stands(&finding.quote) {
                let what = format!(
                    "{:?} stands in no solution, objection or critique; copy words exactly",
                    finding.quote
                );
                problems.push(Problem::new(format!("/findings/{at}/quote"), what));
            }
        }
        problems
    }

    fn rules(input: &ToJudge) -> Option<Judged> {
        let lost = u8::try_from(input.gaps.saturating_mul(15)).unwrap_or(100);
        let agreement = input.agreement?;
        let readiness = agreement.saturating_sub(lost);
        Some(Judged { findings: Vec::new(), agreement, readiness, look: Vec::new() })
    }
}
