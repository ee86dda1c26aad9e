//! Lines of a text and what each looks like on its own: bullet, table row, heading, code.
//! Nothing here looks at more than one line; blocks and sentences are built on top.

use std::ops::Range;

/// One line, without its line break.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    pub range: Range<usize>,
    pub text: &'a str,
    pub indent: usize,
}

impl Line<'_> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// Splits at line feeds and form feeds; offsets point into `text`, `text` of a line is trimmed.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(['\n', '\x0c']) {
        let body = piece.trim_end_matches(['\n', '\r', '\x0c']);
        let trimmed = body.trim();
        let lead = body.len() - body.trim_start().len();
        let indent = body[..lead].chars().map(|c| if c == '\t' { 8 } else { 1 }).sum();
        found.push(Line { range: start..start + body.trim_end().len(), text: trimmed, indent });
        start += piece.len();
    }
    found
}

/// Length in bytes of a list marker at the start of a trimmed line ("- ", "3. ", "(b) ", the "o  " of old standards),
/// or 0.
pub fn bullet_len(line: &str) -> usize {
    if let Some(first) = line.chars().next()
        && "-*•‣◦·–+".contains(first)
        && let Some(space) = line[first.len_utf8()..].chars().next().filter(|c| c.is_whitespace())
    {
        return first.len_utf8() + space.len_utf8();
    }
    if line.starts_with("o  ") {
        return 3;
    }
    let body = line.strip_prefix('(').unwrap_or(line);
    let opened = line.len() - body.len();
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let letters = body.bytes().take_while(u8::is_ascii_lowercase).count();
    let roman = (1..=4).contains(&letters) && body[..letters].bytes().all(|b| b"ivx".contains(&b));
    let label = match (digits, letters) {
        (1..=3, _) => digits,
        (_, 1) => 1,
        _ if roman => letters,
        _ => return 0,
    };
    let rest = &body[label..];
    let closes = rest.starts_with(") ") || (opened == 0 && rest.starts_with(". "));
    if closes { opened + label + 2 } else { 0 }
}

/// Does a line look like a row of a table?
pub(crate) fn is_table_row(line: &str) -> bool {
    if line.starts_with(['|', '│', '┌', '├', '└']) || line.contains(" | ") || line.contains('\t') {
        return true;
    }
    let rule = line.len() >= 5 && line.chars().all(|c| "-+=| ".contains(c));
    rule || is_aligned(line)
}

/// Does a line have three columns or more, set apart by spaces?
pub(crate) fn is_aligned(line: &str) -> bool {
    line.split("   ").filter(|cell| !cell.trim().is_empty()).count() >= 3
}

/// The level and title of a heading that one line alone shows: `## Title`.
pub(crate) fn marked_heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|&b| b == b'#').count();
    let title = line.get(level..)?.strip_prefix(' ')?.trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// The level of a numbered title such as `3.2 Scope`, for lines standing alone.
pub(crate) fn numbered_heading(line: &str) -> Option<usize> {
    if line.len() > 90 || ends_sentence(line) {
        return None;
    }
    let (number, title) = line.split_once(' ')?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let numbered =
        parts.iter().all(|p| !p.is_empty() && p.len() <= 3 && p.bytes().all(|b| b.is_ascii_digit()));
    let title = title.trim();
    let titled = title.starts_with(char::is_uppercase) && title.split_whitespace().count() <= 12;
    (numbered && titled && (parts.len() > 1 || number.ends_with('.'))).then_some(parts.len())
}

/// A short title in capitals, for lines standing alone.
pub(crate) fn is_capitals(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 4
        && line.len() <= 60
        && !line.chars().any(char::is_lowercase)
        && !ends_sentence(line)
        && !line.contains(['=', ';', '{', '|', '_'])
}

/// Is this line the underline of a title (`=====`)?
pub(crate) fn is_underline(line: &str) -> bool {
    let Some(first) = line.chars().next() else { return false };
    line.len() >= 3 && "=-~^*+\"".contains(first) && line.chars().all(|c| c == first)
}

/// Ends with a mark that closes a sentence or a clause.
pub(crate) fn ends_sentence(line: &str) -> bool {
    line.trim_end_matches(['"', '\'', ')', '”', '’', ']', '*', '_', '`'])
        .ends_with(['.', ':', ';', '?', '!', ','])
}

/// Does a line show that it is a command or part of a program, whatever stands around it?
pub fn is_program(line: &str) -> bool {
    ["$ ", "# ", "% ", "> ", ">>> "].iter().any(|prompt| line.starts_with(prompt))
        || line.ends_with(['{', '}', ';', '\\', '(', '='])
        || line.ends_with("=>")
}

/// Does a text end as a program does: with a brace, or with a semicolon after signs that prose has no use for?
pub(crate) fn ends_program(text: &str) -> bool {
    text.ends_with(['{', '}']) || (text.ends_with(';') && text.contains(['(', '{', '=']))
}

/// Does a line read as program text rather than prose?
pub(crate) fn looks_like_code(line: &str) -> bool {
    if line.starts_with(['$', '>', '%']) || line.ends_with(['{', '}', ';', '\\']) {
        return true;
    }
    let signs = line.chars().filter(|c| "{}()[];=<>$|&*\\_/-".contains(*c)).count();
    let words = line.split_whitespace().count();
    words <= 3 || signs * 6 > line.chars().count()
}
