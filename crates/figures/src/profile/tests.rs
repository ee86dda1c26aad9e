use std::fmt::Write as _;

use super::*;
use crate::compute;
use crate::question::{Aggregate, Ask, Measure, Question};
use crate::reading::{DateForm, file};

struct Made {
    folder: tempfile::TempDir,
    profiles: Profiles,
    context: Context,
}

fn profiled(name: &str, bytes: impl AsRef<[u8]>) -> Made {
    profiled_with(name, bytes, &Context::default())
}

fn profiled_with(name: &str, bytes: impl AsRef<[u8]>, context: &Context) -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    let context = Context { scratch: Some(folder.path().to_owned()), ..context.clone() };
    let profiles = of_files(&[path], &[], &context).expect("profiled");
    Made { folder, profiles, context }
}

impl Made {
    fn table(&self) -> &TableProfile {
        assert_eq!(self.profiles.refused, []);
        &self.profiles.tables[0]
    }

    fn column(&self, name: &str) -> &ColumnProfile {
        self.table().column(name).unwrap_or_else(|| panic!("{name} among {:?}", self.table().reading.columns))
    }

    fn doubts(&self) -> Vec<&str> {
        self.table().doubts.iter().map(|doubt| doubt.text.as_str()).collect()
    }

    #[track_caller]
    fn doubts_that(&self, part: &str) {
        assert!(
            self.doubts().iter().any(|text| text.contains(part)),
            "no doubt says {part:?}: {:#?}",
            self.doubts()
        );
    }

    fn refused(&self) -> &str {
        assert_eq!(self.profiles.tables.len(), 0, "{:?}", self.profiles.tables);
        &self.profiles.refused[0].reason
    }

    /// The number, or the reason why there is none.
    fn ask(&self, how: Aggregate, column: &str) -> String {
        let measure = Measure { how, column: Some(column.to_owned()) };
        let table = self.table().reading.name.clone();
        let question = Question {
            id: "q".to_owned(),
            table,
            ask: Ask::Total { measure },
            filters: Vec::new(),
            period: None,
        };
        let answer =
            compute::answers(&self.profiles, &[question], &self.context).expect("answered").remove(0);
        answer.refused.unwrap_or_else(|| answer.figures[0].value.to_string())
    }
}

#[test]
fn kinds_units_keys_time_and_categories() {
    let made = profiled(
        "orders.csv",
        "order,day,region,price (EUR),weight_kg,paid\nA1,2025-01-01,north,10.50,2,yes\nA2,2025-01-02,south,20.00,3,no\nA3,2025-01-03,north,,4,yes\nA4,2025-01-04,west,12,5,yes\n",
    );
    let kinds: Vec<Kind> = made.table().columns.iter().map(|column| column.kind).collect();
    assert_eq!(kinds, [Kind::Text, Kind::Date, Kind::Text, Kind::Number, Kind::Number, Kind::Truth]);
    assert_eq!(made.column("price (EUR)").unit.as_deref(), Some("EUR"));
    assert_eq!(made.column("weight_kg").unit.as_deref(), Some("kg"));
    assert_eq!(made.column("price (EUR)").missing, 1);
    assert_eq!(made.table().keys, ["order", "day", "weight_kg"]);
    let time = made.table().time.clone().expect("time");
    assert_eq!((time.column.as_str(), time.frequency, time.gaps), ("day", Some(Grain::Day), 0));
    assert_eq!(made.column("region").categories[0], Category { value: "north".to_owned(), count: 2 });
}

#[test]
fn ragged_rows_are_named_and_slipped_ones_left_out() {
    let made = profiled("a.csv", "name,value\nx,1\ny,2,3\nz\nw,4\nv,5\n");
    made.doubts_that("1 row has more cells than there are columns (row 3: 3 instead of 2)");
    made.doubts_that("1 row has fewer cells than there are columns (row 4: 1 instead of 2)");
    assert_eq!(made.ask(Aggregate::Sum, "value"), "10");
}

