//! The little of Markdown the checks need: prose without fenced blocks, code spans, link targets.

/// A piece of a document and the line it stands on.
#[derive(Debug, PartialEq, Eq)]
pub struct Found<'a> {
    pub line: usize,
    pub text: &'a str,
}

/// What stands between single backticks.
pub fn code_spans(document: &str) -> Vec<Found<'_>> {
    each_line(document, |line| pieces(line, true))
}

/// Where `[text](target)` and `![text](target)` lead, without a title and outside code spans.
pub fn link_targets(document: &str) -> Vec<Found<'_>> {
    each_line(document, |line| pieces(line, false).into_iter().flat_map(targets).collect())
}

fn each_line<'a>(document: &'a str, find: impl Fn(&'a str) -> Vec<&'a str>) -> Vec<Found<'a>> {
    prose(document)
        .flat_map(|(line, text)| find(text).into_iter().map(move |text| Found { line, text }))
        .collect()
}

/// The lines outside fenced blocks, counted from one.
fn prose(document: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    (1..).zip(document.lines()).filter(move |(_, line)| {
        let line = line.trim_start();
        match fence {
            Some(mark) => {
                if line.starts_with(mark) {
                    fence = None;
                }
                false
            }
            None => {
                fence = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
                fence.is_none()
            }
        }
    })
}

/// The parts of a line that are code, or those that are not. After an unpaired backtick there is only text.
fn pieces(line: &str, code: bool) -> Vec<&str> {
    let all: Vec<&str> = line.split('`').collect();
    let last = all.len() - 1;
    all.into_iter()
        .enumerate()
        .filter(|(at, _)| (at % 2 == 1 && *at != last) == code)
        .map(|(_, text)| text)
        .collect()
}

fn targets(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')?.0.split_whitespace().next()).collect()
}

#[test]
fn code_spans_are_found_with_their_lines_and_fences_are_not_read() {
    let document = "Read `docs/a.md` and `x`.\n```\n`docs/b.md`\n```\nThen `docs/c.md`; a ` alone.\n";
    let found: Vec<(usize, &str)> =
        code_spans(document).into_iter().map(|found| (found.line, found.text)).collect();
    assert_eq!(found, [(1, "docs/a.md"), (1, "x"), (5, "docs/c.md")]);
}

#[test]
fn link_targets_are_found_without_titles_and_outside_code() {
    let document =
        "[a](one.md) ![b](two.svg \"title\") `[c](three.md)` [d](<four.md>)\n~~~\n[e](five.md)\n~~~\n";
    let found: Vec<&str> = link_targets(document).into_iter().map(|found| found.text).collect();
    assert_eq!(found, ["one.md", "two.svg", "<four.md>"]);
}
