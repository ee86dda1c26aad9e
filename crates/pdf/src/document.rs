//! A document as data: what is to be printed, not how.

use baton_charts::{Chart, Language};
use serde::{Deserialize, Serialize};

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// Who it is by or for. May be empty.
    pub byline: String,
    /// The date it bears, as it is shown. May be empty.
    pub date: String,
    /// Its language: hyphenation, the words Contents, Figure, Table, and what screen readers are told.
    pub language: Language,
    /// Colour of headings and rules, `#c41e3a`. The house colour where it is none.
    pub accent: String,
    /// Whether a table of contents follows the title.
    pub contents: bool,
    /// What it says, in order.
    pub blocks: Vec<Block>,
    /// Where its numbers and statements come from; spans point here by id. Printed at the end, numbered in this order.
    pub notes: Vec<Note>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A heading.
    Heading {
        /// 1 for a section, 2 and 3 below it.
        level: u8,
        /// Its words, with their number where they have one.
        text: String,
    },
    /// A paragraph.
    Paragraph(Vec<Span>),
    /// Points.
    List {
        /// Numbered.
        ordered: bool,
        /// The points.
        items: Vec<Vec<Span>>,
    },
    /// What somebody said.
    Quote(Vec<Span>),
    /// A remark set apart: a conflict, a doubt, a condition.
    Remark {
        /// What kind of remark it is: "Conflict". May be empty.
        label: String,
        /// The remark.
        text: Vec<Span>,
    },
    /// A few figures in a row, each with what it is.
    Figures(Vec<KeyFigure>),
    /// A table.
    Table(Table),
    /// A chart, drawn as vectors.
    Chart(Box<Chart>),
    /// What follows begins on a new page.
    PageBreak,
}

/// A piece of running text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// Words.
    Text(String),
    /// Words in bold.
    Strong(String),
    /// Words in italics.
    Emphasis(String),
    /// A name of a file or a column.
    Code(String),
    /// Words that lead to an address: `http:`, `https:` or `mailto:`. Others are printed as words.
    Link {
        /// The words.
        text: String,
        /// The address.
        url: String,
    },
    /// A number that leads to where it comes from.
    Number {
        /// As it is printed: "12.4 %".
        text: String,
        /// Id of a note.
        note: String,
    },
    /// A new line.
    Break,
    /// A small mark like 3 that leads to a note.
    Reference {
        /// Id of a note.
        note: String,
    },
}

/// A figure that stands for itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyFigure {
    /// The figure as it is shown: "€ 4.2 m".
    pub value: String,
    /// What it is.
    pub label: String,
    /// Id of a note. May be empty.
    pub note: String,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Table {
    /// What it shows. May be empty.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows; a short row ends in empty cells.
    pub rows: Vec<Vec<Vec<Span>>>,
    /// A line below it. May be empty.
    pub source: String,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Column {
    /// Its head.
    pub name: String,
    /// Numbers stand at the right.
    pub numeric: bool,
}

/// Where something comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// What spans call it.
    pub id: String,
    /// What it says: formula and cells, or a quote and its source.
    pub text: Vec<Span>,
}
