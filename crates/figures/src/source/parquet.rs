//! Tables of a Parquet file, row by row. Rows are numbered from 1 in their order. Only with the feature `parquet`; without it
//! such files are refused with the reason.

use std::ops::ControlFlow;

use csv::ByteRecord;
use parquet::basic::{LogicalType, TimeUnit};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use super::{Context, Visit, open};
use crate::date::Date;
use crate::error::FiguresError;
use crate::reading::TableReading;

const DAY: i64 = 86_400;

/// Names of the columns.
///
/// # Errors
/// When it is no file that can be read, or has too many columns.
pub fn headers(table: &TableReading, context: &Context) -> Result<Vec<String>, FiguresError> {
    let reader = reader(&table.file)?;
    let schema = reader.metadata().file_metadata().schema();
    let names: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    if names.len() > context.limits.columns {
        let (count, most) = (names.len(), context.limits.columns);
        return Err(FiguresError::unreadable(
            &table.file,
            format!("{count} columns; at most {most} are read"),
        ));
    }
    Ok(names)
}

/// The rows.
///
/// # Errors
/// When the file cannot be read, or whatever the visitor returns.
pub fn each_row(table: &TableReading, visit: &mut Visit<'_>) -> Result<(), FiguresError> {
    let reader = reader(&table.file)?;
    let schema = reader.metadata().file_metadata().schema();
    // The records know no moment in billionths and would give the bare number.
    let in_billionths: Vec<bool> = schema
        .get_fields()
        .iter()
        .map(|field| {
            let logical = field.get_basic_info().logical_type_ref();
            matches!(logical, Some(LogicalType::Timestamp(moment)) if moment.unit == TimeUnit::NANOS)
        })
        .collect();
    let rows = reader.get_row_iter(None).map_err(|error| broken(&table.file, &error))?;
    let mut record = ByteRecord::new();
    for (number, row) in (1..).zip(rows) {
        let row = row.map_err(|error| broken(&table.file, &error))?;
        record.clear();
        for ((_, field), billionths) in row.get_column_iter().zip(&in_billionths) {
            match field {
                Field::Long(value) if *billionths => {
                    record.push_field(moment(value.div_euclid(1_000_000_000)).as_bytes());
                }
                field => push(&mut record, field),
            }
        }
        if visit(number, &record)? == ControlFlow::Break(()) {
            break;
        }
    }
    Ok(())
}

fn push(record: &mut ByteRecord, field: &Field) {
    let text = match field {
        Field::Null => String::new(),
        Field::Str(text) => return record.push_field(text.as_bytes()),
        Field::Bytes(bytes) => format!("<{} bytes>", bytes.len()),
        Field::Date(days) => Date::from_days(*days).to_string(),
        Field::TimestampMillis(at) => moment(at.div_euclid(1000)),
        Field::TimestampMicros(at) => moment(at.div_euclid(1_000_000)),
        Field::TimeMillis(at) => time(i64::from(*at) / 1000),
        Field::TimeMicros(at) => time(at / 1_000_000),
        // What is not a number is no value, as in every other format.
        Field::Float(value) if !value.is_finite() => String::new(),
        Field::Double(value) if !value.is_finite() => String::new(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Group(inner) => nested(inner),
        // A decimal without places ends in its point.
        Field::Decimal(_) => field.to_string().trim_end_matches('.').to_owned(),
        other => other.to_string(),
    };
    record.push_field(text.as_bytes());
}

/// A row within a row, as a text.
fn nested(row: &Row) -> String {
    row.to_string()
}

/// A moment by its seconds since 1970; what is smaller than a second decides no day.
fn moment(seconds: i64) -> String {
    let days = i32::try_from(seconds.div_euclid(DAY)).unwrap_or(i32::MAX / 2);
    format!("{}T{}", Date::from_days(days), time(seconds.rem_euclid(DAY)))
}

fn time(seconds: i64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn reader(file: &str) -> Result<SerializedFileReader<std::fs::File>, FiguresError> {
    SerializedFileReader::new(open(file)?).map_err(|error| broken(file, &error))
}

fn broken(file: &str, error: &ParquetError) -> FiguresError {
    FiguresError::unreadable(file, format!("the Parquet file cannot be read: {error}"))
}

#[cfg(test)]
mod tests;
