//! Rows of tables, as what they say: the row's name, and each value with the head of its column.

mod aligned;
#[cfg(test)]
mod tests;

use std::ops::Range;

use baton_agents::rules::question::ParsedQuestion;

/// How far above a row the head of its table may begin, in bytes.
const BACK: usize = 8_000;

/// The head of the table in which a row stands; none for other text, for the head itself, and for a table without one.
#[must_use]
pub fn head_of(text: &str, row: &Range<usize>) -> Option<Range<usize>> {
    let words = text.get(row.clone())?;
    let has_head = words.lines().any(is_rule);
    let is_row = if words.lines().all(is_row) { is_row } else { aligned::is_row };
    if has_head || !words.lines().all(is_row) {
        return None;
    }
    let is_head = |head: &str| match aligned::barred(&format!("{head}\n{words}")) {
        Some(table) => table.split_once('\n').is_some_and(|(head, row)| is_head(head, row)),
        None => is_head(head, words),
    };
    let from = text.floor_char_boundary(row.start.saturating_sub(BACK));
    let mut end = row.start;
    let mut first: Option<Range<usize>> = None;
    let mut below_is_rule = false;
    loop {
        let line_end = text[from..end].trim_end_matches(['\n', '\r', ' ']).len() + from;
        let start = text[from..line_end].rfind('\n').map_or(from, |at| from + at + 1);
        let line = text[start..line_end].trim();
        if text[line_end..end].matches('\n').count() > 1 || !is_row(line) {
            // The first row of a table that marks no head may be one all the same.
            return first.filter(|head| is_head(&text[head.clone()]));
        }
        let lead = text[start..line_end].len() - text[start..line_end].trim_start().len();
        if below_is_rule {
            return Some(start + lead..line_end);
        }
        below_is_rule = is_rule(line);
        first = Some(start + lead..line_end);
        if start == from {
            return (from == 0).then_some(first).flatten().filter(|head| is_head(&text[head.clone()]));
        }
        end = start;
    }
}

/// Words of a name of a column, at most.
const NAME_WORDS: usize = 3;

/// Whether a row looks like the names of the columns above another: as many, short, each a word without a number where
/// the row below has one, or several words where it has more.
fn is_head(head: &str, row: &str) -> bool {
    let (names, values) = (cells(head), cells(row.lines().next().unwrap_or_default()));
    let words = |cell: &str| cell.split_whitespace().count();
    let named = names.iter().filter(|name| !name.is_empty());
    let short = named.clone().count() > 0 && named.clone().all(|name| words(name) <= NAME_WORDS);
    let plain = named.clone().all(|name| {
        name.chars().all(|it| it.is_alphabetic() || it.is_whitespace() || "()-/%€$°'’".contains(it))
    });
    let longer = values.iter().map(|value| words(value)).sum::<usize>() > named.map(|name| words(name)).sum();
    let counted = values.iter().any(|value| value.contains(|it: char| it.is_ascii_digit()));
    names.len() == values.len() && short && plain && (longer || counted)
}

/// A head and its rows, line by line, as sentences: "Employees: 96 (2024), 113 (2025)." Rows without a head as their
/// first cell and the others: "^A d: parts the session from the terminal."
#[must_use]
pub fn said(words: &str) -> Option<String> {
    if let Some(table) = aligned::barred(words) {
        let (head, rows) = table.split_once('\n')?;
        return is_head(head, rows).then(|| said(&table)).flatten();
    }
    let mut lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let ruled = lines.get(1).is_some_and(|line| is_rule(line));
    lines.retain(|line| !is_rule(line));
    let (first, rest) = lines.split_first()?;
    if !lines.iter().all(|line| is_row(line)) {
        return None;
    }
    let headed = !rest.is_empty() && (ruled || first.ends_with('|') || is_head(first, rest[0]));
    let rows: Option<Vec<String>> = match headed {
        true => rest.iter().map(|line| said_row(&cells(first), line)).collect(),
        // A row that a document closes with a bar has a head somewhere: alone it says nothing.
        false if first.ends_with('|') => None,
        false => lines.iter().map(|line| said_alone(line)).collect(),
    };
    rows.filter(|rows| !rows.is_empty()).map(|rows| rows.join(" "))
}

/// A row without a head; its first cell names what the others tell.
fn said_alone(line: &str) -> Option<String> {
    let row = cells(line);
    let (name, values) = row.split_first()?;
    let values: Vec<&str> = values.iter().copied().filter(|value| !value.is_empty()).collect();
    let closed =
        |text: String| if text.ends_with(['.', '!', '?', ':', ';']) { text } else { format!("{text}.") };
    match (name.is_empty(), values.is_empty()) {
        (_, true) => None,
        (true, false) => Some(closed(values.join(", "))),
        (false, false) => Some(closed(format!("{name}: {}", values.join(", ")))),
    }
}

/// Of several rows those that have most of what is asked, by their places in the text; all if none stands out.
#[must_use]
pub fn narrowed(text: &str, rows: &Range<usize>, question: &ParsedQuestion) -> Option<Range<usize>> {
    let words = text.get(rows.clone())?;
    // The head of the table may stand above its rows.
    let headed = words.lines().position(is_rule).map_or(0, |rule| rule + 1);
    let below = || words.lines().skip(headed).filter(|line| !line.trim().is_empty());
    if below().count() < 2 || !words.lines().all(|line| line.trim().is_empty() || is_row(line)) {
        return None;
    }
    let mut best: Vec<(usize, Range<usize>)> = Vec::new();
    let mut start = rows.start + words.split_inclusive('\n').take(headed).map(str::len).sum::<usize>();
    for line in words.split_inclusive('\n').skip(headed) {
        let stems = question.stems(line);
        let found = question.terms.iter().filter(|term| stems.contains(&term.stem)).count();
        best.push((found, start..start + line.trim_end().len()));
        start += line.len();
    }
    let most = best.iter().map(|(found, _)| *found).max().filter(|most| *most > 0)?;
    let mut chosen = best.into_iter().filter(|(found, _)| *found == most);
    let (first, others) = (chosen.next()?.1, chosen.count());
    // Rows that are equally near are told apart by nobody but the reader.
    (others == 0).then_some(first)
}

fn said_row(head: &[&str], line: &str) -> Option<String> {
    let row = is_row(line).then(|| cells(line)).filter(|row| row.len() == head.len())?;
    let (name, values) = row.split_first()?;
    // Two columns are a name and what it means: the head adds nothing to that.
    if let ([_, _], [value]) = (head, values)
        && value.split_whitespace().count() > NAME_WORDS
    {
        return said_alone(line);
    }
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
    line.len() > 2 && line.starts_with('|') && line[1..].contains('|')
}

fn is_rule(line: &str) -> bool {
    is_row(line) && line.chars().all(|letter| "|-: ".contains(letter)) && line.contains('-')
}
