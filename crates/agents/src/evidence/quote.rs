//! Finding a quote in a text word for word.
//!
//! Two differences are forgiven, and no others: white space (any run counts as one space) and the shape of quotation
//! marks and apostrophes. What is returned is where the quote stands in the untouched text. A quote begins and ends
//! between words: a part of a word, a number or a date says something else than the whole, and so do words that
//! begin right behind the "not" or the "may" that governs them.

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::rules::dates::dates;
use crate::rules::words::{fold, word_ranges};

/// How far around an edge a date can reach, in bytes.
const REACH: usize = 40;

/// Words that turn round or weaken what stands right behind them.
const GOVERNING: &str = "not no never cannot without neither nor hardly barely scarcely may might could should if unless \
whether only nicht kein keine keinen keiner keinem nie niemals ohne pas jamais sans aucun aucune nunca sin ningun ninguna \
non mai niet geen inte ikke";
/// Words that may stand between them and what they govern.
const BETWEEN: &str = "a an the any be been being have has had to yet always necessarily ever also fully strictly un une der die das";
/// Words that make a number behind them less than exact.
const INEXACT: &str = "about around approximately roughly nearly almost over under to than least most";
/// Words that change the amount of a number before them.
const SCALES: &str = "hundred thousand million billion trillion bn dozen percent percentage";

/// The byte range of `quote` in `text`, or None.
#[must_use]
pub fn find(text: &str, quote: &str) -> Option<Range<usize>> {
    let wanted = normalised(quote).0;
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return None;
    }
    let (plain, offsets) = normalised(text);
    let (mut from, mut characters) = (0, 0);
    while let Some(at) = plain[from..].find(wanted).map(|at| at + from) {
        characters += plain[from..at].chars().count();
        let start = *offsets.get(characters)?;
        let end = offsets.get(characters + wanted.chars().count()).copied().unwrap_or(text.len());
        let range = start..start + text[start..end].trim_end().len();
        if is_whole(text, &range) && !is_governed(text, range.start) {
            return Some(range);
        }
        from = at + plain[at..].chars().next().map_or(1, char::len_utf8);
        characters += 1;
    }
    None
}

/// Does `quote` stand at exactly these ranges of `text`, one after the other?
#[must_use]
pub fn stands_at(text: &str, ranges: &[Range<usize>], quote: &str) -> bool {
    let parts: Option<Vec<&str>> = ranges.iter().map(|range| text.get(range.clone())).collect();
    let Some(parts) = parts else { return false };
    let (found, wanted) = (normalised(&parts.join(" ")).0, normalised(quote).0);
    !wanted.trim().is_empty()
        && found.trim() == wanted.trim()
        && ranges.iter().all(|range| is_whole(text, range))
        && ranges.first().is_some_and(|first| !is_governed(text, first.start))
}

/// Does this range begin and end between words, numbers and dates?
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    !cuts(text, range.start) && !cuts(text, range.end) && !cuts_number(text, range) && !cuts_date(text, range)
}

/// Does this place stand inside a word or a number?
fn cuts(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    let mut after = text[at..].chars();
    let (Some(last), Some(next)) = (before.next(), after.next()) else { return false };
    if last.is_alphanumeric() && next.is_alphanumeric() {
        return true;
    }
    let inner = |c: char| matches!(c, '.' | ',' | ':' | '/' | '-' | '–' | '\'' | '’' | '\u{a0}' | '\u{202f}');
    let digits = |a: Option<char>, b: char| a.is_some_and(|a| a.is_ascii_digit()) && b.is_ascii_digit();
    let joined = |mark: char, a: Option<char>, b: char| {
        (mark == '-' && a.is_some_and(char::is_alphanumeric) && b.is_alphanumeric())
            || (matches!(mark, '\'' | '’') && a == Some('n') && b == 't')
    };
    if inner(last) && (digits(before.clone().next(), next) || joined(last, before.next(), next)) {
        return true;
    }
    // From here the other side: the place stands before the mark.
    let mut after = text[at..].chars().skip(1);
    inner(next) && after.next().is_some_and(|c| digits(Some(last), c) || joined(next, Some(last), c))
}

/// Is the sign, the scale or the percent of a number left out?
fn cuts_number(text: &str, range: &Range<usize>) -> bool {
    let inside = &text[range.clone()];
    let mut before = text[..range.start].chars().rev();
    let signed = inside.starts_with(|c: char| c.is_ascii_digit())
        && before.next().is_some_and(|c| matches!(c, '-' | '−' | '±'))
        && before.next().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '|'));
    let behind = text[range.end..].trim_start_matches([' ', '\u{a0}', '\u{202f}', '\n']);
    let scale = word_ranges(behind).next().filter(|word| word.start == 0).map(|word| fold(&behind[word]));
    let scaled = inside.ends_with(|c: char| c.is_ascii_digit())
        && (behind.starts_with('%') || scale.is_some_and(|word| listed(SCALES, &word)));
    let first = word_ranges(inside).next().map(|word| fold(&inside[word]));
    let scale_alone = first.is_some_and(|word| listed(SCALES, &word))
        && text[..range.start].trim_end().ends_with(|c: char| c.is_ascii_digit());
    signed || scaled || scale_alone
}

/// Does an edge stand inside a date?
fn cuts_date(text: &str, range: &Range<usize>) -> bool {
    let inside = |edge: usize| {
        let start = text.floor_char_boundary(edge.saturating_sub(REACH));
        let end = text.ceil_char_boundary((edge + REACH).min(text.len()));
        let edge = edge - start;
        dates(&text[start..end]).iter().any(|date| date.range.start < edge && edge < date.range.end)
    };
    inside(range.start) || inside(range.end)
}

/// Does a word of the same sentence that stands right before this place govern what follows?
fn is_governed(text: &str, at: usize) -> bool {
    let start = text.floor_char_boundary(at.saturating_sub(2 * REACH));
    let before = &text[start..at];
    let clause =
        before.rsplit(['.', '!', '?', ';', ':', '\n', '|', '•', '"', '“']).next().unwrap_or_default();
    if clause.trim_end().ends_with([',', '(', ')', '–', '-']) {
        return false;
    }
    let words: Vec<&str> = word_ranges(clause).map(|range| &clause[range]).collect();
    let negated = clause.trim_end().ends_with("n't") || clause.trim_end().ends_with("n’t");
    let governing = words.iter().rev().find(|word| !listed(BETWEEN, &fold(word)));
    let number = text[at..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '€' | '$' | '£'));
    negated
        || governing.is_some_and(|word| **word != *"May" && listed(GOVERNING, &fold(word)))
        || (number && words.last().is_some_and(|word| listed(INEXACT, &fold(word))) && !is_range(&words))
}

/// "from 80 °C to 70 °C": the "to" is no bound.
fn is_range(words: &[&str]) -> bool {
    words.last().is_some_and(|word| *word == "to") && words.get(words.len().wrapping_sub(2)) != Some(&"up")
}

fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// The normalised text, and for each of its characters the byte offset it came from.
fn normalised(text: &str) -> (String, Vec<usize>) {
    let mut plain = String::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len());
    let mut space = false;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() {
            if !space {
                plain.push(' ');
                offsets.push(at);
            }
            space = true;
            continue;
        }
        space = false;
        plain.push(straight(letter));
        offsets.push(at);
    }
    (plain, offsets)
}

fn straight(letter: char) -> char {
    match letter {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '`' | '´' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '«' | '»' => '"',
        other => other,
    }
}
