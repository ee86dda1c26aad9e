//! Opening tables: one file per format. Whatever the format, a table is a stream of numbered records of text; what the
//! text means is the business of the profile and of the columns' rules.

pub mod json;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod sqlite;
pub mod text;
pub mod workbook;

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use csv::ByteRecord;

use crate::error::FiguresError;
use crate::reading::called::Called;
use crate::reading::{Format, TableReading};
use crate::request::Limits;

/// What every reader is given.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// How much of everything.
    pub limits: Limits,
    /// Where sorted runs may be kept.
    pub scratch: Option<PathBuf>,
    /// What columns and rows are called by who asks.
    pub called: Called,
}

#[cfg(not(feature = "parquet"))]
const WITHOUT_PARQUET: &str = "a Parquet file, which this build does not read; write the table as CSV or SQLite, or build \
    baton with `cargo build --release --features parquet`";

/// Who looks at records: the row's number and its cells. It may end the reading early.
pub type Visit<'v> = dyn FnMut(u64, &ByteRecord) -> Result<ControlFlow<()>, FiguresError> + 'v;

/// Opens a file that somebody named: a regular one, with something in it.
///
/// # Errors
/// When it is none.
pub fn open(file: &str) -> Result<File, FiguresError> {
    let path = Path::new(file);
    let io = |source| FiguresError::Io { file: path.to_owned(), source };
    // Asked before opening: opening a pipe would wait for somebody to write into it.
    let known = std::fs::metadata(path).map_err(io)?;
    if !known.is_file() {
        return Err(FiguresError::unreadable(file, "not a regular file, so it is not opened"));
    }
    if known.len() == 0 {
        return Err(FiguresError::unreadable(file, "the file is empty"));
    }
    File::open(path).map_err(io)
}

/// The first bytes of a file.
///
/// # Errors
/// When it cannot be read.
pub fn beginning(file: &str, most: u64) -> Result<Vec<u8>, FiguresError> {
    let mut bytes = Vec::new();
    open(file)?
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|source| FiguresError::Io { file: PathBuf::from(file), source })?;
    Ok(bytes)
}

/// What kind of file this is, by what stands in it and only then by its name.
///
/// # Errors
/// When it is nothing that has tables.
pub fn format(file: &str) -> Result<Format, FiguresError> {
    let bytes = beginning(file, 4096)?;
    let refuse = |reason: &str| Err(FiguresError::unreadable(file, reason));
    let name = file.to_ascii_lowercase();
    let named = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if bytes.starts_with(b"SQLite format 3\0") {
        return Ok(Format::Sqlite);
    }
    if bytes.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return if named(&[".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"]) {
            Ok(Format::Workbook)
        } else {
            refuse("a packed file whose name does not end like a workbook's (.xlsx, .xls, .xlsb, .ods)")
        };
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return refuse("packed with gzip; unpack it first");
    }
    if bytes.starts_with(b"%PDF") {
        return refuse("a PDF document, not a table; pass it with --docs");
    }
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if !utf16 && bytes.contains(&0) {
        return refuse("binary data of no known format");
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lower: String = text.chars().take(64).collect::<String>().to_ascii_lowercase();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") || lower.starts_with("<head") {
        return refuse("a web page, not data");
    }
    if lower.starts_with("<?xml") {
        return refuse("XML, which is not read as a table");
    }
    if named(&[".jsonl", ".ndjson"]) {
        return Ok(Format::JsonLines);
    }
    if text.starts_with(['{', '[']) && !named(&[".csv", ".tsv"]) {
        return Ok(json::kind(text));
    }
    Ok(Format::Csv)
}

/// The tables of a file: sheets, tables, or just the file.
///
/// # Errors
/// When the file cannot be read.
pub fn parts(file: &str, format: Format, context: &Context) -> Result<Vec<Option<String>>, FiguresError> {
    match format {
        Format::Workbook => workbook::sheets(file, context),
        Format::Sqlite => sqlite::tables(file),
        Format::Json => json::lists(file, context),
        Format::Csv | Format::JsonLines => Ok(vec![None]),
        #[cfg(feature = "parquet")]
        Format::Parquet => Ok(vec![None]),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(FiguresError::unreadable(file, WITHOUT_PARQUET)),
    }
}

/// All records of a table as they stand, title and header too.
///
/// # Errors
/// When the file cannot be read, or whatever the visitor returns.
pub fn each_record(
    table: &TableReading,
    context: &Context,
    visit: &mut Visit<'_>,
) -> Result<(), FiguresError> {
    match table.format {
        Format::Csv => text::each_record(table, context, visit),
        Format::Json => json::each_element(table, context, visit),
        Format::JsonLines => json::each_line(table, context, visit),
        Format::Workbook => workbook::each_row(table, context, visit),
        Format::Sqlite => sqlite::each_row(table, visit),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::each_row(table, visit),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(FiguresError::unreadable(&table.file, WITHOUT_PARQUET)),
    }
}

/// Why a record is no row of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aside {
    /// It stands above the data.
    Above,
    /// Its cells outnumber the columns, so they may have slipped.
    TooWide,
    /// A total among the rows.
    Total,
}

/// Which records of a table are rows of data. The same rule for profile, figures and the script that checks them.
#[derive(Debug)]
pub struct Sieve {
    above: u64,
    width: usize,
    totals: Vec<(usize, Vec<String>)>,
}

impl Sieve {
    /// The rule of a table.
    #[must_use]
    pub fn of(table: &TableReading) -> Self {
        let totals =
            table.leave_out.iter().filter_map(|out| Some((table.column(&out.column)?.0, out.labels.clone())));
        Self { above: table.skip + table.header_rows, width: table.columns.len(), totals: totals.collect() }
    }

    /// Why this record, the nth from 0, is no data; none when it is.
    #[must_use]
    pub fn aside(&self, nth: u64, record: &ByteRecord) -> Option<Aside> {
        if nth < self.above {
            return Some(Aside::Above);
        }
        if record.len() > self.width
            && record.iter().skip(self.width).any(|cell| !cell.trim_ascii().is_empty())
        {
            return Some(Aside::TooWide);
        }
        let is_total = |(column, labels): &(usize, Vec<String>)| {
            let cell = record.get(*column).unwrap_or_default().trim_ascii();
            labels.iter().any(|label| label.as_bytes() == cell)
        };
        self.totals.iter().any(is_total).then_some(Aside::Total)
    }
}

/// The rows of data of a table.
///
/// # Errors
/// When the file cannot be read, or whatever the visitor returns.
pub fn each_row(table: &TableReading, context: &Context, visit: &mut Visit<'_>) -> Result<(), FiguresError> {
    let sieve = Sieve::of(table);
    let mut nth = 0;
    each_record(table, context, &mut |number, record| {
        let aside = sieve.aside(nth, record);
        nth += 1;
        if aside.is_none() { visit(number, record) } else { Ok(ControlFlow::Continue(())) }
    })
}

/// Rows of a table as they stand: the number, then the cells.
///
/// # Errors
/// When the table cannot be read.
pub fn rows(
    table: &TableReading,
    wanted: &[(u64, u64)],
    most: usize,
    context: &Context,
) -> Result<Vec<(u64, Vec<String>)>, FiguresError> {
    let last = wanted.iter().map(|(_, last)| *last).max().unwrap_or(0);
    let mut found = Vec::new();
    each_record(table, context, &mut |number, record| {
        if number > last || found.len() >= most {
            return Ok(ControlFlow::Break(()));
        }
        if wanted.iter().any(|(from, to)| (*from..=*to).contains(&number)) {
            found.push((
                number,
                record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect(),
            ));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests;
