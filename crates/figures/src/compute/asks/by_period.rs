//! Questions whose numbers stand in a row of periods.

use super::{Draft, compare};
use crate::compute::build::{Leaf, Maker, exact, mean_over};
use crate::compute::pass::Groups;
use crate::compute::periods::{self, Periods};
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::question::{Filter, MONTHS, Test, WEEKDAYS};

fn listed(draft: &Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<Periods, FiguresError> {
    let time = draft
        .room
        .table
        .time
        .as_ref()
        .ok_or_else(|| FiguresError::Refused("there is no column of days".to_owned()))?;
    periods::list(maker, groups, None, time)
}

fn remember(draft: &mut Draft<'_>, maker: &Maker<'_>, periods: &Periods) {
    if let Some(remark) = periods.remark() {
        draft.doubt(remark);
    }
    draft.series.extend(periods.series(maker.plan));
}

pub(super) fn latest(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
    let periods = listed(draft, maker, groups)?;
    let complete = periods.complete();
    let Some((period, leaf)) = complete.last() else { return Err(incomplete(&periods)) };
    draft.understood =
        format!("The {} in the last complete {}, {period}.", leaf.measure, periods.grain.name());
    draft.add(leaf.figure());
    if let Some((_, before)) = complete.len().checked_sub(2).and_then(|at| complete.get(at)) {
        compare(draft, before, leaf)?;
    }
    remember(draft, maker, &periods);
    Ok(())
}

fn incomplete(periods: &Periods) -> FiguresError {
    FiguresError::Refused(format!("no {} is complete in these data", periods.grain.name()))
}

pub(super) fn between(draft: &mut Draft<'_>, before: &Leaf, after: &Leaf) -> Result<(), FiguresError> {
    draft.understood =
        format!("How the {} changed from {} to {}.", after.measure, period_of(before), period_of(after));
    if let Some(time) = &draft.room.table.time {
        let covered = periods::covered(time);
        for leaf in [before, after] {
            if let Some(period) = leaf.period
                && (period.from < covered.from || period.to > covered.to)
            {
                draft.doubt(format!(
                    "{period} is not complete: the days go from {} to {}.",
                    time.from, time.to
                ));
            }
        }
    }
    compare(draft, before, after)?;
    draft.add(before.figure());
    draft.add(after.figure());
    Ok(())
}

fn period_of(leaf: &Leaf) -> String {
    leaf.period.map(|period| period.to_string()).unwrap_or_default()
}

pub(super) fn first_to_last(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
) -> Result<(), FiguresError> {
    let periods = listed(draft, maker, groups)?;
    let complete = periods.complete();
    let (Some((_, before)), Some((_, after))) = (complete.first(), complete.last()) else {
        return Err(incomplete(&periods));
    };
    if complete.len() < 2 {
        return Err(FiguresError::Refused(format!(
            "only one {} is complete, so there is no change",
            periods.grain.name()
        )));
    }
    let (before, after) = ((*before).clone(), (*after).clone());
    remember(draft, maker, &periods);
    between(draft, &before, &after)
}

pub(super) fn trend(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
    let periods = listed(draft, maker, groups)?;
    let complete = periods.complete();
    let (Some((_, first)), Some((_, last))) = (complete.first(), complete.last()) else {
        return Err(incomplete(&periods));
    };
    if complete.len() < 2 {
        return Err(FiguresError::Refused(format!(
            "only one {} is complete, so there is no trend",
            periods.grain.name()
        )));
    }
    draft.understood = format!(
        "The {} by {}, from {} to {}.",
        first.measure,
        periods.grain.name(),
        period_of(first),
        period_of(last)
    );
    compare(draft, first, last)?;
    draft.add(first.figure());
    draft.add(last.figure());
    let least = complete.iter().min_by_key(|(_, leaf)| leaf.value).map(|(_, leaf)| leaf.figure());
    let most = complete.iter().max_by_key(|(_, leaf)| leaf.value).map(|(_, leaf)| leaf.figure());
    draft.figures.extend(least.into_iter().chain(most));
    remember(draft, maker, &periods);
    Ok(())
}

pub(super) fn peak(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    lowest: bool,
) -> Result<(), FiguresError> {
    let periods = listed(draft, maker, groups)?;
    let complete = periods.complete();
    let best = if lowest {
        complete.iter().min_by_key(|(_, leaf)| leaf.value)
    } else {
        complete.iter().rev().max_by_key(|(_, leaf)| leaf.value)
    };
    let Some((period, leaf)) = best else { return Err(incomplete(&periods)) };
    let word = if lowest { "lowest" } else { "highest" };
    draft.understood = format!("The {} with the {word} {}: {period}.", periods.grain.name(), leaf.measure);
    draft.add(leaf.figure());
    remember(draft, maker, &periods);
    Ok(())
}

/// Mean per period of each month or weekday, from sums over periods: exact, and open to recomputation.
pub(super) fn seasonality(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
) -> Result<(), FiguresError> {
    let periods = listed(draft, maker, groups)?;
    let complete = periods.complete();
    let weekly = periods.grain == Grain::Day;
    let (slots, names): (Vec<u32>, &[&str]) =
        if weekly { ((0..7).collect(), &WEEKDAYS) } else { ((1..13).collect(), &MONTHS) };
    let cycle = if weekly { 7 } else { 12 };
    if complete.len() < cycle * 2 {
        let reason = format!(
            "a season needs at least two rounds of {cycle} complete periods, there are {}",
            complete.len()
        );
        return Err(FiguresError::Refused(reason));
    }
    let first = complete.first().map(|(period, _)| period.from);
    let last = complete.last().map(|(period, _)| period.to);
    let (Some(from), Some(to)) = (first, last) else { return Err(incomplete(&periods)) };
    let mut rows = Vec::new();
    for slot in slots {
        let here = |period: &Period| {
            if weekly { period.from.weekday() == slot } else { period.from.parts().1 == slot }
        };
        let of_slot: Vec<(&Leaf, Decimal)> = complete
            .iter()
            .filter(|(period, _)| here(period))
            .map(|(period, leaf)| (*leaf, exact(groups, None, *period, leaf)))
            .collect();
        if of_slot.is_empty() {
            continue;
        }
        let name = names.get(slot as usize).copied().unwrap_or_default();
        let time = maker.plan.selection.time.clone().unwrap_or_default();
        let test = if weekly { Test::Weekday(vec![slot]) } else { Test::Month(vec![slot]) };
        let filter = Filter { column: time, test };
        let kind = (if weekly { "weekday" } else { "month" }, name);
        rows.push((name, mean_over(&of_slot, Some((filter, kind)), Period { from, to }, periods.grain)?));
    }
    rows.sort_by(|one, two| two.1.value.cmp(&one.1.value).then_with(|| one.0.cmp(two.0)));
    let unit = if weekly { "weekday" } else { "month" };
    if let (Some((high, _)), Some((low, _))) = (rows.first(), rows.last()) {
        draft.understood =
            format!("The mean of each {unit} from {from} to {to}: highest in {high}, lowest in {low}.");
    }
    for (rank, (_, leaf)) in (1..).zip(&rows) {
        let mut figure = leaf.figure();
        figure.label.clone_from(&leaf.words);
        figure.rank = Some(rank);
        draft.add(figure);
    }
    remember(draft, maker, &periods);
    Ok(())
}
