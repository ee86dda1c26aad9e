//! Everything that can keep a figure from being computed, each with its place.

use std::path::PathBuf;

/// Why there is no figure. The text says what was looked at and why it was refused.
#[derive(Debug, thiserror::Error)]
pub enum FiguresError {
    /// The file cannot be opened or read.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is readable but no table.
    #[error("{file}{place}: {reason}")]
    Unreadable {
        /// The file, as it was named.
        file: String,
        /// Where in it, such as `, row 812`; empty for the whole.
        place: String,
        /// Why.
        reason: String,
    },
    /// The question names what no table has.
    #[error("{0}")]
    Unknown(String),
    /// The data cannot carry the calculation.
    #[error("{0}")]
    Refused(String),
    /// A number does not fit into 38 digits.
    #[error("{0} does not fit into 38 digits, so it is not computed")]
    TooLarge(String),
    /// What was written by a person cannot be read.
    #[error("tables.toml: {0}")]
    Assumptions(String),
}

impl FiguresError {
    /// A whole file that is no table.
    #[must_use]
    pub fn unreadable(file: &str, reason: impl Into<String>) -> Self {
        Self::Unreadable { file: file.to_owned(), place: String::new(), reason: reason.into() }
    }

    /// A row that cannot be read.
    #[must_use]
    pub fn at_row(file: &str, row: u64, reason: impl Into<String>) -> Self {
        Self::Unreadable { file: file.to_owned(), place: format!(", row {row}"), reason: reason.into() }
    }
}
