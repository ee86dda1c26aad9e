//! Where everything stands: which cells a table and its columns have.

use std::collections::BTreeMap;

use super::WorkbookError;
use super::pack::{DataPack, Table};

/// Names of the sheets: the contract.
pub(super) const SUMMARY: &str = "Summary";
pub(super) const DATA: &str = "Data";
pub(super) const COMPARISON: &str = "Comparison";
pub(super) const GLOSSARY: &str = "Glossary";
pub(super) const SOURCES: &str = "Sources";

/// The row of the heads of all tables; values begin below it.
pub(super) const HEAD: u32 = 4;

const MOST_ROWS: usize = 1_048_576;
const MOST_COLUMNS: usize = 16_384;

/// A table's place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub sheet: &'static str,
    /// Its first column on the sheet.
    pub left: u16,
    columns: Vec<String>,
    pub rows: u32,
}

impl Place {
    /// The first and last row of its values.
    pub fn span(&self) -> (u32, u32) {
        (HEAD + 1, HEAD + self.rows.max(1))
    }
}

/// All places by the names of their tables.
#[derive(Debug)]
pub(super) struct Map {
    places: BTreeMap<String, Place>,
    /// How many figures the summary has.
    pub figures: usize,
}

impl Map {
    pub fn of(pack: &DataPack, behind: &[Table]) -> Result<Self, WorkbookError> {
        let mut map = Self { places: BTreeMap::new(), figures: pack.summary.len() };
        map.lay(DATA, pack.data.iter().chain(behind))?;
        map.lay(COMPARISON, pack.comparison.iter())?;
        Ok(map)
    }

    /// Tables side by side, an empty column between them.
    fn lay<'a>(
        &mut self,
        sheet: &'static str,
        tables: impl Iterator<Item = &'a Table>,
    ) -> Result<(), WorkbookError> {
        let mut left = 0;
        for table in tables {
            let end = left + table.columns.len();
            if HEAD as usize + 1 + table.rows.len() > MOST_ROWS || end > MOST_COLUMNS {
                return Err(WorkbookError::TooLarge {
                    table: table.name.clone(),
                    rows: table.rows.len(),
                    columns: end,
                });
            }
            let place = Place {
                sheet,
                left: left as u16,
                columns: table.columns.iter().map(|column| column.name.clone()).collect(),
                rows: table.rows.len() as u32,
            };
            if self.places.insert(table.name.clone(), place).is_some() {
                return Err(WorkbookError::TwoTables(table.name.clone()));
            }
            left = end + 1;
        }
        Ok(())
    }

    pub fn place(&self, table: &str) -> Result<&Place, WorkbookError> {
        self.places.get(table).ok_or_else(|| WorkbookError::Reference {
            what: "the name",
            name: table.to_owned(),
            table: table.to_owned(),
        })
    }

    /// The place of a table and one of its columns.
    pub fn column(&self, table: &str, column: &str) -> Result<(&Place, u16), WorkbookError> {
        let place = self.place(table)?;
        let at = place.columns.iter().position(|name| name == column).ok_or_else(|| {
            WorkbookError::Reference { what: "the column", name: column.to_owned(), table: table.to_owned() }
        })?;
        Ok((place, place.left + at as u16))
    }
}
