//! Sheets of workbooks. Cells keep the type the workbook gives them: a day is written as a day whichever system the
//! workbook counts in, a formula is the value that was saved with it.

use std::io::BufReader;
use std::ops::ControlFlow;

use calamine::{Data, Range, Reader, Sheets, open_workbook_auto};
use csv::ByteRecord;

use super::{Context, Visit, open};
use crate::date::Date;
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::reading::TableReading;

/// Cells a sheet may span; one cell in the last corner makes a sheet of seventeen thousand million.
const MAX_CELLS: u64 = 20_000_000;

type Book = Sheets<BufReader<std::fs::File>>;

fn book(file: &str, context: &Context) -> Result<Book, FiguresError> {
    let length = open(file)?.metadata().map(|known| known.len()).unwrap_or(u64::MAX);
    if length > context.limits.document {
        let reason =
            format!("a workbook of more than {} MB; save the sheet as CSV", context.limits.document >> 20);
        return Err(FiguresError::unreadable(file, reason));
    }
    open_workbook_auto(file).map_err(|error| broken(file, &error))
}

fn broken(file: &str, error: &dyn std::fmt::Display) -> FiguresError {
    FiguresError::unreadable(file, format!("the workbook cannot be read: {error}"))
}

/// Names of the sheets that hold something.
///
/// # Errors
/// When the workbook cannot be read.
pub fn sheets(file: &str, context: &Context) -> Result<Vec<Option<String>>, FiguresError> {
    let names = book(file, context)?.sheet_names();
    if names.is_empty() {
        return Err(FiguresError::unreadable(file, "a workbook without sheets"));
    }
    Ok(names.into_iter().map(Some).collect())
}

fn range(book: &mut Book, table: &TableReading) -> Result<Range<Data>, FiguresError> {
    let sheet = table.part.as_deref().unwrap_or_default();
    if let Sheets::Xlsx(xlsx) = book {
        let mut cells = xlsx.worksheet_cells_reader(sheet).map_err(|error| broken(&table.file, &error))?;
        let (mut last_row, mut last_column) = (0, 0);
        while let Some(cell) = cells.next_cell().map_err(|error| broken(&table.file, &error))? {
            let (row, column) = cell.get_position();
            (last_row, last_column) =
                (last_row.max(u64::from(row) + 1), last_column.max(u64::from(column) + 1));
        }
        if last_row * last_column > MAX_CELLS {
            let reason = format!(
                "sheet \"{sheet}\" spans {last_row} rows and {last_column} columns; at most {MAX_CELLS} cells are read"
            );
            return Err(FiguresError::unreadable(&table.file, reason));
        }
    }
    book.worksheet_range(sheet).map_err(|error| broken(&table.file, &error))
}

/// What is noteworthy about the cells of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Noted {
    /// Cells with formulas, and the row of the first.
    pub formulas: u64,
    /// Row of the first.
    pub first_formula: u64,
    /// Formulas without a saved value: they read as nothing.
    pub unsaved: u64,
    /// Cells with an error such as #DIV/0!.
    pub errors: u64,
    /// Row of the first.
    pub first_error: u64,
    /// Whether days count from 1904.
    pub since_1904: bool,
}

/// Looks for formulas and errors.
///
/// # Errors
/// When the workbook cannot be read.
pub fn noted(table: &TableReading, context: &Context) -> Result<Noted, FiguresError> {
    let mut book = book(&table.file, context)?;
    let cells = range(&mut book, table)?;
    let sheet = table.part.as_deref().unwrap_or_default();
    let mut noted = Noted::default();
    if let Ok(formulas) = book.worksheet_formula(sheet) {
        let start = formulas.start().unwrap_or((0, 0));
        for (row, column, formula) in formulas.used_cells() {
            if formula.is_empty() {
                continue;
            }
            let place =
                (start.0 + u32::try_from(row).unwrap_or(0), start.1 + u32::try_from(column).unwrap_or(0));
            if noted.formulas == 0 {
                noted.first_formula = u64::from(place.0) + 1;
            }
            noted.formulas += 1;
            noted.unsaved += u64::from(cells.get_value(place).is_none_or(|value| *value == Data::Empty));
        }
    }
    let top = u64::from(cells.start().map_or(0, |start| start.0));
    for (row, _, value) in cells.used_cells() {
        if matches!(value, Data::Error(_)) {
            if noted.errors == 0 {
                noted.first_error = top + row as u64 + 1;
            }
            noted.errors += 1;
        }
        if let Data::DateTime(moment) = value
            && moment.is_datetime()
        {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            let shown = Date::of(i32::from(year), u32::from(month), u32::from(day));
            let by_1904 = crate::cell::day::serial(moment.as_f64(), true);
            noted.since_1904 |= shown.is_some() && shown == by_1904;
        }
    }
    Ok(noted)
}

/// The rows of a sheet by their own numbers; rows without any cell are left out, columns count from A.
///
/// # Errors
/// When the workbook cannot be read, or whatever the visitor returns.
pub fn each_row(table: &TableReading, context: &Context, visit: &mut Visit<'_>) -> Result<(), FiguresError> {
    let cells = range(&mut book(&table.file, context)?, table)?;
    let Some((top, left)) = cells.start() else {
        return Ok(());
    };
    let mut record = ByteRecord::new();
    for (number, row) in (u64::from(top) + 1..).zip(cells.rows()) {
        if row.iter().all(|cell| *cell == Data::Empty) {
            continue;
        }
        record.clear();
        for _ in 0..left {
            record.push_field(b"");
        }
        for cell in row {
            record.push_field(text(cell).as_bytes());
        }
        if visit(number, &record)? == ControlFlow::Break(()) {
            break;
        }
    }
    Ok(())
}

fn text(cell: &Data) -> String {
    match cell {
        Data::Empty | Data::Error(_) => String::new(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => {
            Decimal::from_f64(*value).map_or_else(|| value.to_string(), |exact| exact.to_string())
        }
        Data::Bool(value) => value.to_string(),
        Data::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            if (hour, minute, second) == (0, 0, 0) {
                format!("{year:04}-{month:02}-{day:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
            }
        }
        Data::DateTime(span) => span.as_f64().to_string(),
    }
}