#[test]
fn mixed_types_are_words_and_a_few_odd_cells_are_counted() {
    let mut text = String::from("value,other\n");
    for at in 0..40 {
        let _ = writeln!(
            text,
            "{},{}",
            if at % 3 == 0 { "none yet".to_owned() } else { at.to_string() },
            if at == 7 { "about 5".to_owned() } else { at.to_string() }
        );
    }
    let made = profiled("a.csv", text);
    made.doubts_that(
        "\"value\": it mixes numbers (26 of 40 cells looked at) and words, such as \"none yet\" in row 2",
    );
    made.doubts_that("\"other\": 1 cell is no number (\"about 5\" in row 9) and counted as missing");
    assert!(made.ask(Aggregate::Sum, "value").contains("holds words"));
    assert_eq!(made.ask(Aggregate::Sum, "other"), "773");
}

#[test]
fn two_headers_and_a_title() {
    let made = profiled(
        "a.csv",
        "Report of 2025,,\nregion,revenue,orders\n,EUR,count\nnorth,10,1\nsouth,20,2\nwest,30,3\n",
    );
    assert_eq!((made.table().reading.skip, made.table().reading.header_rows), (1, 2));
    made.doubts_that("It has two header rows");
    made.doubts_that("above the header");
    assert_eq!(made.ask(Aggregate::Sum, "revenue EUR"), "60");
}

#[test]
fn no_header_at_all() {
    let made = profiled("a.csv", "1,2.5\n2,3.5\n3,4.5\n");
    made.doubts_that("looks like data");
    assert_eq!(made.ask(Aggregate::Sum, "column B"), "10.5");
}

#[test]
fn empty_columns_and_columns_that_begin_late() {
    let mut text = String::from("a,empty,late\n");
    for at in 0..2500 {
        let _ = writeln!(text, "{at},,{}", if at > 2300 { "7" } else { "" });
    }
    let made = profiled("a.csv", text);
    assert_eq!(made.column("empty").kind, Kind::Empty);
    made.doubts_that("\"empty\": no cell holds anything");
    assert_eq!(made.column("late").kind, Kind::Number);
    assert_eq!(made.ask(Aggregate::Sum, "late"), "1393");
}

#[test]
fn ten_thousand_columns_are_read_and_more_than_allowed_refused() {
    let header: Vec<String> = (0..10_000).map(|at| format!("c{at}")).collect();
    let row: Vec<String> = (0..10_000).map(|at| at.to_string()).collect();
    let text = format!("{}\n{}\n{}\n", header.join(","), row.join(","), row.join(","));
    let made = profiled("a.csv", &text);
    assert_eq!(made.table().columns.len(), 10_000);
    assert_eq!(made.ask(Aggregate::Sum, "c9999"), "19998");
    let mut context = Context::default();
    context.limits.columns = 5000;
    let narrow = profiled_with("a.csv", &text, &context);
    assert!(narrow.refused().contains("10000 cells, at most 5000 are read"), "{}", narrow.refused());
}

#[test]
fn formula_cells_in_text_are_text() {
    let made = profiled("a.csv", "note,value\n=1+1,1\n=SUM(A1:A9),2\n+49 30,3\n");
    made.doubts_that("2 cells begin with \"=\"; this is kept as text and never computed");
    assert_eq!(made.ask(Aggregate::Sum, "value"), "6");
}

#[test]
fn days_written_as_numbers() {
    let mut text = String::from("date,day,created,year,value\n");
    for at in 0..30 {
        let _ = writeln!(
            text,
            "{},{},{},{},1",
            20_250_101 + at,
            45_658 + at,
            1_735_689_600 + at * 86_400,
            1990 + at
        );
    }
    let made = profiled("a.csv", text);
    let forms: Vec<Option<DateForm>> =
        made.table().reading.columns.iter().map(|column| column.date).collect();
    assert_eq!(
        forms[..4],
        [
            Some(DateForm::Compact),
            Some(DateForm::Serial1900),
            Some(DateForm::UnixSeconds),
            Some(DateForm::Year)
        ]
    );
    for (name, first) in
        [("date", "2025-01-01"), ("day", "2025-01-01"), ("created", "2025-01-01"), ("year", "1990-01-01")]
    {
        assert_eq!(
            made.column(name).days.map(|(from, _)| from.to_string()).as_deref(),
            Some(first),
            "{name}"
        );
    }
    made.doubts_that("one that counts from 1904 would be four years later");
    made.doubts_that("numbers such as 20250403 are read as days");
}

