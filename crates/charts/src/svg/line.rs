//! Lines through values in order, with their names at their ends.

use super::Stage;
use super::axis::{GAP, Mark, Measure, Scale, Side, open_series};
use super::label::spread;
use super::pen::{Anchor, Area, DASHES, LABEL, Role, Sheet, TICK, Type, px};
use super::timeline;
use crate::frame::{Places, Trace};
use crate::scale::Linear;
use crate::text;

/// Up to so many values a line shows each as a dot.
const DOTTED: usize = 31;
/// Beyond so many values a broken stroke is noise.
const DASHED: usize = 120;
/// Beyond so many values a line is thinner, so that its turns are seen.
const THIN: usize = 200;

/// Measures for a plot of lines.
pub(super) struct Measures {
    pub first: Measure,
    pub second: Option<Measure>,
}

/// Where along the axis a place stands.
pub(super) fn across(stage: &Stage<'_>, area: Area) -> Linear {
    let (low, high) = match &stage.frame.places {
        Places::Time { stops, .. } => {
            let end = |stop: Option<&(i64, String)>| stop.map_or(0.0, |stop| stop.0 as f64);
            (end(stops.first()), end(stops.last()))
        }
        _ => (0.0, stage.frame.len().saturating_sub(1) as f64),
    };
    // Values stand clear of both ends, so that no dot is cut.
    let inset = if low == high { 0.0 } else { 6.0 };
    Linear { from: (low, high), to: (area.left + inset, area.right - inset) }
}

/// Draws lines into an area that is already inside its axes.
pub(super) fn draw(sheet: &mut Sheet, stage: &Stage<'_>, traces: &[usize], area: Area, measures: &Measures) {
    let x = across(stage, area);
    for at in traces {
        let Some(trace) = stage.frame.traces.get(*at) else { continue };
        let measure = measures.of(trace);
        trace_line(sheet, stage, *at, (x, measure.scale(area.bottom, area.top)), traces.len() > 1);
    }
}

impl Measures {
    pub fn of(&self, trace: &Trace) -> &Measure {
        match &self.second {
            Some(second) if trace.secondary => second,
            _ => &self.first,
        }
    }
}

fn trace_line(sheet: &mut Sheet, stage: &Stage<'_>, at: usize, (x, y): (Linear, Scale), many: bool) {
    let Some(trace) = stage.frame.traces.get(at) else { return };
    let role = stage.role(at);
    let marks: Vec<Mark<'_>> = trace
        .points
        .iter()
        .filter_map(|point| {
            let value = point.y?;
            Some(Mark { label: &point.label, value, x: x.at(point.x), y: y.at(value) })
        })
        .collect();
    open_series(sheet, at, &trace.name, stage.unit(at), &marks);
    let mut way = String::new();
    let mut alone = Vec::new();
    let runs = trace.points.split(|point| point.y.is_none());
    for run in runs.filter(|run| !run.is_empty()) {
        let places = run.iter().filter_map(|point| Some((x.at(point.x), y.at(point.y?))));
        for (step, (px_x, px_y)) in places.enumerate() {
            if run.len() == 1 {
                alone.push((px_x, px_y));
            } else {
                way.push_str(if step == 0 { "M" } else { "L" });
                way.push_str(&format!("{} {}", px(px_x), px(px_y)));
            }
        }
    }
    let dash = DASHES.get(at % DASHES.len()).copied().unwrap_or_default();
    let dash = if many && !dash.is_empty() && marks.len() <= DASHED {
        format!(" stroke-dasharray=\"{dash}\"")
    } else {
        String::new()
    };
    if !way.is_empty() {
        let thick = if marks.len() > THIN { "1.3" } else { "2" };
        let round = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
        sheet.path(&way, role, &format!("stroke-width=\"{thick}\" {round}{dash}"));
    }
    let dotted = if dash.is_empty() { DOTTED } else { DOTTED / 3 };
    if marks.len() <= dotted {
        let radius = if marks.len() == 1 { 4.5 } else { 2.5 };
        for mark in &marks {
            sheet.dot((mark.x, mark.y), radius, role, None, "");
        }
    } else {
        for place in alone {
            sheet.dot(place, 2.0, role, None, "");
        }
        if let Some(last) = marks.last() {
            sheet.dot((last.x, last.y), 3.0, role, None, "");
        }
    }
    sheet.close();
}

