//! `tables.toml`: what was assumed, for a person to read and change.

use crate::error::FiguresError;
use crate::profile::Profiles;
use crate::reading::TableReading;

/// Reads what a person says about tables.
///
/// # Errors
/// When it is no TOML, or says something that cannot be.
pub fn read(text: &str) -> Result<Vec<TableReading>, FiguresError> {
    let _ = text;
    Ok(Vec::new())
}

/// Writes what was assumed, with the doubts as comments.
#[must_use]
pub fn write(profiles: &Profiles) -> String {
    let _ = profiles;
    String::new()
}