#[test]
fn which_number_is_the_day_is_told_with_its_witness_or_refused() {
    let made = profiled("a.csv", "date,value\n03/04/2025,1\n17/04/2025,2\n");
    made.doubts_that("03/04/2025 read as 3 April because 17/04/2025 occurs (row 3)");
    let made = profiled("a.csv", "date,value\n03/04/2025,1\n04/17/2025,2\n");
    made.doubts_that("03/04/2025 read as 4 March because 04/17/2025 occurs (row 3)");
    let made = profiled("a.csv", "date,value\n03/04/2025,1\n05/06/2025,2\n");
    made.doubts_that("but no cell shows whether day or month comes first");
    let trend = Ask::Trend { measure: Measure::sum("value"), grain: None };
    let question =
        Question { id: "q".to_owned(), table: "a".to_owned(), ask: trend, filters: Vec::new(), period: None };
    let answer = compute::answers(&made.profiles, &[question], &made.context).expect("answered").remove(0);
    assert!(answer.refused.is_some_and(|text| text.contains("set date in tables.toml")));
}

#[test]
fn a_witness_may_stand_far_below() {
    let mut text = String::from("date,value\n");
    for at in 0..3000 {
        let _ = writeln!(text, "{:02}/{:02}/2025,1", at % 12 + 1, (at + 5) % 12 + 1);
    }
    text.push_str("06/25/2025,1\n");
    let made = profiled("a.csv", text);
    assert_eq!(made.table().reading.columns[0].date, Some(DateForm::MonthFirst));
}

#[test]
fn not_a_number_is_missing() {
    let made = profiled("a.csv", "value\n1\nNaN\n3\nnan\n5\n");
    made.doubts_that("2 cells say NaN and counted as missing");
    assert_eq!(made.ask(Aggregate::Mean, "value"), "3");
}

#[test]
fn a_word_for_nothing_is_told_since_it_may_be_a_value() {
    let made = profiled("a.csv", "damage,value\nNone,1\nMinor,2\nNone,n/a\n");
    made.doubts_that("\"damage\": 2 cells say \"None\" (row 2) or the like and count as missing");
    made.doubts_that("\"value\": 1 cell says \"n/a\" (row 4) or the like and counts as missing");
}

#[test]
fn duplicate_headers_get_numbers() {
    let made = profiled("a.csv", "value,value,name,name\n1,2,x,y\n3,4,z,w\n");
    made.doubts_that("The header \"value\", \"name\" stands above several columns");
    assert_eq!(
        (made.ask(Aggregate::Sum, "value"), made.ask(Aggregate::Sum, "value (2)")),
        ("4".to_owned(), "6".to_owned())
    );
}

#[test]
fn a_line_without_end_is_refused_with_its_row_and_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.csv");
    std::fs::write(&path, "a,b\n1,2\n\"").expect("written");
    // Two gigabytes that take no room on disk.
    std::fs::File::options().append(true).open(&path).and_then(|file| file.set_len(2 << 30)).expect("grown");
    let context = Context::default();
    let profiles = of_files(&[path], &[], &context).expect("profiled");
    let reason = &profiles.refused[0].reason;
    assert!(reason.contains("binary data") || reason.contains("row 3: longer than 16 MB"), "{reason}");

    let mut context = Context::default();
    context.limits.record = 1 << 16;
    let text = format!("a,b\n1,2\n\"{}", "x".repeat(1 << 20));
    let made = profiled_with("a.csv", text, &context);
    assert!(
        made.refused().contains("row 3: longer than 0 MB: a quotation mark that is never closed"),
        "{}",
        made.refused()
    );
}

mod totals;

#[test]
fn mixed_currencies_are_not_added() {
    let made = profiled("a.csv", "price\n€10\n$20\n€30\n");
    made.doubts_that("it mixes EUR (2) and USD (1)");
    assert!(made.ask(Aggregate::Sum, "price").contains("it mixes EUR (2) and USD (1)"));
    assert_eq!(made.ask(Aggregate::Count, "price"), "3");
    // A person says which to read.
    let toml = file::write(&made.profiles).replace("kind = \"number\"", "kind = \"number\"\nunit = \"EUR\"");
    let given = file::read(&toml).expect("read");
    let path = made.folder.path().join("a.csv");
    let profiles = of_files(&[path], &given, &made.context).expect("profiled");
    let again = Made { folder: made.folder, profiles, context: made.context };
    assert_eq!(again.ask(Aggregate::Sum, "price"), "40");
    again.doubts_that("1 cell is no number (\"$20\" in row 3)");
}

