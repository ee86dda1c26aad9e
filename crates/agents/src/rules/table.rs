//! Rows of tables as what they say: the value of a row in a column, instead of cells between bars.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::lines;

/// A value of a table and what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The name of its column; empty where the table gives none.
    pub column: String,
    /// The first cell of its row.
    pub row: String,
    /// What stands in it.
    pub value: String,
}

/// The row of names above a row of a table, if the table has one: the first of its rows, where that holds no number and
/// the others do, or where a line of dashes follows it.
#[must_use]
pub fn header_of(text: &str, row: &Range<usize>) -> Option<Range<usize>> {
    let all = lines::lines(text);
    let at = all.iter().position(|line| line.range.start <= row.start && row.start <= line.range.end)?;
    let is_row = |index: usize| all.get(index).is_some_and(|line| line.text.contains('|'));
    if !is_row(at) {
        return None;
    }
    let mut first = at;
    while first > 0 && is_row(first - 1) {
        first -= 1;
    }
    if first == at {
        return None;
    }
    let ruled = all.get(first + 1).is_some_and(|line| is_rule(line.text));
    let named = !all[first].text.contains(|c: char| c.is_ascii_digit());
    (ruled || named).then(|| all[first].range.clone())
}

/// The dashes below the names of a Markdown table.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| "|-: ".contains(c))
}

fn split(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// The values of the rows in a quote, each with its column and its row. Rows of `name: value` pairs bring their names
/// along; others take them from the header.
#[must_use]
pub fn cells(header: Option<&str>, quote: &str) -> Vec<Cell> {
    let names = header.map(split).unwrap_or_default();
    let rows = quote.lines().map(str::trim).filter(|line| line.contains('|') && !is_rule(line));
    let rows = rows.filter(|line| header.is_none_or(|header| line != &header.trim()));
    rows.flat_map(|line| of_row(&names, line)).collect()
}

fn of_row(names: &[&str], line: &str) -> Vec<Cell> {
    let parts = split(line);
    let pairs: Vec<Option<(&str, &str)>> = parts.iter().map(|part| part.split_once(": ")).collect();
    let paired = names.is_empty() && pairs.iter().all(Option::is_some);
    let row = match (paired, parts.first()) {
        (true, _) => pairs.first().copied().flatten().map_or("", |(_, value)| value),
        (false, Some(first)) => first,
        (false, None) => return Vec::new(),
    };
    let value = |(at, part): (usize, &&str)| match pairs[at] {
        Some((name, value)) if paired => (name.to_owned(), value.to_owned()),
        _ => (names.get(at).map(|name| (*name).to_owned()).unwrap_or_default(), (*part).to_owned()),
    };
    let rest = parts.iter().enumerate().skip(1).map(value);
    rest.filter(|(_, value)| !value.is_empty())
        .map(|(column, value)| Cell { column, row: row.to_owned(), value })
        .collect()
}

/// Cells as a line of text: "employees: 96 (2024), 113 (2025)".
#[must_use]
pub fn said(cells: &[Cell]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut row: Option<&str> = None;
    for cell in cells {
        let value = if cell.column.is_empty() {
            cell.value.clone()
        } else {
            format!("{} ({})", cell.value, cell.column)
        };
        match lines.last_mut() {
            Some(line) if row == Some(cell.row.as_str()) => {
                line.push_str(", ");
                line.push_str(&value);
            }
            _ => lines.push(format!("{}: {value}", cell.row)),
        }
        row = Some(&cell.row);
    }
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::{cells, header_of, said};

    #[test]
    fn a_row_says_what_each_value_belongs_to() {
        let text =
            "| figure | 2024 | 2025 |\n|---|---|---|\n| heat, GWh | 143 | 186 |\n| employees | 96 | 113 |\n";
        let at = text.find("| employees").unwrap();
        let row = at..text.len() - 1;
        let header = header_of(text, &row).unwrap();
        assert_eq!(&text[header.clone()], "| figure | 2024 | 2025 |");
        let found = cells(Some(&text[header]), &text[row]);
        assert_eq!(said(&found), "employees: 96 (2024), 113 (2025)");
        assert_eq!(
            (found[1].column.as_str(), found[1].row.as_str(), found[1].value.as_str()),
            ("2025", "employees", "113")
        );
    }

    #[test]
    fn rows_of_pairs_bring_their_names_and_prose_has_no_cells() {
        let row = "Month: 2025-02 | Heat (GWh): 29.0 | Factor: 2.85";
        assert_eq!(said(&cells(None, row)), "2025-02: 29.0 (Heat (GWh)), 2.85 (Factor)");
        assert_eq!(cells(None, "The mill grinds wheat."), []);
        let bare = "| year | buildings\n| 2022 | 310\n| 2023 | 1,620\n";
        let row = bare.find("| 2023").unwrap()..bare.len() - 1;
        let header = header_of(bare, &row).unwrap();
        assert_eq!(said(&cells(Some(&bare[header]), &bare[row])), "2023: 1,620 (buildings)");
    }
}
