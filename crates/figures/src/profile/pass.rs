//! One pass over all rows of a table. Where the rows contradict what its beginning seemed to say, the reading is
//! mended and the pass begins anew; a reading that a person gave is never mended, only doubted.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

use super::column::{ColumnState, hash, sorted_days};
use super::doubts::{self, Seen};
use super::guess::{self, short};
use super::lot::Lot;
use super::sniff::{self, Sniffed};
use super::totals;
use super::totals::labelled::{self, Doubted, Label};
use super::{Category, ColumnProfile, Distinct, Numbers, SHOWN_CATEGORIES, TableProfile, time};
use crate::cell::Mark;
use crate::date::Date;
use crate::error::FiguresError;
use crate::profile::column::MOST_CATEGORIES;
use crate::reading::{ColumnReading, DateForm, Format, Kind, TableReading};
use crate::source::{self, Aside, Context, Sieve};

/// Lots that wait to be counted.
const LOTS: usize = 4;
/// How often a reading may be mended.
const ROUNDS: usize = 6;

/// A table that is to be read.
#[derive(Debug)]
pub enum Opening {
    /// By what it looks like.
    Guessed(TableReading),
    /// As a person says.
    Given(TableReading),
}

impl Opening {
    /// How it is called when it cannot be read.
    #[must_use]
    pub fn label(&self) -> String {
        let (Self::Guessed(table) | Self::Given(table)) = self;
        table.part.as_ref().map_or_else(|| table.file.clone(), |part| format!("{} ({part})", table.file))
    }
}

/// Values of a table's columns as hashes, to see what can be joined.
#[derive(Debug, Default)]
pub struct Print {
    /// For each column: whether its values are unique, and their hashes, sorted, where they were kept.
    pub columns: Vec<(bool, Option<Vec<u64>>)>,
}

/// The tables of a file.
///
/// # Errors
/// When the file cannot be read.
pub fn tables(file: &str, context: &Context) -> Result<Vec<Opening>, FiguresError> {
    let format = source::format(file)?;
    let parts = source::parts(file, format, context)?;
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("table");
    let alone = parts.len() == 1;
    let table = |part: Option<String>| {
        let name = match &part {
            Some(part) if !alone || format == Format::Sqlite => part.trim_matches('/').replace('/', "."),
            _ => stem.to_owned(),
        };
        Opening::Guessed(TableReading {
            name: if name.is_empty() { stem.to_owned() } else { name },
            file: file.to_owned(),
            part,
            format,
            encoding: "utf-8".to_owned(),
            delimiter: None,
            quote: None,
            skip: 0,
            header_rows: 0,
            leave_out: Vec::new(),
            rows: None,
            time: None,
            columns: Vec::new(),
        })
    };
    Ok(parts.into_iter().map(table).collect())
}

/// Reads a table wholly and says what is in it.
///
/// # Errors
/// When it cannot be read.
pub fn profile(opening: Opening, context: &Context) -> Result<(TableProfile, Print), FiguresError> {
    match opening {
        Opening::Given(table) => {
            let guesses: Vec<_> = table.columns.iter().map(|_| None).collect();
            let seen = pass(&table, context)?;
            finish(table, &guesses, Vec::new(), seen, context)
        }
        Opening::Guessed(bare) => {
            let mut sniffed = sniff::sniff(bare.clone(), None, context)?;
            let mut encoding_known = false;
            for _ in 0..ROUNDS {
                let mut seen = match pass(&sniffed.table, context) {
                    Err(error)
                        if !encoding_known && error.to_string().contains("bytes that are no UTF-8") =>
                    {
                        let encoding = sniff::encoding_of_all(&bare.file)?;
                        sniffed = sniff::sniff(bare.clone(), Some(encoding), context)?;
                        encoding_known = true;
                        continue;
                    }
                    other => other?,
                };
                if !mend(&mut sniffed, &mut seen) && !without_totals(&mut sniffed, &seen, context)? {
                    if sniffed.table.leave_out.is_empty() {
                        sniffed.table.leave_out = totals::found(&sniffed.table, &seen.columns, context)?;
                        if !sniffed.table.leave_out.is_empty() {
                            continue;
                        }
                    }
                    let guesses: Vec<_> = sniffed.guesses.iter().cloned().map(Some).collect();
                    seen.doubted = sniffed.doubted;
                    return finish(sniffed.table, &guesses, sniffed.remarks, seen, context);
                }
            }
            let mut seen = pass(&sniffed.table, context)?;
            seen.doubted = sniffed.doubted;
            let guesses: Vec<_> = sniffed.guesses.iter().cloned().map(Some).collect();
            finish(sniffed.table, &guesses, sniffed.remarks, seen, context)
        }
    }
}

