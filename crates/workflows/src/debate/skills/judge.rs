//! Skill: a judgement of a round: findings first, each with a quote that must stand in the contributions, then two
//! numbers. Its twin takes both numbers from the ledger.

use baton_agents::skill::{Piece, Problem, Skill, Var, Vars, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, PARTS, lines};

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
    /// Open objections, as `id (severity): claim`.
    pub open: Vec<String>,
    /// The ledger's agreement, per cent.
    pub agreement: Option<u8>,
    /// Points of the ledger that keep the solution from being ready.
    pub gaps: usize,
    /// Which of the two numbers decides.
    pub decides: String,
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
}

/// Something a judge has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Finding")] // as calls of earlier versions have it
pub struct JudgeFinding {
    /// What it is: a contradiction, an unmet requirement, an unanswered critique, an open question.
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
        input.brief.vars().with("decides", Var::id(&input.decides))
    }

    fn material(input: &ToJudge) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        pieces.extend(input.standing.iter().map(|(letter, text)| Piece::tagged("solution", letter, text, 0)));
        if !input.open.is_empty() {
            pieces.push(Piece::new("open objections", lines(&input.open), 1));
        }
        pieces
    }

    fn check(input: &ToJudge, output: &Judged) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (name, value) in [("agreement", output.agreement), ("readiness", output.readiness)] {
            if value > 100 {
                problems.push(Problem::new(format!("/{name}"), "the number is over 100"));
            }
        }
        let stands = |quote: &str| {
            input.standing.iter().any(|(_, text)| text.contains(quote))
                || input.open.iter().any(|one| one.contains(quote) || one_line(one).contains(quote))
        };
        for (at, finding) in output.findings.iter().enumerate() {
            if finding.quote.trim().is_empty() || !stands(&finding.quote) {
                let what =
                    format!("{:?} stands in no solution and no objection; copy words exactly", finding.quote);
                problems.push(Problem::new(format!("/findings/{at}/quote"), what));
            }
        }
        problems
    }

    fn rules(input: &ToJudge) -> Option<Judged> {
        let lost = u8::try_from(input.gaps.saturating_mul(15)).unwrap_or(100);
        let agreement = input.agreement?;
        Some(Judged { findings: Vec::new(), agreement, readiness: agreement.saturating_sub(lost) })
    }
}
