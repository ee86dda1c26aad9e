//! Bars, and columns of them over periods and few names. A bar begins at zero, so that its length is its value.

use super::Stage;
use super::axis::{Mark, Measure, Side, open_series};
use super::pen::{Anchor, Area, LABEL, Role, Sheet, TICK};
use super::timeline;
use crate::frame::{Places, Trace};
use crate::scale::Base;
use crate::spec::Kind;
use crate::text;
use crate::time::{self, Grain};

/// So many rows are drawn at most; the table behind has all.
pub(super) const MOST_ROWS: usize = 25;
/// So many periods without a value are still shown as gaps.
const MOST_PERIODS: usize = 1_500;
/// A column is never wider.
const WIDEST: f64 = 64.0;

/// One stop along the axis of bars.
pub(super) struct Band {
    /// Which place of the frame; `None` for a period nobody reported.
    pub place: Option<usize>,
    pub label: String,
    below: String,
}

/// The stops of a chart of bars, and of how many places they are a part.
pub(super) fn bands(stage: &Stage<'_>) -> Vec<Band> {
    match &stage.frame.places {
        Places::Time { stops, grain } => periods(stage, stops, *grain),
        Places::Category(labels) => {
            let band = |(place, label): (usize, &String)| Band {
                place: Some(place),
                label: label.clone(),
                below: String::new(),
            };
            let mut chosen: Vec<usize> = (0..labels.len()).collect();
            if labels.len() > MOST_ROWS {
                chosen.sort_by(|a, b| size(stage, *b).total_cmp(&size(stage, *a)));
                chosen.truncate(MOST_ROWS);
                chosen.sort_unstable();
            }
            chosen.into_iter().filter_map(|at| Some((at, labels.get(at)?))).map(band).collect()
        }
        Places::Number => Vec::new(),
    }
}

/// How much stands at a place, whatever its sign.
fn size(stage: &Stage<'_>, place: usize) -> f64 {
    let at = |trace: &Trace| value(trace, place).map_or(0.0, f64::abs);
    stage.frame.traces.iter().map(at).sum()
}

pub(super) fn value(trace: &Trace, place: usize) -> Option<f64> {
    let at = trace.points.binary_search_by_key(&place, |point| point.place).ok()?;
    trace.points.get(at)?.y
}

fn periods(stage: &Stage<'_>, stops: &[(i64, String)], grain: Grain) -> Vec<Band> {
    let band = |second: i64, place: Option<usize>, label: &str| {
        let (name, below) = timeline::period(second, grain, stage.chart.language);
        let _ = name;
        Band { place, label: label.to_owned(), below }
    };
    let mut bands = Vec::new();
    for (place, (second, label)) in stops.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| stops.get(before));
        if let Some((before, _)) = before
            && grain != Grain::Moment
        {
            let mut missing = time::next(*before, grain);
            while missing < *second && bands.len() < MOST_PERIODS {
                bands.push(band(missing, None, ""));
                missing = time::next(missing, grain);
            }
        }
        bands.push(band(*second, Some(place), label));
    }
    bands
}

/// Whether bars stand as columns: periods always, names where they are few and short.
pub(super) fn upright(stage: &Stage<'_>, bands: &[Band], width: f64) -> bool {
    if matches!(stage.frame.places, Places::Time { .. }) {
        return true;
    }
    let room = (width - 60.0) / bands.len().max(1) as f64 - 12.0;
    bands.len() <= 8
        && bands.iter().all(|band| {
            text::wrap(&text::clean(&band.label), TICK.size, room, 9).len() <= 2
                && text::width(&band.label, TICK.size) <= 2.0 * room
        })
}

/// The measure of a chart of bars: whole stacks, and zero.
pub(super) fn measure(stage: &Stage<'_>, width: Option<f64>) -> Measure {
    let chart = stage.chart;
    let mut values: Vec<f64> = if chart.kind == Kind::StackedBar {
        (0..stage.frame.len())
            .flat_map(|place| {
                let here = stage.frame.traces.iter().filter_map(|trace| value(trace, place));
                let (ups, downs): (Vec<f64>, Vec<f64>) = here.partition(|value| *value >= 0.0);
                [ups.iter().sum(), downs.iter().sum()]
            })
            .collect()
    } else {
        stage.frame.values().collect()
    };
    values.extend(stage.levels());
    match width {
        Some(width) => Measure::steps_across(&values, &chart.y, width, Base::Zero, chart.language),
        None => Measure::of(values.into_iter(), &chart.y, stage.steps, Base::Zero, chart.language),
    }
}

/// A bar from one value to another across a part of its band.
pub(super) struct Bar {
    pub at: usize,
    /// Where across the band it begins and ends, as shares.
    pub across: (f64, f64),
    pub from: f64,
    pub to: f64,
    pub value: f64,
}

/// The bars of a place.
pub(super) fn bars(stage: &Stage<'_>, traces: &[usize], place: usize) -> Vec<Bar> {
    let known = traces.iter().enumerate().filter_map(|(order, at)| {
        let value = value(stage.frame.traces.get(*at)?, place)?;
        Some((order, *at, value))
    });
    if stage.chart.kind == Kind::StackedBar {
        let (mut up, mut down) = (0.0, 0.0);
        let stacked = known.map(|(_, at, value)| {
            let base = if value >= 0.0 { &mut up } else { &mut down };
            let from = *base;
            *base += value;
            Bar { at, across: (0.0, 1.0), from, to: *base, value }
        });
        return stacked.collect();
    }
    let share = 1.0 / traces.len().max(1) as f64;
    known
        .map(|(order, at, value)| {
            let begin = order as f64 * share;
            Bar { at, across: (begin, begin + share), from: 0.0, to: value, value }
        })
        .collect()
}

