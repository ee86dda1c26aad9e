//! What "what is X" asks about, and whether a text says what that is.

use std::sync::LazyLock;

use regex::Regex;

use super::super::language::Language;
use super::super::words::{fold, word_ranges};

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(
    OPENING,
    r#"(?i)^\s*[¿"'«„“]*\s*(?:what(?:['’]s| is| are| was| were| does| do)|define|was (?:ist|sind|war|waren|bedeutet|bedeuten|heißt|versteht man unter)|qu['’]est-ce qu(?:['’]|e )(?:c['’]est qu(?:['’]|e ))?|qu['’]appelle-t-on|que (?:signifie|désigne)|qué (?:es|son|significa)|(?:che )?cos['’]è|wat (?:is|zijn|betekent)|o que é)\s*(?:meant by |the meaning of )?(.+)$"#
);
pattern!(
    CALLED,
    r"(?i)\b(called|known as|termed|named|genannt|appelée?s?|llamad[oa]s?|se llaman?|denominad[oa]s?)\b"
);

/// Words in front of what a definition defines.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "to", "each", "every", "any", "term", "ein", "eine", "einen", "der", "die", "das",
    "begriff", "le", "la", "les", "l", "un", "une", "el", "los", "las", "una", "il", "lo", "i", "gli", "o",
    "os", "as", "um", "uma", "het", "de", "een",
];
/// Words that say what something is.
const SAYING: &[&str] = &[
    "means",
    "mean",
    "refers",
    "denotes",
    "describes",
    "bedeutet",
    "bezeichnet",
    "heisst",
    "désigne",
    "designe",
    "signifie",
    "significa",
    "designa",
    "denota",
    "betekent",
];
/// The same, if more than a quality follows.
const BEING: &[&str] =
    &["is", "are", "was", "were", "ist", "sind", "est", "sont", "es", "son", "è", "e", "é", "zijn"];
/// How far behind what is defined the word may stand that says so.
const BEHIND: usize = 6;
/// What a text counts that defines beyond doubt, probably, and that only opens with the subject.
const DEFINES: f64 = 1.0;
const PROBABLY: f64 = 0.7;
const OPENS: f64 = 0.3;

/// The stems of what a definition is wanted of: from the first word with a meaning to the next without one.
pub(super) fn subject(text: &str, language: Language) -> Vec<String> {
    let Some(rest) = OPENING.as_ref().and_then(|regex| regex.captures(text)).and_then(|found| found.get(1))
    else {
        return Vec::new();
    };
    // "What does the licence call a fee?"
    let rest = rest.as_str();
    let rest = rest.split_once(" call ").map_or(rest, |(_, called)| called);
    let empty = |word: &str| {
        let folded = fold(word);
        language.is_stop(&folded) || DETERMINERS.contains(&folded.as_str())
    };
    let ends = |word: &&str| {
        empty(word) || ["mean", "do", "stand", "used", "call", "called"].contains(&fold(word).as_str())
    };
    let words = word_ranges(rest).map(|range| &rest[range]).skip_while(|word| empty(word));
    words.take_while(|word| !ends(word)).map(|word| language.stem(word)).collect()
}

/// How far a text says what the subject is, 0 to 1.
pub(super) fn defines(subject: &[String], language: Language, text: &str) -> f64 {
    if subject.is_empty() {
        return 0.0;
    }
    let ranges: Vec<_> = word_ranges(text).take(40).collect();
    let stems: Vec<String> = ranges.iter().map(|range| language.stem(&text[range.clone()])).collect();
    let Some(at) = stems.windows(subject.len()).position(|window| window == subject) else { return 0.0 };
    let end = at + subject.len();
    let words: Vec<String> = ranges.iter().map(|range| fold(&text[range.clone()])).collect();
    let called = ranges.get(at).is_some_and(|first| {
        let from = text.floor_char_boundary(first.start.saturating_sub(40));
        CALLED.as_ref().is_some_and(|regex| regex.is_match(&text[from..first.start]))
    });
    if called {
        return PROBABLY;
    }
    if !words[..at].iter().all(|word| DETERMINERS.contains(&word.as_str())) {
        return if at < 5 { OPENS } else { 0.0 };
    }
    let behind = ranges.get(end - 1).map_or("", |last| &text[last.end..]);
    let behind = behind.trim_start_matches(['"', '”', '“', '»', '\'', '*', '`', ')']);
    let marked = behind.starts_with(':') || [" - ", " – ", " — "].iter().any(|mark| behind.starts_with(mark));
    if marked {
        return DEFINES;
    }
    // An entry of a glossary: the term, and what it is as a sentence of its own.
    if words.get(end).is_some_and(|word| DETERMINERS.contains(&word.as_str())) {
        return PROBABLY;
    }
    for (offset, word) in words.iter().enumerate().skip(end).take(BEHIND) {
        if SAYING.contains(&word.as_str()) {
            return DEFINES;
        }
        if BEING.contains(&word.as_str()) {
            let next = words.get(offset + 1).map(String::as_str).unwrap_or_default();
            let says_what = DETERMINERS.contains(&next)
                || ["what", "one", "whatever", "how", "that", "nothing", "simply"].contains(&next);
            return if says_what && offset == end { DEFINES } else { PROBABLY };
        }
    }
    OPENS
}
