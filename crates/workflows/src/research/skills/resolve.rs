//! Skill: which side of a conflict weighs more. Its twin compares weights and dates and reasons no further.

use baton_agents::skill::{Piece, Problem, Skill, Vars, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Resolve;

/// One side of a conflict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// The words of the source.
    pub quote: String,
    /// Its title.
    pub title: String,
    /// Its date, if known.
    pub date: Option<String>,
    /// Its evidence weight, 0 to 1.
    pub weight: f64,
    /// How many independent sources say it.
    pub independent: usize,
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sides {
    /// What is different.
    pub what: String,
    /// The first side.
    pub left: Side,
    /// The second side.
    pub right: Side,
}

/// Which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Favours {
    /// The first.
    Left,
    /// The second.
    Right,
    /// Neither: a reader must decide.
    Neither,
}

/// What looking at it brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// The side that weighs more.
    pub favours: Favours,
    /// Why, in a sentence.
    pub reason: String,
}

impl Skill for Resolve {
    const NAME: &'static str = "resolve_conflict";
    const PROMPT: &'static str = include_str!("../prompts/resolve.md");
    const MAX_TOKENS: u32 = 400;
    type Input = Sides;
    type Output = Resolved;

    fn vars(input: &Sides) -> Vars {
        Vars::new().with("what", &input.what)
    }

    fn material(input: &Sides) -> Vec<Piece> {
        let piece = |name: &'static str, side: &Side| {
            let (title, date) = (one_line(&side.title), side.date.as_deref().map(one_line));
            let date = date.as_deref().unwrap_or("undated");
            let quote = one_line(&side.quote);
            Piece::new(name, format!("{quote}\n(source: {title}, {date}, weight {:.2})", side.weight), 0)
        };
        vec![piece("left", &input.left), piece("right", &input.right)]
    }

    fn check(_input: &Sides, output: &Resolved) -> Vec<Problem> {
        if output.reason.trim().is_empty() {
            return vec![Problem::new("/reason", "a reason is wanted, in one sentence")];
        }
        Vec::new()
    }

    fn rules(input: &Sides) -> Option<Resolved> {
        let (left, right) = (&input.left, &input.right);
        let by_count = left.independent.cmp(&right.independent);
        let gap = left.weight - right.weight;
        let (favours, reason) = if by_count.is_ne() {
            let more = if by_count.is_gt() { Favours::Left } else { Favours::Right };
            (more, "more independent sources say it".to_owned())
        } else if gap.abs() > 0.05 {
            let more = if gap > 0.0 { Favours::Left } else { Favours::Right };
            (
                more,
                format!(
                    "its source weighs more ({:.2} against {:.2})",
                    left.weight.max(right.weight),
                    left.weight.min(right.weight)
                ),
            )
        } else {
            (Favours::Neither, "the sources weigh the same; the documents alone do not settle it".to_owned())
        };
        Some(Resolved { favours, reason })
    }
}
