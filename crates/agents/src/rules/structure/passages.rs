//! Cuts a text into passages: by headings and labels, else by length, never inside a sentence.

use std::ops::Range;

use super::labels::{LABEL_BYTES, is_name};
use super::{Block, Kind, Passage, column};
use crate::rules::sentences::sentences;

/// A passage grows by whole blocks to about this many bytes.
pub const PASSAGE_TARGET: usize = 700;
/// A single block longer than this is cut at a sentence.
pub const PASSAGE_LIMIT: usize = 1100;

/// The passages of a text, in order.
pub(super) fn cut(text: &str, blocks: Vec<Block>) -> Vec<Passage> {
    let mut builder = Builder { text, columns: columns_tell(text, &blocks), ..Builder::default() };
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let followed = blocks.peek().is_some_and(|next| next.kind == Kind::Body);
        builder.add(block, followed);
    }
    builder.flush();
    builder.passages
}

/// Do columns tell where the meaning of a label ends? Not in texts that only indent its first line: there text at the
/// margin stands between most labels, elsewhere only between lists of them.
fn columns_tell(text: &str, blocks: &[Block]) -> bool {
    let (mut hanging, mut left) = (0, 0);
    for (index, block) in blocks.iter().enumerate() {
        if matches!(block.kind, Kind::Body | Kind::Heading { .. }) {
            continue;
        }
        let at = column(text, block);
        let below = &blocks[index + 1..];
        let length = below.iter().take_while(|next| next.kind == Kind::Body).count();
        let mut deeper = below[..length].iter().map(|next| column(text, next) > at);
        let hangs = matches!(block.kind, Kind::Defined(_)) || deeper.next() == Some(true);
        let goes_on = below.get(length).is_some_and(|next| !matches!(next.kind, Kind::Heading { .. }));
        hanging += usize::from(hangs);
        left += usize::from(hangs && goes_on && deeper.any(|deeper| !deeper));
    }
    left * 2 <= hanging
}

/// A label above what is read now.
struct Label {
    text: String,
    column: usize,
    /// What it names stands deeper than itself, so it names nothing further left.
    hangs: Option<bool>,
}

impl Label {
    fn holds(&self, column: usize) -> bool {
        self.hangs == Some(true) && column > self.column
    }
}

#[derive(Default)]
struct Builder<'a> {
    text: &'a str,
    /// Whether columns tell where labels end.
    columns: bool,
    stack: Vec<(usize, String)>,
    /// Labels within labels, outermost first.
    labels: Vec<Label>,
    open: Option<Range<usize>>,
    passages: Vec<Passage>,
}

impl Builder<'_> {
    /// Takes the next block; `followed` by body text, a heading that is a name is quoted with it.
    fn add(&mut self, block: Block, followed: bool) {
        let column = column(self.text, &block);
        match block.kind {
            Kind::Heading { level, title } => {
                self.flush();
                self.labels.clear();
                self.stack.retain(|(above, _)| *above < level);
                self.open = (followed && is_name(&title)).then(|| self.title_range(block.range, &title));
                self.stack.push((level, title));
            }
            Kind::Label(text) => {
                self.begin(Label { text, column, hangs: None });
                self.open = Some(block.range);
            }
            Kind::Defined(text) => {
                self.begin(Label { text, column, hangs: Some(true) });
                self.grow(block.range);
            }
            Kind::Body => {
                self.leave_labels(column);
                self.grow(block.range);
            }
        }
    }

    /// Where the words of a heading stand, without the marks before them.
    fn title_range(&self, line: Range<usize>, title: &str) -> Range<usize> {
        let marks = self.text[line.clone()].find(title).unwrap_or(0);
        line.start + marks..line.end
    }

    fn begin(&mut self, label: Label) {
        self.flush();
        let columns = self.columns;
        while self.labels.pop_if(|outer| !(columns && outer.holds(label.column))).is_some() {}
        self.labels.push(label);
    }

    /// Forgets the labels that do not name what begins in this column.
    fn leave_labels(&mut self, column: usize) {
        if let Some(label) = self.labels.last_mut() {
            label.hangs.get_or_insert(column > label.column);
        }
        while let Some(label) = self.labels.last() {
            let hangs = self.columns && label.hangs == Some(true);
            // Inside a passage, a line further left is no sign that a label above the same column ends.
            let over =
                if hangs { column <= label.column } else { column < label.column && self.open.is_none() };
            if !over {
                break;
            }
            self.flush();
            self.labels.pop();
        }
    }

    /// Appends a block to the open passage, or closes it first when it is full.
    fn grow(&mut self, block: Range<usize>) {
        if let Some(open) = &self.open
            && open.len() + block.len() > PASSAGE_TARGET
            && open.len() > LABEL_BYTES
        {
            self.flush();
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
            .chain(self.labels.iter().map(|label| label.text.as_str()));
        let heading = titles.collect::<Vec<_>>().join(" > ");
        self.passages.push(Passage { range: range.start..range.start + kept, heading });
    }
}
