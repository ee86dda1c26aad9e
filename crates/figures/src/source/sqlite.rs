//! Tables of a SQLite database, opened for reading only. Rows are numbered from 1 in the order of their row ids.

use std::ops::ControlFlow;

use csv::ByteRecord;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::{Visit, open};
use crate::error::FiguresError;
use crate::reading::TableReading;

/// Names of the tables and views.
///
/// # Errors
/// When it is no database that can be read.
pub fn tables(file: &str) -> Result<Vec<Option<String>>, FiguresError> {
    let connection = connect(file)?;
    let names = || -> rusqlite::Result<Vec<Option<String>>> {
        let mut query = connection.prepare(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )?;
        query.query_map([], |row| row.get(0).map(Some))?.collect()
    };
    let names = names().map_err(|error| broken(file, &error))?;
    if names.is_empty() {
        return Err(FiguresError::unreadable(file, "a database without tables"));
    }
    Ok(names)
}

/// Names of the columns of a table.
///
/// # Errors
/// When there is no such table.
pub fn headers(table: &TableReading) -> Result<Vec<String>, FiguresError> {
    let connection = connect(&table.file)?;
    let query = connection
        .prepare(&format!("SELECT * FROM {}", quoted(table)))
        .map_err(|error| broken(&table.file, &error))?;
    Ok(query.column_names().map(str::to_owned).collect())
}

/// The rows of a table.
///
/// # Errors
/// When the table cannot be read, or whatever the visitor returns.
pub fn each_row(table: &TableReading, visit: &mut Visit<'_>) -> Result<(), FiguresError> {
    let connection = connect(&table.file)?;
    let trouble = |error: &rusqlite::Error| broken(&table.file, error);
    let by_id = format!("SELECT * FROM {} ORDER BY rowid", quoted(table));
    // Views and tables without row ids have no such order; theirs is the one SQLite gives.
    let mut query = match connection.prepare(&by_id) {
        Ok(query) => query,
        Err(_) => connection.prepare(&format!("SELECT * FROM {}", quoted(table))).map_err(|e| trouble(&e))?,
    };
    let width = query.column_count();
    let mut rows = query.query([]).map_err(|error| trouble(&error))?;
    let mut record = ByteRecord::new();
    let mut number = 0;
    while let Some(row) = rows.next().map_err(|error| trouble(&error))? {
        number += 1;
        record.clear();
        for at in 0..width {
            match row.get_ref(at).map_err(|error| trouble(&error))? {
                ValueRef::Null => record.push_field(b""),
                ValueRef::Integer(value) => record.push_field(value.to_string().as_bytes()),
                ValueRef::Real(value) => record.push_field(value.to_string().as_bytes()),
                ValueRef::Text(text) => record.push_field(text),
                ValueRef::Blob(blob) => record.push_field(format!("<{} bytes>", blob.len()).as_bytes()),
            }
        }
        if visit(number, &record)? == ControlFlow::Break(()) {
            break;
        }
    }
    Ok(())
}

fn connect(file: &str) -> Result<Connection, FiguresError> {
    open(file)?;
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|error| broken(file, &error))
}

fn broken(file: &str, error: &rusqlite::Error) -> FiguresError {
    FiguresError::unreadable(file, format!("the database cannot be read: {error}"))
}

fn quoted(table: &TableReading) -> String {
    let name = table.part.as_deref().unwrap_or(&table.name);
    format!("\"{}\"", name.replace('"', "\"\""))
}
