//! `tables.toml`: what was assumed, for a person to read and change.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::error::FiguresError;
use crate::profile::Profiles;
use crate::reading::called::Called;
use crate::reading::{Kind, TableReading};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    table: Vec<TableReading>,
    #[serde(default)]
    words: Called,
}

/// Reads what a person calls columns and rows, from the same text.
///
/// # Errors
/// When it is no TOML, or says something that cannot be.
pub fn called(text: &str) -> Result<Called, FiguresError> {
    written(text).map(|written| written.words)
}

fn written(text: &str) -> Result<Written, FiguresError> {
    toml::from_str(text).map_err(|error| FiguresError::Assumptions(error.to_string().trim_end().to_owned()))
}

/// Reads what a person says about tables.
///
/// # Errors
/// When it is no TOML, or says something that cannot be.
pub fn read(text: &str) -> Result<Vec<TableReading>, FiguresError> {
    let written = written(text)?;
    for table in &written.table {
        check(table)
            .map_err(|reason| FiguresError::Assumptions(format!("table \"{}\": {reason}", table.name)))?;
    }
    Ok(written.table)
}

fn check(table: &TableReading) -> Result<(), String> {
    if table.columns.is_empty() {
        return Err("no columns are listed".to_owned());
    }
    for (at, column) in table.columns.iter().enumerate() {
        let name = &column.name;
        if table.columns.iter().skip(at + 1).any(|other| other.name == *name) {
            return Err(format!("two columns are called \"{name}\""));
        }
        if column.kind == Kind::Date && column.date.is_none() {
            return Err(format!(
                "column \"{name}\" holds days; say how they are written with date = \"day_first\" or another form"
            ));
        }
        if !matches!(column.decimal, '.' | ',') {
            return Err(format!("column \"{name}\": decimal is \".\" or \",\""));
        }
        if column.thousands == Some(column.decimal) {
            return Err(format!(
                "column \"{name}\": the same mark cannot group thousands and stand before the fraction"
            ));
        }
    }
    let unknown = |name: &str| table.column(name).is_none();
    if let Some(time) = table.time.as_deref().filter(|time| unknown(time)) {
        return Err(format!("time = \"{time}\" names no column"));
    }
    if let Some(out) = table.leave_out.iter().find(|out| unknown(&out.column)) {
        return Err(format!("leave_out names the column \"{}\", which there is none of", out.column));
    }
    if encoding_rs::Encoding::for_label(table.encoding.as_bytes()).is_none() {
        return Err(format!("no encoding is called \"{}\"", table.encoding));
    }
    let one_byte = |mark: Option<char>| mark.is_none_or(|mark| mark.is_ascii());
    if !one_byte(table.delimiter) || !one_byte(table.quote) {
        return Err("delimiter and quote are single ASCII characters".to_owned());
    }
    Ok(())
}

/// Writes what was assumed, with the doubts as comments.
#[must_use]
pub fn write(profiles: &Profiles) -> String {
    let mut out = String::from(
        "# How the tables were read. Change what is wrong and pass this file back with --tables.\n\
         # kind: number, date, truth, text, empty.\n\
         # date: year_first, day_first, month_first, named, compact, year, quarter, serial1900, serial1904,\n\
         #       unix_seconds, unix_milliseconds.\n",
    );
    for table in &profiles.tables {
        let reading = &table.reading;
        out.push('\n');
        for doubt in table.doubts.iter().filter(|doubt| doubt.column.is_none()) {
            comment(&mut out, &doubt.text);
        }
        out.push_str("[[table]]\n");
        line(&mut out, "name", &quoted(&reading.name));
        line(&mut out, "file", &quoted(&reading.file));
        if let Some(part) = &reading.part {
            line(&mut out, "part", &quoted(part));
        }
        line(&mut out, "format", &named(&reading.format));
        line(&mut out, "encoding", &quoted(&reading.encoding));
        for (key, mark) in [("delimiter", reading.delimiter), ("quote", reading.quote)] {
            if let Some(mark) = mark {
                line(&mut out, key, &quoted(&mark.to_string()));
            }
        }
        line(&mut out, "skip", &reading.skip.to_string());
        line(&mut out, "header_rows", &reading.header_rows.to_string());
        if let Some(rows) = &reading.rows {
            line(&mut out, "rows", &quoted(rows));
        }
        if let Some(time) = &reading.time {
            line(&mut out, "time", &quoted(time));
        }
        for left in &reading.leave_out {
            out.push_str("\n[[table.leave_out]]\n");
            line(&mut out, "column", &quoted(&left.column));
            let labels: Vec<String> = left.labels.iter().map(|label| quoted(label)).collect();
            line(&mut out, "labels", &format!("[{}]", labels.join(", ")));
        }
        for column in &reading.columns {
            out.push('\n');
            for doubt in table.doubts.iter().filter(|doubt| doubt.column.as_ref() == Some(&column.name)) {
                comment(&mut out, &doubt.text);
            }
            out.push_str("[[table.columns]]\n");
            line(&mut out, "name", &quoted(&column.name));
            line(&mut out, "header", &quoted(&column.header));
            line(&mut out, "kind", &named(&column.kind));
            if let Some(unit) = &column.unit {
                line(&mut out, "unit", &quoted(unit));
            }
            if column.kind == Kind::Number {
                line(&mut out, "decimal", &quoted(&column.decimal.to_string()));
                if let Some(mark) = column.thousands {
                    line(&mut out, "thousands", &quoted(&mark.to_string()));
                }
            }
            if let Some(form) = &column.date {
                line(&mut out, "date", &named(form));
            }
            if !column.missing.is_empty() {
                let words: Vec<String> = column.missing.iter().map(|word| quoted(word)).collect();
                line(&mut out, "missing", &format!("[{}]", words.join(", ")));
            }
        }
    }
    out
}

fn comment(out: &mut String, text: &str) {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(out, "# {text}");
}

fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} = {value}");
}

fn named(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A basic string: JSON's escapes are TOML's, but for one letter.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default().replace('\u{7f}', "\\u007f")
}
