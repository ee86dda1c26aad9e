use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::*;
use crate::profile;
use crate::question::{Aggregate, Ask, Measure, Question};
use crate::{Grain, Kind, compute, source};

const SCHEMA: &str = "message sales {
  REQUIRED INT32 day (DATE);
  REQUIRED INT64 paid (TIMESTAMP(NANOS,true));
  REQUIRED BYTE_ARRAY region (UTF8);
  REQUIRED INT64 price (DECIMAL(12,2));
  OPTIONAL DOUBLE weight;
}";

/// 1 January 2024.
const FIRST: i32 = 19_723;
const REGIONS: [&str; 3] = ["north", "south", "west"];

/// Days in a row, in groups of so many rows; every fifth weight is missing.
fn written(path: &Path, rows: i32, in_group: i32, packed: Compression) {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let properties = Arc::new(WriterProperties::builder().set_compression(packed).build());
    let mut writer =
        SerializedFileWriter::new(File::create(path).expect("created"), schema, properties).expect("begun");
    for first in (0..rows).step_by(in_group as usize) {
        let here: Vec<i32> = (first..(first + in_group).min(rows)).collect();
        let mut group = writer.next_row_group().expect("a group");
        macro_rules! column {
            ($kind:ty, $values:expr, $levels:expr) => {{
                let mut column = group.next_column().expect("next").expect("a column");
                column.typed::<$kind>().write_batch(&$values, $levels, None).expect("written");
                column.close().expect("closed");
            }};
        }
        column!(Int32Type, here.iter().map(|at| FIRST + at).collect::<Vec<_>>(), None);
        let paid = |at: &i32| i64::from(FIRST + at) * DAY * 1_000_000_000 + 3_600_000_000_000;
        column!(Int64Type, here.iter().map(paid).collect::<Vec<_>>(), None);
        let region = |at: &i32| ByteArray::from(REGIONS[*at as usize % 3]);
        column!(ByteArrayType, here.iter().map(region).collect::<Vec<_>>(), None);
        column!(Int64Type, here.iter().map(|at| i64::from(*at) * 10 - 5).collect::<Vec<_>>(), None);
        let levels: Vec<i16> = here.iter().map(|at| i16::from(at % 5 != 0)).collect();
        let weights = here.iter().filter(|at| *at % 5 != 0).map(|at| f64::from(*at) / 4.0);
        column!(DoubleType, weights.collect::<Vec<_>>(), Some(&levels));
        group.close().expect("closed");
    }
    writer.close().expect("finished");
}

/// The same rows as text.
fn as_text(path: &Path, rows: i32) {
    let mut text = String::from("day,paid,region,price,weight\n");
    for at in 0..rows {
        let day = Date::from_days(FIRST + at);
        let cents = at * 10 - 5;
        let sign = if cents < 0 { "-" } else { "" };
        let weight = if at % 5 == 0 { String::new() } else { (f64::from(at) / 4.0).to_string() };
        let region = REGIONS[at as usize % 3];
        let (whole, part) = (cents.abs() / 100, cents.abs() % 100);
        text.push_str(&format!("{day},{day}T01:00:00,{region},{sign}{whole}.{part:02},{weight}\n"));
    }
    std::fs::write(path, text).expect("written");
}

#[test]
fn a_parquet_file_says_what_the_same_table_says_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    as_text(&folder.path().join("sales.csv"), 400);
    let mut told: Vec<Vec<String>> = Vec::new();
    for (name, packed) in [
        ("sales.csv", None),
        ("plain/sales.parquet", Some(Compression::UNCOMPRESSED)),
        ("snappy/sales.parquet", Some(Compression::SNAPPY)),
        ("zstd/sales.parquet", Some(Compression::ZSTD(Default::default()))),
    ] {
        let path = folder.path().join(name);
        if let Some(packed) = packed {
            std::fs::create_dir(path.parent().expect("a folder")).expect("made");
            written(&path, 400, 90, packed);
        }
        let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
        assert_eq!(profiles.refused, [], "{name}");
        let table = &profiles.tables[0];
        let kinds: Vec<Kind> = table.columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [Kind::Date, Kind::Date, Kind::Text, Kind::Number, Kind::Number], "{name}");
        let time = table.time.as_ref().expect("a time");
        assert_eq!((time.column.as_str(), time.frequency), ("day", Some(Grain::Day)), "{name}");
        let ask = |ask: Ask| Question {
            id: "q".to_owned(),
            table: table.reading.name.clone(),
            ask,
            filters: Vec::new(),
            period: None,
        };
        let of = |how, column: &str| Measure { how, column: Some(column.to_owned()) };
        let questions = [
            ask(Ask::Total { measure: of(Aggregate::Sum, "price") }),
            ask(Ask::Total { measure: of(Aggregate::Count, "weight") }),
            ask(Ask::Total { measure: of(Aggregate::Median, "weight") }),
            ask(Ask::Trend { measure: of(Aggregate::Sum, "price"), grain: Some(Grain::Month) }),
            ask(Ask::Comparison {
                measure: of(Aggregate::Sum, "price"),
                by: "region".to_owned(),
                groups: Vec::new(),
            }),
        ];
        let answers = compute::answers(&profiles, &questions, &Context::default()).expect("answered");
        let tables = vec![table.reading.clone()];
        let mut values = Vec::new();
        for answer in &answers {
            assert_eq!(answer.refused, None, "{name}");
            assert!(
                compute::recompute(&tables, &answer.figures, &Context::default()).iter().all(|it| it.holds)
            );
            values.extend(answer.figures.iter().map(|figure| format!("{} {}", figure.label, figure.value)));
        }
        told.push(values);
    }
    assert!(told[0].len() > 8 && told.iter().all(|other| *other == told[0]), "{told:#?}");
}

#[test]
fn rows_come_one_by_one_and_may_end_early() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.parquet");
    written(&path, 20_000, 5_000, Compression::SNAPPY);
    let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
    let table = &profiles.tables[0].reading;
    assert_eq!(profiles.tables[0].rows, 20_000);
    let mut seen = 0;
    each_row(table, &mut |_, _| {
        seen += 1;
        Ok(if seen == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
    .expect("read");
    assert_eq!(seen, 7);
    let shown = source::rows(table, &[(5_001, 5_001)], 1, &Context::default()).expect("rows");
    assert_eq!(shown[0].1[..4], ["2037-09-09", "2037-09-09T01:00:00", "west", "499.95"]);
}

#[test]
fn a_file_cut_short_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.parquet");
    written(&path, 400, 90, Compression::SNAPPY);
    let whole = std::fs::read(&path).expect("read");
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("cut");
    let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
    assert!(profiles.refused[0].reason.contains("the Parquet file cannot be read"), "{:?}", profiles.refused);
}
