//! The five sheets.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::WorkbookError;
use super::cells::{self, Styles, words};
use super::map::{COMPARISON, GLOSSARY, HEAD, Map, SOURCES, SUMMARY};
use super::pack::{Cell, Column, DataPack, Format, Table};
use crate::behind::with_unit;
use crate::text;
use crate::words::{Words, words as words_of};

/// A column is no wider, in letters.
const WIDEST: f64 = 60.0;

/// The height of a line of text, in points.
const LINE: f64 = 15.0;

/// A row is no higher, in lines.
const MOST_LINES: f64 = 25.0;

/// Tables that end before this column are printed as wide as a page.
const WIDEST_PRINT: u16 = 16;

/// A sheet with its name.
fn sheet(name: &str, pack: &DataPack, styles: &Styles) -> Result<Worksheet, XlsxError> {
    let mut sheet = Worksheet::new();
    sheet.set_name(name)?;
    sheet.set_landscape();
    sheet.set_screen_gridlines(false);
    sheet.write_string_with_format(0, 0, words(&pack.title), &styles.title)?;
    sheet.write_string_with_format(1, 0, words(&pack.subtitle), &styles.subtitle)?;
    sheet.set_row_height(0, 24)?;
    Ok(sheet)
}

/// The heads of columns, frozen with everything above them.
fn head(sheet: &mut Worksheet, names: &[&str], widths: &[f64], styles: &Styles) -> Result<(), XlsxError> {
    for (column, (name, width)) in (0u16..).zip(names.iter().zip(widths)) {
        sheet.write_string_with_format(HEAD, column, *name, &styles.head)?;
        sheet.set_column_width(column, *width)?;
    }
    sheet.set_freeze_panes(HEAD + 1, 0)?;
    sheet.set_print_fit_to_pages(1, 0);
    Ok(())
}

/// How wide words are, in letters of a column.
fn letters(text: &str) -> f64 {
    text::width(text, 11.0) / 6.2 + 2.0
}

/// Makes a row as high as its longest text needs in a column of this width: not every program that opens it does so itself.
fn fit(sheet: &mut Worksheet, row: u32, texts: &[(&str, f64)]) -> Result<(), XlsxError> {
    let lines = |(text, width): &(&str, f64)| (letters(text) / width).ceil().clamp(1.0, MOST_LINES);
    let most = texts.iter().map(lines).fold(1.0, f64::max);
    if most > 1.0 {
        sheet.set_row_height(row, most * LINE)?;
    }
    Ok(())
}

pub(super) fn summary(pack: &DataPack, map: &Map, styles: &Styles) -> Result<Worksheet, WorkbookError> {
    let Words { figure, value, unit, period, origin, none, .. } = words_of(pack.language);
    let mut sheet = sheet(SUMMARY, pack, styles)?;
    let widths = [44.0, 18.0, 18.0, 26.0, 70.0];
    head(&mut sheet, &[figure, value, unit, period, origin], &widths, styles)?;
    sheet.write_string_with_format(HEAD, 1, *value, &styles.head_right)?;
    sheet.write_string_with_format(HEAD, 2, *unit, &styles.head_indented)?;
    for (row, line) in (HEAD + 1..).zip(&pack.summary) {
        sheet.write_string_with_format(row, 0, words(&line.label), &styles.wrapped)?;
        cells::write(&mut sheet, (row, 1), &line.value, &line.format, map, styles)?;
        sheet.write_string_with_format(row, 2, words(&line.unit), &styles.indented)?;
        sheet.write_string_with_format(row, 3, words(&line.period), &styles.wrapped)?;
        sheet.write_string_with_format(row, 4, words(&line.origin), &styles.wrapped)?;
        let [label, _, _, period, origin] = widths;
        fit(&mut sheet, row, &[(&line.label, label), (&line.period, period), (&line.origin, origin)])?;
    }
    if pack.summary.is_empty() {
        sheet.write_string_with_format(HEAD + 1, 0, *none, &styles.note)?;
    }
    Ok(sheet)
}

/// Tables side by side.
pub(super) fn tables(
    pack: &DataPack,
    name: &str,
    tables: &[Table],
    behind: &[Table],
    map: &Map,
    styles: &Styles,
) -> Result<Worksheet, WorkbookError> {
    let mut sheet = sheet(name, pack, styles)?;
    let mut last = 0;
    for table in tables.iter().chain(behind) {
        let left = map.place(&table.name)?.left;
        sheet.write_string_with_format(HEAD - 2, left, words(&table.name), &styles.table)?;
        sheet.write_string_with_format(HEAD - 1, left, words(&table.note), &styles.note)?;
        for (at, column) in (left..).zip(&table.columns) {
            write_column(&mut sheet, table, at, left, column, map, styles)?;
            last = at;
        }
    }
    sheet.set_freeze_panes(HEAD + 1, 0)?;
    sheet.set_repeat_rows(HEAD, HEAD)?;
    if last < WIDEST_PRINT {
        sheet.set_print_fit_to_pages(1, 0);
    }
    match tables {
        [] if behind.is_empty() || name == COMPARISON => {
            let none = words_of(pack.language).none;
            sheet.write_string_with_format(HEAD + 1, 0, none, &styles.note)?;
        }
        // One table can be filtered; of several, a filter would hide rows of its neighbours.
        [table] if behind.is_empty() && !table.rows.is_empty() && !table.columns.is_empty() => {
            sheet.autofilter(HEAD, 0, HEAD + table.rows.len() as u32, last)?;
        }
        _ => {}
    }
    Ok(sheet)
}

