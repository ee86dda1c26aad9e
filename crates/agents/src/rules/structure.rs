//! From a text to its sections and passages: what a document says under which heading, as byte ranges.
//!
//! Lines become blocks here, and headings are told from them; `labels` finds the lines that name what stands below,
//! `passages` cuts the text. The text itself is never changed.

use std::collections::HashSet;
use std::ops::Range;

use super::lines::{self, Line};
use super::pages;
use labels::LABEL_BYTES;
pub use passages::{PASSAGE_LIMIT, PASSAGE_TARGET};

pub(super) mod labels;
mod passages;
#[cfg(test)]
mod tests;

/// A text that marks its headings shows it in so many lines, blank ones not counted.
const OPENING_LINES: usize = 12;

/// A stretch of a document small enough to be one search result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands in the text.
    pub range: Range<usize>,
    /// The headings above it, outermost first, joined with " > ".
    pub heading: String,
}

/// What a document is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The title the text itself gives, if any.
    pub title: Option<String>,
    /// All headings, labels left out.
    pub headings: Vec<String>,
    /// Passages in order.
    pub passages: Vec<Passage>,
    /// Page headers, footers, breaks and tables of contents: ranges that are not part of what the text says.
    pub furniture: Vec<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Heading {
        level: usize,
        title: String,
    },
    Label(String),
    /// Opens with its own label: first line of a hanging indent.
    Defined(String),
    Body,
}

#[derive(Debug, Clone)]
struct Block {
    range: Range<usize>,
    kind: Kind,
    bullet: bool,
    lines: usize,
}

/// Reads the outline of a text. `skipped` are ranges that belong to no passage, such as tables of contents.
#[must_use]
pub fn outline(text: &str, skipped: &[Range<usize>]) -> Outline {
    let lines = lines::lines(text);
    let mut left_out = pages::furniture(text, &lines);
    left_out.extend_from_slice(skipped);
    left_out.extend(pages::contents(&lines));
    let furniture = pages::merged(left_out);
    let mut blocks = blocks(text, &lines, &furniture);
    let title = leading_title(text, &mut blocks);
    drop_contents(text, &mut blocks);
    labels::mark(text, &mut blocks);
    let headings = titles(&blocks);
    let title = title.or_else(|| headings.first().cloned());
    Outline { title, headings, passages: passages::cut(text, blocks), furniture }
}

/// Groups lines into blocks: headings alone, everything else by blank lines.
fn blocks(text: &str, lines: &[Line<'_>], furniture: &[Range<usize>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Vec<&Line<'_>> = Vec::new();
    let mut skip_underline = false;
    let kept: Vec<&Line<'_>> = lines.iter().filter(|line| !pages::covers(furniture, &line.range)).collect();
    let marks = marks_headings(&kept);
    for (index, line) in kept.iter().enumerate() {
        if std::mem::take(&mut skip_underline) {
            continue;
        }
        let next = kept.get(index + 1).copied();
        let place = Place { starts: open.is_empty(), next, marks };
        if line.is_blank() {
            close(text, &mut open, &mut blocks);
        } else if let Some(heading) = heading(line, &place) {
            close(text, &mut open, &mut blocks);
            skip_underline = next.is_some_and(|n| lines::is_underline(n.text)) && !line.text.starts_with('#');
            blocks.push(Block { range: line.range.clone(), kind: heading, bullet: false, lines: 1 });
        } else {
            open.push(line);
        }
    }
    close(text, &mut open, &mut blocks);
    pages::rejoin(text, furniture, blocks)
}

fn close(text: &str, open: &mut Vec<&Line<'_>>, blocks: &mut Vec<Block>) {
    let (Some(first), Some(last)) = (open.first(), open.last()) else { return };
    let kind = if labels::names_rest(first, open.get(1).copied()) {
        Kind::Defined(labels::label_text(first.text))
    } else {
        Kind::Body
    };
    let start = first.range.end - first.text.len();
    let bullet = lines::bullet_len(&text[start..]) > 0;
    blocks.push(Block { range: start..last.range.end, kind, bullet, lines: open.len() });
    open.clear();
}

/// Where a line stands: first of its block, before which other line, in a text that marks its headings or not.
struct Place<'a> {
    starts: bool,
    next: Option<&'a Line<'a>>,
    marks: bool,
}

