//! Opening tables.

use std::path::PathBuf;

use crate::error::FiguresError;
use crate::reading::TableReading;
use crate::request::Limits;

/// What every reader is given.
#[derive(Debug, Clone)]
pub struct Context {
    /// How much of everything.
    pub limits: Limits,
    /// Where sorted runs may be kept.
    pub scratch: Option<PathBuf>,
}

/// Rows of a table as they stand: the number, then the cells.
///
/// # Errors
/// When the table cannot be read.
pub fn rows(
    table: &TableReading,
    _rows: &[(u64, u64)],
    _most: usize,
    _context: &Context,
) -> Result<Vec<(u64, Vec<String>)>, FiguresError> {
    Err(FiguresError::unreadable(&table.file, "this format is not read yet"))
}