#[test]
fn percentages_are_not_added_and_their_mean_is_doubted() {
    let made = profiled("a.csv", "rate\n10%\n20%\n60%\n");
    assert_eq!(made.column("rate").unit.as_deref(), Some("%"));
    assert!(made.ask(Aggregate::Sum, "rate").contains("percentages, which cannot be added up"));
    let measure = Measure { how: Aggregate::Mean, column: Some("rate".to_owned()) };
    let question = Question {
        id: "q".to_owned(),
        table: "a".to_owned(),
        ask: Ask::Total { measure },
        filters: Vec::new(),
        period: None,
    };
    let answer = compute::answers(&made.profiles, &[question], &made.context).expect("answered").remove(0);
    assert_eq!(answer.figures[0].value.to_string(), "30");
    assert!(answer.doubts.iter().any(|doubt| doubt.text.contains("gives every row the same weight")));
    let half = profiled("a.csv", "rate\n10%\n0.2\n60%\n");
    assert!(half.ask(Aggregate::Mean, "rate").contains("12 and 0.12 may mean the same"));
}

#[test]
fn names_with_leading_zeros_stay_as_they_are() {
    let made = profiled("a.csv", "code2,value\n007,1\n042,2\n");
    assert_eq!(made.column("code2").kind, Kind::Text);
    made.doubts_that("007 (row 2) begins with a zero, so these are names");
    let mut text = String::from("shop,value\n");
    for at in 0..3000 {
        let _ = writeln!(text, "{},1", at + 1000);
    }
    text.push_str("0042,1\n");
    let late = profiled("a.csv", text);
    assert_eq!(late.column("shop").kind, Kind::Text);
    let named = profiled("a.csv", "customer_id,value\n17,1\n18,2\n");
    assert_eq!(named.column("customer_id").kind, Kind::Text);
}

#[test]
fn brackets_are_negative_and_separators_are_told() {
    let made = profiled("a.csv", "value;share\n\"(1,234)\";1\n\"2,000,000\";2\n");
    assert_eq!(made.ask(Aggregate::Sum, "value"), "1998766");
    made.doubts_that("1 number stands in brackets and read as negative");
    made.doubts_that("commas group thousands");
    made.doubts_that("Its cells are separated by semicolons.");
}

#[test]
fn decimal_commas_are_detected_and_what_cannot_be_decided_is_said() {
    let made = profiled("a.csv", "preis;menge\n1.234,50;1.000\n0,5;2.000\n");
    assert_eq!(
        (made.ask(Aggregate::Sum, "preis"), made.ask(Aggregate::Sum, "menge")),
        ("1235".to_owned(), "3000".to_owned())
    );
    made.doubts_that("\"preis\": a comma stands before the fraction, because 1.234,50 occurs (row 2)");
    made.doubts_that("\"menge\": 1.234 is read as 1234, because the other columns have a comma");
    let open = profiled("a.csv", "value\n\"1,234\"\n\"5,678\"\n");
    assert_eq!(open.ask(Aggregate::Sum, "value"), "6912");
    open.doubts_that("2 cells could be read either way and no cell decides");
    let torn = profiled("a.csv", format!("value;x\n1.5;2\n{}", "2,25;3\n".repeat(30)));
    assert!(
        torn.ask(Aggregate::Sum, "value").contains("it cannot be both"),
        "{}",
        torn.ask(Aggregate::Sum, "value")
    );
}

