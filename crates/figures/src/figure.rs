//! Figures, and the descriptions from which they can be computed again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::profile::Doubt;
use crate::question::{Aggregate, Filter, Question};
use crate::series::Series;

/// One number with everything a reader needs to trust or refute it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Unique among the figures of one answer: `<question>.<n>`.
    pub id: String,
    /// What it is, in words: "sum of revenue, region north, 2025".
    pub label: String,
    /// What kind of number it is.
    pub kind: FigureKind,
    /// What was measured, without group and period: "sum of revenue".
    pub measure: String,
    /// The number. A percentage is 12.5, not 0.125.
    pub value: Decimal,
    /// Its unit: `EUR`, `%`, `kg`; `percentage points`; none for a bare count or an unknown unit.
    pub unit: Option<String>,
    /// Exact, rounded once, or floating.
    pub precision: Precision,
    /// The days it is about.
    pub period: Option<Period>,
    /// The groups it is about: column and value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub group: BTreeMap<String, String>,
    /// Its place in a ranking, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// For a change: which way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// How it was computed, for people.
    pub formula: Formula,
    /// How it was computed, for [`crate::compute::recompute`] and for `scripts/figures`.
    pub calculation: Calculation,
    /// The cells it came from, in the order the formula names them.
    pub cells: Vec<Cells>,
}

/// Kinds of numbers, for whoever writes about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// What was measured: a sum, a mean, a count.
    Value,
    /// A part of a whole, in percent.
    Share,
    /// One value less another.
    Difference,
    /// The same as percent of the earlier or first.
    Change,
    /// One value over another.
    Ratio,
    /// How much of a target is reached, in percent.
    Reached,
    /// A coefficient from -1 to 1.
    Correlation,
}

/// How close the value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// The exact decimal result.
    Exact,
    /// The exact result rounded once, half to even, to so many places.
    Rounded(u32),
    /// Computed in binary floating point, then rounded to so many places.
    Floating(u32),
}

/// Which way something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// It rose.
    Up,
    /// It fell.
    Down,
    /// It stayed.
    Flat,
}

/// A calculation for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    /// "sum of revenue in 2025 over sum of orders in 2025".
    pub words: String,
    /// "SUM(sales!C2:C366) / SUM(sales!D2:D366)".
    pub cells: String,
}

/// Cells of one column. Rows are numbered as a spreadsheet numbers them when it opens the file: the first row of the
/// file is 1, lines without any cell are not counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    /// The table.
    pub table: String,
    /// The column's name; none where rows are counted.
    pub column: Option<String>,
    /// The column's letter or letters.
    pub letter: Option<String>,
    /// First and last row of each run of rows, in order; at most [`MAX_RANGES`].
    pub rows: Vec<(u64, u64)>,
    /// How many rows there are in all.
    pub count: u64,
    /// Whether `rows` names all of them. Where it does not, the calculation's selection does.
    pub complete: bool,
}

/// Runs of rows that a figure lists; the selection says it all where there are more.
pub const MAX_RANGES: usize = 64;

/// Which cells of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// The table.
    pub table: String,
    /// The column; none counts rows.
    pub column: Option<String>,
    /// Rows must pass all of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
    /// Rows of these days only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// The column that says which day a row is of; always there with `period`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Columns of other tables that these names mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lookups: Vec<Lookup>,
}

/// A column of another table, found through a key that stands there once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lookup {
    /// The name in the selection: `customers.region`.
    pub name: String,
    /// The column of the selection's table that is looked up.
    pub column: String,
    /// The other table.
    pub table: String,
    /// Its key.
    pub key: String,
    /// Its column.
    pub value: String,
}

/// A calculation that anybody can do again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Calculation {
    /// Cells become one number; a mean is rounded to `places`.
    Aggregate {
        /// How.
        how: Aggregate,
        /// Which cells.
        of: Selection,
        /// Places of a mean or a deviation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        places: Option<u32>,
    },
    /// A number that stands in the question, such as a target or a count of periods.
    Constant {
        /// The number.
        value: Decimal,
    },
    /// `first - second`.
    Difference {
        /// What is left of.
        first: Box<Calculation>,
        /// What is taken away.
        second: Box<Calculation>,
    },
    /// `above / below * factor`, rounded to `places`; a share in percent has the factor 100.
    Quotient {
        /// Above the line.
        above: Box<Calculation>,
        /// Below it.
        below: Box<Calculation>,
        /// 1 or 100.
        factor: Decimal,
        /// Places of the result.
        places: u32,
    },
    /// `(to - from) / |from| * 100`, rounded to `places`.
    Change {
        /// Before.
        from: Box<Calculation>,
        /// After.
        to: Box<Calculation>,
        /// Places of the result.
        places: u32,
    },
    /// Pearson's coefficient; floating.
    Correlation {
        /// One column.
        x: Selection,
        /// The other, over the same rows.
        y: Selection,
        /// Sums by period first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grain: Option<Grain>,
        /// Places of the result.
        places: u32,
    },
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The question.
    pub question: Question,
    /// What was computed, in a sentence.
    pub understood: String,
    /// The figures; the first is the one that was asked for.
    pub figures: Vec<Figure>,
    /// The series behind a trend, a season, a latest value or a correlation over time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// What a reader must know before using the figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
    /// Why there are no figures, where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// What a recomputation found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recomputed {
    /// The figure's id.
    pub id: String,
    /// What it says.
    pub stated: Decimal,
    /// What the file gives now; none when it gives nothing.
    pub found: Option<Decimal>,
    /// Whether they are equal, and the cells too.
    pub holds: bool,
    /// What differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
