//! One function for each kind of question: what it needs of a table, and what is made of what came back.

use super::Room;
use super::build::{
    CORRELATION_PLACES, Leaf, Maker, PERCENT_PLACES, RATIO_PLACES, cells, direction, exact, join_cells,
    mean_over,
};
use super::column::Columns;
use super::pass::{Groups, Plan};
use super::periods::{self, Periods};
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Answer, Calculation, Figure, FigureKind, Formula, Precision};
use crate::profile::Doubt;
use crate::question::{Aggregate, Ask, Filter, Goal, MONTHS, Measure, Test, WEEKDAYS};
use crate::series::Series;

/// Groups a share or a comparison lists at most.
const SHOWN_GROUPS: usize = 50;

/// What a question needs of its table.
///
/// # Errors
/// When it names what is not there, or asks what the data cannot carry.
pub fn plans(room: &Room<'_>, columns: &mut Columns<'_>) -> Result<Vec<Plan>, FiguresError> {
    let simple = |measures: &[&Measure], columns: &mut Columns<'_>| {
        let mut plan = room.plan(columns, false)?;
        for measure in measures {
            room.measure(&mut plan, measure, columns)?;
        }
        Ok(vec![plan])
    };
    let by_period = |measure: &Measure, grain: Option<Grain>, columns: &mut Columns<'_>| {
        let mut plan = room.plan(columns, true)?;
        plan.grain = grain.or_else(|| room.table.time.as_ref().map(periods::usual));
        room.measure(&mut plan, measure, columns)?;
        Ok(vec![plan])
    };
    let grouped = |measure: &Measure, by: &str, columns: &mut Columns<'_>| {
        let mut plan = room.plan(columns, false)?;
        plan.by = Some(room.column(by, columns, &mut plan.selection.lookups)?);
        room.measure(&mut plan, measure, columns)?;
        Ok(vec![plan])
    };
    match &room.question.ask {
        Ask::Total { measure } => simple(&[measure], columns),
        Ask::Target { measure, target: Goal::Value(_) } => simple(&[measure], columns),
        Ask::Target { measure, target: Goal::Measure(goal) } => simple(&[measure, goal], columns),
        Ask::Ratio { above, below } => simple(&[above, below], columns),
        Ask::Distribution { column } => {
            let of = |how| Measure { how, column: Some(column.clone()) };
            let measures = [
                Aggregate::Median,
                Aggregate::Min,
                Aggregate::Quantile(25),
                Aggregate::Quantile(75),
                Aggregate::Max,
                Aggregate::Mean,
                Aggregate::Deviation,
                Aggregate::Count,
            ]
            .map(of);
            simple(&measures.iter().collect::<Vec<_>>(), columns)
        }
        Ask::Latest { measure, grain } | Ask::Trend { measure, grain } => by_period(measure, *grain, columns),
        Ask::Peak { measure, grain, .. } => by_period(measure, Some(*grain), columns),
        Ask::Change { measure, from, to, grain } => match (from, to) {
            (Some(from), Some(to)) => [from, to]
                .into_iter()
                .map(|period| {
                    let mut plan = room.plan(columns, true)?;
                    plan.period = Some(*period);
                    plan.selection.period = Some(*period);
                    room.measure(&mut plan, measure, columns)?;
                    Ok(plan)
                })
                .collect(),
            _ => by_period(measure, *grain, columns),
        },
        Ask::Seasonality { measure } => {
            let grain = if daily(room) { Grain::Day } else { Grain::Month };
            by_period(measure, Some(grain), columns)
        }
        Ask::Share { measure, by, .. } => {
            if !matches!(measure.how, Aggregate::Sum | Aggregate::Count) {
                let text = format!("a share needs a sum or a count, not the {}", measure.how.name());
                return Err(FiguresError::Refused(text));
            }
            let mut plans = grouped(measure, by, columns)?;
            plans.extend(simple(&[measure], columns)?);
            Ok(plans)
        }
        Ask::Ranking { measure, by, .. } | Ask::Comparison { measure, by, .. } => {
            grouped(measure, by, columns)
        }
        Ask::Correlation { x, y, grain } => correlated(room, x, y, *grain, columns),
    }
}

