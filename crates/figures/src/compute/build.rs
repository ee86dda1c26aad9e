//! Figures from what a pass counted: each with its words, its cells and its calculation.

use std::collections::BTreeMap;

use super::column::Column;
use super::pass::{Group, Groups, Key, Plan, Rows, Total};
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{
    Calculation, Cells, Direction, Figure, FigureKind, Formula, MAX_RANGES, Precision, Selection,
};
use crate::question::{Aggregate, Filter, Measure, Test};
use crate::reading::{TableReading, letter};

/// Places of percentages and ratios.
pub const PERCENT_PLACES: u32 = 4;
/// Places of a ratio.
pub const RATIO_PLACES: u32 = 6;
/// Places of a coefficient.
pub const CORRELATION_PLACES: u32 = 4;

/// A number that others are made of.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// The number.
    pub value: Decimal,
    /// Its unit.
    pub unit: Option<String>,
    /// How close it is.
    pub precision: Precision,
    /// "sum of revenue in 2025".
    pub words: String,
    /// "sum of revenue".
    pub measure: String,
    /// "SUM(sales!C2:C366)".
    pub formula: String,
    /// How to compute it.
    pub calculation: Calculation,
    /// Where it comes from.
    pub cells: Vec<Cells>,
    /// Days.
    pub period: Option<Period>,
    /// Groups.
    pub group: BTreeMap<String, String>,
}

/// Makes leaves of one plan.
#[derive(Debug)]
pub struct Maker<'a> {
    /// The table.
    pub table: &'a TableReading,
    /// The plan.
    pub plan: &'a Plan,
    /// Digits behind the point of each column of the table, by name.
    pub places: &'a BTreeMap<String, u32>,
}

impl Maker<'_> {
    /// Digits behind the point of a mean or deviation of this column.
    #[must_use]
    pub fn places(&self, column: Option<&Column>) -> u32 {
        let own = column.and_then(|column| self.places.get(&column.reading.name)).copied().unwrap_or(2);
        (own + 4).min(12)
    }

    /// A leaf for one measure of one group; none where no cell counted.
    ///
    /// # Errors
    /// When the number does not fit.
    pub fn leaf(&self, key: &Key, group: &Group, measure: usize) -> Result<Option<Leaf>, FiguresError> {
        let (Some((how, column)), Some(total)) = (self.plan.measures.get(measure), group.get(measure)) else {
            return Ok(None);
        };
        self.leaf_of(key, *how, column.as_ref(), total)
    }

    fn leaf_of(
        &self,
        key: &Key,
        how: Aggregate,
        column: Option<&Column>,
        total: &Total,
    ) -> Result<Option<Leaf>, FiguresError> {
        let places = self.places(column);
        if total.rows.count == 0 && how != Aggregate::Count {
            return Ok(None);
        }
        let Some(value) = total.value(how, places)? else { return Ok(None) };
        let mut selection = self.plan.selection.clone();
        selection.column = column.map(|column| column.reading.name.clone());
        let mut period = self.plan.period;
        let mut names = BTreeMap::new();
        for filter in &selection.filters {
            if let Test::Is(values) = &filter.test {
                names.insert(filter.column.clone(), values.join(", "));
            }
        }
        if let (Some(value), Some(by)) = (&key.0, &self.plan.by) {
            let name = by.reading.name.clone();
            names.insert(name.clone(), value.clone());
            selection.filters.push(Filter { column: name, test: Test::Is(vec![value.clone()]) });
        }
        if let (Some(first), Some(grain)) = (key.1, self.plan.grain) {
            let bucket = grain.period(first);
            let within = period.map_or(bucket, |outer| Period {
                from: bucket.from.max(outer.from),
                to: bucket.to.min(outer.to),
            });
            period = Some(within);
        }
        selection.period = period;
        if selection.period.is_none() {
            selection.time = None;
        }
        // A lookup that nothing names any more would only be noise.
        let needed = |name: &str| {
            selection.column.as_deref() == Some(name) || selection.filters.iter().any(|f| f.column == name)
        };
        let lookups = selection.lookups.iter().filter(|lookup| needed(&lookup.name)).cloned().collect();
        selection.lookups = lookups;
        let measure = Measure { how, column: selection.column.clone() };
        let measure = measure.words_of(self.table.rows.as_deref());
        let cells = cells(self.table, column, &total.rows);
        let (precision, stated) = match how {
            Aggregate::Mean => (Precision::Rounded(places), Some(places)),
            Aggregate::Deviation => (Precision::Floating(places), Some(places)),
            _ => (Precision::Exact, None),
        };
        let function = if column.is_none() { "ROWS".to_owned() } else { how.function() };
        Ok(Some(Leaf {
            value,
            unit: if how.takes_text() { None } else { column.and_then(|column| column.reading.unit.clone()) },
            precision,
            words: format!("{measure}{}", qualifiers(&selection)),
            measure,
            formula: format!("{function}({})", place(&cells)),
            calculation: Calculation::Aggregate { how, of: selection, places: stated },
            cells: vec![cells],
            period,
            group: names,
        }))
    }
}