#[test]
fn encodings_are_detected_and_told() {
    let latin =
        "stadt;wert\nKöln;1\nMünchen;2\nDüsseldorf;3\n".chars().map(|c| c as u32 as u8).collect::<Vec<u8>>();
    let made = profiled("a.csv", latin);
    assert_eq!(made.column("stadt").categories.iter().filter(|c| c.value == "Köln").count(), 1);
    made.doubts_that("Its bytes are read as windows-1252");
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("a,b\nx,1\ny,2\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(profiled("a.csv", wide).ask(Aggregate::Sum, "b"), "3");
    // Plain letters for long, then one that is not UTF-8.
    let mut late = b"name,value\n".to_vec();
    for _ in 0..60_000 {
        late.extend(b"abc,1\n");
    }
    late.extend(b"K\xf6ln,1\n");
    let made = profiled("a.csv", late);
    assert_eq!(made.ask(Aggregate::Sum, "value"), "60001");
    assert!(made.column("name").categories.iter().any(|category| category.value == "Köln"));
}

#[test]
fn what_is_no_table_is_refused_with_its_reason() {
    for (name, bytes, reason) in [
        ("a.csv", &b""[..], "the file is empty"),
        ("a.csv", b"a,b\n", "a header and no rows below it"),
        ("a.csv", b"<!DOCTYPE html><html><body>404</body></html>", "a web page, not data"),
        ("a.csv", b"\x00\x01\x02\x03", "binary data of no known format"),
        ("a.xlsx", b"PK\x03\x04garbage", "the workbook cannot be read"),
        ("a.json", b"{\"a\": 1}", "no list of objects in it"),
        ("a.json", b"[{\"a\": 1},", "no JSON"),
        ("a.jsonl", b"{\"a\": 1}\n{\"a\":\n", "row 2: no JSON"),
        ("a.csv", b"%PDF-1.7", "a PDF document, not a table"),
        ("a.gz", b"\x1f\x8b\x08", "unpack it first"),
        ("a.db", b"SQLite format 3\0garbage", "the database cannot be read"),
    ] {
        let made = profiled(name, bytes);
        assert!(made.refused().contains(reason), "{name}: {} / {reason}", made.refused());
    }
    let missing = of_files(&[PathBuf::from("nowhere.csv"), std::env::temp_dir()], &[], &Context::default())
        .expect("profiled");
    assert_eq!(missing.refused.len(), 2);
    assert!(missing.refused[1].reason.contains("not a regular file"));
}

#[test]
fn ten_thousand_categories_and_more_are_counted_or_said_to_be_many() {
    let mut text = String::from("name,value\n");
    for at in 0..20_004 {
        let _ = writeln!(text, "n{},1", at % 10_002);
    }
    let made = profiled("a.csv", text);
    assert_eq!(made.column("name").distinct, Distinct::MoreThan(10_000));
    assert_eq!(made.ask(Aggregate::Distinct, "name"), "10002");
}

#[test]
fn quartiles_and_outliers_are_the_same_when_sorted_on_disk() {
    let mut text = String::from("value\n");
    for at in 0_u64..4000 {
        let _ = writeln!(text, "{}.{}", at * 7919 % 997, at % 10);
    }
    text.push_str("99999\n-99999\n");
    let quick = profiled("a.csv", &text);
    let mut context = Context::default();
    context.limits.memory = 1 << 14;
    let slow = profiled_with("a.csv", &text, &context);
    assert_eq!(quick.column("value").numbers, slow.column("value").numbers);
    let numbers = quick.column("value").numbers.clone().expect("numbers");
    assert_eq!((numbers.outliers, numbers.extreme.len()), (2, 2));
}

#[test]
fn what_was_assumed_is_written_and_read_back() {
    let made = profiled(
        "a.csv",
        "date;region;wert (EUR)\n03/04/2025;Nord;1.234,50\n17/04/2025;Süd \"West\";2,5\nTotal;;1.237,00\n",
    );
    let written = file::write(&made.profiles);
    assert!(
        written.contains("# \"date\": 03/04/2025 read as 3 April because 17/04/2025 occurs (row 3)."),
        "{written}"
    );
    let read = file::read(&written).expect("read");
    assert_eq!(read, [made.table().reading.clone()]);
    let again = of_files(&[made.folder.path().join("a.csv")], &read, &made.context).expect("profiled");
    assert_eq!(again.tables[0].columns, made.table().columns);
    for (from, to, reason) in [
        ("\"day_first\"", "\"sideways\"", "unknown variant"),
        ("date = \"day_first\"\n", "", "say how they are written"),
        ("decimal = \",\"", "decimal = \".\"", "same mark"),
        ("time = \"date\"", "time = \"never\"", "names no column"),
    ] {
        let error = file::read(&written.replacen(from, to, 1)).expect_err(from).to_string();
        assert!(error.starts_with("tables.toml: ") && error.contains(reason), "{error}");
    }
}
