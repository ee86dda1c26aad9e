//! Shares that change places: the largest part in the beginning is not the largest in the end.

#![allow(clippy::cast_precision_loss)] // counts of periods

use crate::compute::build::{Leaf, Maker, join_cells};
use crate::compute::periods::Periods;
use crate::date::Period;
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Calculation, Direction, FigureKind, Precision};
use crate::finding::{Finding, FindingKind};

use super::statistics::{memory, spread};

/// Fewer periods say nothing.
const FEWEST: usize = 12;
/// How sure each third must be.
const SURE: f64 = 5.0;
/// Part of the whole by which one must be ahead.
const AHEAD: f64 = 0.02;

/// Looks for the pair whose places changed.
pub fn find(maker: &Maker<'_>, series: &[(String, Periods)]) -> Result<Option<Finding>, FiguresError> {
    let Some((_, sample)) = series.first() else { return Ok(None) };
    let end = sample.all.len().saturating_sub(sample.partial.1);
    let periods: Vec<Period> =
        sample.all.get(sample.partial.0..end).unwrap_or_default().iter().map(|(period, _)| *period).collect();
    if periods.len() < FEWEST || series.len() < 2 {
        return Ok(None);
    }
    let value = |periods: &Periods, at: usize| {
        let leaf = periods.all.get(periods.partial.0 + at).and_then(|(_, leaf)| leaf.as_ref());
        leaf.map_or(0.0, |leaf| leaf.value.to_f64())
    };
    let rows: Vec<Vec<f64>> =
        (0..periods.len()).map(|at| series.iter().map(|(_, one)| value(one, at)).collect()).collect();
    let third = periods.len() / 3;
    let leader = |rows: &[Vec<f64>]| {
        let sum = |at: usize| rows.iter().filter_map(|row| row.get(at)).sum::<f64>();
        (0..series.len()).max_by(|one, two| sum(*one).total_cmp(&sum(*two))).unwrap_or(0)
    };
    let (first, last) = (
        leader(rows.get(..third).unwrap_or_default()),
        leader(rows.get(rows.len() - third..).unwrap_or_default()),
    );
    if first == last {
        return Ok(None);
    }
    let lead: Vec<f64> = rows
        .iter()
        .map(|row| {
            let whole: f64 = row.iter().sum();
            if whole > 0.0 { (row[first] - row[last]) / whole } else { 0.0 }
        })
        .collect();
    let sure = |part: &[f64]| {
        let count = part.len() as f64;
        let mean = part.iter().sum::<f64>() / count;
        let off: Vec<f64> = part.iter().map(|value| value - mean).collect();
        let noise = spread(part).max(1e-9) * memory(&off).sqrt() / count.sqrt();
        (mean, mean / noise)
    };
    let ((early, early_sure), (late, late_sure)) = (
        sure(lead.get(..third).unwrap_or_default()),
        sure(lead.get(lead.len() - third..).unwrap_or_default()),
    );
    if early < AHEAD || late > -AHEAD || early_sure < SURE || late_sure > -SURE {
        return Ok(None);
    }
    // Where the sum of leads is greatest, the lead changes hands.
    let mut sum = 0.0;
    let mut best = (f64::MIN, 0);
    for (at, value) in lead.iter().enumerate() {
        sum += value;
        if sum > best.0 {
            best = (sum, at + 1);
        }
    }
    let at = best.1.min(periods.len() - 1);
    tell(maker, series, &periods, (first, last), at, third, early_sure.min(-late_sure)).map(Some)
}

