//! The data pack, read back by another library.

use std::io::Cursor;

use baton_charts::workbook::{
    Cell, Column, DataPack, Format, Formula, Function, KeyFigure, Operator, Source, Table, Term,
    WorkbookError, write,
};
use baton_charts::{Axis, Chart, Kind};
use calamine::{Data, Range, Reader, Xlsx};
use proptest::prelude::*;

fn column(name: &str, unit: &str, format: Format) -> Column {
    Column { name: name.to_owned(), unit: unit.to_owned(), format }
}

fn text(words: &str) -> Cell {
    Cell::Text(words.to_owned())
}

fn over(function: Function, only: &[(&str, &str)]) -> Formula {
    Formula::Over {
        function,
        table: "sales".to_owned(),
        column: "revenue".to_owned(),
        only: only.iter().map(|(column, words)| ((*column).to_owned(), (*words).to_owned())).collect(),
    }
}

/// The cells a text in a spreadsheet is attacked with.
pub const ATTACKS: [&str; 6] =
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "=HYPERLINK(\"http://x\",\"y\")", "<b>&amp;</b>"];

pub fn pack() -> DataPack {
    let days = ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"];
    let towns = ["Harlund", "Mosby*", "Harlund", "Mosby*"];
    let revenue = [1200.5, 300.25, 1100.0, 512.0];
    let rows = days.iter().zip(towns).zip(revenue);
    let rows = rows
        .map(|((day, town), revenue)| vec![Cell::Date((*day).to_owned()), text(town), Cell::Number(revenue)]);
    let sales = Table {
        name: "sales".to_owned(),
        note: "sales.csv, all rows".to_owned(),
        columns: vec![
            column("day", "", Format::Plain),
            column("town", "", Format::Plain),
            column("revenue", "EUR", Format::Decimal(2)),
        ],
        rows: rows.collect(),
    };
    let attacks = Table {
        name: "=attacks".to_owned(),
        note: "+note".to_owned(),
        columns: vec![column("@words", "", Format::Plain), column("id", "", Format::Identifier)],
        rows: ATTACKS.iter().map(|words| vec![text(words), text("00123")]).collect(),
    };
    let share = Formula::Of(
        Box::new(over(Function::Sum, &[("town", "Mosby*")])),
        Operator::Over,
        Box::new(over(Function::Sum, &[])),
    );
    let derived = |formula: Formula, value: f64| Cell::Derived { formula, value };
    let figure = |label: &str, value: Cell, format: Format| KeyFigure {
        label: label.to_owned(),
        value,
        format,
        unit: "EUR".to_owned(),
        period: "January 2024".to_owned(),
        origin: "sum of revenue".to_owned(),
    };
    let cell = |row| Formula::Cell { table: "sales".to_owned(), column: "revenue".to_owned(), row };
    let change = Formula::Of(
        Box::new(Formula::Of(Box::new(cell(3)), Operator::Over, Box::new(cell(0)))),
        Operator::Minus,
        Box::new(Formula::Number(1.0)),
    );
    let values = revenue.map(Some);
    let mut line = Chart::of(Kind::Line, &days, &[("Revenue", &values)]);
    line.id = "c1".to_owned();
    line.title = "=Revenue fell!A1".to_owned();
    line.y = Axis { label: "Revenue".to_owned(), unit: "EUR".to_owned(), ..Axis::default() };
    let mut bars = Chart::of(Kind::Bar, &["Harlund", "Mosby"], &[("Sum", &[Some(2300.5), None])]);
    bars.id = "c2".to_owned();
    bars.title = "Harlund leads".to_owned();
    DataPack {
        title: "Sales of two towns".to_owned(),
        subtitle: "What happened in January?".to_owned(),
        created: "2024-02-01".to_owned(),
        summary: vec![
            figure("Revenue", derived(over(Function::Sum, &[]), 3112.75), Format::Money("EUR".to_owned(), 2)),
            figure("Share of Mosby*", derived(share, 812.25 / 3112.75), Format::Percent(1)),
            figure("Change, first to last day", derived(change, 512.0 / 1200.5 - 1.0), Format::Percent(1)),
            figure(
                "Largest day of Harlund",
                derived(over(Function::Maximum, &[("town", "Harlund")]), 1200.5),
                Format::Decimal(2),
            ),
            figure(
                "Days of Harlund",
                derived(over(Function::Count, &[("town", "Harlund")]), 2.0),
                Format::Whole,
            ),
            figure("Median", derived(over(Function::Median, &[]), 806.0), Format::Decimal(1)),
            figure(
                "Median of Harlund",
                derived(over(Function::Median, &[("town", "Harlund")]), 1150.25),
                Format::Decimal(2),
            ),
            figure("Not a number", Cell::Number(f64::NAN), Format::Plain),
        ],
        data: vec![sales, attacks],
        comparison: vec![Table {
            name: "towns".to_owned(),
            columns: vec![column("town", "", Format::Plain), column("sum", "EUR", Format::Decimal(2))],
            rows: vec![vec![text("Harlund"), derived(over(Function::Sum, &[("town", "Harlund")]), 2300.5)]],
            ..Table::default()
        }],
        glossary: vec![Term {
            term: "Revenue".to_owned(),
            definition: "What was sold".to_owned(),
            source: "[1]".to_owned(),
        }],
        sources: vec![
            Source {
                id: "[1]".to_owned(),
                title: "sales.csv".to_owned(),
                url: "https://example.org/sales.csv".to_owned(),
                accessed: "2024-02-01".to_owned(),
                used_for: "all".to_owned(),
            },
            Source {
                id: "[2]".to_owned(),
                title: "bad".to_owned(),
                url: "javascript:alert(1)".to_owned(),
                ..Source::default()
            },
        ],
        charts: vec![line, bars],
        ..DataPack::default()
    }
}

