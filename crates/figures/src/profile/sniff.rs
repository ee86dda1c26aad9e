//! The shape of a table before its rows are read: encoding, delimiter, title rows, header, columns.

use std::io::Read;
use std::ops::ControlFlow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::guess::{self, Guess, short};
use super::totals::labelled::Doubted;
use crate::cell::{self, day};
use crate::error::FiguresError;
use crate::reading::called::Called;
use crate::reading::{ColumnReading, Format, Kind, TableReading, letter};
use crate::source::{self, Context, json, sqlite};

/// Records that are looked at.
const SAMPLE: usize = 2000;
/// Bytes of a text file that are looked at first.
const LOOK: u64 = 256 << 10;
/// Rows among which a header is looked for.
const TITLE_ROWS: usize = 20;

/// A table as it seems to be, and what was thought on the way.
#[derive(Debug)]
pub struct Sniffed {
    /// How it will be read.
    pub table: TableReading,
    /// Sentences about the table as a whole.
    pub remarks: Vec<String>,
    /// What is proposed for each column, with its reasons.
    pub guesses: Vec<Guess>,
    /// Rows that are called totals and are none, or not all of them.
    pub doubted: Vec<Doubted>,
}

/// Looks at the beginning of a table.
///
/// # Errors
/// When it cannot be read, or there is no table in it.
pub fn sniff(
    mut table: TableReading,
    known_encoding: Option<&str>,
    context: &Context,
) -> Result<Sniffed, FiguresError> {
    let mut remarks = Vec::new();
    match table.format {
        Format::Csv => shape_of_text(&mut table, known_encoding, context, &mut remarks)?,
        Format::Json | Format::JsonLines => {
            let headers = json::headers(&table, context)?;
            return with_sample(table, &headers, context);
        }
        Format::Sqlite => {
            let headers = sqlite::headers(&table)?;
            return with_sample(table, &headers, context);
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let headers = crate::source::parquet::headers(&table, context)?;
            return with_sample(table, &headers, context);
        }
        // Without the feature nobody gets here: such a file has no parts.
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => {}
        Format::Workbook => {}
    }
    let records = sample(&table, context)?;
    if records.is_empty() {
        return Err(FiguresError::unreadable(&table.file, "no rows in it"));
    }
    let headers = header(&mut table, &records, &mut remarks);
    if headers.is_empty() {
        return Err(FiguresError::unreadable(&table.file, "no columns in it"));
    }
    Ok(with_headers(table, &headers, remarks, &records, &context.called))
}

/// A table whose columns have their names from elsewhere.
fn with_sample(table: TableReading, headers: &[String], context: &Context) -> Result<Sniffed, FiguresError> {
    let named = with_headers(table, headers, Vec::new(), &[], &context.called).table;
    let records = sample(&named, context)?;
    if records.is_empty() {
        return Err(FiguresError::unreadable(&named.file, "no rows in it"));
    }
    Ok(with_headers(named, headers, Vec::new(), &records, &context.called))
}

fn sample(table: &TableReading, context: &Context) -> Result<Vec<(u64, Vec<String>)>, FiguresError> {
    let mut records = Vec::new();
    let mut bytes = 0;
    source::each_record(table, context, &mut |number, record| {
        bytes += record.as_slice().len();
        records
            .push((number, record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()));
        let enough = records.len() >= SAMPLE || (bytes > 8 << 20 && records.len() > TITLE_ROWS);
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(records)
}

/// The encoding of a whole file, when its beginning misled.
///
/// # Errors
/// When it cannot be read.
pub fn encoding_of_all(file: &str) -> Result<&'static str, FiguresError> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut input = source::open(file)?;
    let mut chunk = vec![0; 1 << 16];
    loop {
        let read = input.read(&mut chunk).map_err(|source| FiguresError::Io { file: file.into(), source })?;
        detector.feed(chunk.get(..read).unwrap_or_default(), read == 0);
        if read == 0 {
            return Ok(detector.guess(None, Utf8Detection::Deny).name());
        }
    }
}

fn shape_of_text(
    table: &mut TableReading,
    known_encoding: Option<&str>,
    context: &Context,
    remarks: &mut Vec<String>,
) -> Result<(), FiguresError> {
    let bytes = source::beginning(&table.file, LOOK)?;
    table.encoding = match known_encoding {
        Some(name) => name.to_owned(),
        None => encoding(&bytes),
    }
    .to_lowercase();
    if table.encoding != "utf-8" {
        remarks.push(format!("Its bytes are read as {}, guessed from the letters in it.", table.encoding));
    }
    let names_tab = table.file.to_ascii_lowercase().ends_with(".tsv");
    let mut best: Option<(f64, char)> = None;
    for mark in [',', ';', '\t', '|'] {
        table.delimiter = Some(mark);
        table.quote = Some('"');
        let Ok(records) = sample(table, context) else { continue };
        let widths: Vec<usize> = records.iter().take(400).map(|(_, cells)| cells.len()).collect();
        let usual = usual(&widths);
        if usual < 2 {
            continue;
        }
        #[allow(clippy::cast_precision_loss)] // small counts
        let agreeing = widths.iter().filter(|width| **width == usual).count() as f64 / widths.len() as f64;
        // A mark that splits every row alike is the delimiter; among such the one that splits more.
        #[allow(clippy::cast_precision_loss)]
        let score =
            agreeing + (usual.min(20) as f64) * 0.01 + if mark == '\t' && names_tab { 0.5 } else { 0.0 };
        if best.is_none_or(|(other, _)| score > other + 1e-9) {
            best = Some((score, mark));
        }
    }
    table.delimiter = Some(best.map_or(',', |(_, mark)| mark));
    let named = match table.delimiter {
        Some(';') => "semicolons",
        Some('\t') => "tabs",
        Some('|') => "bars",
        _ => "commas",
    };
    if best.is_none() {
        remarks.push("No delimiter splits its lines, so it is read as one column.".to_owned());
    } else if named != "commas" {
        remarks.push(format!("Its cells are separated by {named}."));
    }
    // Read once more only where the loop above ended on another delimiter's errors.
    sample(table, context).map(|_| ())
}

fn encoding(bytes: &[u8]) -> String {
    if bytes.starts_with(&[0xff, 0xfe]) {
        return "utf-16le".to_owned();
    }
    if bytes.starts_with(&[0xfe, 0xff]) {
        return "utf-16be".to_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => "utf-8".to_owned(),
        Err(error) if error.error_len().is_none() => "utf-8".to_owned(),
        Err(_) => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(bytes, false);
            detector.guess(None, Utf8Detection::Deny).name().to_owned()
        }
    }
}