fn tell(
    maker: &Maker<'_>,
    series: &[(String, Periods)],
    periods: &[Period],
    (first, last): (usize, usize),
    at: usize,
    third: usize,
    strength: f64,
) -> Result<Finding, FiguresError> {
    let spans = [(0, third), (periods.len() - third, periods.len())];
    let mut shares: Vec<Leaf> = Vec::new();
    for (from, to) in spans {
        let whole = total(maker, &series.iter().map(|(_, one)| one).collect::<Vec<_>>(), from, to, false)?;
        for who in [first, last] {
            let Some((_, one)) = series.get(who) else { continue };
            let part = total(maker, &[one], from, to, true)?;
            shares.push(part.over(&whole, Decimal::HUNDRED, 4, Some("%".to_owned()))?);
        }
    }
    let [old_before, new_before, old_after, new_after] = shares.as_slice() else {
        return Err(FiguresError::Refused("a share is missing".to_owned()));
    };
    let name = |who: usize| series.get(who).map(|(name, _)| name.clone()).unwrap_or_default();
    let when = periods.get(at).copied();
    let percent = |leaf: &Leaf| format!("{} %", leaf.value.rounded(1));
    let text = format!(
        "{} overtakes {} in {} by {} about {}: {} against {} in the first third, {} against {} in the last.",
        name(last),
        name(first),
        old_before.measure,
        maker.plan.by.as_ref().map(|by| by.reading.name.clone()).unwrap_or_default(),
        when.map(|period| period.to_string()).unwrap_or_default(),
        percent(new_before),
        percent(old_before),
        percent(new_after),
        percent(old_after),
    );
    let gained = new_after.minus(new_before)?;
    let mut size = gained.figure();
    size.kind = FigureKind::Difference;
    size.unit = Some("percentage points".to_owned());
    size.label = format!("share of {} gained by {}", old_before.measure, name(last));
    size.direction = Some(Direction::Up);
    let mut figures = vec![size];
    for leaf in [new_before, old_before, new_after, old_after] {
        let mut figure = leaf.figure();
        figure.kind = FigureKind::Share;
        figure.label = format!("share of {}", figure.label);
        figures.push(figure);
    }
    let both = [last, first].into_iter().filter_map(|who| series.get(who));
    let lines = both.filter_map(|(name, one)| {
        let mut line = one.series(maker.plan)?;
        line.name = format!("{}, {name}", old_before.measure);
        Some(line)
    });
    Ok(Finding {
        id: String::new(),
        kind: FindingKind::ShareFlip,
        table: maker.table.name.clone(),
        measure: old_before.measure.clone(),
        group: maker.plan.by.as_ref().map(|by| format!("{}: {}", by.reading.name, name(last))),
        text,
        at: when,
        direction: Some(Direction::Up),
        strength,
        figures,
        series: lines.collect(),
    })
}

/// The sum of some parts over a stretch of periods, as one selection.
fn total(
    maker: &Maker<'_>,
    parts: &[&Periods],
    from: usize,
    to: usize,
    single: bool,
) -> Result<Leaf, FiguresError> {
    let mut sum = Decimal::ZERO;
    let mut cells = Vec::new();
    let mut sample: Option<&Leaf> = None;
    let mut bounds: Option<Period> = None;
    for part in parts {
        let stretch = part.all.get(part.partial.0 + from..part.partial.0 + to).unwrap_or_default();
        for (period, leaf) in stretch {
            bounds = Some(bounds.map_or(*period, |span| Period {
                from: span.from.min(period.from),
                to: span.to.max(period.to),
            }));
            let Some(leaf) = leaf else { continue };
            sum = sum.plus(leaf.value).ok_or_else(|| FiguresError::TooLarge("the sum".to_owned()))?;
            cells.extend(leaf.cells.iter().cloned());
            sample = sample.or(Some(leaf));
        }
    }
    let (Some(sample), Some(span)) = (sample, bounds) else {
        return Err(FiguresError::Refused("there is no period".to_owned()));
    };
    let Calculation::Aggregate { how, of, .. } = &sample.calculation else {
        return Err(FiguresError::Refused("a share is computed from sums".to_owned()));
    };
    let mut selection = of.clone();
    selection.period = Some(span);
    let mut group = sample.group.clone();
    if !single && let Some(by) = &maker.plan.by {
        // The whole is what has any value there: rows without one belong to no part.
        selection.filters.retain(|filter| filter.column != by.reading.name);
        selection.filters.push(crate::question::Filter {
            column: by.reading.name.clone(),
            test: crate::question::Test::IsNot(Vec::new()),
        });
        group.remove(&by.reading.name);
    }
    let cells = join_cells(&cells);
    let words = format!(
        "{}{}, {span}",
        sample.measure,
        group.values().map(|value| format!(", {value}")).collect::<String>()
    );
    Ok(Leaf {
        value: sum,
        unit: sample.unit.clone(),
        precision: Precision::Exact,
        words,
        measure: sample.measure.clone(),
        formula: format!("{}({} cells)", how.function(), cells.iter().map(|cells| cells.count).sum::<u64>()),
        calculation: Calculation::Aggregate { how: *how, of: selection, places: None },
        cells,
        period: Some(span),
        group,
    })
}