pub fn open(bytes: &[u8]) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(bytes.to_vec())).unwrap()
}

fn sheet(book: &mut Xlsx<Cursor<Vec<u8>>>, name: &str) -> Range<Data> {
    book.worksheet_range(name).unwrap()
}

fn at(range: &Range<Data>, row: u32, column: u32) -> Data {
    range.get_value((row, column)).cloned().unwrap_or(Data::Empty)
}

#[test]
fn the_five_sheets_hold_typed_cells() {
    let mut book = open(&write(&pack()).unwrap());
    assert_eq!(book.sheet_names(), ["Summary", "Data", "Comparison", "Glossary", "Sources"]);
    let data = sheet(&mut book, "Data");
    assert_eq!(at(&data, 4, 2), Data::String("revenue (EUR)".to_owned()));
    assert_eq!(at(&data, 5, 2), Data::Float(1200.5));
    assert!(
        matches!(at(&data, 5, 0), Data::DateTime(date) if date.as_f64() == 45_292.0),
        "{:?}",
        at(&data, 5, 0)
    );
    assert_eq!(at(&data, 6, 1), Data::String("Mosby*".to_owned()));
    let summary = sheet(&mut book, "Summary");
    assert_eq!(at(&summary, 5, 1), Data::Float(3112.75));
    assert_eq!(at(&summary, 12, 1), Data::Empty);
    let sources = sheet(&mut book, "Sources");
    assert_eq!(at(&sources, 6, 2), Data::String("javascript:alert(1)".to_owned()));
}

#[test]
fn text_that_looks_like_a_formula_stays_text() {
    let mut book = open(&write(&pack()).unwrap());
    let data = sheet(&mut book, "Data");
    let formulas = book.worksheet_formula("Data").unwrap();
    assert_eq!(at(&data, 2, 4), Data::String("=attacks".to_owned()));
    for (row, words) in (5..).zip(ATTACKS) {
        assert_eq!(at(&data, row, 4), Data::String(words.to_owned()));
        assert_eq!(at(&data, row, 5), Data::String("00123".to_owned()));
    }
    assert!(formulas.is_empty(), "{formulas:?}");
}

#[test]
fn derived_figures_are_formulas_with_their_value() {
    let mut book = open(&write(&pack()).unwrap());
    let formulas = book.worksheet_formula("Summary").unwrap();
    let formula = |row| formulas.get_value((row, 1)).cloned().unwrap_or_default();
    assert_eq!(formula(5), "SUM(Data!$C$6:$C$9)");
    assert_eq!(formula(6), "(SUMIFS(Data!$C$6:$C$9,Data!$B$6:$B$9,\"=Mosby~*\")/SUM(Data!$C$6:$C$9))");
    assert_eq!(formula(7), "((Data!$C$9/Data!$C$6)-1)");
    assert_eq!(formula(8), "_xlfn.MAXIFS(Data!$C$6:$C$9,Data!$B$6:$B$9,\"=Harlund\")");
    assert_eq!(formula(9), "COUNTIFS(Data!$C$6:$C$9,\"<>\",Data!$B$6:$B$9,\"=Harlund\")");
    assert_eq!(formula(10), "MEDIAN(Data!$C$6:$C$9)");
    assert_eq!(formula(11), "");
    let summary = sheet(&mut book, "Summary");
    assert_eq!(at(&summary, 11, 1), Data::Float(1150.25));
}

