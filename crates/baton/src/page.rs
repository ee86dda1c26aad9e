//! What a person is shown, before it is printed: lines of inked text. Cleaned here, so that nothing from
//! outside can steer a terminal.

use crate::text::{clean, cut, width};

/// What a piece of text means; a terminal may show it in colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Lines to be shown together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    lines: Vec<Vec<Span>>,
}

/// The width of the names of fields.
const NAMES: usize = 11;

impl Page {
    /// A page of one text.
    pub fn of(text: impl AsRef<str>) -> Self {
        let mut page = Self::default();
        page.text(text);
        page
    }

    /// Adds a text, which may have several lines.
    pub fn text(&mut self, text: impl AsRef<str>) {
        self.lines.extend(text.as_ref().split('\n').map(|line| vec![plain(line)]));
    }

    /// Adds one line of several pieces.
    pub fn line(&mut self, spans: impl Into<Vec<Span>>) {
        self.lines.push(spans.into());
    }

    /// Adds a name and its value.
    pub fn field(&mut self, name: &str, value: Span) {
        self.line([inked(Ink::Faint, format!("{name:<NAMES$}")), value]);
    }

    /// Adds what to type, apart from the rest.
    pub fn command(&mut self, command: &str) {
        self.line([plain(format!("  {command}"))]);
    }

    /// Adds rows whose columns stand below each other; the last is cut if the page is narrow.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<Span>], columns: Option<usize>) {
        let head: Vec<Span> = head.iter().map(|name| inked(Ink::Faint, name)).collect();
        let rows: Vec<&Vec<Span>> = std::iter::once(&head).chain(rows).collect();
        let widest = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width(&cell.text)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..head.len()).map(widest).collect();
        for row in &rows {
            self.lines.push(aligned(row, &widths, columns));
        }
    }

    /// The lines.
    pub fn lines(&self) -> &[Vec<Span>] {
        &self.lines
    }

    /// The same page with no line longer than so many columns.
    #[must_use]
    pub fn narrow(&self, columns: usize) -> Self {
        Self { lines: self.lines.iter().map(|line| narrow(line, columns)).collect() }
    }
}

fn aligned(row: &[Span], widths: &[usize], columns: Option<usize>) -> Vec<Span> {
    let last = row.len().saturating_sub(1);
    let pad = |(at, cell): (usize, &Span)| {
        let gap = if at == last { 0 } else { widths.get(at).copied().unwrap_or(0) - width(&cell.text) + 2 };
        [cell.clone(), plain(" ".repeat(gap))]
    };
    let line: Vec<Span> = row.iter().enumerate().flat_map(pad).collect();
    columns.map_or(line.clone(), |columns| narrow(&line, columns))
}

fn narrow(line: &[Span], columns: usize) -> Vec<Span> {
    let all: usize = line.iter().map(|span| width(&span.text)).sum();
    if all <= columns {
        return line.to_vec();
    }
    let mut left = columns;
    let mut kept = Vec::new();
    for span in line {
        // The last piece that is shown is cut even if it would just fit, because it is not the end.
        if width(&span.text) >= left {
            kept.push(Span { ink: span.ink, text: cut(&format!("{} ", span.text), left) });
            break;
        }
        left -= width(&span.text);
        kept.push(span.clone());
    }
    kept
}

#[cfg(test)]
mod tests;
