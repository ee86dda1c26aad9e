//! One function for each kind of question: what it needs of a table, and what is made of what came back.

mod by_group;
mod by_period;

use super::Room;
use super::build::{
    CORRELATION_PLACES, Leaf, Maker, PERCENT_PLACES, RATIO_PLACES, cells, direction, join_cells,
};
use super::column::Columns;
use super::pass::{Groups, Plan};
use super::periods;
use crate::date::Grain;
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Answer, Calculation, Figure, FigureKind, Formula, Precision};
use crate::profile::Doubt;
use crate::question::{Aggregate, Ask, Goal, Measure};
use crate::series::Series;

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
        Ask::Latest { .. } => by_period::latest(&mut draft, maker, found)?,
        Ask::Change { .. } => match (makers.get(1), groups.get(1)) {
            (Some(second), Some(other)) => {
                by_period::between(&mut draft, &only(maker, found, 0)?, &only(second, other, 0)?)?;
            }
            _ => by_period::first_to_last(&mut draft, maker, found)?,
        },
        Ask::Share { of, .. } => {
            let whole =
                makers.get(1).zip(groups.get(1)).map(|(maker, groups)| only(maker, groups, 0)).transpose()?;
            let whole = whole
                .ok_or_else(|| FiguresError::Refused("there is no whole to take a share of".to_owned()))?;
            by_group::share(&mut draft, maker, found, of, &whole)?;
        }
        Ask::Ranking { top, ascending, .. } => by_group::ranking(&mut draft, maker, found, *top, *ascending)?,
        Ask::Distribution { .. } => distribution(&mut draft, maker, found)?,
        Ask::Trend { .. } => by_period::trend(&mut draft, maker, found)?,
        Ask::Seasonality { .. } => by_period::seasonality(&mut draft, maker, found)?,
        Ask::Correlation { x, y, grain } => correlation(&mut draft, maker, found, (x, y), *grain)?,
        Ask::Comparison { groups, .. } => by_group::comparison(&mut draft, maker, found, groups)?,
        Ask::Ratio { .. } => ratio(&mut draft, maker, found)?,
        Ask::Target { target, .. } => reached(&mut draft, maker, found, target)?,
        Ask::Peak { lowest, .. } => by_period::peak(&mut draft, maker, found, *lowest)?,
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
        draft.doubt(format!(
            "{missing} of {} rows hold no value for the {} and are not part of it.",
            groups.rows, leaf.words
        ));
    }
    draft.add(leaf.figure());
    Ok(())
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
