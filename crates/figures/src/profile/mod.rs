//! What a table holds: types, units, gaps, outliers, keys, time, categories, joins, and every doubt in a sentence.

pub mod column;
mod doubts;
pub mod guess;
mod join;
mod lot;
pub mod numbers;
mod pass;
mod sniff;
pub mod sums;
mod time;
mod totals;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::date::{Date, Grain};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::reading::{Kind, TableReading};
use crate::source::Context;

/// What was found in the files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Profiles {
    /// The tables.
    pub tables: Vec<TableProfile>,
    /// What can be looked up where.
    pub joins: Vec<Join>,
    /// What could not be read, and why.
    pub refused: Vec<Refused>,
}

impl Profiles {
    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&TableProfile> {
        self.tables.iter().find(|table| table.reading.name == name)
    }
}

/// A file, or a part of one, that gave no table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The file.
    pub file: String,
    /// What is wrong with it and where, as a sentence.
    pub reason: String,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableProfile {
    /// How it is read.
    pub reading: TableReading,
    /// Size of its file in bytes.
    pub bytes: u64,
    /// Rows of data.
    pub rows: u64,
    /// Its columns.
    pub columns: Vec<ColumnProfile>,
    /// Columns whose values occur once each and are never missing.
    pub keys: Vec<String>,
    /// When.
    pub time: Option<TimeProfile>,
    /// What a reader should look at.
    pub doubts: Vec<Doubt>,
}

impl TableProfile {
    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether it has one row for each period of this length: its cells are what the periods came to, or how they stood.
    #[must_use]
    pub fn has_one_row_each(&self, grain: Grain) -> bool {
        self.time.as_ref().is_some_and(|time| time.frequency == Some(grain) && time.days == self.rows)
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnProfile {
    /// The name questions use.
    pub name: String,
    /// What its cells are.
    pub kind: Kind,
    /// Unit of its numbers.
    pub unit: Option<String>,
    /// Currencies or units that stand in its cells, with how often; more than one cannot be added up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<Category>,
    /// Cells that hold something of its kind.
    pub filled: u64,
    /// Cells that hold nothing.
    pub missing: u64,
    /// Cells that hold something of another kind; they count as missing and are named in a doubt.
    pub odd: u64,
    /// How many different values.
    pub distinct: Distinct,
    /// Most digits behind the point.
    pub places: u32,
    /// Smallest and largest, quartiles and sum of a column of numbers.
    pub numbers: Option<Numbers>,
    /// First and last day of a column of days.
    pub days: Option<(Date, Date)>,
    /// Values of a column of words by how often they occur, most first; at most [`SHOWN_CATEGORIES`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Category>,
}

/// Values of a column that a profile lists.
pub const SHOWN_CATEGORIES: usize = 1000;

/// How many different values there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distinct {
    /// Exactly so many.
    Exactly(u64),
    /// More than so many; counting stopped there.
    MoreThan(u64),
}

/// A value and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Category {
    /// The value, letter by letter.
    pub value: String,
    /// How often.
    pub count: u64,
}

/// What a column of numbers holds; all exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Smallest.
    pub min: Decimal,
    /// Largest.
    pub max: Decimal,
    /// Sum; none when it does not fit into 38 digits.
    pub sum: Option<Decimal>,
    /// A quarter of the cells is not above it.
    pub quartile1: Decimal,
    /// Half of the cells is not above it.
    pub median: Decimal,
    /// Three quarters of the cells are not above it.
    pub quartile3: Decimal,
    /// Cells further than three times the distance of the quartiles outside of them.
    pub outliers: u64,
    /// The most extreme of them: row and value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extreme: Vec<(u64, Decimal)>,
    /// Whether all are whole numbers.
    pub whole: bool,
}

/// How often a table has rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeProfile {
    /// The column.
    pub column: String,
    /// First day.
    pub from: Date,
    /// Last day.
    pub to: Date,
    /// How far apart its days are; none when irregular.
    pub frequency: Option<Grain>,
    /// Periods of that length without a row, between the first and the last.
    pub gaps: u64,
    /// How many different days.
    pub days: u64,
}

/// A column whose values can be looked up in another table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    /// Table with many rows.
    pub table: String,
    /// Its column.
    pub column: String,
    /// Table that is looked into.
    pub into: String,
    /// The column there.
    pub key: String,
    /// Whether every value stands there at most once; where it does not, a join would multiply rows and is refused.
    pub unique: bool,
    /// Different values that were looked for, and those not found.
    pub values: u64,
    /// Of these, how many are not found.
    pub unmatched: u64,
}

/// Something a reader should look at, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The table.
    pub table: String,
    /// The column, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The first row it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Whether figures over it are refused until a person has decided.
    #[serde(default)]
    pub grave: bool,
    /// "03/04/2025 read as 3 April because 17/04/2025 occurs (row 14)."
    pub text: String,
}

/// Looks at files and says what is in them. What `given` says of a table is not guessed.
///
/// # Errors
/// When the scratch folder cannot be written.
pub fn of_files(
    files: &[PathBuf],
    given: &[TableReading],
    context: &Context,
) -> Result<Profiles, FiguresError> {
    let mut found = Profiles::default();
    let mut prints = Vec::new();
    for path in files {
        let Some(file) = path.to_str() else {
            let file = path.display().to_string();
            found.refused.push(Refused {
                file,
                reason: "its name is no UTF-8, so it cannot be written down".to_owned(),
            });
            continue;
        };
        let own: Vec<&TableReading> = given.iter().filter(|table| table.file == file).collect();
        let tables = if own.is_empty() {
            pass::tables(file, context)
        } else {
            Ok(own.into_iter().cloned().map(pass::Opening::Given).collect())
        };
        let tables = match tables {
            Ok(tables) => tables,
            Err(error) => {
                found.refused.push(refused(file, &error));
                continue;
            }
        };
        for opening in tables {
            let label = opening.label();
            match pass::profile(opening, context) {
                Ok((profile, print)) => {
                    let mut profile = profile;
                    if profile.reading.rows.is_none() {
                        profile.reading.rows = context.called.rows_of(&profile.reading, profile.rows);
                    }
                    unique_name(&mut profile, &found.tables);
                    found.tables.push(profile);
                    prints.push(print);
                }
                // An empty sheet beside full ones is no trouble.
                Err(error) => found.refused.push(refused(&label, &error)),
            }
        }
    }
    found.joins = join::joins(&found.tables, &prints);
    join::doubts(&found.joins, &mut found.tables);
    Ok(found)
}

fn refused(file: &str, error: &FiguresError) -> Refused {
    Refused { file: file.to_owned(), reason: error.to_string() }
}

fn unique_name(profile: &mut TableProfile, others: &[TableProfile]) {
    let taken = |name: &str| others.iter().any(|other| other.reading.name == name);
    let base = profile.reading.name.clone();
    let mut name = base.clone();
    let mut number = 2;
    while taken(&name) {
        name = format!("{base} ({number})");
        number += 1;
    }
    for doubt in &mut profile.doubts {
        doubt.table.clone_from(&name);
    }
    profile.reading.name = name;
}

#[cfg(test)]
mod tests;
