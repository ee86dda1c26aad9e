//! Paginated text: page headers and footers around form feeds, and paragraphs that run across them.

use std::collections::HashMap;
use std::ops::Range;

use super::lines::{self, Line};

/// Fewer dots than this lead nowhere.
const FEWEST_DOTS: usize = 4;

/// Byte ranges of page furniture: form feeds and the recurring lines next to them. Sorted, disjoint.
pub(crate) fn furniture(text: &str, lines: &[Line<'_>]) -> Vec<Range<usize>> {
    if !text.contains('\x0c') {
        return Vec::new();
    }
    let beside = lines_beside_breaks(text, lines);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for index in beside.iter().flatten().flatten() {
        *counts.entry(masked(lines[*index].text)).or_default() += 1;
    }
    let recurs = |index: &usize| counts.get(&masked(lines[*index].text)).is_some_and(|&n| n > 1);
    let mut found: Vec<Range<usize>> = Vec::new();
    let breaks = text.match_indices('\x0c').map(|(at, _)| at);
    for (at, pair) in breaks.zip(beside) {
        let first = pair[0].filter(recurs).map_or(at, |i| lines[i].range.start);
        let last = pair[1].filter(recurs).map_or(at + 1, |i| lines[i].range.end);
        found.push(first..last.max(at + 1));
    }
    found
}

/// Byte ranges of printed tables of contents: paragraphs of which at least every second line leads with dots to a
/// page number. Sorted, disjoint.
pub(crate) fn contents(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let paragraphs = lines.split(Line::is_blank).filter(|lines| !lines.is_empty());
    let listing =
        paragraphs.filter(|lines| lines.iter().filter(|line| leads(line.text)).count() * 2 >= lines.len());
    listing.filter_map(|lines| Some(lines.first()?.range.start..lines.last()?.range.end)).collect()
}

/// "2.1 Scope . . . . . 7": dots that lead to the number of a page.
fn leads(line: &str) -> bool {
    let title = line.trim_end_matches(|c: char| c.is_ascii_digit() || "ivxlc".contains(c));
    let led = title.trim_end_matches(['.', ' ', '…']);
    title.len() < line.len() && title[led.len()..].matches('.').count() >= FEWEST_DOTS
}

/// For each form feed, the nearest text line before and after it (by index).
fn lines_beside_breaks(text: &str, lines: &[Line<'_>]) -> Vec<[Option<usize>; 2]> {
    text.match_indices('\x0c')
        .map(|(at, _)| {
            let after = lines.partition_point(|line| line.range.start <= at);
            let before = lines[..after].iter().rposition(|line| !line.is_blank());
            let next = lines[after..].iter().position(|line| !line.is_blank()).map(|i| after + i);
            [before, next]
        })
        .collect()
}

/// A line with its digits masked, so that "Page 3" and "Page 4" are the same line.
fn masked(line: &str) -> String {
    line.chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect::<String>()
        .replace("00", "0")
        .replace("00", "0")
}

/// Ranges in order, those that overlap made one.
pub(crate) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut found: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match found.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => found.push(range),
        }
    }
    found
}

/// Does any range cover this one wholly?
pub(crate) fn covers(furniture: &[Range<usize>], range: &Range<usize>) -> bool {
    let at = furniture.partition_point(|piece| piece.end < range.end);
    furniture
        .get(at)
        .is_some_and(|piece| piece.start <= range.start && range.end <= piece.end && !range.is_empty())
}

/// A block that can take the one after it in.
pub(crate) trait Joinable: Sized {
    fn range(&self) -> &Range<usize>;
    fn is_prose(&self) -> bool;
    fn absorb(&mut self, next: Self);
}

/// Joins a paragraph broken by a page: no end mark before, lower case after.
pub(crate) fn rejoin<B: Joinable>(text: &str, furniture: &[Range<usize>], blocks: Vec<B>) -> Vec<B> {
    if furniture.is_empty() {
        return blocks;
    }
    let mut joined: Vec<B> = Vec::with_capacity(blocks.len());
    for block in blocks {
        match joined.last_mut() {
            Some(last) if last.is_prose() && block.is_prose() && runs_on(text, furniture, last, &block) => {
                last.absorb(block);
            }
            _ => joined.push(block),
        }
    }
    joined
}

fn runs_on<B: Joinable>(text: &str, furniture: &[Range<usize>], before: &B, after: &B) -> bool {
    let (end, start) = (before.range().end, after.range().start);
    let broken = furniture.iter().any(|piece| end <= piece.start && piece.end <= start);
    let next = text[after.range().clone()].trim_start();
    broken
        && !lines::ends_sentence(&text[before.range().clone()])
        && next.starts_with(char::is_lowercase)
        && lines::bullet_len(next) == 0
}

/// A stretch of text with the furniture left out, and the way back to the original offsets.
#[derive(Debug, Clone)]
pub struct View {
    /// What a reader would read.
    pub text: String,
    /// (offset in `text`, offset in the original, length), in order.
    pieces: Vec<(usize, usize, usize)>,
}

impl View {
    /// The part `range` of `text` without the furniture in it.
    #[must_use]
    pub fn new(text: &str, range: &Range<usize>, furniture: &[Range<usize>]) -> Self {
        Self::within(text.get(range.clone()).unwrap_or_default(), range.start, furniture)
    }

    /// A part of a text that begins at `offset` of the original, without the furniture in it.
    #[must_use]
    pub fn within(part: &str, offset: usize, furniture: &[Range<usize>]) -> Self {
        let end = offset + part.len();
        let inside = furniture.iter().filter(|piece| piece.start >= offset && piece.end <= end);
        let slice =
            |range: Range<usize>| part.get(range.start - offset..range.end - offset).unwrap_or_default();
        let mut view = Self { text: String::new(), pieces: Vec::new() };
        let mut from = offset;
        for piece in inside {
            view.push(slice(from..piece.start), from);
            from = piece.end;
        }
        view.push(slice(from..end), from);
        view
    }

    fn push(&mut self, part: &str, original: usize) {
        // Blank lines beside a page break would look like the end of the paragraph.
        let (lead, kept) = if self.pieces.is_empty() {
            (0, part)
        } else {
            let kept = part.trim_start_matches(['\n', '\r', '\x0c']);
            (part.len() - kept.len(), kept)
        };
        if kept.is_empty() {
            return;
        }
        if !self.pieces.is_empty() {
            let trimmed = self.text.trim_end().len();
            self.text.truncate(trimmed);
            if let Some(last) = self.pieces.last_mut() {
                last.2 = trimmed - last.0;
            }
            self.text.push('\n');
        }
        self.pieces.push((self.text.len(), original + lead, kept.len()));
        self.text.push_str(kept);
    }

    /// The ranges of the original that a range of the view stands for: more than one across a page break.
    #[must_use]
    pub fn original(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for &(at, original, len) in &self.pieces {
            let start = range.start.max(at);
            let end = range.end.min(at + len);
            if start < end {
                found.push(original + start - at..original + end - at);
            }
        }
        found
    }
}
