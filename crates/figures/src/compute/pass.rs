//! One pass over a table for many calculations at once. A plan says which rows, by what they are grouped and which
//! numbers are wanted of each group; rows go by once, and what needs all values is sorted on disk beyond a limit.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use csv::ByteRecord;

use super::column::Column;
use crate::cell;
use crate::date::{Date, Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{MAX_RANGES, Selection};
use crate::profile::numbers::rank;
use crate::question::{Aggregate, Test};
use crate::reading::{Kind, TableReading};
use crate::source::{self, Context};
use crate::spill::{Sorter, ordered, unordered};

/// Places at which numbers are sorted; more are refused.
const SORT_PLACES: u32 = 15;

/// Which rows, grouped how, and what of them.
#[derive(Debug)]
pub struct Plan {
    /// Tests with their columns.
    pub filters: Vec<(Column, Test)>,
    /// Only these days.
    pub period: Option<Period>,
    /// The column that says when, where it is needed.
    pub time: Option<Column>,
    /// Grouped by the values of a column.
    pub by: Option<Column>,
    /// Grouped by periods.
    pub grain: Option<Grain>,
    /// Numbers of each group: how, and of which column; none counts rows.
    pub measures: Vec<(Aggregate, Option<Column>)>,
    /// Two columns whose rows are taken in pairs.
    pub pair: Option<(Column, Column)>,
    /// How the selection reads without the groups, for figures.
    pub selection: Selection,
}

/// Value of the grouping column, and first day of the period.
pub type Key = (Option<String>, Option<Date>);

/// What a group came to: one for each measure.
pub type Group = Vec<Total>;

/// What came of a plan.
#[derive(Debug, Default)]
pub struct Groups {
    /// The groups.
    pub groups: BTreeMap<Key, Group>,
    /// Rows that passed all tests.
    pub rows: u64,
    /// Rows among them that could not be grouped: no value in the column, or no day.
    pub ungrouped: u64,
    /// Rows without a day, where days were asked for.
    pub undated: u64,
    /// First and last day of rows that passed.
    pub days: Option<(Date, Date)>,
    /// Pairs of numbers.
    pub pairs: Pairs,
    /// Rows of the pairs.
    pub pair_rows: Rows,
}

/// Rows as runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// First and last of each run.
    pub runs: Vec<(u64, u64)>,
    /// How many.
    pub count: u64,
    /// Whether runs were left out.
    pub cut: bool,
}

impl Rows {
    fn push(&mut self, row: u64) {
        self.count += 1;
        if let Some((_, last)) = self.runs.last_mut()
            && *last + 1 == row
        {
            *last = row;
        } else if self.runs.len() < MAX_RANGES {
            self.runs.push((row, row));
        } else {
            self.cut = true;
        }
    }
}

/// Numbers of one group and measure.
#[derive(Debug, Clone, Default)]
pub struct Total {
    /// The cells that counted.
    pub rows: Rows,
    sum: Option<Decimal>,
    overflow: bool,
    min: Option<(Decimal, u64)>,
    max: Option<(Decimal, u64)>,
    mean: f64,
    squares: f64,
    /// What needed all values: a median, a quantile, a count of different ones.
    sorted: Option<Decimal>,
}

impl Total {
    fn add(&mut self, value: Decimal, row: u64) {
        self.rows.push(row);
        let sum = self.sum.unwrap_or(Decimal::ZERO);
        match sum.plus(value) {
            Some(sum) => self.sum = Some(sum),
            None => self.overflow = true,
        }
        if self.min.is_none_or(|(least, _)| value < least) {
            self.min = Some((value, row));
        }
        if self.max.is_none_or(|(most, _)| value > most) {
            self.max = Some((value, row));
        }
        let number = value.to_f64();
        #[allow(clippy::cast_precision_loss)] // counts stay below 2^53
        let count = self.rows.count as f64;
        let off = number - self.mean;
        self.mean += off / count;
        self.squares += off * (number - self.mean);
    }