/// Where the cells are.
#[must_use]
pub fn cells(table: &TableReading, column: Option<&Column>, rows: &Rows) -> Cells {
    Cells {
        table: table.name.clone(),
        column: column.map(|column| column.reading.name.clone()),
        letter: column.map(|column| letter(column.index)),
        rows: rows.runs.clone(),
        count: rows.count,
        complete: !rows.cut,
    }
}

/// "sales!C2:C366", shortened where there are many runs.
fn place(cells: &Cells) -> String {
    let letter = cells.letter.as_deref().unwrap_or_default();
    let run = |(from, to): &(u64, u64)| {
        if from == to { format!("{letter}{from}") } else { format!("{letter}{from}:{letter}{to}") }
    };
    let shown: Vec<String> = cells.rows.iter().take(4).map(run).collect();
    let more = if cells.rows.len() > 4 || !cells.complete {
        format!(", … {} cells in all", cells.count)
    } else {
        String::new()
    };
    format!("{}!{}{more}", cells.table, shown.join(", "))
}

fn qualifiers(selection: &Selection) -> String {
    let mut text = String::new();
    for filter in &selection.filters {
        text.push_str(if text.is_empty() { " where " } else { " and " });
        text.push_str(&format!("{} {}", filter.column, filter.test.words()));
    }
    if let Some(period) = selection.period {
        text.push_str(&format!(" in {period}"));
    }
    text
}

impl Leaf {
    /// A number that stands in the question.
    #[must_use]
    pub fn constant(value: Decimal, words: &str) -> Self {
        Self {
            value,
            unit: None,
            precision: Precision::Exact,
            words: words.to_owned(),
            measure: words.to_owned(),
            formula: value.to_string(),
            calculation: Calculation::Constant { value },
            cells: Vec::new(),
            period: None,
            group: BTreeMap::new(),
        }
    }

    /// As a figure of its own.
    #[must_use]
    pub fn figure(&self) -> Figure {
        Figure {
            id: String::new(),
            label: self.label(&self.measure),
            kind: FigureKind::Value,
            measure: self.measure.clone(),
            value: self.value,
            unit: self.unit.clone(),
            precision: self.precision,
            period: self.period,
            group: self.group.clone(),
            rank: None,
            direction: None,
            formula: Formula { words: self.words.clone(), cells: self.formula.clone() },
            calculation: self.calculation.clone(),
            cells: self.cells.clone(),
        }
    }

    fn label(&self, measure: &str) -> String {
        let mut label = measure.to_owned();
        for (column, value) in &self.group {
            label.push_str(&format!(", {column} {value}"));
        }
        if let Some(period) = self.period {
            label.push_str(&format!(", {period}"));
        }
        label
    }

