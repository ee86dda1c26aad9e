//! Figures computed again from the file and their descriptions, knowing nothing of how they were first computed.

use super::build::{cells, change, quotient};
use super::column::Columns;
use super::pass::{self, Groups, Pairs, Plan};
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Calculation, Cells, Figure, Precision, Recomputed, Selection};
use crate::question::Aggregate;
use crate::reading::TableReading;
use crate::series::{Series, SeriesAgain};
use crate::source::Context;

/// Computes figures again from their descriptions; one result for each, in their order.
#[must_use]
pub fn recompute(tables: &[TableReading], figures: &[Figure], context: &Context) -> Vec<Recomputed> {
    let mut columns = Columns::new(tables.iter().collect(), context);
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for (at, figure) in figures.iter().enumerate() {
        gather(&figure.calculation, at, &mut wanted);
    }
    let results = read(tables, &wanted, &mut columns, context);
    let mut leaves = wanted.into_iter().zip(results).peekable();
    let mut found = Vec::with_capacity(figures.len());
    for (at, figure) in figures.iter().enumerate() {
        let mut own = Vec::new();
        while leaves.peek().is_some_and(|(one, _)| one.figure == at) {
            own.extend(leaves.next());
        }
        let mut own = own.into_iter();
        let mut places = Vec::new();
        let value = evaluate(&figure.calculation, tables, &mut own, &mut places);
        found.push(judge(figure, value, &places));
    }
    found
}

/// Computes series again, each from how it says a value is computed; one result for each, in their order.
#[must_use]
pub fn recompute_series(tables: &[TableReading], series: &[Series], context: &Context) -> Vec<SeriesAgain> {
    let mut columns = Columns::new(tables.iter().collect(), context);
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for (at, one) in series.iter().enumerate() {
        if let Some(Calculation::Aggregate { how, of, .. }) = &one.calculation {
            wanted.push(Wanted { figure: at, kind: Sort::Course(*how, of, one.grain) });
        }
    }
    let results = read(tables, &wanted, &mut columns, context);
    let mut found: Vec<SeriesAgain> =
        series.iter().map(|_| not_again("it does not say how it is computed")).collect();
    for (one, result) in wanted.iter().zip(results) {
        let Some(series) = series.get(one.figure) else { continue };
        let again = match result {
            Some(Ok(groups)) => course(series, &groups),
            Some(Err(error)) => Err(error),
            None => Err(FiguresError::Unknown(format!("there is no table \"{}\"", one.table()))),
        };
        if let Some(slot) = found.get_mut(one.figure) {
            *slot = again.map_or_else(
                |error| not_again(&error.to_string()),
                |values| SeriesAgain { values, reason: None },
            );
        }
    }
    found
}

fn not_again(reason: &str) -> SeriesAgain {
    SeriesAgain { values: Vec::new(), reason: Some(reason.to_owned()) }
}

/// What each period of a series comes to.
fn course(series: &Series, groups: &Groups) -> Result<Vec<Option<Decimal>>, FiguresError> {
    let Some(Calculation::Aggregate { how, places, .. }) = &series.calculation else { return Ok(Vec::new()) };
    let value =
        |period: &Period| match groups.groups.get(&(None, Some(period.from))).and_then(|it| it.first()) {
            Some(total) => total.value(*how, places.unwrap_or(0)),
            None => Ok((*how == Aggregate::Count).then_some(Decimal::ZERO)),
        };
    series.periods.iter().map(value).collect()
}

