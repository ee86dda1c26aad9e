//! Tables that only spaces keep in columns, as plain text has them, written as tables with bars.

use std::ops::Range;

/// Columns below which spaces in a line are just spaces.
const COLUMNS: usize = 3;

/// Whether a line has the look of a row: three cells or more, two spaces or more between them.
pub(super) fn is_row(line: &str) -> bool {
    !line.contains('|') && cells(line.trim()).len() >= COLUMNS
}

/// The lines of a table with bars instead of spaces. The first line sets the columns; none where a line does not keep to them.
pub(super) fn barred(words: &str) -> Option<String> {
    let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (head, rows) = lines.split_first()?;
    if rows.is_empty() || !lines.iter().all(|line| is_row(line)) {
        return None;
    }
    let columns = cells(head);
    let barred = lines.iter().map(|line| placed(line, &columns));
    barred.collect::<Option<Vec<String>>>().map(|lines| lines.join("\n"))
}

/// A line with each cell in its column, between bars.
fn placed(line: &str, columns: &[Range<usize>]) -> Option<String> {
    let mut row: Vec<Vec<String>> = vec![Vec::new(); columns.len()];
    for cell in cells(line) {
        let text = line.chars().skip(cell.start).take(cell.len()).collect();
        row[column_of(&cell, columns)?].push(text);
    }
    // Only the first column, the name of the row, may have a gap within.
    let doubled = row.iter().skip(1).any(|cell| cell.len() > 1);
    let row: Vec<String> = row.iter().map(|cell| cell.join(" ")).collect();
    (!doubled && !row[0].is_empty()).then(|| format!("| {} |", row.join(" | ")))
}

/// The column below whose name a cell stands, or the first if it stands before the second begins.
fn column_of(cell: &Range<usize>, columns: &[Range<usize>]) -> Option<usize> {
    if cell.end <= columns.get(1)?.start {
        return Some(0);
    }
    let mut below =
        (0..columns.len()).filter(|at| cell.start < columns[*at].end && columns[*at].start < cell.end);
    let found = below.next()?;
    // A cell below two names belongs to neither for certain.
    below.next().is_none().then_some(found)
}

/// The cells of a line by their letters: what two spaces or more set apart.
fn cells(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != ' ') {
        match found.last_mut() {
            // A tab has no width that could be known.
            Some(_) if letter == '\t' => return Vec::new(),
            Some(last) if at <= last.end + 1 => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}
