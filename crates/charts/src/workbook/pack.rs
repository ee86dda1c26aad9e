//! What a data pack holds, as data. A formula is a tree over named columns and never text from outside, so that nothing a
//! stranger wrote is ever computed.

use serde::{Deserialize, Serialize};

use crate::spec::{Chart, Language};

/// A workbook with the sheets Summary, Data, Comparison, Glossary and Sources.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DataPack {
    /// What the report is called.
    pub title: String,
    /// A line below it: what was asked, or of when it is. May be empty.
    pub subtitle: String,
    /// Whose words the sheets use. Their names stay English: they are the contract.
    pub language: Language,
    /// The day the file says it was made, `2025-03-09`. Fixed, so that the same pack is the same bytes.
    pub created: String,
    /// The figures a reader looks for first.
    pub summary: Vec<KeyFigure>,
    /// Tables the report stands on, below each other on the sheet Data.
    pub data: Vec<Table>,
    /// Tables that hold things side by side, below each other on the sheet Comparison.
    pub comparison: Vec<Table>,
    /// Terms and what they mean.
    pub glossary: Vec<Term>,
    /// Where everything comes from.
    pub sources: Vec<Source>,
    /// Charts, as native charts of the workbook beside the values they are drawn from.
    pub charts: Vec<Chart>,
}

/// One row of the summary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyFigure {
    /// What it is: "Revenue, 2024".
    pub label: String,
    /// The figure, with its formula where it is derived.
    pub value: Cell,
    /// How it is shown.
    pub format: Format,
    /// Its unit.
    pub unit: String,
    /// Its period.
    pub period: String,
    /// Where it comes from, in words.
    pub origin: String,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Table {
    /// Its name, unique in the pack; formulas name it.
    pub name: String,
    /// A sentence below the name. May be empty.
    pub note: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows; a short row ends in empty cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Column {
    /// Its name, unique in its table; formulas name it.
    pub name: String,
    /// The unit of its values.
    pub unit: String,
    /// How they are shown.
    pub format: Format,
}

/// What a cell holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Words; never a formula, whatever they begin with.
    Text(String),
    /// A number. Not a finite one becomes an empty cell.
    Number(f64),
    /// Yes or no.
    Truth(bool),
    /// A day `2025-03-09` or a moment `2025-03-09T14:30:00`. What is none of them becomes text.
    Date(String),
    /// A formula, with the value it was computed to be.
    Derived {
        /// How it is computed.
        formula: Formula,
        /// What it comes to.
        value: f64,
    },
    /// Words that lead somewhere.
    Link {
        /// The words.
        text: String,
        /// The address: `http:`, `https:` or `mailto:`. Others are shown as text.
        url: String,
    },
}

/// How a figure is derived from cells of the pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// A number that stands in no table.
    Number(f64),
    /// One cell.
    Cell {
        /// Name of the table.
        table: String,
        /// Name of the column.
        column: String,
        /// Its row, from 0.
        row: usize,
    },
    /// A figure of the summary, by its row from 0.
    Figure(usize),
    /// An aggregate over a column.
    Over {
        /// Which.
        function: Function,
        /// Name of the table.
        table: String,
        /// Name of the column.
        column: String,
        /// Only rows in which these columns hold these words.
        #[serde(default)]
        only: Vec<(String, String)>,
    },
    /// Two of them.
    Of(Box<Formula>, Operator, Box<Formula>),
}

/// What is computed over a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Function {
    Sum,
    Average,
    Minimum,
    Maximum,
    /// How many numbers there are.
    Count,
    /// Has no condition: with one the value alone is written.
    Median,
}

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

/// How numbers are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// As they come.
    #[default]
    Plain,
    /// Whole, with thousands.
    Whole,
    /// With thousands and so many decimals.
    Decimal(u8),
    /// A share as a percentage: 0.25 is shown as 25 %, with so many decimals.
    Percent(u8),
    /// An amount in a currency by its code, with so many decimals.
    Money(String, u8),
    /// A year or an identifier: no thousands.
    Identifier,
}

/// A term of the glossary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Term {
    /// The term.
    pub term: String,
    /// What it means.
    pub definition: String,
    /// Who defines it so.
    pub source: String,
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Source {
    /// How the report cites it: "[1]".
    pub id: String,
    /// Its title, or the name of its file.
    pub title: String,
    /// Its address; a link where it is one.
    pub url: String,
    /// When it was read.
    pub accessed: String,
    /// What it was used for.
    pub used_for: String,
}