fn daily(room: &Room<'_>) -> bool {
    room.table.time.as_ref().is_some_and(|time| {
        let span = i64::from(time.to.days() - time.from.days());
        time.frequency == Some(Grain::Day) && span < 400
    })
}

fn correlated(
    room: &Room<'_>,
    x: &str,
    y: &str,
    grain: Option<Grain>,
    columns: &mut Columns<'_>,
) -> Result<Vec<Plan>, FiguresError> {
    let mut plan = room.plan(columns, grain.is_some())?;
    for name in [x, y] {
        let how = if grain.is_some() { Aggregate::Sum } else { Aggregate::Mean };
        room.measure(&mut plan, &Measure { how, column: Some(name.to_owned()) }, columns)?;
    }
    plan.grain = grain;
    if grain.is_none() {
        let pair: Vec<_> = plan.measures.drain(..).filter_map(|(_, column)| column).collect();
        if let [one, two] = pair.as_slice() {
            plan.pair = Some((one.clone(), two.clone()));
        }
    }
    Ok(vec![plan])
}

/// Collects figures and doubts.
struct Draft<'a> {
    room: &'a Room<'a>,
    figures: Vec<Figure>,
    series: Vec<Series>,
    doubts: Vec<Doubt>,
    understood: String,
}

impl Draft<'_> {
    fn add(&mut self, figure: Figure) {
        self.figures.push(figure);
    }

    fn doubt(&mut self, text: String) {
        self.doubts.push(Doubt {
            table: self.room.question.table.clone(),
            column: None,
            row: None,
            grave: false,
            text,
        });
    }
}

/// What is made of what came back.
///
/// # Errors
/// When there is nothing to make a figure of.
pub fn answer(room: &Room<'_>, plans: &[Plan], groups: &[Groups]) -> Result<Answer, FiguresError> {
    let places = room.places();
    let (Some(plan), Some(found)) = (plans.first(), groups.first()) else {
        return Err(FiguresError::Refused("nothing was computed".to_owned()));
    };
    let table = &room.table.reading;
    let makers: Vec<Maker<'_>> = plans.iter().map(|plan| Maker { table, plan, places: &places }).collect();
    let Some(maker) = makers.first() else {
        return Err(FiguresError::Refused("nothing was computed".to_owned()));
    };
    if found.rows == 0 && found.pairs.count == 0 {
        return Err(FiguresError::Refused(nothing_left(room)));
    }
    let mut draft = Draft {
        room,
        figures: Vec::new(),
        series: Vec::new(),
        doubts: room.doubts(plans),
        understood: String::new(),
    };
    if found.undated > 0 {
        draft.doubt(format!("{} rows have no day that could be read and are left out.", found.undated));
    }
    if found.ungrouped > 0 {
        let by = plan.by.as_ref().map(|column| column.reading.name.as_str()).unwrap_or_default();
        draft.doubt(format!("{} rows have nothing in \"{by}\" and belong to no group.", found.ungrouped));
    }
    match &room.question.ask {
        Ask::Total { .. } => total(&mut draft, maker, found)?,
        Ask::Latest { .. } => latest(&mut draft, maker, found)?,
        Ask::Change { .. } => match (makers.get(1), groups.get(1)) {
            (Some(second), Some(other)) => {
                between(&mut draft, &only(maker, found, 0)?, &only(second, other, 0)?)?
            }
            _ => first_to_last(&mut draft, maker, found)?,
        },
        Ask::Share { of, .. } => {
            let whole =
                makers.get(1).zip(groups.get(1)).map(|(maker, groups)| only(maker, groups, 0)).transpose()?;
            let whole = whole
                .ok_or_else(|| FiguresError::Refused("there is no whole to take a share of".to_owned()))?;
            share(&mut draft, maker, found, of, &whole)?;
        }
        Ask::Ranking { top, ascending, .. } => ranking(&mut draft, maker, found, *top, *ascending)?,
        Ask::Distribution { .. } => distribution(&mut draft, maker, found)?,
        Ask::Trend { .. } => trend(&mut draft, maker, found)?,
        Ask::Seasonality { .. } => seasonality(&mut draft, maker, found)?,
        Ask::Correlation { x, y, grain } => correlation(&mut draft, maker, found, (x, y), *grain)?,
        Ask::Comparison { groups, .. } => comparison(&mut draft, maker, found, groups)?,
        Ask::Ratio { .. } => ratio(&mut draft, maker, found)?,
        Ask::Target { target, .. } => reached(&mut draft, maker, found, target)?,
        Ask::Peak { lowest, .. } => peak(&mut draft, maker, found, *lowest)?,
    }
    weigh(&mut draft, plan);
    let Draft { mut figures, series, doubts, understood, .. } = draft;
    for (number, figure) in (1..).zip(&mut figures) {
        figure.id = format!("{}.{number}", room.question.id);
    }
    Ok(Answer { question: room.question.clone(), understood, figures, series, doubts, refused: None })
}

