//! What the chart analysis says of series: trends, patterns, key levels, correlations, divergences. All of it is about
//! values that are there; no line is computed from others.

use std::collections::BTreeMap;

use super::statistics::correlation;
use crate::compute::build::{change, direction};
use crate::compute::periods::values;
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::figure::Direction;
use crate::series::{CrossAnalysis, KeyLevels, Pair, Series, SeriesAnalysis, Trend};

/// Below this many percent a trend is flat.
const FLAT: i64 = 1;
/// Percent from which a series has risen or fallen.
const MOVED: i64 = 5;
/// Spread over mean from which a series is called volatile.
const VOLATILE: f64 = 0.3;
/// Coefficient from which two series are said to move together.
const TOGETHER: f64 = 0.7;
/// Common changes that are needed to say so.
const FEWEST_PAIRS: usize = 8;

fn days(grain: Grain) -> i32 {
    match grain {
        Grain::Day => 1,
        Grain::Week => 7,
        Grain::Month => 31,
        Grain::Quarter => 92,
        Grain::Year => 366,
    }
}

/// Trends, pattern and key levels of one series.
#[must_use]
pub fn analyse(series: &Series) -> SeriesAnalysis {
    let known = values(series);
    let mut notes = Vec::new();
    let mut trends = BTreeMap::new();
    for span in [7, 30, 90] {
        match over(&known, span, series.grain) {
            Ok(trend) => {
                trends.insert(format!("trend_{span}d"), trend);
            }
            Err(reason) => notes.push(format!("no trend over {span} days: {reason}")),
        }
    }
    if series.partial > 0 {
        notes.push("the last period is not complete and is left out".to_owned());
    }
    let (pattern, pattern_description) = pattern(&known);
    SeriesAnalysis {
        series: series.name.clone(),
        data_points: known.len(),
        period: known
            .first()
            .zip(known.last())
            .map(|((first, _), (last, _))| Period { from: first.from, to: last.to }),
        current_value: known.last().map(|(_, value)| *value),
        trends,
        pattern,
        pattern_description,
        key_levels: levels(&known),
        notes,
    }
}

fn over(known: &[(Period, Decimal)], span: i32, grain: Grain) -> Result<Trend, String> {
    if days(grain) > span + 1 {
        return Err(format!("the values are one {} apart", grain.name()));
    }
    let Some((last, value)) = known.last() else { return Err("there are no values".to_owned()) };
    let wanted = last.from.plus(-span);
    let slack = days(grain);
    let base = known.iter().rev().find(|(period, _)| period.from <= wanted.plus(slack / 2));
    let Some((first, before)) =
        base.filter(|(period, _)| period.from >= wanted.plus(-slack) && period.from < last.from)
    else {
        return Err("the series does not reach back so far".to_owned());
    };
    let difference = value.minus(*before).ok_or_else(|| "the numbers are too long".to_owned())?;
    let percent = change(*before, *value, 2);
    let flat = percent.map_or(difference.is_zero(), |percent| percent.abs() < Decimal::from(FLAT));
    Ok(Trend {
        direction: if flat { Direction::Flat } else { direction(difference) },
        change: difference,
        percent,
        period: Period { from: first.from, to: last.to },
    })
}

fn pattern(known: &[(Period, Decimal)]) -> (Option<String>, String) {
    let numbers: Vec<f64> = known.iter().map(|(_, value)| value.to_f64()).collect();
    let (Some((_, first)), Some((_, last))) = (known.first(), known.last()) else {
        return (None, "There are no values.".to_owned());
    };
    if numbers.len() < 3 {
        return (None, "Fewer than three values show no pattern.".to_owned());
    }
    #[allow(clippy::cast_precision_loss)] // counts of periods
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|value| (value - mean) * (value - mean)).sum();
    let varied = if mean == 0.0 { 0.0 } else { (squares / (count - 1.0)).sqrt() / mean.abs() };
    let moved = change(*first, *last, 2);
    let up = moved.is_some_and(|percent| percent > Decimal::from(MOVED));
    let down = moved.is_some_and(|percent| percent < Decimal::from(-MOVED));
    let (name, words) = match (varied > VOLATILE, up, down) {
        (true, true, _) => ("volatile_up", "It varies widely and ends higher than it began"),
        (true, _, true) => ("volatile_down", "It varies widely and ends lower than it began"),
        (true, ..) => ("consolidation", "It varies widely and ends near where it began"),
        (false, true, _) => ("accumulation", "It rises steadily"),
        (false, _, true) => ("distribution", "It falls steadily"),
        (false, ..) => ("plateau", "It stays near one level"),
    };
    let moved = moved.map_or_else(String::new, |percent| format!(" ({percent} % from first to last)"));
    (Some(name.to_owned()), format!("{words}{moved}."))
}

