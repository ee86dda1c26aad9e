//! The things one question asks, in the order asked, each complete in itself.

use super::super::words::{fold, is_stop, word_ranges};

/// How many words of the first part tell what a later one is about.
const SUBJECT_WORDS: usize = 3;
/// A part of fewer words is none of its own.
const FEWEST_WORDS: usize = 2;

/// Words that open a part which asks something of its own.
const OPENERS: &[&str] = &[
    "how", "what", "why", "when", "where", "who", "whom", "which", "whose", "is", "are", "was", "were",
    "does", "do", "did", "can", "may", "must", "should", "will", "has", "have", "since", "until", "wie",
    "was", "warum", "wann", "wo", "wer", "welche", "welcher", "welches", "ist", "sind", "kann", "darf",
    "muss", "combien", "quel", "quelle", "quels", "quelles", "pourquoi", "quand", "où", "qui", "comment",
    "est-ce", "cuánto", "cuánta", "cuántos", "cuántas", "qué", "cuál", "cuáles", "cuándo", "dónde", "quién",
    "cómo", "por",
];
/// Words that join parts.
const JOINERS: &[&str] = &["and", "or", "und", "oder", "et", "ou", "y", "o", "e"];

/// The things a question asks: split behind a comma, a semicolon, a question mark, a line or "and" where a word follows
/// that opens a question. What a later part leaves unsaid of the first is added in brackets.
#[must_use]
pub fn parts(question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let mut split: Vec<Vec<&str>> = vec![Vec::new()];
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let breaks = before.ends_with([',', ';', '?', '.', '？'])
            || JOINERS.contains(&before.to_lowercase().as_str())
            || word.starts_with('¿');
        let opens = OPENERS.contains(&bare.as_str());
        if breaks && opens && split.last().is_some_and(|part| part.len() > FEWEST_WORDS) {
            split.push(Vec::new());
        }
        if let Some(part) = split.last_mut() {
            part.push(word);
        }
    }
    let texts: Vec<String> = split.iter().map(|part| trimmed(part)).filter(|part| !part.is_empty()).collect();
    let [first, rest @ ..] = texts.as_slice() else { return vec![question.trim().to_owned()] };
    if rest.is_empty() {
        return vec![question.trim().to_owned()];
    }
    let completed = rest.iter().map(|part| completed(part, first));
    std::iter::once(format!("{first}?")).chain(completed).collect()
}

/// A later part of a question, with what it leaves unsaid of the first in brackets.
#[must_use]
pub fn completed(part: &str, first: &str) -> String {
    let part = part.trim_end_matches(['?', '？', ' ']);
    match unsaid(part, first) {
        subject if subject.is_empty() => format!("{part}?"),
        subject => format!("{part} ({subject})?"),
    }
}

/// The words of a part without what joined it to the next.
fn trimmed(part: &[&str]) -> String {
    let mut words = part;
    while let [rest @ .., last] = words
        && JOINERS.contains(&last.to_lowercase().as_str())
    {
        words = rest;
    }
    words.join(" ").trim_end_matches([',', ';', '?', '.', '？', ' ']).to_owned()
}

/// What a later part leaves unsaid of the first: what it points back to, else the names it lacks.
fn unsaid(part: &str, first: &str) -> String {
    if points_back(part) {
        return telling(first);
    }
    if names(part).is_empty() { names(first) } else { String::new() }
}

/// "which one", "what do they cost": says nothing without the part before it.
fn points_back(part: &str) -> bool {
    const PRONOUNS: &[&str] = &[
        "it", "its", "they", "them", "their", "one", "ones", "this", "that", "these", "those", "he", "she",
        "his", "her", "er", "sie", "es", "diese", "dieser", "il", "elle", "ils", "elles", "ello",
    ];
    word_ranges(part).any(|range| PRONOUNS.contains(&fold(&part[range]).as_str()))
}

/// The capitalised words of a part behind its first, joined.
fn names(part: &str) -> String {
    let words = part.split_whitespace().skip(1).filter(|word| word.starts_with(char::is_uppercase));
    let bare = words
        .map(|word| word.trim_end_matches("'s").trim_end_matches("’s").trim_matches([',', '?', ';', '.']));
    bare.collect::<Vec<_>>().join(" ")
}

/// The last few words of a part that mean something: mostly what it is about. Its names go first.
fn telling(part: &str) -> String {
    let meaningful: Vec<&str> = word_ranges(part)
        .map(|range| &part[range])
        .filter(|word| !is_stop(&fold(word)) && word.chars().count() > 1)
        .collect();
    let named: Vec<&str> =
        meaningful.iter().skip(1).copied().filter(|word| word.starts_with(char::is_uppercase)).collect();
    let rest = meaningful.iter().copied().filter(|word| !named.contains(word));
    let mut kept: Vec<&str> = named.iter().copied().take(SUBJECT_WORDS).collect();
    kept.extend(rest.take(SUBJECT_WORDS.saturating_sub(kept.len())));
    // In the order of the question.
    meaningful.into_iter().filter(|word| kept.contains(word)).collect::<Vec<_>>().join(" ")
}