fn nothing_left(room: &Room<'_>) -> String {
    let tests: Vec<String> = room
        .question
        .filters
        .iter()
        .map(|filter| format!("{} {}", filter.column, filter.test.words()))
        .collect();
    let mut text = format!("{} has no row", room.question.table);
    if !tests.is_empty() {
        text.push_str(&format!(" where {}", tests.join(" and ")));
    }
    if let Some(period) = room.question.period {
        text.push_str(&format!(" in {period}"));
        if let Some(time) = &room.table.time {
            text.push_str(&format!("; its days go from {} to {}", time.from, time.to));
        }
    }
    text
}

/// A mean of percentages gives every row the same weight, which is rarely what is meant.
fn weigh(draft: &mut Draft<'_>, plan: &Plan) {
    for (how, column) in &plan.measures {
        if let (Aggregate::Mean | Aggregate::Median, Some(column)) = (how, column)
            && column.reading.unit.as_deref() == Some("%")
        {
            let name = &column.reading.name;
            draft.doubt(format!("\"{name}\" holds percentages; their {} gives every row the same weight, whatever it stands for.", how.name()));
        }
    }
}

/// The one group of a plan that does not group.
fn only(maker: &Maker<'_>, groups: &Groups, measure: usize) -> Result<Leaf, FiguresError> {
    let key = (None, None);
    let leaf = match groups.groups.get(&key) {
        Some(group) => maker.leaf(&key, group, measure)?,
        None => None,
    };
    leaf.ok_or_else(|| {
        let name = maker
            .plan
            .measures
            .get(measure)
            .and_then(|(_, column)| column.as_ref())
            .map_or("rows", |column| &column.reading.name);
        let period = maker.plan.period.map(|period| format!(" in {period}")).unwrap_or_default();
        FiguresError::Refused(format!("no cell of \"{name}\" holds a number{period}"))
    })
}

fn total(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
    let leaf = only(maker, groups, 0)?;
    draft.understood = format!("The {}.", leaf.words);
    let missing = groups.rows - leaf.cells.first().map_or(0, |cells| cells.count);
    if missing > 0 {
        draft.doubt(format!("{missing} of {} rows hold no value there and are not part of it.", groups.rows));
    }
    draft.add(leaf.figure());
    Ok(())
}

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