fn levels(known: &[(Period, Decimal)]) -> Option<KeyLevels> {
    let (last, _) = known.last()?;
    let recent: Vec<Decimal> = known
        .iter()
        .filter(|(period, _)| period.from > last.from.plus(-90))
        .map(|(_, value)| *value)
        .collect();
    let mut sum = Decimal::ZERO;
    for value in &recent {
        sum = sum.plus(*value)?;
    }
    let places = recent.iter().map(|value| value.places()).max().unwrap_or(0) + 2;
    Some(KeyLevels {
        min: known.iter().map(|(_, value)| *value).min()?,
        max: known.iter().map(|(_, value)| *value).max()?,
        avg_90d: sum.over(Decimal::from(recent.len() as u64), places)?,
    })
}

/// Correlations and divergences of several series of one length of period.
#[must_use]
pub fn compare(series: &[Series]) -> CrossAnalysis {
    let mut found = CrossAnalysis { correlations: Vec::new(), divergences: Vec::new() };
    for (at, first) in series.iter().enumerate() {
        for second in series.iter().skip(at + 1) {
            if first.grain != second.grain || first.name == second.name {
                continue;
            }
            let others: BTreeMap<Period, Decimal> = values(second).into_iter().collect();
            let common: Vec<(f64, f64)> = values(first)
                .into_iter()
                .filter_map(|(period, value)| Some((value.to_f64(), others.get(&period)?.to_f64())))
                .collect();
            // Changes, not levels: two things that both grow are not yet related.
            let changes: Vec<(f64, f64)> =
                common.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1)).collect();
            if changes.len() < FEWEST_PAIRS {
                continue;
            }
            let Some(coefficient) = correlation(&changes) else { continue };
            let pair = |text: String| Pair {
                first: first.name.clone(),
                second: second.name.clone(),
                coefficient: Decimal::from_f64(coefficient).unwrap_or_default().rounded(2),
                periods: changes.len(),
                text,
            };
            if coefficient.abs() >= TOGETHER {
                let way =
                    if coefficient > 0.0 { "rise and fall together" } else { "move against each other" };
                let text = format!(
                    "{} and {} {way} from {} to {}; this says nothing about causes.",
                    first.name,
                    second.name,
                    first.grain.name(),
                    first.grain.name()
                );
                found.correlations.push(pair(text));
            }
            if let (Some(one), Some(two)) = (moved(first), moved(second))
                && (one.1 != two.1)
            {
                let (rose, fell) = if one.1 == Direction::Up {
                    (&first.name, &second.name)
                } else {
                    (&second.name, &first.name)
                };
                found
                    .divergences
                    .push(pair(format!("{rose} rose while {fell} fell ({} % and {} %).", one.0, two.0)));
            }
        }
    }
    found
}

/// How far a series went over 90 days or, where it is too short or too coarse, from first to last; none when it stayed.
fn moved(series: &Series) -> Option<(Decimal, Direction)> {
    let known = values(series);
    let percent = match over(&known, 90, series.grain) {
        Ok(trend) => trend.percent?,
        Err(_) => change(known.first()?.1, known.last()?.1, 2)?,
    };
    (percent.abs() >= Decimal::from(MOVED)).then(|| (percent, direction(percent)))
}
