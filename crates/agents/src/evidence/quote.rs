//! Finding a quote in a text word for word.
//!
//! Two differences are forgiven, and no others: white space (any run counts as one space) and the shape of quotation
//! marks and apostrophes. What is returned is where the quote stands in the untouched text.

use std::ops::Range;

/// The byte range of `quote` in `text`, or None.
#[must_use]
pub fn find(text: &str, quote: &str) -> Option<Range<usize>> {
    let wanted = normalised(quote).0;
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return None;
    }
    let (plain, offsets) = normalised(text);
    let at = plain.find(wanted)?;
    let start = *offsets.get(plain[..at].chars().count())?;
    let last = plain[..at + wanted.len()].chars().count() - 1;
    let end = offsets.get(last + 1).copied().unwrap_or(text.len());
    let kept = text[start..end].trim_end().len();
    Some(start..start + kept)
}

/// Does `quote` stand at exactly these ranges of `text`, one after the other?
#[must_use]
pub fn stands_at(text: &str, ranges: &[Range<usize>], quote: &str) -> bool {
    let parts: Option<Vec<&str>> = ranges.iter().map(|range| text.get(range.clone())).collect();
    let Some(parts) = parts else { return false };
    let (found, wanted) = (normalised(&parts.join(" ")).0, normalised(quote).0);
    !wanted.trim().is_empty() && found.trim() == wanted.trim()
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
