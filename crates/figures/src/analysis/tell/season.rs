//! Seasons in words: which weekdays or months are high or low, over whole years in which no level changed.

use super::{Line, labelled, shown};
use crate::analysis::detect::{Break, Season};
use crate::compute::build::{Leaf, exact, mean_over};
use crate::date::{Date, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Direction, FigureKind};
use crate::finding::{Finding, FindingKind};
use crate::question::{Filter, MONTHS, Test, WEEKDAYS};

/// Parts of the model's reach by which what is told may be off from it.
const NEAR: f64 = 0.3;

/// None where what the means show is not what the model says: another thing than the season makes them differ, and whoever
/// reads them would take it for one.
pub fn told(
    line: &Line<'_>,
    season: &Season,
    broken: Option<Break>,
    weekly: bool,
) -> Result<Option<Finding>, FiguresError> {
    let names: &[&str] = if weekly { &WEEKDAYS } else { &MONTHS };
    let stretch = if weekly { 0..line.complete.len() } else { whole_years(line, broken) };
    let periods = line.complete.get(stretch).unwrap_or_default();
    let (Some((first, _)), Some((last, _))) = (periods.first(), periods.last()) else {
        return Ok(None);
    };
    let span = Period { from: first.from, to: last.to };
    let time = line.maker.plan.selection.time.clone().unwrap_or_default();
    let mut means: Vec<(u32, Leaf)> = Vec::new();
    for (slot, _) in &season.effects {
        let here = |period: &Period| {
            if weekly { period.from.weekday() == *slot } else { period.from.parts().1 == *slot }
        };
        let leaves: Vec<(&Leaf, Decimal)> = periods
            .iter()
            .filter(|(period, _)| here(period))
            .map(|(period, leaf)| (*leaf, exact(line.groups, line.by, *period, leaf)))
            .collect();
        if leaves.is_empty() {
            continue;
        }
        let name = names.get(*slot as usize).copied().unwrap_or_default();
        let test = if weekly { Test::Weekday(vec![*slot]) } else { Test::Month(vec![*slot]) };
        let part = (Filter { column: time.clone(), test }, (if weekly { "weekday" } else { "month" }, name));
        means.push((*slot, mean_over(&leaves, Some(part), span, line.listed.grain)?));
    }
    means.sort_by_key(|(_, leaf)| std::cmp::Reverse(leaf.value));
    let (Some((top, most)), Some((bottom, least))) = (means.first(), means.last()) else { return Ok(None) };
    if !agrees(season, (*top, most), (*bottom, least)) {
        return Ok(None);
    }
    let name = |slot: u32| names.get(slot as usize).copied().unwrap_or_default();
    let (high, low) = (name(*top), name(*bottom));
    let measure = line.complete.first().map(|(_, leaf)| leaf.measure.clone()).unwrap_or_default();
    let mut figures = Vec::new();
    let mut size = String::new();
    if let Ok(change) = most.change_from(least) {
        size = format!(", {} % more", change.value.rounded(1));
        let label = format!("{high} against {low}, {measure}");
        figures.push(labelled(&change, FigureKind::Change, label, Some(Direction::Up)));
    }
    for (rank, (_, leaf)) in (1..).zip(&means) {
        let mut figure = leaf.figure();
        figure.label.clone_from(&leaf.words);
        figure.rank = Some(rank);
        figures.push(figure);
    }
    let text = format!(
        "The {measure} is highest in {high} ({}{size}) and lowest in {low} ({}), again and again.",
        shown(most),
        shown(least)
    );
    let text = if weekly { text.replace(" in ", " on ") } else { text };
    let mut finding = line.finding(FindingKind::Season, text, season.strength);
    finding.figures = figures;
    finding.at = Some(span);
    Ok(Some(finding))
}

/// The longest stretch of whole years with no step in it, the later of two; all of it where there is none.
fn whole_years(line: &Line<'_>, broken: Option<Break>) -> std::ops::Range<usize> {
    let count = line.complete.len();
    let step = broken.filter(|broken| broken.level).map_or(0, |broken| broken.at);
    let day = |at: usize| line.complete.get(at).map(|(period, _)| period.from);
    let longest = [step..count, 0..step].into_iter().filter_map(|side| {
        let (begins, ends) = (day(side.start)?, line.complete.get(side.end.checked_sub(1)?)?.0.to.plus(1));
        let years = (1..).take_while(|years| back(ends, *years).is_some_and(|day| day >= begins)).count();
        let from = back(ends, i32::try_from(years).ok().filter(|years| *years > 0)?)?;
        let start = side.clone().find(|at| day(*at).is_some_and(|day| day >= from))?;
        Some((years, start..side.end))
    });
    // Of equals the first, which is the later.
    let best = longest.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map_or(0..count, |(_, stretch)| stretch)
}

/// The same day some years before.
fn back(day: Date, years: i32) -> Option<Date> {
    let (year, month, day) = day.parts();
    Date::of(year - years, month, day).or_else(|| Date::of(year - years, month, 28))
}

/// Whether the highest and the lowest mean belong to slots that are high and low by the model, and about as far apart.
fn agrees(season: &Season, (top, most): (u32, &Leaf), (bottom, least): (u32, &Leaf)) -> bool {
    let effect =
        |slot: u32| season.effects.iter().find(|(own, _)| *own == slot).map_or(0.0, |(_, effect)| *effect);
    let all = || season.effects.iter().map(|(_, effect)| *effect);
    let (high, low) = (all().fold(f64::MIN, f64::max), all().fold(f64::MAX, f64::min));
    let reach = high - low;
    let (most, least) = (most.value.to_f64(), least.value.to_f64());
    let told = if season.by_parts { (most / least).ln() } else { most - least };
    let near = NEAR * reach;
    effect(top) >= high - near && effect(bottom) <= low + near && told < 2.0 * reach && told > reach / 2.0
}
