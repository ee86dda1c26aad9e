//! Periods of a table: which are complete, and the series they make.

use super::build::{Leaf, Maker};
use super::pass::{Groups, Plan};
use crate::date::{Date, Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Calculation, Selection};
use crate::profile::TimeProfile;
use crate::question::Aggregate;
use crate::series::Series;

/// Periods more than this are not listed one by one.
const MOST_PERIODS: usize = 20_000;

/// Periods in order, each with its number where it has one.
#[derive(Debug)]
pub struct Periods {
    /// Length of each.
    pub grain: Grain,
    /// The periods.
    pub all: Vec<(Period, Option<Leaf>)>,
    /// How many at the beginning and at the end are not complete.
    pub partial: (usize, usize),
}

impl Periods {
    /// Those that are complete and have a number.
    #[must_use]
    pub fn complete(&self) -> Vec<(Period, &Leaf)> {
        let end = self.all.len().saturating_sub(self.partial.1);
        let inner = self.all.get(self.partial.0..end).unwrap_or_default();
        inner.iter().filter_map(|(period, leaf)| Some((*period, leaf.as_ref()?))).collect()
    }

    /// As a series; a partial first period is not part of it, a partial last one is counted.
    #[must_use]
    pub fn series(&self, plan: &Plan) -> Option<Series> {
        let first = self.all.iter().find_map(|(_, leaf)| leaf.as_ref())?;
        let group = plan.selection.filters.first().cloned();
        let label =
            first.group.iter().map(|(column, value)| format!(", {column} {value}")).collect::<String>();
        let rest = self.all.get(self.partial.0..).unwrap_or_default();
        Some(Series {
            name: format!("{}{label}", first.measure),
            table: plan.selection.table.clone(),
            measure: first.measure.clone(),
            group,
            unit: first.unit.clone(),
            grain: self.grain,
            periods: rest.iter().map(|(period, _)| *period).collect(),
            values: rest.iter().map(|(_, leaf)| leaf.as_ref().map(|leaf| leaf.value)).collect(),
            partial: self.partial.1,
            calculation: over_all(&first.calculation, plan),
        })
    }

    /// What is to be said of periods that are left out.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let name = |period: Option<&(Period, Option<Leaf>)>| {
            period.map(|(period, _)| period.to_string()).unwrap_or_default()
        };
        let first = (self.partial.0 > 0).then(|| name(self.all.first()));
        let last = (self.partial.1 > 0).then(|| name(self.all.last()));
        let list: Vec<String> = first.into_iter().chain(last).collect();
        let verb = if list.len() == 1 { "is not complete and is" } else { "are not complete and are" };
        (!list.is_empty()).then(|| format!("{} {verb} left out of every comparison.", list.join(" and ")))
    }
}

/// The calculation of one period over all days that the plan allows.
fn over_all(one: &Calculation, plan: &Plan) -> Option<Calculation> {
    let Calculation::Aggregate { how, of, places } = one else { return None };
    let of = Selection { period: plan.period, ..of.clone() };
    Some(Calculation::Aggregate { how: *how, of, places: *places })
}

/// The length of periods to use where none was asked for.
#[must_use]
pub fn usual(time: &TimeProfile) -> Grain {
    let span = time.to.days() - time.from.days();
    match time.frequency {
        Some(grain) => grain,
        None if span > 1500 => Grain::Year,
        None if span > 120 => Grain::Month,
        None => Grain::Day,
    }
}

/// Days that a table covers: the last period of its own frequency counts to its end.
#[must_use]
pub fn covered(time: &TimeProfile) -> Period {
    match time.frequency {
        Some(Grain::Day) => {
            // Tables of working days end on a Friday although the month ends on a Sunday.
            let slack = if time.gaps * 10 > time.days { 3 } else { 0 };
            Period { from: time.from.plus(-slack), to: time.to.plus(slack) }
        }
        Some(grain) => Period { from: grain.period(time.from).from, to: grain.period(time.to).to },
        None => {
            let span = i64::from(time.to.days() - time.from.days());
            let step = span / i64::try_from(time.days.max(1)).unwrap_or(i64::MAX);
            let slack = i32::try_from(step.min(30) * 2).unwrap_or(0);
            Period { from: time.from.plus(-slack), to: time.to.plus(slack) }
        }
    }
}

/// Lists the periods of one group from first to last, also those without rows.
///
/// # Errors
/// When there are too many, or a number does not fit.
pub fn list(
    maker: &Maker<'_>,
    groups: &Groups,
    by: Option<&str>,
    time: &TimeProfile,
) -> Result<Periods, FiguresError> {
    let grain = maker.plan.grain.unwrap_or(Grain::Day);
    if let Some(known) = time.frequency.filter(|known| *known >= Grain::Month && grain < *known) {
        return Err(FiguresError::Refused(format!(
            "\"{}\" tells no more than the {}, so it cannot be told by {}",
            time.column,
            known.name(),
            grain.name()
        )));
    }
    let mut covered = covered(time);
    let mut bounds = (grain.period(time.from).from, grain.period(time.to).from);
    if let Some(period) = maker.plan.period {
        covered = Period { from: covered.from.max(period.from), to: covered.to.min(period.to) };
        bounds = (bounds.0.max(grain.period(period.from).from), bounds.1.min(grain.period(period.to).from));
    }
    let counts =
        maker.plan.measures.first().is_some_and(|(how, column)| *how == Aggregate::Count && column.is_none());
    let mut all = Vec::new();
    let mut next: Date = bounds.0;
    while next <= bounds.1 {
        let key = (by.map(str::to_owned), Some(next));
        let mut leaf = match groups.groups.get(&key) {
            Some(group) => maker.leaf(&key, group, 0)?,
            None => None,
        };
        if leaf.is_none() && counts {
            let nothing = vec![super::pass::Total::default()];
            leaf = maker.leaf(&key, &nothing, 0)?;
        }
        all.push((grain.period(next), leaf));
        if all.len() > MOST_PERIODS {
            return Err(FiguresError::Refused(format!(
                "more than {MOST_PERIODS} periods of one {}",
                grain.name()
            )));
        }
        next = grain.after(next);
    }
    let first = usize::from(all.first().is_some_and(|(period, _)| period.from < covered.from));
    let last = usize::from(all.len() > 1 && all.last().is_some_and(|(period, _)| period.to > covered.to));
    Ok(Periods { grain, all, partial: (first, last) })
}

/// The values of complete periods as plain numbers.
#[must_use]
pub fn values(series: &Series) -> Vec<(Period, Decimal)> {
    let end = series.values.len().saturating_sub(series.partial);
    let pairs = series.periods.iter().zip(&series.values).take(end);
    pairs.filter_map(|(period, value)| Some((*period, (*value)?))).collect()
}
