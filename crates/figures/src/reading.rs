//! How a table is read: everything that had to be assumed before its cells mean something. Written as `tables.toml`,
//! edited by a person, read back.

use serde::{Deserialize, Serialize};

pub mod called;
pub mod file;

/// Formats of data files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Cells between delimiters, one record a line.
    Csv,
    /// One JSON document with a list of objects in it.
    Json,
    /// One JSON object a line.
    JsonLines,
    /// A workbook: XLSX, XLS, XLSB or ODS.
    Workbook,
    /// A SQLite database.
    Sqlite,
    /// A Parquet file.
    Parquet,
}

/// How one table is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableReading {
    /// The name questions use.
    pub name: String,
    /// The file, as it was given.
    pub file: String,
    /// The sheet, the table or the path inside the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Its format.
    pub format: Format,
    /// Name of the encoding, for text files.
    #[serde(default = "utf8")]
    pub encoding: String,
    /// What separates cells, for text files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The quotation mark, for text files; none where quotes are letters like others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<char>,
    /// Rows before the header: a title, notes.
    #[serde(default)]
    pub skip: u64,
    /// Rows of the header: 0 where there is none, 2 where names and units stand apart.
    #[serde(default)]
    pub header_rows: u64,
    /// Rows that are no data: totals among the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leave_out: Vec<LeaveOut>,
    /// What its rows are called, where somebody says it: "companies".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
    /// The column that says when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// How each column is read, in the order of the file.
    pub columns: Vec<ColumnReading>,
}

fn utf8() -> String {
    "utf-8".to_owned()
}

/// Rows that are no data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaveOut {
    /// The column that tells them.
    pub column: String,
    /// What stands in it, letter by letter.
    pub labels: Vec<String>,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Numbers.
    Number,
    /// Days, or days with a time.
    Date,
    /// Yes or no.
    Truth,
    /// Words, codes, ids.
    Text,
    /// Nothing at all.
    Empty,
}

/// How a day is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateForm {
    /// 2025-04-03, 2025/04/03, 2025-04, with or without a time.
    YearFirst,
    /// 03/04/2025 is 3 April.
    DayFirst,
    /// 03/04/2025 is 4 March.
    MonthFirst,
    /// 3 April 2025, Apr 3, 2025, Apr 2025.
    Named,
    /// 20250403.
    Compact,
    /// 2025.
    Year,
    /// Q2 2025, 2025-Q2.
    Quarter,
    /// Days of a spreadsheet counted from the end of 1899.
    Serial1900,
    /// Days of a spreadsheet counted from 1904.
    Serial1904,
    /// Seconds since 1970.
    UnixSeconds,
    /// Milliseconds since 1970.
    UnixMilliseconds,
}

/// How one column is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnReading {
    /// The name questions use; unique in the table.
    pub name: String,
    /// What stands above it in the file.
    pub header: String,
    /// What its cells are.
    pub kind: Kind,
    /// Unit of its numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What stands before the fraction.
    #[serde(default = "point")]
    pub decimal: char,
    /// What stands between thousands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thousands: Option<char>,
    /// How its days are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<DateForm>,
    /// What stands for nothing, beside empty cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

fn point() -> char {
    '.'
}

impl TableReading {
    /// The column of this name and its place.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<(usize, &ColumnReading)> {
        self.columns.iter().enumerate().find(|(_, column)| column.name == name)
    }
}

/// Letters of a column as a spreadsheet has them: 0 is A, 26 is AA.
#[must_use]
pub fn letter(index: usize) -> String {
    let mut rest = index;
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        if rest < 26 {
            break;
        }
        rest = rest / 26 - 1;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests;
