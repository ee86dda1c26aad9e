//! Lines that name what stands below them without being headings: "--depth <n>" above its description, a question
//! above its answer, a term above its meaning. They open passages of their own and stay with their text.

use super::{Block, Kind, column};
use crate::rules::lines::{self, Line};

/// A label is no longer than this (in bytes)...
pub(in crate::rules) const LABEL_BYTES: usize = 90;
/// ...and has no more words than this.
pub(in crate::rules) const LABEL_WORDS: usize = 12;
/// So many words in lower case are part of a sentence.
const CLAUSE_WORDS: usize = 4;
/// Lines of text wrapped by hand are no longer than this (in bytes).
const LONGEST_WRAPPED: usize = 120;
/// A question above its answer is no longer than this (in bytes).
const LONGEST_ASKED: usize = 160;
/// A term and what is said of it, if no longer than this, may be one of a list...
const SHORT_ENTRY: usize = 200;
/// ...of at least so many...
const FEWEST_ENTRIES: usize = 3;
/// ...that a paragraph announces, with a colon or within so many bytes.
const SHORT_ANNOUNCEMENT: usize = 250;

/// Finds the labels among the blocks of a text.
pub(super) fn mark(text: &str, blocks: &mut [Block]) {
    mark_lone_lines(text, blocks);
    unmark_lists(text, blocks);
}

/// Does the first line of a block name what its other lines say? They stand deeper, or they are not wrapped, so that
/// the break was meant; and a question stands above its answer.
pub(super) fn names_rest(first: &Line<'_>, second: Option<&Line<'_>>) -> bool {
    let Some(second) = second else { return false };
    let meant = second.text.len() > LONGEST_WRAPPED;
    (is_label_line(first.text) && (second.indent > first.indent || meant)) || (is_asked(first.text) && meant)
}

/// A short line alone above a paragraph is a label, unless it stands deeper (an example); runs of short bullets are
/// a list, the last of them too.
fn mark_lone_lines(text: &str, blocks: &mut [Block]) {
    for index in 0..blocks.len() {
        if introduced(text, blocks, index) {
            if matches!(blocks[index].kind, Kind::Defined(_)) {
                blocks[index].kind = Kind::Body;
            }
            continue;
        }
        let (block, Some(next)) = (&blocks[index], blocks.get(index + 1)) else { continue };
        let line = &text[block.range.clone()];
        let alone = block.kind == Kind::Body && block.lines == 1 && (is_label_line(line) || is_asked(line));
        let below = &text[next.range.clone()];
        let paragraph = matches!(next.kind, Kind::Body) && !next.bullet && !is_label_line(below);
        let deeper = column(text, block) > column(text, next);
        if alone
            && paragraph
            && !deeper
            && !ends_list(blocks, index)
            && (!lines::is_table_row(line) || is_syntax(line))
        {
            blocks[index].kind = Kind::Label(label_text(line));
        }
    }
}

/// Several short terms in a row that the paragraph above announces are one list and read together: none is a label.
fn unmark_lists(text: &str, blocks: &mut [Block]) {
    let mut at = 0;
    while at < blocks.len() {
        let (start, mut entries) = (at, 0);
        while let Some(size) = entry_at(blocks, at) {
            at += size;
            entries += 1;
        }
        if entries >= FEWEST_ENTRIES && announced(text, blocks, start) {
            blocks[start..at].iter_mut().for_each(|block| block.kind = Kind::Body);
        }
        at = at.max(start + 1);
    }
}

/// Does the paragraph before this block say that a list follows?
fn announced(text: &str, blocks: &[Block], index: usize) -> bool {
    let Some(before) = before(blocks, index) else { return false };
    let said = &text[before.range.clone()];
    let short = said.len() <= SHORT_ANNOUNCEMENT;
    before.kind == Kind::Body
        && (said.ends_with(':') || (short && (said.contains(" below") || said.contains(" following"))))
}