fn usual(widths: &[usize]) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    for width in widths {
        *counts.entry(*width).or_insert(0_usize) += 1;
    }
    counts.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width)
}

fn is_value(text: &str) -> bool {
    let text = text.trim();
    cell::hint(text).is_some() || day::year_first(text).is_some() || day::triple(text).is_some()
}

fn is_year(text: &str) -> bool {
    text.trim().len() == 4 && day::year(text).is_some()
}

/// Finds the header and sets title and header rows; the names as they stand.
fn header(
    table: &mut TableReading,
    records: &[(u64, Vec<String>)],
    remarks: &mut Vec<String>,
) -> Vec<String> {
    let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    let widths: Vec<usize> = records
        .iter()
        .map(|(_, cells)| cells.iter().rposition(|c| !c.trim().is_empty()).map_or(0, |at| at + 1))
        .collect();
    let by_cells: Vec<usize> = records.iter().map(|(_, cells)| cells.len()).collect();
    // A sheet pads its rows, a text file does not.
    let width = if table.format == Format::Csv {
        usual(&by_cells)
    } else {
        widths.iter().copied().max().unwrap_or(0)
    };
    let wide = |cells: &[String]| filled(cells) * 10 >= width * 6 && filled(cells) > 0;
    let top = records.iter().take(TITLE_ROWS).position(|(_, cells)| wide(cells)).unwrap_or(0);
    table.skip = top as u64;
    if top > 0 {
        let rows = if top == 1 { "row stands".to_owned() } else { format!("{top} rows stand") };
        let first = records.first().map_or_else(String::new, |(_, cells)| short(&cells.join(" ")));
        remarks.push(format!(
            "{rows} above the header and {} left out: \"{first}\".",
            if top == 1 { "is" } else { "are" }
        ));
    }
    let body: Vec<&Vec<String>> = records.iter().skip(top + 1).map(|(_, cells)| cells).collect();
    let Some((_, first)) = records.get(top) else { return Vec::new() };
    let column = |rows: &[&Vec<String>], at: usize| {
        let cells: Vec<String> =
            rows.iter().filter_map(|cells| cells.get(at)).filter(|c| !cell::is_missing(c)).cloned().collect();
        cells
    };
    let valued = |rows: &[&Vec<String>], at: usize| {
        let cells = column(rows, at);
        !cells.is_empty() && cells.iter().filter(|cell| is_value(cell)).count() * 5 >= cells.len() * 4
    };
    let (mut pro, mut contra) = (0, 0);
    let years = first.iter().filter(|cell| is_year(cell)).count();
    for (at, name) in first.iter().enumerate() {
        if name.trim().is_empty() {
            continue;
        }
        if is_value(name) && !(years >= 2 && is_year(name)) {
            contra += 1;
        } else if valued(&body, at) {
            pro += 1;
        }
    }
    let repeated = first
        .iter()
        .enumerate()
        .any(|(at, name)| !name.trim().is_empty() && body.iter().any(|cells| cells.get(at) == Some(name)));
    let has_header = if pro + contra == 0 { !repeated || body.is_empty() } else { pro >= contra };
    if !has_header {
        table.header_rows = 0;
        remarks.push(format!("Its first row ({}) looks like data, so the columns have no names; they are called by their letters.", short(&first.join(", "))));
        return (0..width).map(|at| format!("column {}", letter(at))).collect();
    }
    if pro + contra == 0 {
        remarks.push("Its first row is taken as the header; nothing but its place says so.".to_owned());
    }
    table.header_rows = 1;
    let mut names: Vec<String> =
        (0..width.max(first.len().min(width))).map(|at| first.get(at).cloned().unwrap_or_default()).collect();
    if second_header(&body, width, &valued) {
        table.header_rows = 2;
        let second = body.first().map(|cells| (*cells).clone()).unwrap_or_default();
        remarks.push(format!(
            "It has two header rows; the second ({}) is joined to the names.",
            short(&second.join(", "))
        ));
        for (name, below) in names.iter_mut().zip(&second) {
            let below = below.trim();
            if !below.is_empty() && *name != below {
                *name = if name.trim().is_empty() {
                    below.to_owned()
                } else {
                    format!("{} {below}", name.trim())
                };
            }
        }
    }
    names
}

