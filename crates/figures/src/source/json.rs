//! JSON: a list of objects, one object a line, or lists inside one document. Objects inside objects become columns
//! such as `price.amount`; lists inside a row are kept as their JSON text. Numbers are taken as they are written: a
//! float would lose digits.

use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;

use csv::ByteRecord;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Context, Visit, open};
use crate::error::FiguresError;
use crate::reading::{Format, TableReading};

mod raw;

/// One document, or one a line?
#[must_use]
pub fn kind(text: &str) -> Format {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let whole = |line: &str| serde_json::from_str::<Value>(line).is_ok_and(|value| value.is_object());
    match (lines.next(), lines.next()) {
        (Some(first), Some(second)) if whole(first) && second.trim_start().starts_with('{') => {
            Format::JsonLines
        }
        _ => Format::Json,
    }
}

/// Paths to the lists of objects of a document: `/` for the document itself.
///
/// # Errors
/// When it is no JSON, too large, or has no such list.
pub fn lists(file: &str, context: &Context) -> Result<Vec<Option<String>>, FiguresError> {
    let document: Value = serde_json::from_str(&document(file, context)?).map_err(no_json(file))?;
    let mut found = Vec::new();
    collect(&document, "", 0, &mut found);
    if found.is_empty() {
        return Err(FiguresError::unreadable(file, "no list of objects in it, so there is no table"));
    }
    Ok(found.into_iter().map(Some).collect())
}

fn collect(value: &Value, path: &str, depth: usize, found: &mut Vec<String>) {
    match value {
        Value::Array(items) if items.iter().any(Value::is_object) => {
            found.push(if path.is_empty() { "/".to_owned() } else { path.to_owned() });
        }
        Value::Object(map) if depth < 4 => {
            for (key, inner) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(inner, &format!("{path}/{key}"), depth + 1, found);
            }
        }
        _ => {}
    }
}

fn document(file: &str, context: &Context) -> Result<String, FiguresError> {
    let mut bytes = Vec::new();
    // A parsed document takes several times its size.
    let limit = context.limits.document / 8;
    let io = |source| FiguresError::Io { file: file.into(), source };
    open(file)?.take(limit + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limit {
        let reason =
            format!("a JSON document of more than {} MB; write one object a line (.jsonl)", limit >> 20);
        return Err(FiguresError::unreadable(file, reason));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| FiguresError::unreadable(file, format!("no JSON: {error}")))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

fn no_json(file: &str) -> impl Fn(serde_json::Error) -> FiguresError {
    move |error| FiguresError::unreadable(file, format!("no JSON: {error}"))
}

/// Names of all columns, in the order they first occur.
///
/// # Errors
/// When the file cannot be read.
pub fn headers(table: &TableReading, context: &Context) -> Result<Vec<String>, FiguresError> {
    let mut names: Vec<String> = Vec::new();
    let mut known = std::collections::HashSet::new();
    each_object(table, context, &mut |_, cells| {
        for (name, _) in cells {
            if known.insert(name.clone()) {
                names.push(name);
            }
        }
        if names.len() > context.limits.columns {
            let reason = format!("more than {} columns", context.limits.columns);
            return Err(FiguresError::unreadable(&table.file, reason));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(names)
}

type VisitObject<'v> = dyn FnMut(u64, Vec<(String, String)>) -> Result<ControlFlow<()>, FiguresError> + 'v;

fn each_object(
    table: &TableReading,
    context: &Context,
    visit: &mut VisitObject<'_>,
) -> Result<(), FiguresError> {
    let file = &table.file;
    if table.format == Format::Json {
        let document = document(file, context)?;
        let whole: &RawValue = serde_json::from_str(&document).map_err(no_json(file))?;
        let path = table.part.as_deref().unwrap_or("/");
        let list = raw::pointed(whole, path).and_then(|list| serde_json::from_str(list.get()).ok());
        let items: Vec<&RawValue> =
            list.ok_or_else(|| FiguresError::unreadable(file, format!("no list at \"{path}\"")))?;
        for (number, item) in (1..).zip(items) {
            let cells = raw::flat(item).map_err(|why| FiguresError::at_row(file, number, why))?;
            if visit(number, cells)? == ControlFlow::Break(()) {
                break;
            }
        }
        return Ok(());
    }
    let mut reader = BufReader::new(open(file)?);
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let limit = context.limits.record as u64;
        let read = reader
            .by_ref()
            .take(limit + 1)
            .read_until(b'\n', &mut line)
            .map_err(|source| FiguresError::Io { file: file.into(), source })?;
        if read == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        number += 1;
        if read as u64 > limit {
            return Err(FiguresError::at_row(file, number, format!("longer than {} MB", limit >> 20)));
        }
        let bytes = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        let item: &RawValue = serde_json::from_slice(bytes)
            .map_err(|error| FiguresError::at_row(file, number, format!("no JSON: {error}")))?;
        let cells = raw::flat(item).map_err(|why| FiguresError::at_row(file, number, why))?;
        if visit(number, cells)? == ControlFlow::Break(()) {
            return Ok(());
        }
    }
}

fn each(table: &TableReading, context: &Context, visit: &mut Visit<'_>) -> Result<(), FiguresError> {
    let places: std::collections::HashMap<&str, usize> =
        table.columns.iter().enumerate().map(|(at, column)| (column.header.as_str(), at)).collect();
    let mut record = ByteRecord::new();
    each_object(table, context, &mut |number, cells| {
        let mut row = vec![String::new(); table.columns.len()];
        for (name, cell) in cells {
            if let Some(place) = places.get(name.as_str()).and_then(|at| row.get_mut(*at)) {
                *place = cell;
            }
        }
        record.clear();
        record.extend(&row);
        visit(number, &record)
    })
}

/// Elements of a list inside a document, numbered from 1.
///
/// # Errors
/// When the file cannot be read, or whatever the visitor returns.
pub fn each_element(
    table: &TableReading,
    context: &Context,
    visit: &mut Visit<'_>,
) -> Result<(), FiguresError> {
    each(table, context, visit)
}

/// One object a line, numbered from 1; empty lines are not counted.
///
/// # Errors
/// When the file cannot be read, or whatever the visitor returns.
pub fn each_line(table: &TableReading, context: &Context, visit: &mut Visit<'_>) -> Result<(), FiguresError> {
    each(table, context, visit)
}