    /// `self - other`.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn minus(&self, other: &Self) -> Result<Leaf, FiguresError> {
        let value = self
            .value
            .minus(other.value)
            .ok_or_else(|| FiguresError::TooLarge("the difference".to_owned()))?;
        Ok(self.combined(
            other,
            value,
            self.unit.clone(),
            (format!("{} less {}", self.words, other.words), format!("{} - {}", self.formula, other.formula)),
            Calculation::Difference {
                first: Box::new(self.calculation.clone()),
                second: Box::new(other.calculation.clone()),
            },
            wider(self.precision, other.precision),
        ))
    }

    /// `self / other * factor`.
    ///
    /// # Errors
    /// When the divisor is zero.
    pub fn over(
        &self,
        other: &Self,
        factor: Decimal,
        places: u32,
        unit: Option<String>,
    ) -> Result<Leaf, FiguresError> {
        let value = quotient(self.value, other.value, factor, places).ok_or_else(|| {
            FiguresError::Refused(format!("{} is zero, so nothing can be divided by it", other.words))
        })?;
        let times = if factor == Decimal::HUNDRED { " * 100" } else { "" };
        Ok(self.combined(
            other,
            value,
            unit,
            (
                format!("{} over {}", self.words, other.words),
                format!("{} / {}{times}", self.formula, other.formula),
            ),
            Calculation::Quotient {
                above: Box::new(self.calculation.clone()),
                below: Box::new(other.calculation.clone()),
                factor,
                places,
            },
            rounded(self.precision, other.precision, places),
        ))
    }

    /// `(self - before) / |before| * 100`.
    ///
    /// # Errors
    /// When there was nothing before.
    pub fn change_from(&self, before: &Self) -> Result<Leaf, FiguresError> {
        let value = change(before.value, self.value, PERCENT_PLACES).ok_or_else(|| {
            FiguresError::Refused(format!("{} is zero, so there is no change in percent", before.words))
        })?;
        Ok(self.combined(
            before,
            value,
            Some("%".to_owned()),
            (
                format!("change from {} to {}", before.words, self.words),
                format!("({0} - {1}) / ABS({1}) * 100", self.formula, before.formula),
            ),
            Calculation::Change {
                from: Box::new(before.calculation.clone()),
                to: Box::new(self.calculation.clone()),
                places: PERCENT_PLACES,
            },
            rounded(self.precision, before.precision, PERCENT_PLACES),
        ))
    }

    fn combined(
        &self,
        other: &Self,
        value: Decimal,
        unit: Option<String>,
        formula: (String, String),
        calculation: Calculation,
        precision: Precision,
    ) -> Leaf {
        let period = match (self.period, other.period) {
            (Some(one), Some(two)) => Some(Period { from: one.from.min(two.from), to: one.to.max(two.to) }),
            (one, two) => one.or(two),
        };
        Leaf {
            value,
            unit,
            precision,
            words: formula.0,
            measure: self.measure.clone(),
            formula: formula.1,
            calculation,
            cells: self.cells.iter().chain(&other.cells).cloned().collect(),
            period,
            group: self.group.clone(),
        }
    }
}

/// `above / below * factor`, rounded once.
#[must_use]
pub fn quotient(above: Decimal, below: Decimal, factor: Decimal, places: u32) -> Option<Decimal> {
    above.times(factor)?.over(below, places)
}

/// `(to - from) / |from| * 100`, rounded once.
#[must_use]
pub fn change(from: Decimal, to: Decimal, places: u32) -> Option<Decimal> {
    quotient(to.minus(from)?, from.abs(), Decimal::HUNDRED, places)
}

fn wider(one: Precision, two: Precision) -> Precision {
    match (one, two) {
        (Precision::Floating(a), Precision::Floating(b) | Precision::Rounded(b))
        | (Precision::Rounded(b), Precision::Floating(a)) => Precision::Floating(a.max(b)),
        (Precision::Floating(a), Precision::Exact) | (Precision::Exact, Precision::Floating(a)) => {
            Precision::Floating(a)
        }
        (Precision::Rounded(a), Precision::Rounded(b)) => Precision::Rounded(a.max(b)),
        (Precision::Rounded(a), Precision::Exact) | (Precision::Exact, Precision::Rounded(a)) => {
            Precision::Rounded(a)
        }
        (Precision::Exact, Precision::Exact) => Precision::Exact,
    }
}

fn rounded(one: Precision, two: Precision, places: u32) -> Precision {
    match wider(one, two) {
        Precision::Floating(_) => Precision::Floating(places),
        _ => Precision::Rounded(places),
    }
}

/// Which way a difference goes.
#[must_use]
pub fn direction(difference: Decimal) -> Direction {
    match difference.cmp(&Decimal::ZERO) {
        std::cmp::Ordering::Greater => Direction::Up,
        std::cmp::Ordering::Less => Direction::Down,
        std::cmp::Ordering::Equal => Direction::Flat,
    }
}