/// The names of the places, below an area.
pub(super) fn places(sheet: &mut Sheet, stage: &Stage<'_>, area: Area) {
    let x = across(stage, area);
    match &stage.frame.places {
        Places::Time { grain, .. } => {
            let (low, high) = (x.from.0 as i64, x.from.1 as i64);
            let ticks = timeline::ticks(low, high, x.to.1 - x.to.0, *grain, stage.chart.language, TICK.size);
            for tick in ticks {
                let at = x.at(tick.second as f64);
                sheet.line((at, area.bottom), (at, area.bottom + 4.0), Role::Base, "");
                sheet.words(at, area.bottom + 18.0, Anchor::Middle, TICK, &tick.label);
                if !tick.below.is_empty() {
                    sheet.words(at, area.bottom + 33.0, Anchor::Middle, TICK, &tick.below);
                }
            }
        }
        Places::Category(labels) => {
            let room = area.width() / labels.len().max(1) as f64;
            let widest =
                labels.iter().map(|label| text::width(label, TICK.size)).fold(0.0, f64::max).min(90.0);
            let every = ((widest + 10.0) / room).ceil().max(1.0) as usize;
            for (at, label) in labels.iter().enumerate().step_by(every) {
                let label = text::fit(&text::clean(label), TICK.size, room * every as f64 - 8.0);
                sheet.words(x.at(at as f64), area.bottom + 18.0, Anchor::Middle, TICK, &label);
            }
        }
        Places::Number => {}
    }
}

/// A name at the end of a line.
struct End {
    at: usize,
    name: String,
    x: f64,
    y: f64,
}

/// Names at the ends of the lines, none upon another.
pub(super) fn ends(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    traces: &[usize],
    area: Area,
    measures: &Measures,
    room: f64,
) {
    let x = across(stage, area);
    let ends: Vec<End> = traces
        .iter()
        .filter_map(|at| {
            let trace = stage.frame.traces.get(*at)?;
            let last = trace.points.iter().rev().find(|point| point.y.is_some())?;
            let value = last.y?;
            let measure = measures.of(trace);
            let shown = measure.short(value);
            let name = if traces.len() > 1 {
                let name = text::fit(
                    &text::clean(&trace.name),
                    LABEL.size,
                    room - GAP - 20.0 - text::width(&shown, LABEL.size),
                );
                format!("{name} {shown}")
            } else {
                shown
            };
            Some(End { at: *at, name, x: x.at(last.x), y: measure.scale(area.bottom, area.top).at(value) })
        })
        .collect();
    let wanted: Vec<f64> = ends.iter().map(|end| end.y).collect();
    let placed = spread(&wanted, 15.0, area.top + 4.0, area.bottom - 4.0);
    for (end, y) in ends.iter().zip(placed) {
        // One name stands at its point, several stand below each other.
        let left = if traces.len() > 1 { area.right + GAP } else { end.x + GAP + 2.0 };
        sheet.open(&format!("data-legend=\"{}\"", end.at));
        if traces.len() > 1 && ((y - end.y).abs() > 3.0 || area.right - end.x > 10.0) {
            sheet.line((end.x + 4.0, end.y), (left - 2.0, y), Role::Grid, "");
        }
        if traces.len() > 1 {
            sheet.dot((left + 3.0, y), 3.5, Role::Series(end.at), None, "");
            sheet.words(left + 11.0, y + 4.0, Anchor::Start, LABEL, &end.name);
        } else {
            sheet.words(left, y + 4.0, Anchor::Start, Type { bold: true, ..LABEL }, &end.name);
        }
        sheet.close();
    }
}

/// Room that names at the ends need: what they are wide, within reason.
pub(super) fn room(stage: &Stage<'_>, traces: &[usize], most: f64) -> f64 {
    let name = |at: &usize| {
        stage.frame.traces.get(*at).map_or(0.0, |trace| text::width(&text::clean(&trace.name), LABEL.size))
    };
    let widest = traces.iter().map(name).fold(0.0, f64::max);
    let names = if traces.len() > 1 { widest + GAP + 22.0 } else { 0.0 };
    (names + 50.0).min(most)
}

/// The frame of a plot of lines: grid, numbers at both sides.
pub(super) fn grid(sheet: &mut Sheet, area: Area, measures: &Measures, numbers: bool) {
    measures.first.rows(sheet, area, if numbers { Side::First } else { Side::None });
    if let Some(second) = &measures.second {
        second.rows(sheet, area, Side::Second);
    }
}
