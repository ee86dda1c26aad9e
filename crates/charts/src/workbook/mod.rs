//! The data pack: a workbook with the sheets Summary, Data, Comparison, Glossary and Sources. Tables stand side by side below one
//! frozen head; figures that are derived are formulas over them; charts are native and drawn from cells. The same pack
//! is the same bytes.

mod cells;
mod formula;
mod map;
mod native;
mod pack;
mod sheets;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

pub use pack::{Cell, Column, DataPack, Format, Formula, Function, KeyFigure, Operator, Source, Table, Term};

use self::cells::Styles;
use self::map::Map;
use crate::fault::ChartError;

/// Why a workbook could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    /// A formula names something that is not there.
    #[error("a formula names {what} {name:?} of the table {table:?}, which the data pack does not have")]
    Reference {
        /// What it is: a table, a column, a row.
        what: &'static str,
        /// Its name.
        name: String,
        /// The table.
        table: String,
    },
    /// Two tables of one name: a formula could mean either.
    #[error("the data pack has two tables called {0:?}; give each its own name")]
    TwoTables(String),
    /// A table that no sheet can hold.
    #[error(
        "the table {table:?} has {rows} rows and ends in column {columns}; a sheet holds 1,048,576 and 16,384. Leave rows out or split it"
    )]
    TooLarge {
        /// The table.
        table: String,
        /// Its rows.
        rows: usize,
        /// Its last column on the sheet.
        columns: usize,
    },
    /// A chart that cannot be drawn.
    #[error("the chart {id:?} cannot be drawn: {error}")]
    Chart {
        /// Its id.
        id: String,
        /// Why.
        error: ChartError,
    },
    /// The day it was made is none.
    #[error("{0:?} is not a day (2025-03-09)")]
    Created(String),
    /// The file itself.
    #[error("the workbook could not be written: {0}")]
    File(#[from] XlsxError),
}

/// Writes a data pack.
pub fn write(pack: &DataPack) -> Result<Vec<u8>, WorkbookError> {
    let behind = native::tables(pack)?;
    let map = Map::of(pack, &behind)?;
    let styles = Styles::new();
    let mut workbook = Workbook::new();
    workbook.set_properties(&properties(pack)?);
    let mut summary = sheets::summary(pack, &map, &styles)?;
    for (at, chart) in pack.charts.iter().enumerate() {
        if let Some(table) = behind.get(at) {
            native::insert(&mut summary, pack, at, chart, table, &map)?;
        }
    }
    summary.set_page_breaks(&native::page_breaks(pack))?;
    workbook.push_worksheet(summary);
    workbook.push_worksheet(sheets::tables(pack, map::DATA, &pack.data, &behind, &map, &styles)?);
    workbook.push_worksheet(sheets::tables(pack, map::COMPARISON, &pack.comparison, &[], &map, &styles)?);
    workbook.push_worksheet(sheets::glossary(pack, &styles)?);
    workbook.push_worksheet(sheets::sources(pack, &styles)?);
    Ok(workbook.save_to_buffer()?)
}

/// What the file says of itself. Its day is the pack's: no clock is read.
fn properties(pack: &DataPack) -> Result<DocProperties, WorkbookError> {
    let day = if pack.created.is_empty() { "2000-01-01" } else { &pack.created };
    let day = day.get(..10).filter(|day| crate::time::read(day).is_some());
    let day = day.ok_or_else(|| WorkbookError::Created(pack.created.clone()))?;
    let day = ExcelDateTime::parse_from_str(day)?;
    Ok(DocProperties::new().set_title(cells::words(&pack.title)).set_creation_datetime(&day))
}
