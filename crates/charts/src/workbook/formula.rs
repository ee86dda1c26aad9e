//! Formulas as a workbook writes them. They are made from places and numbers alone; the one text in them, a condition, is quoted.

use rust_xlsxwriter::utility::row_col_to_cell_absolute;

use super::WorkbookError;
use super::map::{HEAD, Map, SUMMARY};
use super::pack::{Formula, Function, Operator};

/// A text in a formula may not be longer.
const LONGEST_TEXT: usize = 250;

/// A formula as text. `None` where a workbook cannot compute it, and the value has to do.
pub(super) fn text(formula: &Formula, map: &Map) -> Result<Option<String>, WorkbookError> {
    Ok(match formula {
        Formula::Number(number) => number.is_finite().then(|| number.to_string()),
        Formula::Cell { table, column, row } => {
            let (place, at) = map.column(table, column)?;
            if *row >= place.rows as usize {
                return Err(WorkbookError::Reference {
                    what: "the row",
                    name: row.to_string(),
                    table: table.clone(),
                });
            }
            Some(format!("{}!{}", place.sheet, row_col_to_cell_absolute(HEAD + 1 + *row as u32, at)))
        }
        Formula::Figure(row) => {
            if *row >= map.figures {
                return Err(WorkbookError::Reference {
                    what: "the row",
                    name: row.to_string(),
                    table: SUMMARY.to_owned(),
                });
            }
            Some(format!("{SUMMARY}!{}", row_col_to_cell_absolute(HEAD + 1 + *row as u32, 1)))
        }
        Formula::Over { function, table, column, only } => over(*function, table, column, only, map)?,
        Formula::Of(left, operator, right) => {
            let sign = match operator {
                Operator::Plus => '+',
                Operator::Minus => '-',
                Operator::Times => '*',
                Operator::Over => '/',
            };
            match (text(left, map)?, text(right, map)?) {
                (Some(left), Some(right)) => Some(format!("({left}{sign}{right})")),
                _ => None,
            }
        }
    })
}

fn over(
    function: Function,
    table: &str,
    column: &str,
    only: &[(String, String)],
    map: &Map,
) -> Result<Option<String>, WorkbookError> {
    let values = range(table, column, map)?;
    if only.is_empty() {
        let name = match function {
            Function::Sum => "SUM",
            Function::Average => "AVERAGE",
            Function::Minimum => "MIN",
            Function::Maximum => "MAX",
            Function::Count => "COUNT",
            Function::Median => "MEDIAN",
        };
        return Ok(Some(format!("{name}({values})")));
    }
    let mut conditions = String::new();
    for (column, words) in only {
        let Some(condition) = condition(words) else { return Ok(None) };
        conditions.push_str(&format!(",{},{condition}", range(table, column, map)?));
    }
    let name = match function {
        Function::Sum => "SUMIFS",
        Function::Average => "AVERAGEIFS",
        // Newer than the format itself, so they carry its prefix.
        Function::Minimum => "_xlfn.MINIFS",
        Function::Maximum => "_xlfn.MAXIFS",
        // Numbers alone count: what is empty is left out by a second condition.
        Function::Count => {
            let rest = conditions.trim_start_matches(',');
            return Ok(Some(format!("COUNTIFS({values},\"<>\",{rest})")));
        }
        Function::Median => return Ok(None),
    };
    Ok(Some(format!("{name}({values}{conditions})")))
}

fn range(table: &str, column: &str, map: &Map) -> Result<String, WorkbookError> {
    let (place, at) = map.column(table, column)?;
    let (first, last) = place.span();
    Ok(format!(
        "{}!{}:{}",
        place.sheet,
        row_col_to_cell_absolute(first, at),
        row_col_to_cell_absolute(last, at)
    ))
}

/// A condition that holds for exactly these words: signs that would compare or match many are made plain.
fn condition(words: &str) -> Option<String> {
    let mut plain = String::from("\"=");
    for letter in words.chars() {
        match letter {
            '"' => plain.push_str("\"\""),
            '*' | '?' | '~' => {
                plain.push('~');
                plain.push(letter);
            }
            other => plain.push(other),
        }
    }
    plain.push('"');
    (plain.chars().count() <= LONGEST_TEXT).then_some(plain)
}
