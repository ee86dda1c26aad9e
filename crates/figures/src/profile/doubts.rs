//! Doubts in sentences.

use super::column::ColumnState;
use super::guess::{Guess, short};
use super::totals::labelled::Doubted;
use super::{Category, Doubt};
use crate::question::MONTHS;
use crate::reading::{ColumnReading, DateForm, Kind, TableReading};
use crate::source::workbook::Noted;

/// What a pass saw.
#[derive(Debug, Default)]
pub struct Seen {
    /// The columns.
    pub columns: Vec<ColumnState>,
    /// Rows of data.
    pub rows: u64,
    /// Rows with more cells than columns.
    pub wide: u64,
    /// The first, and its cells.
    pub first_wide: Option<(u64, usize)>,
    /// Rows with fewer cells than columns.
    pub short: u64,
    /// The first, and its cells.
    pub first_short: Option<(u64, usize)>,
    /// Totals that were left out.
    pub totals: u64,
    /// The row of the first.
    pub first_total: Option<u64>,
    /// Rows that are called totals and are none.
    pub doubted: Vec<Doubted>,
}

/// A doubt about a column.
pub fn about(table: &str, column: &str, row: Option<u64>, text: &str) -> Doubt {
    let text = format!("\"{column}\": {text}.");
    Doubt { table: table.to_owned(), column: Some(column.to_owned()), row, grave: false, text }
}

fn grave(mut doubt: Doubt) -> Doubt {
    doubt.grave = true;
    doubt
}

fn many(count: u64, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}

/// Doubts about a table as a whole.
pub fn of_table(table: &TableReading, seen: &Seen, remarks: Vec<String>) -> Vec<Doubt> {
    let doubt = |row: Option<u64>, text: String| Doubt {
        table: table.name.clone(),
        column: None,
        row,
        grave: false,
        text,
    };
    let mut found: Vec<Doubt> = remarks.into_iter().map(|text| doubt(None, text)).collect();
    let width = table.columns.len();
    if let Some((row, cells)) = seen.first_wide {
        let rows = many(seen.wide, "row has", "rows have");
        found.push(doubt(Some(row), format!("{rows} more cells than there are columns (row {row}: {cells} instead of {width}); such rows are left out, because their cells may have slipped.")));
    }
    if let Some((row, cells)) = seen.first_short {
        let rows = many(seen.short, "row has", "rows have");
        found.push(doubt(Some(row), format!("{rows} fewer cells than there are columns (row {row}: {cells} instead of {width}); the cells behind count as missing.")));
    }
    if let Some(row) = seen.first_total {
        let labels: Vec<String> =
            table.leave_out.iter().flat_map(|out| &out.labels).map(|label| format!("\"{label}\"")).collect();
        let rows = many(seen.totals, "row is a total", "rows are totals");
        found.push(doubt(
            Some(row),
            format!(
                "{rows} of other rows by {} (row {row}) and left out, so that nothing is counted twice.",
                labels.join(", ")
            ),
        ));
    }
    found.extend(seen.doubted.iter().map(|doubted| grave(doubt(Some(doubted.row), no_sum(doubted)))));
    found
}

/// A name says what a row is, and its numbers say something else: a reader has to know which was believed.
fn no_sum(doubted: &Doubted) -> String {
    let Doubted { label, row, rows, left_out } = doubted;
    let (text, others) = (short(&label.text), rows - 1);
    let called = match others {
        0 => format!("Row {row} is called \"{text}\", but is no sum of other rows"),
        _ => format!(
            "Row {row} and {} are called \"{text}\", but are no sums of other rows",
            many(others, "other", "others")
        ),
    };
    match (left_out, others) {
        (true, _) => format!("{called}, unlike the rest of that name; all of them are left out."),
        (false, 0) => format!("{called}: it is counted."),
        (false, _) => format!("{called}: they are counted."),
    }
}

