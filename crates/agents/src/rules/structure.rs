//! From a text to its sections and passages: what a document says under which heading, as byte ranges.
//!
//! Headings, run-in labels ("--depth <n>" above its description), page furniture and paragraphs are told
//! apart here; the text itself is never changed.

use std::collections::HashSet;
use std::ops::Range;

use super::lines::{self, Line};
use super::pages;
use super::sentences::sentences;

/// A passage grows by whole blocks to about this many bytes.
pub const PASSAGE_TARGET: usize = 700;
/// A single block longer than this is cut at a sentence.
pub const PASSAGE_LIMIT: usize = 1100;
pub(super) const LABEL_BYTES: usize = 90;
pub(super) const LABEL_WORDS: usize = 12;

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
    /// Page headers, footers and breaks: ranges inside passages that are not part of what they say.
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
    let mut furniture = pages::furniture(text);
    furniture.extend_from_slice(skipped);
    furniture.sort_by_key(|range| range.start);
    let lines = lines::lines(text);
    let mut blocks = blocks(text, &lines, &furniture);
    let title = leading_title(text, &mut blocks);
    drop_contents(text, &mut blocks);
    mark_labels(text, &mut blocks);
    let mut builder = Builder { text, ..Builder::default() };
    for block in blocks {
        builder.add(block);
    }
    builder.flush();
    let title = title.or_else(|| builder.headings.first().cloned());
    Outline { title, headings: builder.headings, passages: builder.passages, furniture }
}

