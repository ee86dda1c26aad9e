//! What a piece of Markdown says, without its markup.

use crate::markup::plain;

/// The length of what stands before a sentence on its line: quotation marks of a mail, markers of a list, boxes to tick,
/// citations of the sentence before.
pub fn marker_len(text: &str) -> usize {
    let mut rest = text;
    loop {
        let before = rest;
        rest = rest.trim_start();
        for marker in ["> ", "- ", "* ", "+ ", "• ", "– ", "[ ] ", "[x] ", "[X] "] {
            rest = rest.strip_prefix(marker).unwrap_or(rest);
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=3).contains(&digits) && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") "))
        {
            rest = &rest[digits + 2..];
        }
        if let Some(length) = citation_len(rest) {
            rest = &rest[length..];
        }
        if rest.len() == before.len() {
            return text.len() - rest.len();
        }
    }
}

/// The length of a citation that begins here: `[1]`, `[S01]`, `[2, 3]`, `[^note]`.
fn citation_len(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let end = inner.find(']')?;
    let (label, behind) = (&inner[..end], &inner[end + 1..]);
    let numbers = !label.is_empty()
        && label.split([',', ';', '–', '-']).all(|part| {
            let part = part.trim();
            let digits = part.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
            part.len() - digits.len() <= 1
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
    let cites = (numbers || label.starts_with('^')) && !behind.starts_with(['(', ':']);
    cites.then_some(end + 2)
}

/// The words alone.
pub fn spoken(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let taken = match letter {
            '\\' => escaped(rest, &mut said),
            '!' if rest.starts_with("![") => link(&rest[1..]).map(|(_, length)| length + 1),
            '[' => match citation_len(rest) {
                Some(length) => Some(length),
                None => link(rest).map(|(shown, length)| {
                    said.push_str(&spoken(shown));
                    length
                }),
            },
            '<' => tag_len(rest),
            '*' | '`' => Some(1),
            '_' => {
                // Inside a word an underscore is a part of it.
                let inside =
                    said.ends_with(char::is_alphanumeric) && rest[1..].starts_with(char::is_alphanumeric);
                (!inside).then_some(1)
            }
            '&' => entity(rest, &mut said),
            '\n' => Some(quote_mark(rest, &mut said)),
            _ => None,
        };
        let taken = taken.unwrap_or_else(|| {
            said.push(letter);
            letter.len_utf8()
        });
        rest = &rest[taken..];
    }
    plain(&said)
}

fn escaped(rest: &str, said: &mut String) -> Option<usize> {
    let next = rest[1..].chars().next().filter(char::is_ascii_punctuation)?;
    said.push(next);
    Some(2)
}

/// The shown text of `[shown](address)` or `[shown][name]`, and the length of all of it.
fn link(rest: &str) -> Option<(&str, usize)> {
    let shown = &rest[1..rest.find(']')?];
    let behind = &rest[shown.len() + 2..];
    let close = match behind.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    let end = closing(behind, close)?;
    (!behind[..end].contains('\n')).then_some((shown, shown.len() + 2 + end + 1))
}

/// Where what opens with the first letter closes; an address may have brackets of its own.
fn closing(text: &str, close: char) -> Option<usize> {
    let open = text.chars().next()?;
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The length of a tag; an address in angle brackets is none.
fn tag_len(rest: &str) -> Option<usize> {
    let inner = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    if !inner.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    let end = rest.find('>')?;
    let name: String = inner.chars().take_while(char::is_ascii_alphanumeric).collect();
    let behind = &inner[name.len()..];
    behind.starts_with([' ', '>', '/', '\n']).then_some(end + 1)
}

fn entity(rest: &str, said: &mut String) -> Option<usize> {
    const KNOWN: [(&str, char); 6] =
        [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&#39;", '\''), ("&nbsp;", ' ')];
    let (name, letter) = KNOWN.iter().find(|(name, _)| rest.starts_with(name))?;
    said.push(*letter);
    Some(name.len())
}

/// A line break, and the mark by which a quoted paragraph goes on behind it.
fn quote_mark(rest: &str, said: &mut String) -> usize {
    said.push(' ');
    let line = rest[1..].trim_start_matches(' ');
    let lead = rest.len() - 1 - line.len();
    match line.strip_prefix("> ") {
        Some(_) => 1 + lead + 2,
        None => 1,
    }
}