/// Doubts about a sheet.
pub fn of_workbook(table: &TableReading, noted: &Noted) -> Vec<Doubt> {
    let doubt = |row: u64, text: String| Doubt {
        table: table.name.clone(),
        column: None,
        row: Some(row),
        grave: false,
        text,
    };
    let mut found = Vec::new();
    if noted.formulas > 0 {
        let cells = many(noted.formulas, "cell holds a formula", "cells hold formulas");
        found.push(doubt(noted.first_formula, format!("{cells} (first in row {}); the values saved with the file are used, nothing is computed anew.", noted.first_formula)));
    }
    if noted.unsaved > 0 {
        let cells = many(noted.unsaved, "formula has", "formulas have");
        found.push(doubt(
            noted.first_formula,
            format!(
                "{cells} no saved value and count as missing; open the file in a spreadsheet and save it."
            ),
        ));
    }
    if noted.errors > 0 {
        let cells = many(
            noted.errors,
            "cell holds an error such as #DIV/0! and counts",
            "cells hold errors such as #DIV/0! and count",
        );
        found.push(doubt(
            noted.first_error,
            format!("{cells} as missing (first in row {}).", noted.first_error),
        ));
    }
    if noted.since_1904 {
        found.push(Doubt {
            table: table.name.clone(),
            column: None,
            row: None,
            grave: false,
            text: "The workbook counts days from 1904; they are read so.".to_owned(),
        });
    }
    found
}

fn in_words(text: &str, form: DateForm) -> String {
    let Some(day) = crate::cell::day::read(text, form) else { return String::new() };
    let (_, month, of_month) = day.parts();
    format!("{of_month} {}", MONTHS.get(month as usize).copied().unwrap_or_default())
}

/// Doubts about a column.
pub fn of_column(
    table: &str,
    column: &ColumnReading,
    state: &ColumnState,
    guess: Option<&Guess>,
    units: &[Category],
) -> Vec<Doubt> {
    let about = |row: Option<u64>, text: String| about(table, &column.name, row, &text);
    let mut found: Vec<Doubt> = Vec::new();
    if let Some(guess) = guess {
        found.extend(guess.reasons.iter().map(|reason| about(None, reason.clone())));
    }
    match column.kind {
        Kind::Empty => found.push(about(None, "no cell holds anything".to_owned())),
        Kind::Number => numbers(column, state, guess, units, &about, &mut found),
        Kind::Date => days(column, state, &about, &mut found),
        Kind::Text | Kind::Truth => {
            if state.formulas > 0 {
                let cells = many(state.formulas, "cell begins", "cells begin");
                found.push(about(
                    None,
                    format!("{cells} with \"=\"; this is kept as text and never computed"),
                ));
            }
        }
    }
    if let Some((row, word)) = &state.first_worded {
        let cells = many(state.worded, "cell says", "cells say");
        found.push(about(
            Some(*row),
            format!(
                "{cells} \"{word}\" (row {row}) or the like and {} as missing",
                if state.worded == 1 { "counts" } else { "count" }
            ),
        ));
    }
    if state.odd > 0
        && let Some((row, text)) = &state.first_odd
    {
        let what = if column.kind == Kind::Date { "day" } else { "number" };
        let cells = many(state.odd, "cell is", "cells are");
        found.push(about(
            Some(*row),
            format!("{cells} no {what} (\"{}\" in row {row}) and counted as missing", short(text)),
        ));
    }
    found
}

type About<'a> = dyn Fn(Option<u64>, String) -> Doubt + 'a;

