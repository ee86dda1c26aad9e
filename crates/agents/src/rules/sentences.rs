//! Sentence segmentation: byte ranges of the sentences of a text.
//!
//! Structure comes first (blank lines, headings, list items, table rows and code lines never share a
//! sentence), punctuation second. No range is ever empty or begins or ends with white space.

use std::collections::HashSet;
use std::ops::Range;

use super::lines::{self, Line};

/// What is quoted as one sentence is no longer than this (in bytes).
pub const LONGEST: usize = 420;
/// Lines no longer than this that come three or more in a row are entries of a list, not a paragraph.
const SHORT_LINE: usize = 45;

/// Words that end with a full stop without ending a sentence, lower case, stop removed.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "bzw", "z.b", "d.h", "ggf", "vgl", "p.ej", "ej", "i.e", "eg", "ie", "cf", "viz", "vs", "etc",
    "al", "ca", "approx", "resp", "fig", "figs", "eq", "eqs", "sec", "sect", "ch", "chap", "vol", "no",
    "nos", "p", "pp", "ed", "eds", "dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "inc", "ltd", "co",
    "corp", "dept", "univ", "gen", "col", "lt", "capt", "sgt", "rev", "hon", "jan", "feb", "mar", "apr",
    "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "a.m", "p.m", "u.s", "u.k", "u.n", "e.u",
    "ph.d", "m.sc", "b.sc", "a.k.a", "incl", "excl", "esp", "max", "min", "ver", "ref", "refs", "app", "art",
    "par", "tel", "ext", "b.c", "a.d", "usu", "gk", "lat", "var", "alt",
];

/// Abbreviations that often stand last in a sentence: a capital after them starts a new one.
const MAY_END: &[&str] = &[
    "etc", "inc", "ltd", "co", "corp", "a.m", "p.m", "u.s", "u.k", "u.n", "e.u", "ph.d", "al", "jr", "sr",
    "b.c", "a.d",
];

/// First words that show a new sentence after an abbreviation that may end one.
const STARTERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "it", "he", "she", "we", "they", "you", "i", "in",
    "on", "at", "for", "but", "and", "however", "if", "when", "there", "as", "to", "by", "note", "see",
    "some", "all", "its", "his", "her",
];

/// The sentences of a text, in order.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for unit in units(text) {
        split_unit(text, unit, &mut found);
    }
    glue_labels(text, found)
}

/// Runs of lines that belong together: a paragraph, one list item, one table row, one line of code.
fn units(text: &str) -> Vec<Range<usize>> {
    let lines = lines::lines(text);
    let mut units: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut previous: Option<&Line<'_>> = None;
    let entries = entries(&lines);
    for (index, line) in lines.iter().enumerate() {
        if line.is_blank() {
            if !continues_after_break(text, &lines, index, open.as_ref()) {
                units.extend(open.take());
            }
            previous = None;
            continue;
        }
        let start = line.range.end - line.text.len();
        let alone = stands_alone(line, previous, lines.get(index + 1)) || entries.contains(&index);
        if alone || starts_unit(line, previous) {
            units.extend(open.take());
        }
        open = Some(open.map_or(start, |o| o.start)..line.range.end);
        if alone {
            units.extend(open.take());
        }
        previous = Some(line);
    }
    units.extend(open);
    units
}