fn pass(table: &TableReading, context: &Context) -> Result<Seen, FiguresError> {
    let sieve = Sieve::of(table);
    let numeric = table.columns.iter().filter(|column| column.kind == Kind::Number).count().max(1);
    let share = (context.limits.memory / numeric).max(1 << 14);
    let mut seen = Seen {
        columns: table.columns.iter().map(|column| ColumnState::new(column, share)).collect(),
        ..Seen::default()
    };
    let columns = std::mem::take(&mut seen.columns);
    let width = table.columns.len();
    // Reading and counting are about as much work, so each has a thread.
    std::thread::scope(|scope| {
        let (lots, full) = sync_channel(LOTS);
        let counting = scope.spawn(move || count(&full, columns, context));
        let mut lot = Lot::new(width);
        let mut nth = 0;
        source::each_record(table, context, &mut |number, record| {
            let aside = sieve.aside(nth, record);
            nth += 1;
            if !seen.is_row(aside, number, record.len(), width) {
                return Ok(ControlFlow::Continue(()));
            }
            lot.push(number, record);
            let is_heard = !lot.is_full() || lots.send(lot.take()).is_ok();
            Ok(if is_heard { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        // Who does not listen any more has failed, and says so below.
        let _ = lots.send(lot);
        drop(lots);
        let counted = counting.join();
        seen.columns =
            counted.map_err(|_| FiguresError::unreadable(&table.file, "counting its cells failed"))??;
        Ok(seen)
    })
}

fn count(
    lots: &Receiver<Lot>,
    mut columns: Vec<ColumnState>,
    context: &Context,
) -> Result<Vec<ColumnState>, FiguresError> {
    for lot in lots {
        for (at, column) in columns.iter_mut().enumerate() {
            for (row, cell) in lot.column(at) {
                column.see(cell, row, context)?;
            }
        }
    }
    Ok(columns)
}

impl Seen {
    /// Counts a record; whether it is a row of data.
    fn is_row(&mut self, aside: Option<Aside>, number: u64, cells: usize, width: usize) -> bool {
        match aside {
            Some(Aside::Above) => {}
            Some(Aside::TooWide) => {
                self.wide += 1;
                self.first_wide.get_or_insert((number, cells));
            }
            Some(Aside::Total) => {
                self.totals += 1;
                self.first_total.get_or_insert(number);
            }
            None => {
                self.rows += 1;
                if cells < width {
                    self.short += 1;
                    self.first_short.get_or_insert((number, cells));
                }
            }
        }
        aside.is_none()
    }
}

/// Mends the reading by what all rows say; whether anything had to be.
fn mend(sniffed: &mut Sniffed, seen: &mut Seen) -> bool {
    let comma = seen.columns.iter().map(ColumnState::separators).any(|told| told.comma > told.point);
    let mut changed = false;
    let table = &mut sniffed.table;
    let is_open = table.leave_out.is_empty();
    for ((column, state), guess) in table.columns.iter_mut().zip(&seen.columns).zip(&mut sniffed.guesses) {
        if is_open && !labels(column, state, &sniffed.doubted).is_empty() {
            continue; // what is left without them is looked at next
        }
        match column.kind {
            Kind::Number => {
                if let Some((row, text)) = &state.zero_leads {
                    column.kind = Kind::Text;
                    column.unit = None;
                    guess.reasons.push(format!("{text} (row {row}) begins with a zero, so these are names, not numbers, and are kept as they stand"));
                    changed = true;
                    continue;
                }
                // Plain digits say nothing of separators, so a few cells decide for all.
                let separators = state.separators();
                let wanted = separators.decide(comma);
                let told = separators.comma + separators.point + separators.either_comma > 0;
                if state.odd > 0 && told && wanted != (column.decimal, column.thousands) {
                    (column.decimal, column.thousands) = wanted;
                    changed = true;
                    continue;
                }
                let totals = state.odd_totals.len() as u64;
                if state.odd > totals && (state.odd - totals) * 20 > state.filled + state.odd {
                    column.kind = Kind::Text;
                    column.unit = None;
                    let (row, text) = state.first_odd.clone().unwrap_or_default();
                    guess.reasons.push(format!("it mixes numbers ({} of {} cells) and words, such as \"{}\" in row {row}, so it is read as words and nothing is computed from it", state.filled, state.filled + state.odd, short(&text)));
                    changed = true;
                }
            }
            Kind::Date => {
                let (first, second) = (state.first_above, state.second_above);
                let other = match column.date {
                    Some(DateForm::DayFirst) if second > first => Some(DateForm::MonthFirst),
                    Some(DateForm::MonthFirst) if first > second => Some(DateForm::DayFirst),
                    _ => None,
                };
                if let Some(other) = other {
                    column.date = Some(other);
                    changed = true;
                } else if state.odd * 20 > state.filled + state.odd {
                    column.kind = Kind::Text;
                    column.date = None;
                    let (row, text) = state.first_odd.clone().unwrap_or_default();
                    guess.reasons.push(format!(
                        "it mixes days and other words, such as \"{}\" in row {row}, so it is read as words",
                        short(&text)
                    ));
                    changed = true;
                }
            }
            Kind::Empty if !state.late.is_empty() => {
                let cells: Vec<(u64, &str)> =
                    state.late.iter().map(|(row, text)| (*row, text.as_str())).collect();
                *guess = guess::guess(&column.name, &cells);
                column.kind = if guess.kind == Kind::Empty { Kind::Text } else { guess.kind };
                column.date = guess.date;
                (column.decimal, column.thousands) = guess.separators.decide(comma);
                column.unit = if column.kind == Kind::Number { guess::unit(&column.header) } else { None };
                changed = true;
            }
            _ => {}
        }
    }
    changed
}

/// Labels of a column that may be those of totals, and were not looked at yet.
fn labels(column: &ColumnReading, state: &ColumnState, doubted: &[Doubted]) -> Vec<Label> {
    if state.filled <= 1 {
        return Vec::new();
    }
    // A value that stands in most rows is a name, whatever it means.
    let is_rare =
        |text: &&String| state.categories.get(text.as_bytes()).is_none_or(|count| *count * 3 <= state.filled);
    let label = |text: &String| Label { column: column.name.clone(), text: text.clone() };
    let known = |label: &Label| doubted.iter().any(|it| it.label == *label);
    let found = state.totals.iter().chain(&state.odd_totals).filter(is_rare).map(label);
    found.filter(|label| !known(label)).collect()
}

/// Leaves out rows that are called totals and are sums of others; whether the table has to be read anew.
fn without_totals(sniffed: &mut Sniffed, seen: &Seen, context: &Context) -> Result<bool, FiguresError> {
    if !sniffed.table.leave_out.is_empty() {
        return Ok(false);
    }
    let columns = sniffed.table.columns.iter().zip(&seen.columns);
    let labels: Vec<Label> =
        columns.flat_map(|(column, state)| labels(column, state, &sniffed.doubted)).collect();
    if labels.is_empty() {
        return Ok(false);
    }
    let verified = labelled::verified(&sniffed.table, &labels, context)?;
    sniffed.table.leave_out = verified.leave_out;
    sniffed.doubted.extend(verified.doubted);
    Ok(true)
}

fn finish(
    mut table: TableReading,
    guesses: &[Option<guess::Guess>],
    remarks: Vec<String>,
    mut seen: Seen,
    context: &Context,
) -> Result<(TableProfile, Print), FiguresError> {
    if seen.rows == 0 {
        return Err(FiguresError::unreadable(&table.file, "a header and no rows below it"));
    }
    let mut columns = Vec::with_capacity(table.columns.len());
    let mut keys = Vec::new();
    let mut print = Print::default();
    let mut days: Vec<(usize, Vec<Date>)> = Vec::new();
    let mut doubts = doubts::of_table(&table, &seen, remarks);
    if table.format == Format::Workbook {
        doubts.extend(doubts::of_workbook(&table, &source::workbook::noted(&table, context)?));
    }
    for (at, mut state) in std::mem::take(&mut seen.columns).into_iter().enumerate() {
        let Some(column) = table.columns.get_mut(at) else { continue };
        let (unique, hashes) = state.unique()?;
        let full = state.missing == 0 && state.odd == 0;
        if unique && full && seen.rows > 1 && matches!(column.kind, Kind::Text | Kind::Number | Kind::Date) {
            keys.push(column.name.clone());
        }
        let hashes = match (hashes, state.many) {
            (Some(all), _) => Some(all),
            (None, false) if !state.categories.is_empty() => {
                let mut all: Vec<u64> =
                    state.categories.keys().map(|value| hash(value.trim_ascii())).collect();
                all.sort_unstable();
                Some(all)
            }
            _ => None,
        };
        print.columns.push((unique, hashes));
        let units = units(&state.marks);
        if column.kind == Kind::Number && column.unit.is_none() && units.len() == 1 {
            column.unit = units.first().map(|unit| unit.value.clone());
        }
        doubts.extend(doubts::of_column(
            &table.name,
            column,
            &state,
            guesses.get(at).and_then(Option::as_ref),
            &units,
        ));
        let list = sorted_days(&state.days);
        let span = list.first().copied().zip(list.last().copied());
        if column.kind == Kind::Date && !list.is_empty() {
            days.push((at, list));
        }
        let mut categories: Vec<Category> = state
            .categories
            .iter()
            .map(|(value, count)| Category {
                value: String::from_utf8_lossy(value).into_owned(),
                count: *count,
            })
            .collect();
        categories.sort_by(|one, two| two.count.cmp(&one.count).then_with(|| one.value.cmp(&two.value)));
        let different = categories.len() as u64;
        categories.truncate(SHOWN_CATEGORIES);
        let (places, day_count) = (state.numbers.scale, state.days.len() as u64);
        let (filled, missing, odd, many, many_days) =
            (state.filled, state.missing, state.odd, state.many, state.many_days);
        let summed = state.numbers.finish()?;
        let distinct = match column.kind {
            _ if unique => Distinct::Exactly(filled),
            Kind::Number => summed.few.map_or(Distinct::MoreThan(1000), Distinct::Exactly),
            Kind::Date if many_days => Distinct::MoreThan(day_count),
            Kind::Date => Distinct::Exactly(day_count),
            _ if many => Distinct::MoreThan(MOST_CATEGORIES as u64),
            _ => Distinct::Exactly(different),
        };
        let numbers = (column.kind == Kind::Number).then(|| numbers(&summed, places)).flatten();
        if column.kind == Kind::Number && numbers.is_none() && filled > 0 {
            doubts.push(doubts::about(
                &table.name,
                &column.name,
                None,
                "its numbers have so many digits that quartiles are not computed",
            ));
        }
        columns.push(ColumnProfile {
            name: column.name.clone(),
            kind: column.kind,
            unit: column.unit.clone(),
            units,
            filled,
            missing,
            odd,
            distinct,
            places,
            numbers,
            days: span,
            categories,
        });
    }
    let time = time::time(&mut table, &days, &mut doubts);
    let bytes = std::fs::metadata(&table.file).map(|known| known.len()).unwrap_or(0);
    Ok((TableProfile { reading: table, bytes, rows: seen.rows, columns, keys, time, doubts }, print))
}

fn units(marks: &[(Mark, u64)]) -> Vec<Category> {
    let mut units: Vec<Category> = marks
        .iter()
        .filter_map(|(mark, count)| {
            let value = match mark {
                Mark::Bare => return None,
                Mark::Percent => "%".to_owned(),
                Mark::Currency(code) => (*code).to_owned(),
            };
            Some(Category { value, count: *count })
        })
        .collect();
    units.sort_by(|one, two| two.count.cmp(&one.count).then_with(|| one.value.cmp(&two.value)));
    units
}

fn numbers(summed: &super::numbers::Summed, places: u32) -> Option<Numbers> {
    let (([quartile1, median, quartile3], outliers), (min, _), (max, _)) =
        (summed.quartiles?, *summed.low.first()?, *summed.high.first()?);
    let reach = quartile3.minus(quartile1)?;
    let margin = reach.times(crate::Decimal::from(3_i64))?;
    let (low, high) = (quartile1.minus(margin)?, quartile3.plus(margin)?);
    let mut extreme: Vec<(u64, crate::Decimal)> = Vec::new();
    if outliers > 0 {
        let far =
            summed.high.iter().filter(|(v, _)| *v > high).chain(summed.low.iter().filter(|(v, _)| *v < low));
        extreme.extend(far.map(|(value, row)| (*row, *value)).take(5));
    }
    Some(Numbers {
        min,
        max,
        sum: summed.sum,
        quartile1,
        median,
        quartile3,
        outliers,
        extreme,
        whole: places == 0,
    })
}
