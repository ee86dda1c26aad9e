use super::*;
use crate::page::{Ink, inked};

fn words(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line.iter().map(|span| span.text.as_str()).collect()).collect()
}

#[test]
fn columns_stand_below_each_other_and_the_last_is_cut() {
    let rows = vec![vec![plain("7k"), plain("a long title")], vec![plain("漢字"), plain("short")]];
    let mut page = Page::default();
    page.table(&["RUN", "TITLE"], rows);
    assert_eq!(words(&lines(&page, Some(12))), ["RUN   TITLE", "7k    a lon…", "漢字  short"]);
    assert_eq!(words(&lines(&page, None))[1], "7k    a long title");
}

#[test]
fn a_line_that_is_cut_between_two_pieces_says_so_too() {
    let line = vec![plain("abc"), plain("def"), plain("ghi")];
    let cut: Vec<String> = (5..10).map(|columns| words(&[cut_line(&line, columns)]).concat()).collect();
    assert_eq!(cut, ["abcd…", "abcde…", "abcdef…", "abcdefg…", "abcdefghi"]);
}

#[test]
fn nothing_from_outside_reaches_a_page_uncleaned() {
    let mut page = Page::of("one\u{1b}[2J\ntwo");
    page.field("title", plain("a\nb\u{7}"));
    page.command("baton show \u{1b}7kq");
    assert_eq!(words(&lines(&page, None)), ["one[2J", "two", "title      a b", "  baton show 7kq"]);
}

#[test]
fn a_paragraph_is_broken_where_it_is_shown() {
    let mut page = Page::default();
    page.paragraph(inked(Ink::Warn, "one two three"));
    assert_eq!(words(&lines(&page, Some(8))), ["one two", "three"]);
    assert_eq!(words(&lines(&page, None)), ["one two three"]);
    assert!(lines(&page, Some(8)).iter().flatten().all(|span| span.ink == Ink::Warn));
}

/// What a run shows is data that somebody else can draw.
#[test]
fn a_page_is_plain_data() {
    let mut page = Page::of("a");
    page.field("found", inked(Ink::Good, "2 facts"));
    page.table(&["RUN"], vec![vec![plain("7kq")]]);
    let span = |ink: &str, text: &str| serde_json::json!({ "ink": ink, "text": text });
    let expected = serde_json::json!([
        { "line": [span("plain", "a")] },
        { "field": [span("faint", "found"), span("good", "2 facts")] },
        { "table": [[span("faint", "RUN")], [[span("plain", "7kq")]]] },
    ]);
    assert_eq!(serde_json::to_value(&page).expect("data"), expected);
}