/// Indexes of lines in runs of three or more short lines of which none ends a sentence before the last.
fn entries(lines: &[Line<'_>]) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut start = 0;
    for run in lines.split(Line::is_blank) {
        let short = run.iter().all(|line| line.text.chars().count() <= SHORT_LINE);
        let open = run.iter().rev().skip(1).all(|line| !lines::ends_sentence(line.text));
        if run.len() >= 3 && short && open {
            found.extend(start..start + run.len());
        }
        start += run.len() + 1;
    }
    found
}

/// A page break inside a paragraph: the text before lacks an end mark and the next line goes on in lower case.
fn continues_after_break(text: &str, lines: &[Line<'_>], blank: usize, open: Option<&Range<usize>>) -> bool {
    let Some(open) = open else { return false };
    let Some(next) = lines[blank..].iter().find(|line| !line.is_blank()) else { return false };
    let between = &text[open.end..next.range.start];
    between.contains('\x0c')
        && !lines::ends_sentence(&text[open.clone()])
        && next.text.starts_with(char::is_lowercase)
        && lines::bullet_len(next.text) == 0
}

/// Lines that are a unit of their own whatever stands around them.
fn stands_alone(line: &Line<'_>, previous: Option<&Line<'_>>, next: Option<&Line<'_>>) -> bool {
    let titled = next.is_some_and(|n| lines::is_underline(n.text)) && previous.is_none();
    let in_item = previous.is_some_and(|p| lines::bullet_len(p.text) > 0 || !lines::looks_like_code(p.text));
    let lone = previous.is_none() && next.is_none_or(Line::is_blank);
    lines::marked_heading(line.text).is_some()
        || lines::is_underline(line.text)
        || lines::is_table_row(line.text)
        || super::fields::is_head_field(line.text)
        || titled
        || (lone && lines::numbered_heading(line.text).is_some())
        || (line.indent >= 4
            && lines::looks_like_code(line.text)
            && is_code_context(line, previous, next)
            && !in_item)
}

/// A deep indent alone is code only if its neighbours are not prose at the same depth.
fn is_code_context(line: &Line<'_>, previous: Option<&Line<'_>>, next: Option<&Line<'_>>) -> bool {
    [previous, next]
        .into_iter()
        .flatten()
        .all(|near| near.is_blank() || near.indent != line.indent || lines::looks_like_code(near.text))
}

/// Does a line open a new unit: a list item, the start of a definition, a change to a lesser indent?
fn starts_unit(line: &Line<'_>, previous: Option<&Line<'_>>) -> bool {
    let Some(previous) = previous else { return true };
    if lines::bullet_len(line.text) > 0 && !continues_number(line, previous) {
        return true;
    }
    let hanging = line.indent > previous.indent + 1 && !lines::ends_sentence(previous.text);
    let term = previous.text.len() <= 60 && lines::bullet_len(previous.text) == 0;
    let closed = previous.text.ends_with(['.', '!', '?']);
    (hanging && term) || (line.indent + 2 <= previous.indent && closed)
}

/// "… in version\n3. The next": a wrapped number, not an item, when the line before runs to the margin.
fn continues_number(line: &Line<'_>, previous: &Line<'_>) -> bool {
    previous.text.len() > 60
        && !lines::ends_sentence(previous.text)
        && lines::bullet_len(previous.text) == 0
        && line.text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '(')
        && line.indent <= previous.indent
        && !["1. ", "1) ", "(1) ", "(a) ", "a. "].iter().any(|first| line.text.starts_with(first))
}

fn split_unit(text: &str, unit: Range<usize>, found: &mut Vec<Range<usize>>) {
    let slice = &text[unit.clone()];
    // "3rd fl.   120 m   45 dB": a stop in a cell ends no sentence.
    if !slice.contains('\n') && lines::is_aligned(slice) {
        push_trimmed(text, unit, found);
        return;
    }
    let mut start = 0;
    for (at, mark) in slice.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '…' | '。')) {
        if at < start {
            continue;
        }
        if let Some(end) = sentence_end(slice, start, at, mark) {
            push_trimmed(text, unit.start + start..unit.start + end, found);
            start = end;
        }
    }
    push_trimmed(text, unit.start + start..unit.end, found);
}

/// The end of the sentence if the mark at `at` closes one.
fn sentence_end(slice: &str, start: usize, at: usize, mark: char) -> Option<usize> {
    let after_mark = at + mark.len_utf8();
    let rest = &slice[after_mark..];
    let closers = rest.len()
        - rest.trim_start_matches(['"', '\'', ')', ']', '”', '’', '»', '*', '_', '`', '.', '!', '?']).len();
    let end = after_mark + closers;
    let tail = &slice[end..];
    if mark == '。' {
        return Some(end);
    }
    // A tab separates the cells of a table: "Sat.<tab>9.00".
    if !tail.starts_with(char::is_whitespace) || tail.starts_with('\t') {
        return None;
    }
    let next = tail.trim_start().trim_start_matches(['"', '\'', '(', '[', '“', '‘', '«', '*', '_', '`']);
    let first = next.chars().next()?;
    // "(“borg prune”, n.d.). “borg init” writes": a name in quotation marks behind a closed parenthesis.
    let opens_name = slice[..at].ends_with(')') && tail.trim_start().starts_with(['“', '«']);
    if first.is_lowercase() && !starts_with_name(next) && !opens_name {
        return None;
    }
    if mark == '.' && !stop_ends(&slice[start..at], next, closers > 0) {
        return None;
    }
    Some(end)
}