/// Groups lines into blocks: headings alone, everything else by blank lines.
fn blocks(text: &str, lines: &[Line<'_>], furniture: &[Range<usize>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Vec<&Line<'_>> = Vec::new();
    let mut skip_underline = false;
    let kept: Vec<&Line<'_>> = lines.iter().filter(|line| !pages::covers(furniture, &line.range)).collect();
    for (index, line) in kept.iter().enumerate() {
        if std::mem::take(&mut skip_underline) {
            continue;
        }
        let next = kept.get(index + 1);
        if line.is_blank() {
            close(text, &mut open, &mut blocks);
        } else if let Some(heading) = heading(line, open.is_empty(), next.copied()) {
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
    let hanging = open.get(1).is_some_and(|second| second.indent > first.indent) && is_label_line(first.text);
    let kind = if hanging { Kind::Defined(label_text(first.text)) } else { Kind::Body };
    let start = first.range.end - first.text.len();
    let bullet = lines::bullet_len(&text[start..]) > 0;
    blocks.push(Block { range: start..last.range.end, kind, bullet, lines: open.len() });
    open.clear();
}

fn heading(line: &Line<'_>, starts: bool, next: Option<&Line<'_>>) -> Option<Kind> {
    if let Some((level, title)) = lines::marked_heading(line.text)
        && line.indent < 4
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
    if next.is_some_and(|n| !n.is_blank()) {
        return None;
    }
    if let Some(level) = lines::numbered_heading(line.text) {
        return Some(Kind::Heading { level, title });
    }
    let capitals = lines::is_capitals(line.text) && lines::bullet_len(line.text) == 0;
    (line.indent == 0 && capitals).then_some(Kind::Heading { level: 2, title })
}

/// Short enough, and neither a sentence nor a field nor a line of a program nor the stand-in of a picture ("[Map]").
fn is_label_line(line: &str) -> bool {
    let bare = &line[lines::bullet_len(line)..];
    let picture = bare.starts_with('[') && bare.ends_with(']');
    let other = picture || lines::is_program(bare) || is_field(bare);
    !bare.is_empty()
        && !other
        && bare.len() <= LABEL_BYTES
        && bare.split_whitespace().count() <= LABEL_WORDS
        && !lines::ends_sentence(bare)
        && bare.contains(char::is_alphabetic)
}

/// Alternatives of a command's syntax, "start [now | later]", not the cells of a table.
fn is_syntax(line: &str) -> bool {
    !line.starts_with('|') && !line.contains('\t') && line.contains(['[', '{', '<'])
}

/// A name and its value, as in "Default: 5": says something itself and announces nothing.
fn is_field(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(name, value)| {
        !value.trim().is_empty()
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= 2
            && !name.contains('(')
    })
}

fn label_text(line: &str) -> String {
    line[lines::bullet_len(line)..].trim().to_owned()
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

/// Leaves out the entries of a table of contents: list items that only repeat a heading of the same text.
fn drop_contents(text: &str, blocks: &mut Vec<Block>) {
    let folded = |title: &str| title.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let headings: HashSet<String> = blocks
        .iter()
        .filter_map(|block| match &block.kind {
            Kind::Heading { title, .. } => Some(folded(title)),
            _ => None,
        })
        .collect();
    blocks.retain(|block| {
        let repeats = block.kind == Kind::Body && block.bullet && block.lines == 1;
        !(repeats && headings.contains(&folded(&label_text(&text[block.range.clone()]))))
    });
}

/// A short line alone above a paragraph is a label, unless it stands deeper (an example); runs of short bullets are
/// a list, the last of them too.
fn mark_labels(text: &str, blocks: &mut [Block]) {
    for index in 0..blocks.len() {
        if introduced(text, blocks, index) {
            if matches!(blocks[index].kind, Kind::Defined(_)) {
                blocks[index].kind = Kind::Body;
            }
            continue;
        }
        let (block, Some(next)) = (&blocks[index], blocks.get(index + 1)) else { continue };
        let line = &text[block.range.clone()];
        let alone = block.kind == Kind::Body && block.lines == 1 && is_label_line(line);
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

/// The last of several list items: what follows is about the list or what stands above it.
fn ends_list(blocks: &[Block], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|i| blocks.get(i));
    blocks[index].bullet && before.is_some_and(|before| before.bullet && before.lines == 1)
}

/// The block before ends with a colon and this one stands deeper: it is what was announced (an example, a
/// command), not a label.
fn introduced(text: &str, blocks: &[Block], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).and_then(|i| blocks.get(i)) else { return false };
    before.kind == Kind::Body
        && text[before.range.clone()].ends_with(':')
        && column(text, &blocks[index]) > column(text, before)
}

/// How far from its line's start a block begins.
fn column(text: &str, block: &Block) -> usize {
    block.range.start - text[..block.range.start].rfind('\n').map_or(0, |at| at + 1)
}

#[derive(Default)]
struct Builder<'a> {
    text: &'a str,
    stack: Vec<(usize, String)>,
    /// The label above what is read now, and the column it stands in.
    label: Option<(String, usize)>,
    open: Option<Range<usize>>,
    headings: Vec<String>,
    passages: Vec<Passage>,
}

impl Builder<'_> {
    fn add(&mut self, block: Block) {
        let column = column(self.text, &block);
        match block.kind {
            Kind::Heading { level, title } => {
                self.flush();
                self.label = None;
                self.stack.retain(|(above, _)| *above < level);
                self.stack.push((level, title.clone()));
                self.headings.push(title);
            }
            Kind::Label(label) => {
                self.flush();
                self.label = Some((label, column));
                self.open = Some(block.range);
            }
            Kind::Defined(label) => {
                self.flush();
                self.label = Some((label, column));
                self.grow(block.range, column);
            }
            Kind::Body => self.grow(block.range, column),
        }
    }

    /// Appends a block to the open passage, or closes it first when it is full.
    fn grow(&mut self, block: Range<usize>, column: usize) {
        if let Some(open) = &self.open
            && open.len() + block.len() > PASSAGE_TARGET
            && open.len() > LABEL_BYTES
        {
            self.flush();
        }
        // A label says nothing about a passage that begins further left than itself.
        if self.open.is_none() && self.label.as_ref().is_some_and(|(_, own)| column < *own) {
            self.label = None;
        }
        let start = self.open.as_ref().map_or(block.start, |open| open.start);
        self.open = Some(start..block.end);
        if block.end - start > PASSAGE_LIMIT {
            self.cut();
        }
    }

    /// Cuts an oversized passage at sentence ends.
    fn cut(&mut self) {
        let Some(open) = self.open.take() else { return };
        let mut start = open.start;
        for sentence in sentences(&self.text[open.clone()]) {
            let end = open.start + sentence.end;
            if end - start > PASSAGE_TARGET {
                let from = open.start + sentence.start;
                if from > start {
                    self.push(start..from);
                    start = from;
                }
            }
        }
        self.open = Some(start..open.end);
    }

    fn flush(&mut self) {
        if let Some(open) = self.open.take() {
            self.push(open);
        }
    }

    fn push(&mut self, range: Range<usize>) {
        let kept = self.text[range.clone()].trim_end().len();
        if kept == 0 {
            return;
        }
        let titles = self
            .stack
            .iter()
            .map(|(_, title)| title.as_str())
            .chain(self.label.as_ref().map(|(label, _)| label.as_str()));
        let heading = titles.collect::<Vec<_>>().join(" > ");
        self.passages.push(Passage { range: range.start..range.start + kept, heading });
    }
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