/// What the selections come to, each table read once.
fn read(
    tables: &[TableReading],
    wanted: &[Wanted<'_>],
    columns: &mut Columns<'_>,
    context: &Context,
) -> Vec<Option<Result<Groups, FiguresError>>> {
    let mut results: Vec<Option<Result<Groups, FiguresError>>> = wanted.iter().map(|_| None).collect();
    for table in tables {
        let mut mine = Vec::new();
        let mut plans = Vec::new();
        for (at, one) in wanted.iter().enumerate().filter(|(_, one)| one.table() == table.name) {
            match plan(one, columns) {
                Ok(plan) => {
                    mine.push(at);
                    plans.push(plan);
                }
                Err(error) => set(&mut results, at, Err(error)),
            }
        }
        if plans.is_empty() {
            continue;
        }
        match pass::run(table, &plans, context) {
            Ok(found) => {
                for (at, groups) in mine.into_iter().zip(found) {
                    set(&mut results, at, groups);
                }
            }
            Err(error) => {
                for at in mine {
                    set(&mut results, at, Err(FiguresError::Refused(error.to_string())));
                }
            }
        }
    }
    results
}

fn set(
    results: &mut [Option<Result<Groups, FiguresError>>],
    at: usize,
    result: Result<Groups, FiguresError>,
) {
    if let Some(slot) = results.get_mut(at) {
        *slot = Some(result);
    }
}

/// A selection that must be read, for one figure.
struct Wanted<'a> {
    figure: usize,
    kind: Sort<'a>,
}

enum Sort<'a> {
    One(Aggregate, &'a Selection),
    Two(&'a Selection, &'a Selection, Option<Grain>),
    /// One number for each period.
    Course(Aggregate, &'a Selection, Grain),
}

impl Wanted<'_> {
    fn table(&self) -> &str {
        match &self.kind {
            Sort::One(_, selection) | Sort::Two(selection, ..) | Sort::Course(_, selection, _) => {
                &selection.table
            }
        }
    }
}

/// The selections of a calculation, in the order they are evaluated.
fn gather<'a>(calculation: &'a Calculation, figure: usize, wanted: &mut Vec<Wanted<'a>>) {
    match calculation {
        Calculation::Aggregate { how, of, .. } => wanted.push(Wanted { figure, kind: Sort::One(*how, of) }),
        Calculation::Constant { .. } => {}
        Calculation::Difference { first, second } => {
            gather(first, figure, wanted);
            gather(second, figure, wanted);
        }
        Calculation::Quotient { above, below, .. } => {
            gather(above, figure, wanted);
            gather(below, figure, wanted);
        }
        Calculation::Change { from, to, .. } => {
            gather(to, figure, wanted);
            gather(from, figure, wanted);
        }
        Calculation::Correlation { x, y, grain, .. } => {
            wanted.push(Wanted { figure, kind: Sort::Two(x, y, *grain) });
        }
    }
}

fn plan(wanted: &Wanted<'_>, columns: &mut Columns<'_>) -> Result<Plan, FiguresError> {
    let (Sort::One(_, selection) | Sort::Two(selection, ..) | Sort::Course(_, selection, _)) = &wanted.kind;
    let table = &selection.table;
    let mut filters = Vec::new();
    for filter in &selection.filters {
        filters.push((columns.column(table, &filter.column, &selection.lookups)?, filter.test.clone()));
    }
    let time = match &selection.time {
        Some(name) => Some(columns.column(table, name, &[])?),
        None => None,
    };
    let needs_days = selection.period.is_some() || matches!(wanted.kind, Sort::Course(..));
    if needs_days && time.is_none() {
        return Err(FiguresError::Refused("the description names periods and no column of days".to_owned()));
    }
    let mut of = |selection: &Selection| match &selection.column {
        Some(name) => columns.column(table, name, &selection.lookups).map(Some),
        None => Ok(None),
    };
    let (mut measures, mut pair, mut grain) = (Vec::new(), None, None);
    match &wanted.kind {
        Sort::One(how, selection) => measures.push((*how, of(selection)?)),
        Sort::Course(how, selection, by) => {
            measures.push((*how, of(selection)?));
            grain = Some(*by);
        }
        Sort::Two(x, y, by) => {
            let (x, y) = (of(x)?, of(y)?);
            grain = *by;
            if by.is_some() {
                measures.extend([(Aggregate::Sum, x), (Aggregate::Sum, y)]);
            } else {
                pair = x.zip(y);
            }
        }
    }
    Ok(Plan {
        filters,
        period: selection.period,
        time,
        by: None,
        grain,
        measures,
        pair,
        selection: (*selection).clone(),
    })
}

type Own<'a> = std::vec::IntoIter<(Wanted<'a>, Option<Result<Groups, FiguresError>>)>;

