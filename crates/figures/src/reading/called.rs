//! What a person calls columns and rows: `packpc` is "packs sold per head", a row is one of the companies. Said beside the
//! tables, as `[words]`, or read from a query.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TableReading;
use crate::profile::guess::words;
use crate::words::same_word;

/// Words for what the data call otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Called {
    /// Words for a column, by what stands above it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
    /// Units of columns, likewise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
    /// Words side by side that a header may join: "market value" for `marketvalue`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<String>,
    /// What rows may be called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Rows>,
}

/// What the rows of a table may be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// A noun for many: "companies".
    pub called: String,
    /// How many there are said to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Whether it is said that each row is one.
    #[serde(default)]
    pub sure: bool,
}

impl Called {
    /// Whether nothing is called otherwise.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The words for a column.
    #[must_use]
    pub fn column(&self, header: &str) -> Option<String> {
        let header = header.trim();
        let said = self.columns.iter().find(|(code, _)| code.eq_ignore_ascii_case(header));
        said.map(|(_, words)| words.clone()).or_else(|| self.parted(header))
    }

    /// The unit of a column.
    #[must_use]
    pub fn unit(&self, header: &str) -> Option<String> {
        let said = self.units.iter().find(|(code, _)| code.eq_ignore_ascii_case(header.trim()));
        said.map(|(_, unit)| unit.clone())
    }

    /// A header that joins words which stand side by side elsewhere.
    fn parted(&self, header: &str) -> Option<String> {
        let lower = header.to_lowercase();
        self.joined.iter().find_map(|words| {
            let joint: String = words.split(' ').collect();
            // "market values" are what `marketvalue` holds.
            let one =
                || joint.strip_suffix('s').filter(|one| *one == lower).map(|_| &words[..words.len() - 1]);
            if joint == lower { Some(words.clone()) } else { one().map(str::to_owned) }
        })
    }

    /// What the rows of a table are called: where the query says how many there are, or that each is one, or the table is called
    /// so itself. Whatever a column is called is no row.
    #[must_use]
    pub fn rows_of(&self, table: &TableReading, count: u64) -> Option<String> {
        let is_column = |noun: &str| {
            let named = |name: &str| words(name).iter().any(|word| same_word(word, noun));
            table.columns.iter().any(|column| named(&column.name) || named(&column.header))
        };
        let is_table = |noun: &str| words(&table.name).iter().any(|word| same_word(word, noun));
        let fits = |rows: &&Rows| {
            rows.sure || rows.count == Some(count) || is_table(&rows.called) && rows.count.is_none()
        };
        let found = self.rows.iter().filter(fits).find(|rows| !is_column(&rows.called));
        found.map(|rows| rows.called.clone())
    }
}
