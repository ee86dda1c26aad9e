//! Rows of tables, as what they say: the row's name, and each value with the head of its column.

#[cfg(test)]
mod tests;

use std::ops::Range;

/// How far above a row the head of its table may begin, in bytes.
const BACK: usize = 8_000;

/// The head of the table in which a row stands; none for other text, and for the head itself.
#[must_use]
pub fn head_of(text: &str, row: &Range<usize>) -> Option<Range<usize>> {
    let words = text.get(row.clone())?;
    let has_head = words.lines().any(is_rule);
    if has_head || !words.lines().all(is_row) {
        return None;
    }
    let from = text.floor_char_boundary(row.start.saturating_sub(BACK));
    let mut end = row.start;
    let mut below_is_rule = false;
    loop {
        let line_end = text[from..end].trim_end_matches(['\n', '\r', ' ']).len() + from;
        let start = text[from..line_end].rfind('\n').map_or(from, |at| from + at + 1);
        let line = text[start..line_end].trim();
        if text[line_end..end].matches('\n').count() > 1 || !is_row(line) {
            return None;
        }
        if below_is_rule {
            let lead = text[start..line_end].len() - text[start..line_end].trim_start().len();
            return Some(start + lead..line_end);
        }
        below_is_rule = is_rule(line);
        if start == from {
            return None;
        }
        end = start;
    }
}

/// A head and its rows, line by line, as sentences: "Employees: 96 (2024), 113 (2025)."
#[must_use]
pub fn said(words: &str) -> Option<String> {
    let mut lines = words.lines().map(str::trim).filter(|line| !line.is_empty() && !is_rule(line));
    let head = lines.next().filter(|line| is_row(line)).map(cells)?;
    let rows: Option<Vec<String>> = lines.map(|line| said_row(&head, line)).collect();
    rows.filter(|rows| !rows.is_empty()).map(|rows| rows.join(" "))
}

fn said_row(head: &[&str], line: &str) -> Option<String> {
    let row = is_row(line).then(|| cells(line)).filter(|row| row.len() == head.len())?;
    let (name, values) = row.split_first()?;
    let said = |(column, value): (&&str, &&str)| match (column.is_empty(), value.is_empty()) {
        (_, true) => None,
        (true, false) => Some((*value).to_owned()),
        (false, false) => Some(format!("{value} ({column})")),
    };
    let values: Vec<String> = head[1..].iter().zip(values).filter_map(said).collect();
    (!name.is_empty() && !values.is_empty()).then(|| format!("{}: {}.", opened(name), values.join(", ")))
}

/// With a capital first: it opens a sentence.
fn opened(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn cells(line: &str) -> Vec<&str> {
    let inner = line.strip_prefix('|').unwrap_or(line);
    inner.strip_suffix('|').unwrap_or(inner).split('|').map(str::trim).collect()
}

fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('|') && line.ends_with('|')
}

fn is_rule(line: &str) -> bool {
    is_row(line) && line.chars().all(|letter| "|-: ".contains(letter)) && line.contains('-')
}