/// Draws columns into an area.
pub(super) fn columns(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    traces: &[usize],
    bands: &[Band],
    area: Area,
    measure: &Measure,
) {
    let scale = measure.scale(area.bottom, area.top);
    let room = area.width() / bands.len().max(1) as f64;
    let thick = (room * if traces.len() > 1 { 0.8 } else { 0.7 }).min(WIDEST * traces.len() as f64);
    let middle = |band: usize| area.left + room * (band as f64 + 0.5);
    for at in traces {
        let Some(trace) = stage.frame.traces.get(*at) else { continue };
        let mut drawn = Vec::new();
        for (number, band) in bands.iter().enumerate() {
            let Some(place) = band.place else { continue };
            let mine = bars(stage, traces, place).into_iter().find(|bar| bar.at == *at);
            let Some(bar) = mine else { continue };
            let left = middle(number) - thick / 2.0;
            let (from, to) = (scale.at(bar.from), scale.at(bar.to));
            let gap = if traces.len() > 1 && stage.chart.kind != Kind::StackedBar { 0.5 } else { 0.0 };
            let shape = Area {
                left: left + thick * bar.across.0 + gap,
                right: left + thick * bar.across.1 - gap,
                top: from.min(to),
                bottom: from.max(to),
            };
            drawn.push((
                shape,
                Mark { label: &band.label, value: bar.value, x: (shape.left + shape.right) / 2.0, y: to },
            ));
        }
        draw(sheet, stage, *at, &trace.name, &drawn, stage.chart.kind == Kind::StackedBar);
        if traces.len() == 1 && room >= 34.0 && bands.len() <= 12 {
            for (_, mark) in &drawn {
                let y = if mark.value < 0.0 { mark.y + 15.0 } else { mark.y - 6.0 };
                sheet.words(mark.x, y, Anchor::Middle, LABEL, &measure.short(mark.value));
            }
        }
    }
    let zero = scale.at(0.0);
    sheet.line((area.left, zero), (area.right, zero), Role::Base, "");
}

pub(super) fn draw(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    at: usize,
    name: &str,
    drawn: &[(Area, Mark<'_>)],
    stacked: bool,
) {
    let marks: Vec<Mark<'_>> = drawn.iter().map(|(_, mark)| mark.clone()).collect();
    open_series(sheet, at, name, stage.unit(at), &marks);
    for (number, (shape, _)) in drawn.iter().enumerate() {
        sheet.rect(*shape, stage.role(at), &format!("data-at=\"{number}\""));
    }
    if stacked {
        // A hair of ground between parts: they stay apart in grey.
        for (shape, _) in drawn.iter().filter(|(shape, _)| shape.height() > 3.0 && shape.width() > 3.0) {
            sheet.line((shape.left, shape.top), (shape.right, shape.top), Role::Ground, "");
        }
    }
    sheet.close();
}

/// The names below columns.
pub(super) fn feet(sheet: &mut Sheet, stage: &Stage<'_>, bands: &[Band], area: Area) {
    let room = area.width() / bands.len().max(1) as f64;
    let middle = |band: usize| area.left + room * (band as f64 + 0.5);
    let Places::Time { stops, grain } = &stage.frame.places else {
        for (at, band) in bands.iter().enumerate() {
            for (line, words) in
                text::wrap(&text::clean(&band.label), TICK.size, room - 6.0, 2).iter().enumerate()
            {
                sheet.words(middle(at), area.bottom + 18.0 + 15.0 * line as f64, Anchor::Middle, TICK, words);
            }
        }
        return;
    };
    let name = |band: &Band| {
        let second = band.place.and_then(|place| stops.get(place)).map(|stop| stop.0)?;
        Some(timeline::period(second, *grain, stage.chart.language).0)
    };
    let names: Vec<Option<String>> = bands.iter().map(name).collect();
    let widest = names.iter().flatten().map(|name| text::width(name, TICK.size)).fold(0.0, f64::max);
    let widest = widest.max(bands.iter().map(|band| text::width(&band.below, TICK.size)).fold(0.0, f64::max));
    let every = ((widest + 10.0) / room).ceil().max(1.0) as usize;
    let mut before = "";
    for (at, (band, name)) in bands.iter().zip(&names).enumerate().step_by(every) {
        if let Some(name) = name {
            sheet.words(middle(at), area.bottom + 18.0, Anchor::Middle, TICK, name);
        }
        if band.below != before && !band.below.is_empty() {
            sheet.words(middle(at), area.bottom + 33.0, Anchor::Middle, TICK, &band.below);
        }
        before = &band.below;
    }
}

/// Lines and numbers of a plot of columns.
pub(super) fn grid(sheet: &mut Sheet, area: Area, measure: &Measure, numbers: bool) {
    measure.rows(sheet, area, if numbers { Side::First } else { Side::None });
}