/// Sentences of manuals often begin with a command in lower case: "pg_dump …", "--depth …".
fn starts_with_name(next: &str) -> bool {
    let word = next.split_whitespace().next().unwrap_or_default();
    word.trim_end_matches(['.', ',', ':', ';', ')']).contains(['_', '(', '/', '.', '='])
        && !word.starts_with("e.g")
        && !word.starts_with("i.e")
}

/// Does the full stop after `before` end the sentence, given what follows?
fn stop_ends(before: &str, next: &str, closed: bool) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || "([{\"'“‘/:".contains(c)).next().unwrap_or_default();
    let lower = word.to_lowercase();
    if lower.is_empty() {
        return true;
    }
    let first_word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let starter = STARTERS.contains(&first_word.to_lowercase().as_str());
    if ABBREVIATIONS.contains(&lower.as_str()) {
        return MAY_END.contains(&lower.as_str()) && (starter || closed);
    }
    if is_initial(word) {
        return starter && !before.trim_end_matches(word).trim_end().ends_with(char::is_uppercase);
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) && is_caption(before.trim_end_matches(word)) {
        return false;
    }
    // A bare number opens a list item ("3. Install it") or a title ("1.1. Terms"); anything else ends a sentence.
    !(before.trim() == word && word.split('.').all(is_short_number))
}

fn is_short_number(part: &str) -> bool {
    (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
}

/// "Chapter 3." and "Table 10.1." go on with their title.
fn is_caption(before: &str) -> bool {
    let word = before.trim().to_lowercase();
    ["chapter", "table", "figure", "section", "part", "appendix", "annex", "example", "article", "volume"]
        .contains(&word.as_str())
}

/// A single capital, as in "J. Smith", or capitals with stops, as in "J.R".
fn is_initial(word: &str) -> bool {
    let mut letters = word.split('.');
    letters.all(|part| part.chars().count() == 1 && part.chars().all(char::is_uppercase))
}

fn push_trimmed(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let slice = &text[range.clone()];
    let lead = slice.len() - slice.trim_start().len();
    let body = slice.trim();
    if !body.is_empty() {
        found.push(range.start + lead..range.start + lead + body.len());
    }
}

/// Cuts a sentence too long to quote at the last clause mark (else space) before the limit.
pub(super) fn cut_long(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    if range.len() <= LONGEST {
        found.push(range);
        return;
    }
    let window = &text[range.start..text.floor_char_boundary(range.start + LONGEST)];
    let clause = window.rfind(['\n', ';', ':']).filter(|at| *at > LONGEST / 3);
    let at =
        clause.or_else(|| window.rfind(", ")).or_else(|| window.rfind(' ')).map_or(window.len(), |at| at + 1);
    push_trimmed(text, range.start..range.start + at, found);
    let rest = range.start + at..range.end;
    let lead = text[rest.clone()].len() - text[rest.clone()].trim_start().len();
    if lead < rest.len() {
        cut_long(text, rest.start + lead..rest.end, found);
    }
}

/// Joins a short run-in label ("Default:", "Note") to the sentence after it in the same line group.
fn glue_labels(text: &str, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut glued: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        let joins = glued.last().is_some_and(|last| {
            let label = &text[last.clone()];
            let between = &text[last.end..range.start];
            label.len() <= 3 && lines::bullet_len(&format!("{label} x")) > 0 && !between.contains('\n')
        });
        match glued.last_mut() {
            Some(last) if joins => last.end = range.end,
            _ => glued.push(range),
        }
    }
    glued
}