fn latest(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
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

/// Change and difference of two values.
fn compare(draft: &mut Draft<'_>, before: &Leaf, after: &Leaf) -> Result<(), FiguresError> {
    let difference = after.minus(before)?;
    let way = direction(difference.value);
    let mut absolute = difference.figure();
    absolute.kind = FigureKind::Difference;
    absolute.label = format!("difference of {}, {}", after.measure, apart(before, after));
    absolute.direction = Some(way);
    if after.unit.as_deref() == Some("%") {
        absolute.unit = Some("percentage points".to_owned());
    }
    if before.value.is_zero() {
        draft.doubt(format!("The {} is zero, so there is no change in percent.", before.words));
    } else {
        let mut relative = after.change_from(before)?.figure();
        relative.kind = FigureKind::Change;
        relative.label = format!("change of {}, {}", after.measure, apart(before, after));
        relative.direction = Some(way);
        draft.add(relative);
    }
    draft.add(absolute);
    Ok(())
}

/// What tells two values apart: periods or groups.
fn apart(before: &Leaf, after: &Leaf) -> String {
    if before.group != after.group {
        let name = |leaf: &Leaf| leaf.group.values().cloned().collect::<Vec<_>>().join(", ");
        return format!("{} against {}", name(after), name(before));
    }
    let name = |leaf: &Leaf| leaf.period.map(|period| period.to_string()).unwrap_or_default();
    format!("{} to {}", name(before), name(after))
}

fn between(draft: &mut Draft<'_>, before: &Leaf, after: &Leaf) -> Result<(), FiguresError> {
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

fn first_to_last(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
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

fn leaves(maker: &Maker<'_>, groups: &Groups) -> Result<Vec<(String, Leaf)>, FiguresError> {
    let mut found = Vec::new();
    for (key, group) in &groups.groups {
        if let (Some(name), Some(leaf)) = (&key.0, maker.leaf(key, group, 0)?) {
            found.push((name.clone(), leaf));
        }
    }
    Ok(found)
}

fn sorted(mut leaves: Vec<(String, Leaf)>, ascending: bool) -> Vec<(String, Leaf)> {
    leaves.sort_by(|one, two| {
        let order = one.1.value.cmp(&two.1.value);
        (if ascending { order } else { order.reverse() }).then_with(|| one.0.cmp(&two.0))
    });
    leaves
}

fn by_name<'m>(maker: &'m Maker<'_>) -> &'m str {
    maker.plan.by.as_ref().map(|column| column.reading.name.as_str()).unwrap_or_default()
}

fn share(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    of: &[String],
    whole: &Leaf,
) -> Result<(), FiguresError> {
    let leaves = sorted(leaves(maker, groups)?, false);
    if leaves.iter().any(|(_, leaf)| leaf.value.is_negative()) {
        draft.doubt("Some parts are negative, so shares can exceed 100 %.".to_owned());
    }
    let by = by_name(maker);
    let wanted: Vec<&(String, Leaf)> = if of.is_empty() {
        leaves.iter().take(SHOWN_GROUPS).collect()
    } else {
        let mut found = Vec::new();
        for name in of {
            found.push(leaves.iter().find(|(value, _)| value == name).ok_or_else(|| absent(by, name))?);
        }
        found
    };
    if of.is_empty() && leaves.len() > SHOWN_GROUPS {
        draft.doubt(format!("\"{by}\" has {} values; the {SHOWN_GROUPS} largest are listed.", leaves.len()));
    }
    draft.understood = format!("The share of {} by {by}.", whole.words);
    let mut parts = Vec::new();
    for (rank, (_, leaf)) in (1..).zip(&wanted) {
        let mut figure = leaf.over(whole, Decimal::HUNDRED, PERCENT_PLACES, Some("%".to_owned()))?.figure();
        figure.kind = FigureKind::Share;
        figure.label = format!("share of {}", leaf.figure().label);
        figure.rank = of.is_empty().then_some(rank);
        draft.add(figure);
        parts.push(leaf.figure());
    }
    draft.figures.extend(parts);
    draft.add(whole.figure());
    Ok(())
}

fn absent(by: &str, name: &str) -> FiguresError {
    FiguresError::Refused(format!("\"{by}\" is nowhere \"{name}\" in the rows that are left"))
}

fn ranking(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    top: usize,
    ascending: bool,
) -> Result<(), FiguresError> {
    let leaves = sorted(leaves(maker, groups)?, ascending);
    let Some((_, first)) = leaves.first() else {
        return Err(FiguresError::Refused(format!("\"{}\" holds nothing to rank", by_name(maker))));
    };
    let top = top.clamp(1, 1000);
    let end = if ascending { "smallest" } else { "largest" };
    draft.understood = format!(
        "The {} of {} by {}, of {} in all.",
        if top == 1 { end.to_owned() } else { format!("{top} {end}") },
        first.measure,
        by_name(maker),
        leaves.len()
    );
    let mut rank = 0;
    let mut last = None;
    for (place, (_, leaf)) in (1_u32..).zip(leaves.iter().take(top)) {
        if last != Some(leaf.value) {
            rank = place;
        }
        last = Some(leaf.value);
        let mut figure = leaf.figure();
        figure.rank = Some(rank);
        draft.add(figure);
    }
    let tied = leaves.iter().skip(top).take_while(|(_, leaf)| Some(leaf.value) == last).count();
    if tied > 0 {
        draft.doubt(format!("{tied} more have the same value as the last one listed."));
    }
    Ok(())
}

fn comparison(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    wanted: &[String],
) -> Result<(), FiguresError> {
    let all = sorted(leaves(maker, groups)?, false);
    let by = by_name(maker);
    let chosen: Vec<Leaf> = if wanted.is_empty() {
        all.iter().take(SHOWN_GROUPS).map(|(_, leaf)| leaf.clone()).collect()
    } else {
        let mut found = Vec::new();
        for name in wanted {
            found.push(
                all.iter()
                    .find(|(value, _)| value == name)
                    .map(|(_, leaf)| leaf.clone())
                    .ok_or_else(|| absent(by, name))?,
            );
        }
        found
    };
    let (Some(first), Some(second)) = (chosen.first(), chosen.get(1)) else {
        return Err(FiguresError::Refused(format!("\"{by}\" has fewer than two groups to compare")));
    };
    draft.understood = format!(
        "The {} of {}.",
        first.measure,
        chosen.iter().take(5).flat_map(|leaf| leaf.group.values().cloned()).collect::<Vec<_>>().join(", ")
    );
    compare(draft, second, first)?;
    // The values come first: they are what was asked for.
    let changes = std::mem::take(&mut draft.figures);
    draft.figures.extend(chosen.iter().map(Leaf::figure));
    draft.figures.extend(changes);
    Ok(())
}

fn distribution(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
    for measure in 0..maker.plan.measures.len() {
        match only(maker, groups, measure) {
            Ok(leaf) => draft.add(leaf.figure()),
            // One cell has no standard deviation.
            Err(error) if measure == 0 => return Err(error),
            Err(_) => {}
        }
    }
    draft.understood = "Median, extremes, quartiles, mean and spread.".to_owned();
    Ok(())
}

fn trend(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
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

fn peak(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups, lowest: bool) -> Result<(), FiguresError> {
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
fn seasonality(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
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

fn correlation(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    (x, y): (&str, &str),
    grain: Option<Grain>,
) -> Result<(), FiguresError> {
    let mut selection = maker.plan.selection.clone();
    if selection.period.is_none() && grain.is_none() {
        selection.time = None;
    }
    let of = |name: &str| crate::figure::Selection { column: Some(name.to_owned()), ..selection.clone() };
    let (pairs, cell_list) = match (grain, &maker.plan.pair) {
        (None, Some((one, two))) => {
            let table = maker.table;
            (
                groups.pairs,
                vec![cells(table, Some(one), &groups.pair_rows), cells(table, Some(two), &groups.pair_rows)],
            )
        }
        _ => {
            let mut pairs = super::pass::Pairs::default();
            let (mut first, mut second) = (Vec::new(), Vec::new());
            for (key, group) in &groups.groups {
                if let (Some(one), Some(two)) = (maker.leaf(key, group, 0)?, maker.leaf(key, group, 1)?) {
                    pairs.add(one.value.to_f64(), two.value.to_f64());
                    first.extend(one.cells);
                    second.extend(two.cells);
                }
            }
            (pairs, join_cells(&first).into_iter().chain(join_cells(&second)).collect())
        }
    };
    let coefficient = pairs.coefficient().ok_or_else(|| {
        FiguresError::Refused(format!("\"{x}\" and \"{y}\" have {} common values, or one of them never changes; a correlation needs three that do", pairs.count))
    })?;
    let value =
        Decimal::from_f64(coefficient).map(|value| value.rounded(CORRELATION_PLACES)).unwrap_or_default();
    let how = grain.map_or_else(|| "row by row".to_owned(), |grain| format!("summed by {}", grain.name()));
    draft.understood = format!("How {x} and {y} move together, {how}, over {} pairs.", pairs.count);
    draft.doubt("A correlation says nothing about causes.".to_owned());
    draft.add(Figure {
        id: String::new(),
        label: format!("correlation of {x} and {y}, {how}"),
        kind: FigureKind::Correlation,
        measure: format!("correlation of {x} and {y}"),
        value,
        unit: None,
        precision: Precision::Floating(CORRELATION_PLACES),
        period: selection.period,
        group: std::collections::BTreeMap::new(),
        rank: None,
        direction: Some(direction(value)),
        formula: Formula {
            words: format!("Pearson's coefficient of {x} and {y}, {how}"),
            cells: format!("CORREL({} pairs)", pairs.count),
        },
        calculation: Calculation::Correlation { x: of(x), y: of(y), grain, places: CORRELATION_PLACES },
        cells: cell_list,
    });
    Ok(())
}

fn ratio(draft: &mut Draft<'_>, maker: &Maker<'_>, groups: &Groups) -> Result<(), FiguresError> {
    let (above, below) = (only(maker, groups, 0)?, only(maker, groups, 1)?);
    let unit = match (&above.unit, &below.unit) {
        (Some(one), Some(two)) if one == two => None,
        (Some(one), Some(two)) => Some(format!("{one}/{two}")),
        (Some(one), None) => Some(one.clone()),
        (None, _) => None,
    };
    let mut figure = above.over(&below, Decimal::from(1_i64), RATIO_PLACES, unit)?.figure();
    figure.kind = FigureKind::Ratio;
    figure.label = format!("{} per {}", above.measure, below.measure);
    figure.measure.clone_from(&figure.label);
    draft.understood = format!("The {} over the {}.", above.words, below.words);
    draft.add(figure);
    draft.add(above.figure());
    draft.add(below.figure());
    Ok(())
}

fn reached(
    draft: &mut Draft<'_>,
    maker: &Maker<'_>,
    groups: &Groups,
    target: &Goal,
) -> Result<(), FiguresError> {
    let above = only(maker, groups, 0)?;
    let below = match target {
        Goal::Value(value) => Leaf::constant(*value, "the target"),
        Goal::Measure(_) => only(maker, groups, 1)?,
    };
    let mut figure = above.over(&below, Decimal::HUNDRED, PERCENT_PLACES, Some("%".to_owned()))?.figure();
    figure.kind = FigureKind::Reached;
    figure.label = format!("{} as part of {}", above.figure().label, below.words);
    draft.understood = format!("How much of {} the {} reaches.", below.words, above.words);
    draft.add(figure);
    draft.add(above.figure());
    if !below.cells.is_empty() {
        draft.add(below.figure());
    }
    Ok(())
}
