//! A page as lines of a terminal: columns are aligned, paragraphs broken, lines cut where the terminal ends.

use crate::page::{Block, Page, Span, plain};
use crate::text::{cut, width, wrapped};

/// The width of the names of fields.
const NAMES: usize = 11;
/// Longer lines of a text are hard to read, however wide a terminal is.
const WIDEST: usize = 100;

/// A line of inked pieces.
pub type Line = Vec<Span>;

/// The lines of a page on a terminal of so many columns; without a terminal lines may be as long as they like.
pub fn lines(page: &Page, columns: Option<usize>) -> Vec<Line> {
    page.blocks().iter().flat_map(|block| of_block(block, columns)).collect()
}

/// The lines with none longer than so many columns.
pub fn cut_lines(lines: &[Line], columns: usize) -> Vec<Line> {
    lines.iter().map(|line| cut_line(line, columns)).collect()
}

fn of_block(block: &Block, columns: Option<usize>) -> Vec<Line> {
    match block {
        Block::Line(spans) => vec![spans.clone()],
        Block::Paragraph(Span { ink, text }) => {
            let columns = columns.map_or(WIDEST, |columns| columns.min(WIDEST));
            let line = |text| vec![Span { ink: *ink, text }];
            wrapped(text, columns).into_iter().map(line).collect()
        }
        Block::Field(name, value) => {
            vec![vec![Span { ink: name.ink, text: format!("{:<NAMES$}", name.text) }, value.clone()]]
        }
        Block::Command(command) => vec![vec![plain("  "), command.clone()]],
        Block::Table(head, rows) => table(head, rows, columns),
    }
}

/// Rows whose columns stand below each other; the last is cut if the terminal is narrow.
fn table(head: &Line, rows: &[Line], columns: Option<usize>) -> Vec<Line> {
    let rows: Vec<&Line> = std::iter::once(head).chain(rows).collect();
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| width(&cell.text)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(widest).collect();
    rows.iter().map(|row| aligned(row, &widths, columns)).collect()
}

fn aligned(row: &[Span], widths: &[usize], columns: Option<usize>) -> Line {
    let last = row.len().saturating_sub(1);
    let pad = |(at, cell): (usize, &Span)| {
        let gap = if at == last { 0 } else { widths.get(at).copied().unwrap_or(0) - width(&cell.text) + 2 };
        [cell.clone(), plain(" ".repeat(gap))]
    };
    let line: Line = row.iter().enumerate().flat_map(pad).collect();
    columns.map_or(line.clone(), |columns| cut_line(&line, columns))
}

fn cut_line(line: &[Span], columns: usize) -> Line {
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