fn numbers(
    column: &ColumnReading,
    state: &ColumnState,
    guess: Option<&Guess>,
    units: &[Category],
    about: &About<'_>,
    found: &mut Vec<Doubt>,
) {
    let separators = state.separators();
    let witness =
        separators.witness.clone().or_else(|| guess.and_then(|guess| guess.separators.witness.clone()));
    let (comma, point) = (separators.comma, separators.point);
    if column.decimal == ',' {
        let why = match &witness {
            Some((row, text)) => format!("because {text} occurs (row {row})"),
            None => "as in the other columns".to_owned(),
        };
        found.push(about(None, format!("a comma stands before the fraction, {why}")));
    }
    if separators.either_comma > 0 && comma == 0 && column.decimal == '.' {
        let sure = point > 0 || separators.grouping == Some(',');
        if !sure {
            found.push(about(
                None,
                format!(
                    "1,234 is read as 1234, not as 1.234; {} could be read either way and no cell decides",
                    many(separators.either_comma, "cell", "cells")
                ),
            ));
        }
    }
    if separators.either_point > 0 && comma == 0 && point == 0 && column.decimal == ',' {
        found.push(about(
            None,
            "1.234 is read as 1234, because the other columns have a comma before the fraction".to_owned(),
        ));
    }
    if comma > 0 && point > 0 {
        found.push(grave(about(
            None,
            format!(
                "{} a comma before the fraction and {} a point; it cannot be both",
                many(comma, "cell has", "cells have"),
                many(point, "cell has", "cells have")
            ),
        )));
    }
    if let Some(mark) = column.thousands
        && separators.grouping.is_some()
    {
        let name = match mark {
            ',' => "commas",
            '.' => "points",
            '\'' => "apostrophes",
            _ => "spaces",
        };
        found.push(about(None, format!("{name} group thousands")));
    }
    if state.bracketed > 0 {
        found.push(about(
            None,
            format!(
                "{} in brackets and read as negative, as accountants write",
                many(state.bracketed, "number stands", "numbers stand")
            ),
        ));
    }
    if state.nan > 0 {
        found.push(about(
            None,
            format!("{} NaN and counted as missing", many(state.nan, "cell says", "cells say")),
        ));
    }
    let marked: u64 = units.iter().map(|unit| unit.count).sum();
    if units.len() > 1 {
        let list: Vec<String> = units.iter().map(|unit| format!("{} ({})", unit.value, unit.count)).collect();
        found.push(grave(about(None, format!("it mixes {}; such numbers are not added, averaged or compared. Set unit in tables.toml to read one of them alone", list.join(" and ")))));
    } else if let Some(unit) = units.first() {
        let bare = state.filled - marked;
        if unit.value == "%" && bare > 0 {
            found.push(grave(about(
                None,
                format!(
                    "{} a percent sign and {bare} do not, so 12 and 0.12 may mean the same",
                    many(unit.count, "cell has", "cells have")
                ),
            )));
        } else if bare > 0 {
            found.push(about(
                None,
                format!(
                    "{} {} and {bare} name no currency; all are read as {}",
                    many(unit.count, "cell names", "cells name"),
                    unit.value,
                    unit.value
                ),
            ));
        }
    }
}

fn days(column: &ColumnReading, state: &ColumnState, about: &About<'_>, found: &mut Vec<Doubt>) {
    let form = column.date.unwrap_or(DateForm::YearFirst);
    match form {
        DateForm::DayFirst | DateForm::MonthFirst => {
            if let Some((_, open)) = &state.order_open {
                let read = in_words(open, form);
                match &state.order_witness {
                    Some((row, witness)) => found.push(about(Some(*row), format!("{open} read as {read} because {witness} occurs (row {row})"))),
                    None => found.push(grave_unless_point(about(None, format!("{open} read as {read}, but no cell shows whether day or month comes first; set date in tables.toml")), open)),
                }
            }
            if state.first_above > 0 && state.second_above > 0 {
                found.push(grave(about(None, format!("in {} the first number is above 12 and in {} the second, so days and months change places", many(state.first_above, "cell", "cells"), many(state.second_above, "cell", "cells")))));
            }
        }
        DateForm::Compact => found.push(about(None, "numbers such as 20250403 are read as days".to_owned())),
        DateForm::Serial1900 => found.push(about(None, "numbers are read as days of a spreadsheet that counts from 1900; one that counts from 1904 would be four years later".to_owned())),
        DateForm::Serial1904 => found.push(about(None, "numbers are read as days of a spreadsheet that counts from 1904".to_owned())),
        DateForm::UnixSeconds => found.push(about(None, "numbers are read as seconds since 1970".to_owned())),
        DateForm::UnixMilliseconds => found.push(about(None, "numbers are read as milliseconds since 1970".to_owned())),
        DateForm::YearFirst | DateForm::Named | DateForm::Year | DateForm::Quarter => {}
    }
    if state.short_years > 0 {
        found.push(about(
            None,
            format!(
                "{} two digits; 69 to 99 are read as 1969 to 1999, others as 2000 and later",
                many(state.short_years, "year has", "years have")
            ),
        ));
    }
    if state.times > 0 {
        found.push(about(None, "times of day are left out, only days count".to_owned()));
    }
    if state.offsets > 0 {
        found.push(about(None, "time zones are left out, days are taken as written".to_owned()));
    }
    if state.many_days {
        found.push(about(None, "it has so many different days that its frequency is not told".to_owned()));
    }
}

/// Points between day and month are written by people who put the day first.
fn grave_unless_point(doubt: Doubt, text: &str) -> Doubt {
    if text.contains('.') { doubt } else { grave(doubt) }
}