    /// The number, where there are cells enough.
    ///
    /// # Errors
    /// When it does not fit into 38 digits.
    pub fn value(&self, how: Aggregate, places: u32) -> Result<Option<Decimal>, FiguresError> {
        let count = Decimal::from(self.rows.count);
        if self.overflow && matches!(how, Aggregate::Sum | Aggregate::Mean) {
            return Err(FiguresError::TooLarge("the sum".to_owned()));
        }
        Ok(match how {
            Aggregate::Count => Some(count),
            Aggregate::Sum => self.sum,
            Aggregate::Mean => self.sum.and_then(|sum| sum.over(count, places)),
            Aggregate::Min => self.min.map(|(value, _)| value),
            Aggregate::Max => self.max.map(|(value, _)| value),
            Aggregate::Deviation => {
                #[allow(clippy::cast_precision_loss)]
                let degrees = self.rows.count.saturating_sub(1) as f64;
                if degrees < 1.0 {
                    None
                } else {
                    Decimal::from_f64((self.squares / degrees).sqrt()).map(|value| value.rounded(places))
                }
            }
            Aggregate::Median | Aggregate::Quantile(_) => self.sorted,
            Aggregate::Distinct => Some(self.sorted.unwrap_or(Decimal::ZERO)),
        })
    }
}

/// Sums over pairs, kept around their means so that little is lost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pairs {
    /// How many.
    pub count: u64,
    mean_x: f64,
    mean_y: f64,
    square_x: f64,
    square_y: f64,
    product: f64,
}

impl Pairs {
    /// Takes a pair into account.
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1;
        #[allow(clippy::cast_precision_loss)]
        let count = self.count as f64;
        let off_x = x - self.mean_x;
        self.mean_x += off_x / count;
        self.square_x += off_x * (x - self.mean_x);
        let off_y = y - self.mean_y;
        self.mean_y += off_y / count;
        self.square_y += off_y * (y - self.mean_y);
        self.product += off_x * (y - self.mean_y);
    }

    /// Pearson's coefficient; none when one of the two never changes.
    #[must_use]
    pub fn coefficient(&self) -> Option<f64> {
        let below = (self.square_x * self.square_y).sqrt();
        (self.count >= 3 && below > 0.0 && below.is_finite()).then(|| (self.product / below).clamp(-1.0, 1.0))
    }
}

struct Running<'p> {
    plan: &'p Plan,
    found: Groups,
    /// A sorter for each measure that needs one; records begin with the group's number.
    sorters: Vec<Option<Sorter>>,
    numbers: BTreeMap<Key, u32>,
}