#[test]
fn native_charts_are_drawn_from_cells_that_equal_the_data() {
    let bytes = write(&pack()).unwrap();
    let mut book = open(&bytes);
    let data = sheet(&mut book, "Data");
    // Tables of the charts follow the tables of the pack: columns H and I, then K and L.
    assert_eq!(at(&data, 2, 7), Data::String("1. =Revenue fell!A1".to_owned()));
    for (row, value) in (5..).zip([1200.5, 300.25, 1100.0, 512.0]) {
        assert_eq!(at(&data, row, 8), Data::Float(value));
    }
    assert_eq!((at(&data, 5, 11), at(&data, 6, 11)), (Data::Float(2300.5), Data::Empty));
    let chart = part(&bytes, "xl/charts/chart1.xml");
    assert!(chart.contains("<c:f>Data!$I$6:$I$9</c:f>"), "{chart}");
    assert!(chart.contains("=Revenue fell!A1") && !chart.contains("<c:f>Revenue"), "{chart}");
    assert!(part(&bytes, "xl/charts/chart2.xml").contains("<c:f>Data!$L$6:$L$7</c:f>"));
}

/// A file inside the workbook.
fn part(bytes: &[u8], name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.xlsx");
    std::fs::write(&path, bytes).unwrap();
    let script =
        "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))";
    let out =
        std::process::Command::new("python3").args(["-c", script]).arg(&path).arg(name).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn the_head_is_frozen_on_every_sheet() {
    let bytes = write(&pack()).unwrap();
    for sheet in 1..=5 {
        let xml = part(&bytes, &format!("xl/worksheets/sheet{sheet}.xml"));
        assert!(
            xml.contains(
                "<pane ySplit=\"5\" topLeftCell=\"A6\" activePane=\"bottomLeft\" state=\"frozen\"/>"
            ),
            "{sheet}"
        );
    }
}

#[test]
fn the_same_pack_is_the_same_bytes() {
    assert_eq!(write(&pack()).unwrap(), write(&pack()).unwrap());
}

#[test]
fn a_reference_that_leads_nowhere_is_named() {
    let broken = |formula: Formula| {
        let mut pack = pack();
        pack.summary[0].value = Cell::Derived { formula, value: 1.0 };
        write(&pack).unwrap_err().to_string()
    };
    let nowhere = Formula::Cell { table: "sales".to_owned(), column: "cost".to_owned(), row: 0 };
    assert!(broken(nowhere).contains("the column \"cost\" of the table \"sales\""));
    let below = Formula::Cell { table: "sales".to_owned(), column: "revenue".to_owned(), row: 4 };
    assert!(broken(below).contains("the row \"4\""));
    let mut twice = pack();
    twice.data.push(twice.data[0].clone());
    assert!(matches!(write(&twice), Err(WorkbookError::TwoTables(name)) if name == "sales"));
    let mut never = pack();
    never.created = "soon".to_owned();
    assert!(matches!(write(&never), Err(WorkbookError::Created(_))));
}

#[test]
fn an_empty_pack_still_has_its_sheets() {
    let mut book = open(&write(&DataPack::default()).unwrap());
    assert_eq!(book.sheet_names().len(), 5);
    assert_eq!(at(&sheet(&mut book, "Comparison"), 5, 0), Data::String("Nothing to list here.".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_cells_a_chart_is_drawn_from_equal_its_data(
        series in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.9, -1e12..1e12_f64), 14), 1..5),
        timed: bool,
    ) {
        let labels: Vec<String> = (1..=14).map(|day| if timed { format!("2024-02-{day:02}") } else { format!("=name {day}") }).collect();
        let names: Vec<String> = (0..series.len()).map(|at| format!("series {at}")).collect();
        let given: Vec<(&str, &[Option<f64>])> = names.iter().zip(&series).map(|(name, y)| (name.as_str(), y.as_slice())).collect();
        let mut chart = Chart::of(Kind::Line, &labels, &given);
        prop_assume!(chart.points() > 0);
        chart.id = "c".to_owned();
        let mut book = open(&write(&DataPack { charts: vec![chart], ..DataPack::default() }).unwrap());
        let data = sheet(&mut book, "Data");
        for (column, values) in (1..).zip(&series) {
            prop_assert_eq!(at(&data, 4, column), Data::String(format!("series {}", column - 1)));
            for (row, value) in (5..).zip(values) {
                let read = match at(&data, row, column) {
                    Data::Float(read) => Some(read),
                    Data::Empty => None,
                    other => panic!("{other:?}"),
                };
                prop_assert_eq!(read, *value);
            }
        }
        for (row, label) in (5..).zip(&labels) {
            match at(&data, row, 0) {
                Data::String(read) => prop_assert_eq!(&read, label),
                Data::DateTime(read) => prop_assert_eq!(read.as_f64(), 45_323.0 + f64::from(row) - 5.0),
                other => panic!("{other:?}"),
            }
        }
    }
}