/// Does a text mark its headings with `#`, as pages and Markdown do? One of the first lines then is such a heading; in
/// other texts `#` mostly begins a comment.
fn marks_headings(lines: &[&Line<'_>]) -> bool {
    let mut opening = lines.iter().filter(|line| !line.is_blank()).take(OPENING_LINES);
    opening.any(|line| line.indent == 0 && lines::marked_heading(line.text).is_some())
}

fn heading(line: &Line<'_>, place: &Place<'_>) -> Option<Kind> {
    let Place { starts, next, marks } = *place;
    let alone = starts && next.is_none_or(Line::is_blank);
    if let Some((level, title)) = lines::marked_heading(line.text)
        && line.indent < 4
        && (marks || (alone && level > 1))
    {
        return Some(Kind::Heading { level, title: title.to_owned() });
    }
    if !starts {
        return None;
    }
    let title = line.text.to_owned();
    if let Some(under) = next
        && lines::is_underline(under.text)
        && line.text.len() <= LABEL_BYTES
        && !lines::is_table_row(line.text)
        && under.text.len() + 3 >= line.text.chars().count()
    {
        let level = match under.text.chars().next() {
            Some('=') => 1,
            Some('-') => 2,
            _ => 3,
        };
        return Some(Kind::Heading { level, title });
    }
    // What stands in capitals in a text that marks its headings is a name: a signal, a key, an acronym.
    if marks || !alone {
        return None;
    }
    if let Some(level) = lines::numbered_heading(line.text) {
        return Some(Kind::Heading { level, title });
    }
    let capitals = lines::is_capitals(line.text) && lines::bullet_len(line.text) == 0;
    (line.indent == 0 && capitals).then_some(Kind::Heading { level: 2, title })
}

/// Takes a "Title: …" line at the very top as the title and drops its block.
fn leading_title(text: &str, blocks: &mut Vec<Block>) -> Option<String> {
    let first = blocks.first()?;
    let line = text[first.range.clone()].lines().next()?;
    let title = line.strip_prefix("Title:").or_else(|| line.strip_prefix("title:"))?.trim().to_owned();
    if first.lines == 1 {
        blocks.remove(0);
    }
    (!title.is_empty()).then_some(title)
}

fn titles(blocks: &[Block]) -> Vec<String> {
    let titles = blocks.iter().filter_map(|block| match &block.kind {
        Kind::Heading { title, .. } => Some(title.clone()),
        _ => None,
    });
    titles.collect()
}

/// Leaves out the entries of a table of contents: list items that only repeat a heading of the same text.
fn drop_contents(text: &str, blocks: &mut Vec<Block>) {
    let folded = |title: &str| title.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let headings: HashSet<String> = titles(blocks).iter().map(|title| folded(title)).collect();
    blocks.retain(|block| {
        let repeats = block.kind == Kind::Body && block.bullet && block.lines == 1;
        !(repeats && headings.contains(&folded(&labels::label_text(&text[block.range.clone()]))))
    });
}

/// How far from its line's start a block begins.
fn column(text: &str, block: &Block) -> usize {
    block.range.start - text[..block.range.start].rfind('\n').map_or(0, |at| at + 1)
}

impl pages::Joinable for Block {
    fn range(&self) -> &Range<usize> {
        &self.range
    }
    fn is_prose(&self) -> bool {
        self.kind == Kind::Body
    }
    fn absorb(&mut self, next: Self) {
        self.range.end = next.range.end;
        self.lines += next.lines;
    }
}
