use std::io::Write as _;

use zip::write::SimpleFileOptions;

use super::*;
use crate::profile::{self, Profiles};
use crate::question::{Aggregate, Ask, Measure, Question};
use crate::{compute, reading::Kind};

fn packed(path: &Path, files: &[(&str, String)]) {
    let mut pack = zip::ZipWriter::new(File::create(path).expect("created"));
    for (name, text) in files {
        pack.start_file(*name, SimpleFileOptions::default()).expect("started");
        pack.write_all(text.as_bytes()).expect("written");
    }
    pack.finish().expect("finished");
}

/// A workbook of one sheet: day, region and value, a formula with and without a saved value, an error.
fn workbook(path: &Path, since_1904: bool) {
    let first = if since_1904 { 44_196 } else { 45_658 };
    let mut rows = String::from(
        r#"<row r="3"><c r="B3" t="inlineStr"><is><t>day</t></is></c><c r="C3" t="inlineStr"><is><t>region</t></is></c><c r="D3" t="inlineStr"><is><t>value</t></is></c></row>"#,
    );
    for at in 0..8 {
        let row = at + 4;
        let value = match at {
            5 => "<f>D4*2</f><v>20</v>".to_owned(),
            6 => "<f>D4*3</f>".to_owned(),
            _ => format!("<v>{}.1</v>", 10 + at),
        };
        let value = if at == 7 {
            format!(r#"<c r="D{row}" t="e"><v>#DIV/0!</v></c>"#)
        } else {
            format!(r#"<c r="D{row}">{value}</c>"#)
        };
        rows.push_str(&format!(
            r#"<row r="{row}"><c r="B{row}" s="1"><v>{}</v></c><c r="C{row}" t="inlineStr"><is><t>north</t></is></c>{value}</row>"#,
            first + at
        ));
    }
    let space = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
    let links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    packed(
        path,
        &[
            ("[Content_Types].xml", r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#.to_owned()),
            ("_rels/.rels", format!(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{links}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#)),
            ("xl/workbook.xml", format!(r#"<workbook {space} xmlns:r="{links}"><workbookPr date1904="{}"/><sheets><sheet name="Sales" sheetId="1" r:id="r1"/></sheets></workbook>"#, u8::from(since_1904))),
            ("xl/_rels/workbook.xml.rels", format!(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{links}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{links}/styles" Target="styles.xml"/></Relationships>"#)),
            ("xl/styles.xml", format!(r#"<styleSheet {space}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#)),
            ("xl/worksheets/sheet1.xml", format!(r#"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>"#)),
        ],
    );
}

fn sum(profiles: &Profiles, column: &str) -> crate::Figure {
    let measure = Measure { how: Aggregate::Sum, column: Some(column.to_owned()) };
    let table = profiles.tables[0].reading.name.clone();
    let question = Question {
        id: "q".to_owned(),
        table,
        ask: Ask::Total { measure },
        filters: Vec::new(),
        period: None,
    };
    let answer = compute::answers(profiles, &[question], &Context::default()).expect("answered").remove(0);
    assert_eq!(answer.refused, None);
    let tables = vec![profiles.tables[0].reading.clone()];
    assert!(compute::recompute(&tables, &answer.figures, &Context::default())[0].holds);
    answer.figures[0].clone()
}

#[test]
fn a_workbook_keeps_its_types_rows_and_both_ways_to_count_days() {
    let folder = tempfile::tempdir().expect("a folder");
    for since_1904 in [false, true] {
        let path = folder.path().join("book.xlsx");
        workbook(&path, since_1904);
        let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
        assert_eq!(profiles.refused, []);
        let table = &profiles.tables[0];
        assert_eq!(
            table.column("day").and_then(|column| column.days).map(|(from, _)| from.to_string()).as_deref(),
            Some("2025-01-01")
        );
        let figure = sum(&profiles, "value");
        assert_eq!(figure.value.to_string(), "80.5");
        assert_eq!(figure.formula.cells, "SUM(book!D4:D9)");
        let doubts: Vec<&str> = table.doubts.iter().map(|doubt| doubt.text.as_str()).collect();
        let says = |part: &str| doubts.iter().any(|text| text.contains(part));
        assert!(says("2 cells hold formulas (first in row 9)"), "{doubts:?}");
        assert!(says("1 formula has no saved value and count as missing"), "{doubts:?}");
        assert!(says("1 cell holds an error such as #DIV/0!"), "{doubts:?}");
        assert_eq!(says("counts days from 1904"), since_1904, "{doubts:?}");
    }
}

#[test]
fn tables_of_a_database_and_lists_of_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.db");
    let store = rusqlite::Connection::open(&path).expect("opened");
    store
        .execute_batch("CREATE TABLE \"my sales\" (region TEXT, value REAL, n INTEGER); INSERT INTO \"my sales\" VALUES ('north', 0.1, 1), ('south', 0.2, NULL), ('west', 1e22, 3)")
        .expect("made");
    drop(store);
    let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
    assert_eq!(profiles.refused, []);
    assert_eq!(profiles.tables[0].reading.name, "my sales");
    assert_eq!(sum(&profiles, "value").value.to_string(), "10000000000000000000000.3");
    assert_eq!(sum(&profiles, "n").value.to_string(), "4");

    for (name, text, table) in [
        (
            "a.json",
            r#"[{"region": "north", "price": {"net": 1.5}}, {"region": "south", "price": {"net": 2}, "note": null}]"#,
            "a",
        ),
        (
            "b.json",
            r#"{"meta": {"count": 2}, "data": {"rows": [{"region": "north", "price": {"net": 1.5}}, {"price": {"net": 2}}]}}"#,
            "b",
        ),
        ("c.jsonl", "{\"region\": \"north\", \"price\": {\"net\": 1.5}}\n\n{\"price\": {\"net\": 2}}\n", "c"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
        assert_eq!((profiles.refused.len(), profiles.tables[0].reading.name.as_str()), (0, table));
        let figure = sum(&profiles, "price.net");
        assert_eq!(
            (figure.value.to_string(), figure.cells[0].rows.clone()),
            ("3.5".to_owned(), vec![(1, 2)])
        );
        assert_eq!(profiles.tables[0].column("region").map(|column| column.kind), Some(Kind::Text));
    }
}

#[test]
fn rows_are_shown_as_they_stand() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "a,b\n1,x\n2,\"y, z\"\n3,w\n").expect("written");
    let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
    let table = &profiles.tables[0].reading;
    let cells = |row: u64, one: &str, two: &str| (row, vec![one.to_owned(), two.to_owned()]);
    assert_eq!(
        rows(table, &[(2, 3)], 10, &Context::default()).expect("rows"),
        [cells(2, "1", "x"), cells(3, "2", "y, z")]
    );
    assert_eq!(rows(table, &[(2, 4)], 1, &Context::default()).expect("rows").len(), 1);
}

#[test]
fn numbers_of_json_keep_every_digit() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = [r#"{"a":{"b":12345678901234567890.12}}"#, r#"{"a":{"b":0.000000000012}}"#];
    for (name, text) in
        [("d.jsonl", rows.join("\n")), ("d.json", format!("{{\"x\":{{\"y\":[{}]}}}}", rows.join(",")))]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
        assert_eq!(sum(&profiles, "a.b").value.to_string(), "12345678901234567890.120000000012", "{name}");
    }
}

#[test]
fn json_beyond_all_measure_is_refused_or_doubted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.jsonl");
    let row = |number: &str| format!("{{\"a\":{number}}}\n");
    std::fs::write(&path, format!("{}{}", row("1").repeat(40), row("1e999"))).expect("written");
    let profiles =
        profile::of_files(std::slice::from_ref(&path), &[], &Context::default()).expect("profiled");
    let doubts: Vec<&str> = profiles.tables[0].doubts.iter().map(|doubt| doubt.text.as_str()).collect();
    assert!(doubts.iter().any(|text| text.contains("1e999")), "{doubts:?}");
    std::fs::write(&path, format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000))).expect("written");
    let profiles = profile::of_files(&[path], &[], &Context::default()).expect("profiled");
    assert!(profiles.refused[0].reason.contains("deep"), "{:?}", profiles.refused);
}