/// Runs plans over one table.
///
/// # Errors
/// When the table cannot be read, or has too many groups.
pub fn run(
    table: &TableReading,
    plans: &[Plan],
    context: &Context,
) -> Result<Vec<Result<Groups, FiguresError>>, FiguresError> {
    let sorting: usize =
        plans.iter().flat_map(|plan| &plan.measures).filter(|(how, _)| needs_sorting(*how)).count();
    let share = context.limits.memory / sorting.max(1);
    let mut running: Vec<Result<Running<'_>, FiguresError>> = plans
        .iter()
        .map(|plan| {
            let sorters =
                plan.measures.iter().map(|(how, _)| needs_sorting(*how).then(|| Sorter::new(context, share)));
            Ok(Running {
                plan,
                found: Groups::default(),
                sorters: sorters.collect(),
                numbers: BTreeMap::new(),
            })
        })
        .collect();
    source::each_row(table, context, &mut |row, record| {
        for slot in &mut running {
            if let Ok(one) = slot
                && let Err(error) = one.see(row, record, context)
            {
                *slot = Err(error);
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(running.into_iter().map(|one| one.and_then(Running::finish)).collect())
}

fn needs_sorting(how: Aggregate) -> bool {
    matches!(how, Aggregate::Median | Aggregate::Quantile(_) | Aggregate::Distinct)
}

impl Running<'_> {
    fn see(&mut self, row: u64, record: &ByteRecord, context: &Context) -> Result<(), FiguresError> {
        let plan = self.plan;
        for (column, test) in &plan.filters {
            if !passes(column, test, record) {
                return Ok(());
            }
        }
        let day = match &plan.time {
            None => None,
            Some(column) => {
                let Some(day) = column.day(record) else {
                    self.found.undated += 1;
                    return Ok(());
                };
                if plan.period.is_some_and(|period| !period.holds(day)) {
                    return Ok(());
                }
                let (from, to) = self.found.days.unwrap_or((day, day));
                self.found.days = Some((from.min(day), to.max(day)));
                Some(day)
            }
        };
        self.found.rows += 1;
        if let Some((x, y)) = &plan.pair
            && let (Some(x), Some(y)) = (x.number(record), y.number(record))
        {
            self.found.pairs.add(x.to_f64(), y.to_f64());
            self.found.pair_rows.push(row);
        }
        let by = match &plan.by {
            None => None,
            Some(column) => {
                let Some(text) = column.text(record) else {
                    self.found.ungrouped += 1;
                    return Ok(());
                };
                Some(text.into_owned())
            }
        };
        let bucket = plan.grain.and_then(|grain| day.map(|day| grain.period(day).from));
        self.count((by, bucket), row, record, context)
    }

    fn count(
        &mut self,
        key: Key,
        row: u64,
        record: &ByteRecord,
        context: &Context,
    ) -> Result<(), FiguresError> {
        let plan = self.plan;
        let most = context.limits.groups;
        if !self.found.groups.contains_key(&key) {
            if self.found.groups.len() >= most {
                let name = plan.by.as_ref().map_or("time", |column| column.reading.name.as_str());
                return Err(FiguresError::Refused(format!(
                    "\"{name}\" has more than {most} different values, too many to group by"
                )));
            }
            let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            self.numbers.insert(key.clone(), number);
        }
        let number = self.numbers.get(&key).copied().unwrap_or(0);
        let group =
            self.found.groups.entry(key).or_insert_with(|| vec![Total::default(); plan.measures.len()]);
        for (((how, column), total), sorter) in plan.measures.iter().zip(group).zip(&mut self.sorters) {
            let Some(column) = column else {
                total.rows.push(row);
                continue;
            };
            if how.takes_text() {
                if !column.holds(record) {
                    continue;
                }
                total.rows.push(row);
                if let Some(sorter) = sorter {
                    let mut entry = number.to_be_bytes().to_vec();
                    match column.number(record) {
                        // 1 and 1.0 are one number.
                        Some(value) if column.reading.kind == Kind::Number => {
                            entry.extend(value.to_string().bytes());
                        }
                        _ => entry.extend(column.bytes(record)),
                    }
                    sorter.push(&entry)?;
                }
                continue;
            }
            let Some(value) = column.number(record) else { continue };
            total.add(value, row);
            if let Some(sorter) = sorter {
                let key = value.at_scale(SORT_PLACES).ok_or_else(|| {
                    FiguresError::Refused(format!(
                        "row {row}: {value} has too many digits to be sorted exactly"
                    ))
                })?;
                let mut entry = number.to_be_bytes().to_vec();
                entry.extend(ordered(key));
                sorter.push(&entry)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Groups, FiguresError> {
        let keys: BTreeMap<u32, Key> =
            self.numbers.iter().map(|(key, number)| (*number, key.clone())).collect();
        for (at, sorter) in self.sorters.iter_mut().enumerate() {
            let Some(mut sorter) = sorter.take() else { continue };
            let how = self.plan.measures.get(at).map_or(Aggregate::Count, |(how, _)| *how);
            let mut current: Option<u32> = None;
            let mut walk = Walk::default();
            let groups = &mut self.found.groups;
            let mut close = |number: Option<u32>, walk: &Walk| {
                let total = number
                    .and_then(|number| keys.get(&number))
                    .and_then(|key| groups.get_mut(key))
                    .and_then(|group| group.get_mut(at));
                if let Some(total) = total {
                    total.sorted = walk.value(how);
                }
            };
            let lengths = lengths(&mut sorter)?;
            sorter.each(&mut |record| {
                let (number, value) = record.split_at_checked(4).unwrap_or((&[], &[]));
                let number = u32::from_be_bytes(number.try_into().unwrap_or([0; 4]));
                if current != Some(number) {
                    close(current, &walk);
                    current = Some(number);
                    walk = Walk { length: lengths.get(&number).copied().unwrap_or(0), ..Walk::default() };
                }
                walk.step(how, value);
                Ok(())
            })?;
            close(current, &walk);
        }
        Ok(self.found)
    }
}

/// How many records each group has.
fn lengths(sorter: &mut Sorter) -> Result<BTreeMap<u32, u64>, FiguresError> {
    let mut lengths = BTreeMap::new();
    sorter.each(&mut |record| {
        let number = record.get(..4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_be_bytes);
        *lengths.entry(number).or_insert(0) += 1;
        Ok(())
    })?;
    Ok(lengths)
}

/// Walks through the sorted values of one group.
#[derive(Default)]
struct Walk {
    length: u64,
    at: u64,
    different: u64,
    last: Vec<u8>,
    low: Option<i128>,
    high: Option<i128>,
}

impl Walk {
    fn step(&mut self, how: Aggregate, value: &[u8]) {
        if how == Aggregate::Distinct {
            if self.at == 0 || self.last != value {
                self.different += 1;
                self.last = value.to_vec();
            }
        } else {
            let number = || value.try_into().ok().map(unordered);
            let (low, high) = match how {
                Aggregate::Quantile(percent) => (rank(self.length, u64::from(percent)), u64::MAX),
                _ => ((self.length - 1) / 2, self.length / 2),
            };
            if self.at == low {
                self.low = number();
            }
            if self.at == high {
                self.high = number();
            }
        }
        self.at += 1;
    }

    fn value(&self, how: Aggregate) -> Option<Decimal> {
        let decimal = |value: i128| Decimal::new(value, SORT_PLACES);
        match how {
            Aggregate::Distinct => Some(Decimal::from(self.different)),
            Aggregate::Quantile(_) => self.low.map(decimal),
            _ => decimal(self.low?).plus(decimal(self.high?))?.times(Decimal::new(5, 1)),
        }
    }
}

fn passes(column: &Column, test: &Test, record: &ByteRecord) -> bool {
    let number = |pass: &dyn Fn(Decimal) -> bool| column.number(record).is_some_and(pass);
    let day = |pass: &dyn Fn(Date) -> bool| column.day(record).is_some_and(pass);
    match test {
        Test::Is(values) => {
            column.text(record).is_some_and(|text| values.iter().any(|value| same(column, &text, value)))
        }
        Test::IsNot(values) => {
            column.text(record).is_some_and(|text| !values.iter().any(|value| same(column, &text, value)))
        }
        Test::AtLeast(bound) => number(&|value| value >= *bound),
        Test::AtMost(bound) => number(&|value| value <= *bound),
        Test::Above(bound) => number(&|value| value > *bound),
        Test::Below(bound) => number(&|value| value < *bound),
        Test::Month(months) => day(&|day| months.contains(&day.parts().1)),
        Test::Weekday(days) => day(&|day| days.contains(&day.weekday())),
    }
}

fn same(column: &Column, text: &str, value: &str) -> bool {
    if column.reading.kind != Kind::Number {
        return text == value.trim();
    }
    let read = |text: &str| {
        cell::number(text, column.reading.decimal, column.reading.thousands).map(|number| number.value)
    };
    let plain = value.trim().parse().ok();
    read(text).is_some_and(|number| plain == Some(number) || read(value) == Some(number))
}