/// Whether the row below the header is one too: words above columns of numbers.
fn second_header(
    body: &[&Vec<String>],
    width: usize,
    valued: &dyn Fn(&[&Vec<String>], usize) -> bool,
) -> bool {
    let (Some(second), Some(rest)) = (body.first(), body.get(1..)) else { return false };
    if rest.len() < 2 {
        return false;
    }
    let (mut words, mut columns) = (0, 0);
    for at in 0..width {
        if !valued(rest, at) {
            continue;
        }
        columns += 1;
        let cell = second.get(at).map(|cell| cell.trim()).unwrap_or_default();
        words += usize::from(!cell::is_missing(cell) && !is_value(cell) && !cell::is_total(cell));
    }
    columns > 0 && words * 3 >= columns * 2 && second.iter().all(|cell| !is_value(cell))
}

/// Gives columns their names and what is proposed for them.
fn with_headers(
    mut table: TableReading,
    headers: &[String],
    mut remarks: Vec<String>,
    records: &[(u64, Vec<String>)],
    called: &Called,
) -> Sniffed {
    let rows: Vec<&(u64, Vec<String>)> =
        records.iter().skip(usize::try_from(table.skip + table.header_rows).unwrap_or(0)).collect();
    let mut guesses = Vec::with_capacity(headers.len());
    let mut used = std::collections::HashMap::new();
    let mut doubled = Vec::new();
    table.columns.clear();
    for (at, header) in headers.iter().enumerate() {
        let plain = header.split_whitespace().collect::<Vec<_>>().join(" ");
        let base = if plain.is_empty() { format!("column {}", letter(at)) } else { plain };
        let seen = used.entry(base.clone()).or_insert(0_usize);
        *seen += 1;
        let name = if *seen == 1 { base } else { format!("{base} ({seen})") };
        if *seen == 2 {
            doubled.push(format!("\"{header}\""));
        }
        let cells: Vec<(u64, &str)> =
            rows.iter().filter_map(|(number, cells)| Some((*number, cells.get(at)?.as_str()))).collect();
        let guess = guess::guess(&name, &cells);
        // What the cells are is told by the header; how they are called, by who asks.
        let said = called.column(header).filter(|said| !headers.contains(said) && !used.contains_key(said));
        if let Some(said) = &said {
            used.insert(said.clone(), 1);
        }
        let mut column = column(said.unwrap_or(name), header, &guess);
        column.unit = column.unit.or_else(|| called.unit(header).filter(|_| column.kind == Kind::Number));
        table.columns.push(column);
        guesses.push(guess);
    }
    if !doubled.is_empty() {
        remarks.push(format!("The header {} stands above several columns; the later ones are called with a number, such as (2).", doubled.join(", ")));
    }
    // What one column cannot tell of its separators, others may.
    let comma = guesses
        .iter()
        .any(|guess| guess.kind == Kind::Number && guess.separators.comma > guess.separators.point);
    let point = guesses
        .iter()
        .any(|guess| guess.kind == Kind::Number && guess.separators.point > guess.separators.comma);
    for (column, guess) in table.columns.iter_mut().zip(&guesses) {
        if column.kind == Kind::Number {
            (column.decimal, column.thousands) = guess.separators.decide(comma && !point);
        }
    }
    Sniffed { table, remarks, guesses, doubted: Vec::new() }
}

fn column(name: String, header: &str, guess: &Guess) -> ColumnReading {
    let unit = if guess.kind == Kind::Number { guess::unit(header) } else { None };
    ColumnReading {
        name,
        header: header.to_owned(),
        kind: guess.kind,
        unit,
        decimal: if guess.kind == Kind::Number { guess.decimal } else { '.' },
        thousands: guess.thousands.filter(|_| guess.kind == Kind::Number),
        date: guess.date,
        missing: Vec::new(),
    }
}
