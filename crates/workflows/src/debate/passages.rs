//! The sentences of what agents write, whatever Markdown they write it in. Each is a part of the text as it stands.

use baton_agents::rules::sentences::sentences;

/// A longer sentence is a page and no reason.
const LONG: usize = 400;

/// Whether a sentence can be a reason: more than a line such as `history: 30 days`, less than a page.
#[must_use]
pub fn is_reason(sentence: &str) -> bool {
    let is_label = sentence
        .split_once(':')
        .is_some_and(|(name, rest)| !name.trim().contains(' ') && rest.split_whitespace().count() < 4);
    !is_label && sentence.chars().count() <= LONG && sentence.split_whitespace().count() > 2
}

/// The sentences of a text that can stand by themselves: no headings, no tables, no lines of code.
#[must_use]
pub fn whole_sentences(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut found = Vec::new();
    for paragraph in paragraphs(text) {
        if paragraph.trim_start().starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if in_code || paragraph.trim_start().starts_with(['#', '|']) {
            continue;
        }
        found.extend(sentences(paragraph).into_iter().map(|range| unmarked(paragraph[range].trim())));
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// A sentence without the mark of the list it stands in.
fn unmarked(sentence: &str) -> &str {
    let rest = sentence.trim_start_matches(['-', '*', '+', '>', ' ']);
    let number = rest.split_once(['.', ')']).filter(|(head, rest)| {
        !head.is_empty() && head.bytes().all(|byte| byte.is_ascii_digit()) && rest.starts_with(' ')
    });
    number.map_or(rest, |(_, rest)| rest.trim_start())
}

/// Lines that belong together: an entry of a list goes on until the next, a heading, a table row and a fence stand alone.
fn paragraphs(text: &str) -> Vec<&str> {
    let stands_alone =
        |line: &str| line.is_empty() || line.starts_with(['#', '|']) || line.starts_with("```");
    let begins = |line: &str| {
        let numbered = line
            .split_once(". ")
            .is_some_and(|(head, _)| !head.is_empty() && head.bytes().all(|byte| byte.is_ascii_digit()));
        numbered || line.starts_with(['-', '*', '+', '>'])
    };
    let mut found = Vec::new();
    let (mut from, mut at, mut alone) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if alone || stands_alone(words) || begins(words) {
            found.push(&text[from..at]);
            from = at;
        }
        alone = stands_alone(words);
        at += line.len();
    }
    found.push(&text[from..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_whole_whatever_stands_around_them() {
        let text = "# Head\nOne runs\nover a line. Two.\n\n- three is a point\n1. four is, too\n| a | b |\n```\ncode. more.\n```\nhistory: 30 days";
        let found = whole_sentences(text);
        assert_eq!(
            found,
            ["One runs\nover a line.", "Two.", "three is a point", "four is, too", "history: 30 days"]
        );
        let reasons: Vec<&str> = found.into_iter().filter(|sentence| is_reason(sentence)).collect();
        assert_eq!(reasons, ["One runs\nover a line.", "three is a point", "four is, too"]);
    }
}
