use super::*;

fn cursor() -> Paging {
    Paging::Cursor { parameter: "cursor".to_owned(), at: "meta.next".to_owned() }
}

/// What an answer is read as: the kept lines and where to go on, or the sentence that refuses it.
fn told(format: DataFormat, path: &str, pages: Option<&Paging>, body: &str) -> String {
    match read(body.as_bytes(), format, path, pages) {
        Ok(page) => {
            let lines = String::from_utf8(page.bytes).unwrap();
            let next = page.next.map(|next| format!(" then {next:?}")).unwrap_or_default();
            format!("{}{next}", lines.trim_end().replace('\n', " | "))
        }
        Err(sentence) => format!("refused: {sentence}"),
    }
}

#[test]
fn json_is_cut_into_records_and_refused_with_what_stands_there() {
    for (path, body, expected) in [
        ("", r#"[{"a":1},{"a":2}]"#, r#"{"a":1} | {"a":2}"#),
        ("", "[{\"a\":\n 1.10}]", r#"{"a":  1.10}"#),
        // Every digit stays, though no float could hold them.
        ("", r#"[{"a":12345678901234567890.123456789}]"#, r#"{"a":12345678901234567890.123456789}"#),
        ("x.items", r#"{"x":{"items":[{"a":1}]}}"#, r#"{"a":1}"#),
        ("0.items", r#"[{"items":[{"a":1}]}]"#, r#"{"a":1}"#),
        ("", "[]", ""),
        ("", "", "refused: it sent nothing"),
        ("", "<!DOCTYPE html><p>Log in", "refused: it answered with a web page or XML, not with data"),
        ("", r#"[{"a":1},{"a""#, "refused: its answer is no JSON (it ends in the middle, after 13 bytes)"),
        ("", r#"[{"a":NaN}]"#, "refused: its answer is no JSON (expected value at line 1 column 7)"),
        ("", r#"{"error":"x"}"#, "refused: its answer is no list of objects; there stand `error`"),
        ("y", r#"{"error":"x"}"#, "refused: there is no `y` on the way to `y`; there stand `error`"),
        ("y", r#"{"y":3}"#, "refused: `y` is no list of objects; there stands a number"),
        ("", "[{\"a\":1},[2]]", "refused: record 2 is a list, and only objects have named columns"),
    ] {
        assert_eq!(told(DataFormat::Json, path, None, body), expected, "{body}");
    }
}

#[test]
fn a_page_says_where_the_next_one_is() {
    let link = Paging::Link { at: Some("next".to_owned()) };
    for (pages, body, expected) in [
        (cursor(), r#"{"meta":{"next":"b"},"d":[]}"#, " then Cursor(\"b\")"),
        (cursor(), r#"{"meta":{"next":7},"d":[]}"#, " then Cursor(\"7\")"),
        (cursor(), r#"{"meta":{"next":null},"d":[]}"#, ""),
        (cursor(), r#"{"meta":{"next":""},"d":[]}"#, ""),
        (cursor(), r#"{"meta":{"next":false},"d":[]}"#, ""),
        (cursor(), r#"{"meta":{},"d":[]}"#, ""),
        (
            cursor(),
            r#"{"meta":{"next":[1]},"d":[]}"#,
            "refused: `meta.next` should say where the next page is, and there stands a list",
        ),
        (link, r#"{"next":"/d?page=2","d":[]}"#, " then Link(\"/d?page=2\")"),
    ] {
        assert_eq!(told(DataFormat::Json, "d", Some(&pages), body), expected, "{body}");
    }
}

#[test]
fn lines_and_csv_are_kept_as_they_came() {
    assert_eq!(told(DataFormat::Jsonl, "", None, "{\"a\":1}\n\n{\"a\":2}"), r#"{"a":1} | {"a":2}"#);
    assert_eq!(
        told(DataFormat::Jsonl, "", None, "{\"a\":1}\n{\"a\":"),
        "refused: line 2 of its answer is no JSON (it ends in the middle, after 13 bytes)"
    );
    assert_eq!(told(DataFormat::Csv, "", None, "a;b\n1;2\n"), "a;b | 1;2");
    assert_eq!(
        told(DataFormat::Csv, "", None, "{\"error\":1}"),
        "refused: it answered with JSON, and the configuration says csv"
    );
    assert_eq!(
        told(DataFormat::Csv, "", None, "<html>"),
        "refused: it answered with a web page or XML, not with data"
    );
}