fn write_column(
    sheet: &mut Worksheet,
    table: &Table,
    at: u16,
    left: u16,
    column: &Column,
    map: &Map,
    styles: &Styles,
) -> Result<(), WorkbookError> {
    let name = words(&with_unit(&column.name, &column.unit));
    let cells = || table.rows.iter().map(|row| row.get(usize::from(at - left)).unwrap_or(&Cell::Empty));
    let numeric = cells().any(|cell| matches!(cell, Cell::Number(_) | Cell::Derived { .. }));
    sheet.write_string_with_format(
        HEAD,
        at,
        &name,
        if numeric { &styles.head_right } else { &styles.head },
    )?;
    let mut width = letters(&name).min(24.0);
    for (row, cell) in (HEAD + 1..).zip(cells()) {
        cells::write(sheet, (row, at), cell, &column.format, map, styles)?;
        width = width.max(shown_width(cell, &column.format));
    }
    sheet.set_column_width(at, width.clamp(8.0, WIDEST))?;
    Ok(())
}

fn shown_width(cell: &Cell, format: &Format) -> f64 {
    let extra = match format {
        Format::Money(code, decimals) => code.len() + 2 + usize::from(*decimals),
        Format::Decimal(decimals) | Format::Percent(decimals) => 2 + usize::from(*decimals),
        _ => 1,
    };
    match cell {
        Cell::Text(text) | Cell::Link { text, .. } => letters(text),
        Cell::Date(date) => date.chars().count() as f64 + 2.0,
        Cell::Number(value) | Cell::Derived { value, .. } => {
            let whole = value.abs().max(1.0).log10().floor().clamp(0.0, 20.0);
            let decimals =
                if *format == Format::Plain { value.to_string().len().min(12) as f64 - whole } else { 0.0 };
            whole * 1.34 + decimals.max(0.0) + extra as f64 + 2.0
        }
        Cell::Empty | Cell::Truth(_) => 0.0,
    }
}

pub(super) fn glossary(pack: &DataPack, styles: &Styles) -> Result<Worksheet, WorkbookError> {
    let Words { term, meaning, source, none, .. } = words_of(pack.language);
    let mut sheet = sheet(GLOSSARY, pack, styles)?;
    head(&mut sheet, &[term, meaning, source], &[30.0, 90.0, 40.0], styles)?;
    for (row, term) in (HEAD + 1..).zip(&pack.glossary) {
        fit(&mut sheet, row, &[(&term.term, 30.0), (&term.definition, 90.0), (&term.source, 40.0)])?;
        sheet.write_string_with_format(row, 0, words(&term.term), &styles.wrapped)?;
        sheet.write_string_with_format(row, 1, words(&term.definition), &styles.wrapped)?;
        sheet.write_string_with_format(row, 2, words(&term.source), &styles.wrapped)?;
    }
    if pack.glossary.is_empty() {
        sheet.write_string_with_format(HEAD + 1, 0, *none, &styles.note)?;
    }
    Ok(sheet)
}

pub(super) fn sources(pack: &DataPack, styles: &Styles) -> Result<Worksheet, WorkbookError> {
    let Words { source, title, address, accessed, used_for, none, .. } = words_of(pack.language);
    let mut sheet = sheet(SOURCES, pack, styles)?;
    head(&mut sheet, &[source, title, address, accessed, used_for], &[10.0, 50.0, 60.0, 16.0, 60.0], styles)?;
    for (row, entry) in (HEAD + 1..).zip(&pack.sources) {
        fit(&mut sheet, row, &[(&entry.title, 50.0), (&entry.used_for, 60.0)])?;
        sheet.write_string_with_format(row, 0, words(&entry.id), &styles.text)?;
        sheet.write_string_with_format(row, 1, words(&entry.title), &styles.wrapped)?;
        cells::link(&mut sheet, row, 2, "", &entry.url, styles)?;
        cells::write_date(&mut sheet, row, 3, &entry.accessed, styles)?;
        sheet.write_string_with_format(row, 4, words(&entry.used_for), &styles.wrapped)?;
    }
    if pack.sources.is_empty() {
        sheet.write_string_with_format(HEAD + 1, 0, *none, &styles.note)?;
    }
    Ok(sheet)
}
