//! Skill: which side of a conflict weighs more, and by what. Its twin compares weights and confirmations and reasons no
//! further.

use baton_agents::evidence::quote;
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
    /// They speak of different things, and both hold.
    NoConflict,
}

/// What a judgement goes by. A reader is told this and what can be read off the sources, never a model's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// The later document.
    Date,
    /// The weightier source.
    Weight,
    /// More independent sources say it.
    Confirmations,
    /// They count, measure or mean different things.
    Scope,
    /// Nothing that settles it.
    None,
}

/// What looking at it brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// The side that weighs more.
    pub favours: Favours,
    /// What it goes by.
    pub ground: Ground,
    /// Words of the first side that show another scope; empty for other grounds.
    pub left_words: String,
    /// Words of the second side that show it.
    pub right_words: String,
}

impl Resolved {
    fn by(favours: Favours, ground: Ground) -> Self {
        Self { favours, ground, left_words: String::new(), right_words: String::new() }
    }

    /// The ground in words, composed of what the sources themselves show.
    #[must_use]
    pub fn reason(&self, sides: &Sides) -> String {
        let (left, right) = (&sides.left, &sides.right);
        let (more, less) = if self.favours == Favours::Right { (right, left) } else { (left, right) };
        let date = |side: &Side| side.date.clone().unwrap_or_else(|| "no date".to_owned());
        match self.ground {
            Ground::Date => format!("it is the later document ({} against {})", date(more), date(less)),
            Ground::Weight => {
                format!("its source weighs more ({:.2} against {:.2})", more.weight, less.weight)
            }
            Ground::Confirmations => "more independent sources say it".to_owned(),
            Ground::Scope => format!(
                "they do not speak of the same: \"{}\" and \"{}\"",
                one_line(&self.left_words),
                one_line(&self.right_words)
            ),
            Ground::None => "the sources weigh the same; the documents alone do not settle it".to_owned(),
        }
    }

    /// Why the ground does not hold against what is known of the sides.
    fn flaw(&self, sides: &Sides) -> Option<&'static str> {
        let (left, right) = (&sides.left, &sides.right);
        let (more, less) = if self.favours == Favours::Right { (right, left) } else { (left, right) };
        let favours_one = matches!(self.favours, Favours::Left | Favours::Right);
        match self.ground {
            Ground::None if favours_one => Some("a ground is wanted for the side that weighs more"),
            Ground::None if self.favours == Favours::NoConflict => Some("no_conflict needs the ground scope"),
            Ground::None => None,
            Ground::Scope if self.favours == Favours::Right || self.favours == Favours::Left => {
                Some("with the ground scope, favours is neither or no_conflict")
            }
            Ground::Scope => {
                let shows = |side: &Side, words: &str| quote::find(&side.quote, words).is_some();
                let same = one_line(&self.left_words).eq_ignore_ascii_case(&one_line(&self.right_words));
                let shown = shows(left, &self.left_words) && shows(right, &self.right_words) && !same;
                (!shown).then_some("left_words and right_words are copied from their side and differ")
            }
            _ if !favours_one => Some("this ground speaks for one side"),
            Ground::Date => (more.date.is_none() || less.date.is_none() || more.date <= less.date)
                .then_some("the dates do not say so"),
            Ground::Weight => (more.weight <= less.weight).then_some("the weights do not say so"),
            Ground::Confirmations => {
                (more.independent <= less.independent).then_some("the number of sources does not say so")
            }
        }
    }
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
            let (quote, independent) = (one_line(&side.quote), side.independent);
            let about =
                format!("(source: {title}, {date}, weight {:.2}, said by {independent})", side.weight);
            Piece::new(name, format!("{quote}\n{about}"), 0)
        };
        vec![piece("left", &input.left), piece("right", &input.right)]
    }

    fn check(input: &Sides, output: &Resolved) -> Vec<Problem> {
        output.flaw(input).map(|what| Problem::new("/ground", what)).into_iter().collect()
    }

    fn rules(input: &Sides) -> Option<Resolved> {
        let (left, right) = (&input.left, &input.right);
        let by_count = left.independent.cmp(&right.independent);
        let gap = left.weight - right.weight;
        let side = |left: bool| if left { Favours::Left } else { Favours::Right };
        Some(match () {
            () if by_count.is_ne() => Resolved::by(side(by_count.is_gt()), Ground::Confirmations),
            () if gap.abs() > 0.05 => Resolved::by(side(gap > 0.0), Ground::Weight),
            () => Resolved::by(Favours::Neither, Ground::None),
        })
    }
}