/// How many blocks the short entry of a list takes that begins here, if one does.
fn entry_at(blocks: &[Block], at: usize) -> Option<usize> {
    let block = blocks.get(at)?;
    let is_body = |index: usize| blocks.get(index).filter(|block| block.kind == Kind::Body);
    match block.kind {
        Kind::Defined(_) => (block.range.len() <= SHORT_ENTRY).then_some(1),
        Kind::Label(_) => {
            let said = is_body(at + 1)?;
            let short = said.range.end - block.range.start <= SHORT_ENTRY;
            (short && is_body(at + 2).is_none()).then_some(2)
        }
        _ => None,
    }
}

fn before(blocks: &[Block], index: usize) -> Option<&Block> {
    index.checked_sub(1).and_then(|before| blocks.get(before))
}

/// The last of several list items: what follows is about the list or what stands above it.
fn ends_list(blocks: &[Block], index: usize) -> bool {
    blocks[index].bullet && before(blocks, index).is_some_and(|before| before.bullet && before.lines == 1)
}

/// The block before ends with a colon and this one stands deeper: it is what was announced (an example, a
/// command), not a label.
fn introduced(text: &str, blocks: &[Block], index: usize) -> bool {
    let Some(before) = before(blocks, index) else { return false };
    before.kind == Kind::Body
        && text[before.range.clone()].ends_with(':')
        && column(text, &blocks[index]) > column(text, before)
}

/// Short enough, and neither a sentence nor a field nor a line of a program nor the stand-in of a picture ("[Map]").
fn is_label_line(line: &str) -> bool {
    let bare = &line[lines::bullet_len(line)..];
    let picture = bare.starts_with('[') && bare.ends_with(']');
    let other = picture || lines::is_program(bare) || is_field(bare) || is_aside(bare) || is_clause(bare);
    !bare.is_empty()
        && !other
        && bare.len() <= LABEL_BYTES
        && bare.split_whitespace().count() <= LABEL_WORDS
        && !lines::ends_sentence(bare)
        && bare.contains(char::is_alphabetic)
}

/// Part of a sentence: several words, none of them written like a name.
fn is_clause(line: &str) -> bool {
    line.starts_with(char::is_lowercase)
        && line.split_whitespace().count() >= CLAUSE_WORDS
        && line.chars().all(|c| c.is_lowercase() || " ',’".contains(c))
}

/// The title of a box beside the text: it names nothing that could be asked for.
fn is_aside(line: &str) -> bool {
    let word = line.to_lowercase();
    [
        "note",
        "notes",
        "tip",
        "hint",
        "warning",
        "caution",
        "important",
        "attention",
        "danger",
        "see also",
        "example",
    ]
    .contains(&word.as_str())
}

/// A question alone in its line, as the answers of an FAQ stand below.
fn is_asked(line: &str) -> bool {
    line.ends_with('?') && line.len() <= LONGEST_ASKED && !lines::is_program(line)
}

/// Alternatives of a command's syntax, "start [now | later]", not the cells of a table.
fn is_syntax(line: &str) -> bool {
    !line.starts_with('|') && !line.contains('\t') && line.contains(['[', '{', '<'])
}

/// A name and its value, as in "Default: 5": says something itself and announces nothing.
pub(in crate::rules) fn is_field(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, value)| {
        !value.trim().is_empty()
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= 2
            && !name.contains('(')
    })
}

/// What a label says, without the marker of a list.
pub(super) fn label_text(line: &str) -> String {
    line[lines::bullet_len(line)..].trim().to_owned()
}

/// Is a heading written like a name in a program: `close()`, `max_size`, `3.2. record`?
pub(super) fn is_name(title: &str) -> bool {
    let bare = match title.split_once(' ') {
        Some((number, rest)) if number.bytes().all(|b| b.is_ascii_digit() || b == b'.') => rest.trim(),
        _ => title,
    };
    let called =
        bare.ends_with(')') && bare.find(['(', ' ']).is_some_and(|at| at > 1 && bare[at..].starts_with('('));
    let single =
        !bare.contains(' ') && (bare.starts_with(char::is_lowercase) || bare.contains(['_', '-', '.', '$']));
    bare.contains(char::is_alphabetic) && (called || single)
}