/// What a period adds to a mean over several: its number, or of a mean the exact sum of its cells, so that nothing is
/// rounded twice.
#[must_use]
pub fn exact(groups: &Groups, by: Option<&str>, period: Period, leaf: &Leaf) -> Decimal {
    let mean = matches!(leaf.calculation, Calculation::Aggregate { how: Aggregate::Mean, .. });
    let total =
        groups.groups.get(&(by.map(str::to_owned), Some(period.from))).and_then(|group| group.first());
    let sum = total.filter(|_| mean).and_then(|total| total.value(Aggregate::Sum, 0).ok().flatten());
    sum.unwrap_or(leaf.value)
}

/// The mean per period of several periods, of which a filter may take a part: sums over their number, or of means the
/// mean of all cells.
///
/// # Errors
/// When the numbers are no sums, counts or means, or do not fit.
pub fn mean_over(
    leaves: &[(&Leaf, Decimal)],
    part: Option<(Filter, (&str, &str))>,
    span: Period,
    grain: Grain,
) -> Result<Leaf, FiguresError> {
    let no = |text: &str| FiguresError::Refused(text.to_owned());
    let (sample, _) = leaves.first().ok_or_else(|| no("there is no period"))?;
    let Calculation::Aggregate { how, of, places } = &sample.calculation else {
        return Err(no("a mean per period is computed from values by period"));
    };
    if !matches!(how, Aggregate::Sum | Aggregate::Count | Aggregate::Mean) {
        return Err(no("a mean per period is computed from sums, counts or means"));
    }
    let too_large = || FiguresError::TooLarge("the sum".to_owned());
    let mut selection = of.clone();
    selection.period = Some(span);
    let mut group = sample.group.clone();
    let mut name = format!(", {span}");
    if let Some((filter, (kind, value))) = part {
        selection.filters.push(filter);
        group.insert(kind.to_owned(), value.to_owned());
        name = format!(", {value}");
    }
    let mut sum = Decimal::ZERO;
    let mut merged = Vec::new();
    for (leaf, part) in leaves {
        sum = sum.plus(*part).ok_or_else(too_large)?;
        merged.extend(leaf.cells.iter().cloned());
    }
    let cells = join_cells(&merged);
    let cell_count = cells.iter().map(|cells| cells.count).sum::<u64>();
    let mut leaf = Leaf { cells, period: Some(span), group, ..(*sample).clone() };
    if *how == Aggregate::Mean {
        let places = places.unwrap_or(RATIO_PLACES);
        leaf.value = sum.over(Decimal::from(cell_count), places).ok_or_else(too_large)?;
        leaf.words = format!("{}{name}", sample.measure);
        leaf.formula = format!("AVERAGE({cell_count} cells{name})");
        leaf.calculation = Calculation::Aggregate { how: *how, of: selection, places: Some(places) };
        return Ok(leaf);
    }
    let places = leaves.iter().map(|(leaf, _)| leaf.value.places()).max().unwrap_or(0) + 4;
    let count = Decimal::from(leaves.len() as u64);
    leaf.value = sum.over(count, places).ok_or_else(too_large)?;
    leaf.precision = Precision::Rounded(places);
    leaf.words = format!("mean per {} of the {}{name}", grain.name(), sample.measure);
    leaf.measure = format!("mean per {} of the {}", grain.name(), sample.measure);
    leaf.formula = format!("{}({cell_count} cells{name}) / {count}", how.function());
    leaf.calculation = Calculation::Quotient {
        above: Box::new(Calculation::Aggregate { how: *how, of: selection, places: None }),
        below: Box::new(Calculation::Constant { value: count }),
        factor: Decimal::from(1_i64),
        places,
    };
    Ok(leaf)
}

/// Cells of several periods as one list.
#[must_use]
pub fn join_cells(parts: &[Cells]) -> Vec<Cells> {
    let Some(first) = parts.first() else { return Vec::new() };
    let mut joined = first.clone();
    let mut runs: Vec<(u64, u64)> = parts.iter().flat_map(|part| part.rows.clone()).collect();
    runs.sort_unstable();
    joined.rows.clear();
    for (from, to) in runs {
        match joined.rows.last_mut() {
            Some((_, last)) if *last + 1 == from => *last = to,
            _ => joined.rows.push((from, to)),
        }
    }
    joined.count = parts.iter().map(|part| part.count).sum();
    joined.complete = parts.iter().all(|part| part.complete) && joined.rows.len() <= MAX_RANGES;
    joined.rows.truncate(MAX_RANGES);
    vec![joined]
}
