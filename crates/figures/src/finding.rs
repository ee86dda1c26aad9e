//! What the data say without being asked: breaks, seasons, outliers, shares that change places.

use serde::{Deserialize, Serialize};

use crate::date::Period;
use crate::figure::{Direction, Figure};
use crate::series::Series;

/// Something in the data that a report should mention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// `<table>.<n>`.
    pub id: String,
    /// What kind.
    pub kind: FindingKind,
    /// The table.
    pub table: String,
    /// The column, or "number of rows".
    pub measure: String,
    /// The group it is about, as `column: value`.
    pub group: Option<String>,
    /// One sentence with its numbers; every number in it is one of the figures.
    pub text: String,
    /// Where in time: the first period after a step, the stretch in which a bend most likely lies, the day of an outlier, the
    /// period of a flip.
    pub at: Option<Period>,
    /// Which way.
    pub direction: Option<Direction>,
    /// How far it stands out: in units of the noise around it.
    pub strength: f64,
    /// The figures behind it; the first is its size.
    pub figures: Vec<Figure>,
    /// The series it shows in.
    pub series: Vec<Series>,
}

/// Kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A level or a slope that changes and stays changed.
    TrendBreak,
    /// Months or weekdays that are high or low again and again.
    Season,
    /// One period far from what its neighbours and its season lead to expect.
    Outlier,
    /// The largest group is another one in the end than in the beginning.
    ShareFlip,
}