fn evaluate(
    calculation: &Calculation,
    tables: &[TableReading],
    own: &mut Own<'_>,
    places_found: &mut Vec<Cells>,
) -> Result<Decimal, FiguresError> {
    let nothing = || FiguresError::Refused("the file has no such cells any more".to_owned());
    match calculation {
        Calculation::Constant { value } => Ok(*value),
        Calculation::Aggregate { how, of, places } => {
            let groups = own
                .next()
                .and_then(|(_, groups)| groups)
                .ok_or_else(|| FiguresError::Unknown(format!("there is no table \"{}\"", of.table)))??;
            let total = groups.groups.get(&(None, None)).and_then(|group| group.first());
            let Some(total) = total else {
                return if *how == Aggregate::Count { Ok(Decimal::ZERO) } else { Err(nothing()) };
            };
            if let Some(table) = tables.iter().find(|table| table.name == of.table) {
                let mut found = cells(table, None, &total.rows);
                found.column.clone_from(&of.column);
                places_found.push(found);
            }
            total.value(*how, places.unwrap_or(0))?.ok_or_else(nothing)
        }
        Calculation::Difference { first, second } => {
            let first = evaluate(first, tables, own, places_found)?;
            first
                .minus(evaluate(second, tables, own, places_found)?)
                .ok_or_else(|| FiguresError::TooLarge("the difference".to_owned()))
        }
        Calculation::Quotient { above, below, factor, places } => {
            let above = evaluate(above, tables, own, places_found)?;
            let below = evaluate(below, tables, own, places_found)?;
            quotient(above, below, *factor, *places)
                .ok_or_else(|| FiguresError::Refused("the divisor is zero".to_owned()))
        }
        Calculation::Change { from, to, places } => {
            let to = evaluate(to, tables, own, places_found)?;
            let from = evaluate(from, tables, own, places_found)?;
            change(from, to, *places)
                .ok_or_else(|| FiguresError::Refused("the earlier value is zero".to_owned()))
        }
        Calculation::Correlation { x, grain, places, .. } => {
            let groups = own
                .next()
                .and_then(|(_, groups)| groups)
                .ok_or_else(|| FiguresError::Unknown(format!("there is no table \"{}\"", x.table)))??;
            let pairs = if grain.is_some() { by_period(&groups)? } else { groups.pairs };
            let coefficient = pairs.coefficient().ok_or_else(nothing)?;
            Decimal::from_f64(coefficient).map(|value| value.rounded(*places)).ok_or_else(nothing)
        }
    }
}

fn by_period(groups: &Groups) -> Result<Pairs, FiguresError> {
    let mut pairs = Pairs::default();
    for group in groups.groups.values() {
        if let [x, y] = group.as_slice()
            && let (Some(x), Some(y)) = (x.value(Aggregate::Sum, 0)?, y.value(Aggregate::Sum, 0)?)
        {
            pairs.add(x.to_f64(), y.to_f64());
        }
    }
    Ok(pairs)
}

fn judge(figure: &Figure, value: Result<Decimal, FiguresError>, places: &[Cells]) -> Recomputed {
    let result = |found, holds, reason| Recomputed {
        id: figure.id.clone(),
        stated: figure.value,
        found,
        holds,
        reason,
    };
    let value = match value {
        Ok(value) => value,
        Err(error) => return result(None, false, Some(error.to_string())),
    };
    if value != figure.value && !near(figure, value) {
        return result(Some(value), false, Some(format!("it says {}, the file gives {value}", figure.value)));
    }
    // Where the places of the leaves are known they must be the same cells, too.
    for (stated, found) in figure.cells.iter().zip(places) {
        let moved =
            stated.count != found.count || (stated.complete && found.complete && stated.rows != found.rows);
        if moved && figure.cells.len() == places.len() {
            let reason = format!(
                "it names {} cells of {}, the file gives {} or other rows",
                stated.count, stated.table, found.count
            );
            return result(Some(value), false, Some(reason));
        }
    }
    result(Some(value), true, None)
}

/// Floating results may differ in the last place that is stated.
fn near(figure: &Figure, value: Decimal) -> bool {
    let Precision::Floating(places) = figure.precision else { return false };
    value.minus(figure.value).is_some_and(|off| off.abs() <= Decimal::new(1, places))
}
