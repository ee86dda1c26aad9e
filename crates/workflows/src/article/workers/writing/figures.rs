//! Figures side by side: tables of the sources that compare three things or more, as small tables of the article. Every
//! cell is copied from the quote of its fact.

use std::collections::{BTreeMap, HashSet};

use super::headings::calm;
use super::passages::leaf;
use crate::article::draft::Table;
use crate::citation::{Facts, NumberedFact};
use crate::markup::plain;

/// Rows of a table.
const ROWS: std::ops::RangeInclusive<usize> = 3..=8;
/// Columns of a table.
const COLUMNS: usize = 4;
/// Letters of a cell.
const CELL: usize = 60;

/// A table and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The table.
    pub table: Table,
    /// The source.
    pub source: String,
    /// The heading right above it there.
    pub heading: String,
    /// What it is about, in words to compare with.
    pub about: String,
}

/// A row of a table, and the fact that holds it.
type Row<'a> = (&'a NumberedFact<'a>, Vec<String>);

/// The tables among facts, in the order of the facts.
#[must_use]
pub fn figures(facts: &Facts<'_>, names: &HashSet<String>) -> Vec<Figure> {
    let current = || facts.all().iter().filter(|fact| !fact.superseded);
    let mut found: Vec<Figure> = current().filter_map(|fact| grid(fact, names)).collect();
    let mut rows: BTreeMap<(&str, Vec<String>), Vec<Row<'_>>> = BTreeMap::new();
    for fact in current() {
        if let Some((head, cells)) = record(&fact.found.fact.quote) {
            rows.entry((fact.card.key(), head)).or_default().push((fact, cells));
        }
    }
    found.extend(rows.into_iter().filter_map(|((_, head), rows)| gathered(&head, &rows, names)));
    found
}

fn is_figure(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    digits > 0 && digits * 3 >= cell.chars().filter(|it| !it.is_whitespace()).count()
}

/// Whether a row sums up the others.
#[must_use]
pub fn is_total(cell: &str) -> bool {
    ["total", "sum", "all"].contains(&cell.trim().to_lowercase().as_str())
}

/// A table that one quote holds, head and rows.
fn grid(fact: &NumberedFact<'_>, names: &HashSet<String>) -> Option<Figure> {
    let quote = &fact.found.fact.quote;
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| plain(cell.trim())).collect()
    };
    let lines = quote.lines().map(str::trim).filter(|line| line.starts_with('|') && line.ends_with('|'));
    let mut lines = lines.filter(|line| line.contains(char::is_alphanumeric)).map(cells);
    let head = lines.next()?;
    let rows: Vec<Vec<String>> = lines.collect();
    let fits = rows.iter().all(|row| row.len() == head.len());
    if !fits || !(2..=COLUMNS).contains(&head.len()) {
        return None;
    }
    let key = fact.found.key().to_owned();
    let rows: Vec<(Vec<String>, String)> = rows.into_iter().map(|row| (row, key.clone())).collect();
    finished(fact, &head, rows, names)
}

/// `Item: Northgate plant | Budget: 45.0 | Spent: 46.2`, one row of a table as its reader wrote it.
fn record(quote: &str) -> Option<(Vec<String>, Vec<String>)> {
    let cells: Option<Vec<(String, String)>> = quote
        .split(" | ")
        .map(|cell| cell.split_once(": ").map(|(name, value)| (plain(name.trim()), plain(value.trim()))))
        .collect();
    cells.filter(|cells| cells.len() > 1 && !quote.contains('\n')).map(|cells| cells.into_iter().unzip())
}

/// Rows that several facts hold, with the columns that are figures.
fn gathered(head: &[String], rows: &[Row<'_>], names: &HashSet<String>) -> Option<Figure> {
    let figures: Vec<usize> = (1..head.len())
        .filter(|at| rows.iter().all(|(_, cells)| is_figure(&cells[*at])))
        .filter(|at| !rows.iter().any(|(_, cells)| cells[*at].matches('-').count() > 1))
        .take(COLUMNS - 1)
        .collect();
    let first = rows.first()?.0;
    let picked = |cells: &[String]| -> Vec<String> {
        std::iter::once(0).chain(figures.iter().copied()).map(|at| cells[at].clone()).collect()
    };
    // Years and things are not compared with one another.
    let kind = |cells: &[String]| cells[0].split(' ').next().is_some_and(|word| word == "Year");
    let most = rows.iter().filter(|(_, cells)| !kind(cells)).count() * 2 >= rows.len();
    let mut alike: Vec<(Vec<String>, String)> = rows
        .iter()
        .filter(|(_, cells)| kind(cells) != most || is_total(&cells[0]))
        .map(|(fact, cells)| (picked(cells), fact.found.key().to_owned()))
        .collect();
    alike.sort_by_key(|(cells, _)| is_total(&cells[0]));
    alike.dedup_by(|a, b| a.0 == b.0);
    if alike.len() > *ROWS.end() {
        let total = alike.pop().filter(|(cells, _)| is_total(&cells[0]));
        alike.truncate(ROWS.end() - usize::from(total.is_some()));
        alike.extend(total);
    }
    (!figures.is_empty()).then(|| finished(first, &picked(head), alike, names)).flatten()
}

fn finished(
    fact: &NumberedFact<'_>,
    head: &[String],
    rows: Vec<(Vec<String>, String)>,
    names: &HashSet<String>,
) -> Option<Figure> {
    let compared = rows.iter().filter(|(cells, _)| cells.iter().skip(1).any(|cell| is_figure(cell))).count();
    let short = rows.iter().flat_map(|(cells, _)| cells).chain(head).all(|cell| cell.chars().count() <= CELL);
    if !ROWS.contains(&rows.len()) || compared < *ROWS.start() || !short {
        return None;
    }
    let heading = leaf(&fact.found.heading);
    let title = title_of(&plain(&fact.card.source.title));
    let caption = if heading.is_empty() { title.clone() } else { calm(&heading, names) };
    let labels: Vec<&str> = rows.iter().map(|(cells, _)| cells[0].as_str()).collect();
    let about = format!("{heading} {title} {} {}", head.join(" "), labels.join(" "));
    let caption = caption.trim_end_matches(['.', '?', ':']).to_owned();
    let head = head.iter().map(|cell| opened(cell)).collect();
    let rows =
        rows.into_iter().map(|(cells, key)| (cells.iter().map(|it| opened(it)).collect(), key)).collect();
    Some(Figure { table: Table { caption, head, rows }, source: fact.card.key().to_owned(), heading, about })
}

/// A title; of a file that has none its name in words.
fn title_of(title: &str) -> String {
    match title.rsplit_once('.') {
        Some((name, end)) if end.len() <= 4 && !title.contains(' ') => opened(&name.replace(['-', '_'], " ")),
        _ => title.to_owned(),
    }
}

/// With its first letter large.
fn opened(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
