//! Breaks in words: a level that changed on a day, or a trend that turned within a stretch.

use super::{Line, labelled, shown, window};
use crate::analysis::detect::Break;
use crate::compute::build::Leaf;
use crate::date::{Date, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Direction, Figure, FigureKind};
use crate::finding::{Finding, FindingKind};

/// Places of a ratio of two levels.
const RATIO_PLACES: u32 = 6;

/// None where the periods around a break do not show what the model says of it: then it is no finding.
pub fn told(line: &Line<'_>, broken: Break, seasonal: bool) -> Result<Option<Finding>, FiguresError> {
    let period = |at: usize| line.complete.get(at).map(|(period, _)| *period);
    let (first, last) = broken.likely;
    let at = period(first).zip(period(last)).map(|(first, last)| Period { from: first.from, to: last.to });
    let when = at.map(|period| period.to_string()).unwrap_or_default();
    let told =
        if broken.level { step(line, broken, seasonal, &when)? } else { Some(bend(line, broken, &when)?) };
    let Some((text, figures)) = told else { return Ok(None) };
    let mut finding = line.finding(FindingKind::TrendBreak, text, broken.strength);
    finding.at = at;
    finding.direction = Some(way(broken));
    finding.figures = figures;
    Ok(Some(finding))
}

type Told = (String, Vec<Figure>);

fn way(broken: Break) -> Direction {
    if broken.up { Direction::Up } else { Direction::Down }
}

fn measure(line: &Line<'_>) -> String {
    line.complete.first().map(|(_, leaf)| leaf.measure.clone()).unwrap_or_default()
}

/// The means on both sides of a place.
fn sides(line: &Line<'_>, at: usize, reach: usize) -> Result<(Leaf, Leaf), FiguresError> {
    Ok((line.mean(at - reach, at)?, line.mean(at, at + reach)?))
}

fn step(line: &Line<'_>, broken: Break, seasonal: bool, when: &str) -> Result<Option<Told>, FiguresError> {
    let count = line.complete.len();
    let reach = window(line.listed.grain).min(broken.at).min(count - broken.at);
    let (before, after) = sides(line, broken.at, reach)?;
    let measure = measure(line);
    let change = after.change_from(&before).ok();
    // Where months differ, the same days of another year say what would have happened anyway.
    let other = if seasonal { same_time(line, broken.at, reach)? } else { None };
    let usual = match &other {
        Some((before, after)) => after.change_from(before).ok(),
        None => None,
    };
    let beside = match &other {
        Some((then, later)) => {
            let ratio =
                |above: &Leaf, below: &Leaf| above.over(below, Decimal::from(1_u64), RATIO_PLACES, None).ok();
            ratio(&after, &before)
                .zip(ratio(later, then))
                .and_then(|(own, usual)| own.change_from(&usual).ok())
        }
        None => None,
    };
    let rose = beside.as_ref().map_or(after.value > before.value, |beside| !beside.value.is_negative());
    if rose != broken.up {
        return Ok(None);
    }
    let percent = |leaf: &Leaf| format!("{} %", leaf.value.rounded(1));
    let own_way = if after.value > before.value { Direction::Up } else { Direction::Down };
    let mut figures = Vec::new();
    let mut size = change.as_ref().map(|change| format!(" ({})", percent(change))).unwrap_or_default();
    if let (Some(beside), Some(change), Some(usual)) = (&beside, &change, &usual) {
        size = format!(
            " ({} beside the same time of another year, {} where it was {} then)",
            percent(beside),
            percent(change),
            percent(usual)
        );
        let label = format!("change of {measure} at {when} beside the same time of another year");
        figures.push(labelled(beside, FigureKind::Change, label, Some(way(broken))));
    }
    if let Some(change) = &change {
        let label = format!("change of {measure} at {when}");
        figures.push(labelled(change, FigureKind::Change, label, Some(own_way)));
    }
    if let (Some(usual), Some(_)) = (&usual, &beside) {
        let way = if usual.value.is_negative() { Direction::Down } else { Direction::Up };
        let label = format!("change of {measure} at the same time of another year");
        figures.push(labelled(usual, FigureKind::Change, label, Some(way)));
    }
    let label = format!("difference of {measure} at {when}");
    figures.push(labelled(&after.minus(&before)?, FigureKind::Difference, label, Some(own_way)));
    figures.extend([before.figure(), after.figure()]);
    let verb = if broken.up { "rises" } else { "falls" };
    let grain = line.listed.grain.name();
    let text = format!(
        "The {measure} {verb} to another level with {when}{size}: {} a {grain} in the {reach} {grain}s before, {} in the {reach} after.",
        shown(&before),
        shown(&after)
    );
    Ok(Some((text, figures)))
}

/// The means on both sides of the same day in another year, the year before first.
fn same_time(line: &Line<'_>, at: usize, reach: usize) -> Result<Option<(Leaf, Leaf)>, FiguresError> {
    let Some((period, _)) = line.complete.get(at) else { return Ok(None) };
    let (year, month, day) = period.from.parts();
    for other in [year - 1, year + 1] {
        let Some(wanted) = Date::of(other, month, day.min(28)) else { continue };
        let place = line.complete.iter().position(|(period, _)| period.from >= wanted);
        let inside = |place: &usize| {
            *place >= reach && place + reach <= line.complete.len() && place.abs_diff(at) >= 2 * reach
        };
        if let Some(place) = place.filter(inside) {
            return sides(line, place, reach).map(Some);
        }
    }
    Ok(None)
}

fn bend(line: &Line<'_>, broken: Break, when: &str) -> Result<Told, FiguresError> {
    let count = line.complete.len();
    let measure = measure(line);
    let reach = window(line.listed.grain).min(broken.at / 2).min((count - broken.at) / 2).max(1);
    let edge = broken.at.saturating_sub(reach / 2).max(1)..(broken.at + reach.div_ceil(2)).min(count);
    let (start, edge, end) =
        (line.mean(0, reach)?, line.mean(edge.start, edge.end)?, line.mean(count - reach, count)?);
    let mut figures = Vec::new();
    let mut sentences = Vec::new();
    for (from, to, name) in [(&start, &edge, "before"), (&edge, &end, "after")] {
        if let Ok(change) = to.change_from(from) {
            let way = if change.value.is_negative() { Direction::Down } else { Direction::Up };
            sentences.push(format!("{} % {name} it", change.value.rounded(1)));
            let label = format!("change of {measure} {name} the turn, {when}");
            figures.push(labelled(&change, FigureKind::Change, label, Some(way)));
        }
    }
    figures.reverse();
    figures.extend([start.figure(), edge.figure(), end.figure()]);
    let turn = if broken.up { "turns upward" } else { "turns downward" };
    let joint = if broken.likely.0 == broken.likely.1 { "about" } else { "within" };
    Ok((format!("The {measure} {turn} {joint} {when}: {}.", sentences.join(", ")), figures))
}
