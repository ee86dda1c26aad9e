//! What a person is shown, as data: blocks of inked text, without a width or a colour. Whoever shows it draws it: a
//! terminal does in `output`. Cleaned here, so that nothing from outside can steer a terminal.

use serde::Serialize;

use crate::text::clean;

/// What a piece of text means; a terminal may show it in colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ink {
    /// Nothing in particular.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// Somebody should look.
    Warn,
    /// Not as it should be.
    Bad,
    /// Less important.
    Faint,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// What it means.
    pub ink: Ink,
    /// What it says.
    pub text: String,
}

/// Text with a meaning.
pub fn inked(ink: Ink, text: impl AsRef<str>) -> Span {
    Span { ink, text: clean(text.as_ref()) }
}

/// Ordinary text.
pub fn plain(text: impl AsRef<str>) -> Span {
    inked(Ink::Plain, text)
}

/// One thing on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A line as it is.
    Line(Vec<Span>),
    /// A text that is broken into lines where it is shown.
    Paragraph(Span),
    /// A name and its value.
    Field(Span, Span),
    /// What to type.
    Command(Span),
    /// Rows whose columns stand below each other, under their names.
    Table(Vec<Span>, Vec<Vec<Span>>),
}

/// Blocks to be shown together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Page {
    blocks: Vec<Block>,
}

impl Page {
    /// A page of one text.
    pub fn of(text: impl AsRef<str>) -> Self {
        let mut page = Self::default();
        page.text(text);
        page
    }

    /// Adds a text, which may have several lines.
    pub fn text(&mut self, text: impl AsRef<str>) {
        self.blocks.extend(text.as_ref().split('\n').map(|line| Block::Line(vec![plain(line)])));
    }

    /// Adds one line of several pieces.
    pub fn line(&mut self, spans: impl Into<Vec<Span>>) {
        self.blocks.push(Block::Line(spans.into()));
    }

    /// Adds a text that is broken into lines where it is shown.
    pub fn paragraph(&mut self, text: Span) {
        self.blocks.push(Block::Paragraph(text));
    }

    /// Adds a name and its value.
    pub fn field(&mut self, name: &str, value: Span) {
        self.blocks.push(Block::Field(inked(Ink::Faint, name), value));
    }

    /// Adds what to type, apart from the rest.
    pub fn command(&mut self, command: &str) {
        self.blocks.push(Block::Command(plain(command)));
    }

    /// Adds rows whose columns stand below each other.
    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<Span>>) {
        self.blocks.push(Block::Table(head.iter().map(|name| inked(Ink::Faint, name)).collect(), rows));
    }

    /// What is on it.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}
