//! One plot with its axes, as wide as the sheet.

use super::axis::{GAP, Measure, Scale};
use super::bars;
use super::dots::{self, Numbers};
use super::line::{self, Measures};
use super::notes::{self, Places};
use super::pen::{Anchor, Area, Role, Sheet, TICK};
use super::rows;
use super::{EDGE, Stage, cut, legend};
use crate::frame;
use crate::scale::Base;
use crate::spec::{Axis, Kind};
use crate::text;
use crate::words::words;

/// Draws the plot of a chart from a height on; gives where it ends.
pub(super) fn draw(sheet: &mut Sheet, stage: &Stage<'_>, top: f64, remarks: &mut Vec<String>) -> f64 {
    let all: Vec<usize> = (0..stage.frame.traces.len()).collect();
    match stage.chart.kind {
        Kind::Line => lines(sheet, stage, &all, top),
        Kind::Bar | Kind::GroupedBar | Kind::StackedBar => {
            let bands = bars::bands(stage);
            if bands.len() < stage.frame.len() {
                remarks.push(cut(
                    words(stage.chart.language).cut,
                    bands.len(),
                    stage.frame.len(),
                    stage.chart,
                ));
            }
            let top = if all.len() > 1 { legend(sheet, stage, top) } else { top };
            if bars::upright(stage, &bands, sheet.width) {
                columns(sheet, stage, &all, &bands, top)
            } else {
                row_plot(sheet, stage, &all, &bands, top)
            }
        }
        Kind::Histogram | Kind::Scatter => {
            let top = if all.len() > 1 { legend(sheet, stage, top) } else { top };
            numbers(sheet, stage, &all, top)
        }
    }
}

/// How high a plot is.
fn height(sheet: &Sheet) -> f64 {
    if sheet.width < 500.0 { 230.0 } else { 300.0 }
}

/// The names of the axes of values, above the plot; gives where it may begin.
fn axis_names(sheet: &mut Sheet, y: f64, first: &str, second: Option<&str>) -> f64 {
    let room = (sheet.width - 2.0 * EDGE) * if second.is_some() { 0.48 } else { 1.0 };
    let mut drawn = false;
    for (name, anchor, x) in [(Some(first), Anchor::Start, EDGE), (second, Anchor::End, sheet.width - EDGE)] {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            sheet.words(x, y + 8.0, anchor, TICK, &text::fit(&text::clean(name), TICK.size, room));
            drawn = true;
        }
    }
    if drawn { y + 22.0 } else { y + 6.0 }
}

/// The name of the horizontal axis, below its numbers.
fn place_name(sheet: &mut Sheet, name: &str, area: Area, y: f64) -> f64 {
    if name.is_empty() {
        return y;
    }
    let words = text::fit(&text::clean(name), TICK.size, sheet.width - 2.0 * EDGE);
    sheet.words((area.left + area.right) / 2.0, y + 16.0, Anchor::Middle, TICK, &words);
    y + 20.0
}

fn lines(sheet: &mut Sheet, stage: &Stage<'_>, all: &[usize], top: f64) -> f64 {
    let chart = stage.chart;
    let measures = measures(stage);
    let second = measures.second.as_ref().map(|measure| measure.title(chart.y2.as_ref().unwrap_or(&chart.y)));
    // Names at the ends where there is room for them, a key above otherwise.
    let narrow = sheet.width < 500.0;
    let direct = measures.second.is_none() && (all.len() == 1 || !narrow);
    let top = if direct || all.len() == 1 { top } else { legend(sheet, stage, top) };
    let top = axis_names(sheet, top, &measures.first.title(&chart.y), second.as_deref());
    let ends = if direct { line::room(stage, all, sheet.width * 0.26) } else { 8.0 };
    let right = match &measures.second {
        Some(second) => second.width() + GAP + EDGE,
        None => ends,
    };
    let left = EDGE + measures.first.width() + GAP;
    let mut area = Area { left, right: sheet.width - right, top, bottom: top };
    let across = line::across(stage, area);
    let across = |label: &str| stage.frame.find(label).map(|x| across.at(x));
    area.top += notes::room(chart, area, &across);
    area.bottom = area.top + height(sheet);
    notes::below(sheet, chart, area, &across);
    line::grid(sheet, area, &measures, true);
    line::draw(sheet, stage, all, area, &measures);
    line::places(sheet, stage, area);
    if direct {
        line::ends(sheet, stage, all, area, &measures, ends);
    }
    let marks: Vec<(String, String, f64, f64)> = stage
        .frame
        .traces
        .iter()
        .flat_map(|trace| {
            let scale = measures.of(trace).scale(area.bottom, area.top);
            let x = line::across(stage, area);
            trace.points.iter().filter_map(move |point| {
                Some((trace.name.clone(), point.label.clone(), x.at(point.x), scale.at(point.y?)))
            })
        })
        .collect();
    let up = measures.first.scale(area.bottom, area.top);
    notes::above(sheet, chart, area, &Places { across: &across, up, marks: &marks }, &mut Vec::new());
    let below = if matches!(stage.frame.places, frame::Places::Time { .. }) { 36.0 } else { 24.0 };
    let name = if matches!(stage.frame.places, frame::Places::Time { .. }) {
        String::new()
    } else {
        axis_title(&chart.x)
    };
    place_name(sheet, &name, area, area.bottom + below)
}

/// The measures of a chart of lines, levels included.
pub(super) fn measures(stage: &Stage<'_>) -> Measures {
    let chart = stage.chart;
    let on = |secondary: bool| {
        let traces = stage.frame.traces.iter().filter(move |trace| trace.secondary == secondary);
        traces.flat_map(|trace| trace.points.iter().filter_map(|point| point.y))
    };
    let first =
        Measure::of(on(false).chain(stage.levels()), &chart.y, stage.steps, Base::Free, chart.language);
    let doubled = stage.frame.traces.iter().any(|trace| trace.secondary);
    let second = chart.y2.as_ref().filter(|_| doubled);
    let second = second.map(|axis| Measure::of(on(true), axis, stage.steps, Base::Free, chart.language));
    Measures { first, second }
}

fn axis_title(axis: &Axis) -> String {
    [axis.label.as_str(), axis.unit.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

fn columns(sheet: &mut Sheet, stage: &Stage<'_>, all: &[usize], bands: &[bars::Band], top: f64) -> f64 {
    let chart = stage.chart;
    let measure = bars::measure(stage, None);
    let top = axis_names(sheet, top, &measure.title(&chart.y), None) + if all.len() == 1 { 8.0 } else { 0.0 };
    let mut area = Area { left: EDGE + measure.width() + GAP, right: sheet.width - EDGE, top, bottom: top };
    let centre = |label: &str, area: Area| {
        let room = area.width() / bands.len().max(1) as f64;
        let band = bands.iter().position(|band| band.label == label)?;
        Some(area.left + room * (band as f64 + 0.5))
    };
    let across = |label: &str| centre(label, area);
    let room = notes::room(chart, area, &across);
    area.top += room;
    area.bottom = area.top + height(sheet);
    let across = |label: &str| centre(label, area);
    notes::below(sheet, chart, area, &across);
    bars::grid(sheet, area, &measure, true);
    bars::columns(sheet, stage, all, bands, area, &measure);
    bars::feet(sheet, stage, bands, area);
    let up = measure.scale(area.bottom, area.top);
    let marks = bar_marks(stage, bands, &across, up);
    notes::above(sheet, chart, area, &Places { across: &across, up, marks: &marks }, &mut Vec::new());
    let timed = matches!(stage.frame.places, frame::Places::Time { .. });
    let two = timed
        || bands
            .iter()
            .any(|band| text::width(&band.label, TICK.size) > area.width() / bands.len() as f64 - 6.0);
    let name = if timed { String::new() } else { axis_title(&chart.x) };
    place_name(sheet, &name, area, area.bottom + if two { 36.0 } else { 24.0 })
}

/// Where the ends of columns are, for what is pointed out.
fn bar_marks(
    stage: &Stage<'_>,
    bands: &[bars::Band],
    across: &dyn Fn(&str) -> Option<f64>,
    up: Scale,
) -> Vec<(String, String, f64, f64)> {
    let mut marks = Vec::new();
    for trace in &stage.frame.traces {
        for band in bands {
            let value = band.place.and_then(|place| bars::value(trace, place));
            if let (Some(value), Some(x)) = (value, across(&band.label)) {
                marks.push((trace.name.clone(), band.label.clone(), x, up.at(value)));
            }
        }
    }
    marks
}

fn row_plot(sheet: &mut Sheet, stage: &Stage<'_>, all: &[usize], bands: &[bars::Band], top: f64) -> f64 {
    let chart = stage.chart;
    let rough = bars::measure(stage, None);
    let layout = rows::Rows::of(stage, all, bands, &rough, sheet.width);
    let left = EDGE + layout.left + 10.0 + layout.ends.0;
    let right = sheet.width - EDGE - layout.ends.1;
    let measure = bars::measure(stage, Some(right - left));
    let area = Area { left, right, top: top + 2.0, bottom: top + 2.0 + layout.each * bands.len() as f64 };
    measure.columns(sheet, area);
    rows::draw_rows(sheet, stage, all, bands, area, &measure, &layout);
    let scale = measure.scale(area.left, area.right);
    for annotation in &chart.annotations {
        if let crate::spec::Annotation::Level { y, text } = annotation {
            let x = scale.at(*y);
            sheet.line(
                (x, area.top - 2.0),
                (x, area.bottom),
                Role::Ink,
                "stroke-dasharray=\"5 4\" data-level=\"\"",
            );
            let words = text::fit(&text::clean(text), TICK.size, area.width() * 0.5);
            let width = text::width(&words, TICK.size);
            let (anchor, x) = if x + width + 6.0 <= sheet.width {
                (Anchor::Start, x + 5.0)
            } else {
                (Anchor::End, x - 5.0)
            };
            sheet.words(x, area.bottom - 6.0, anchor, TICK, &words);
        }
    }
    let name = measure.title(&chart.y);
    let y = place_name(sheet, &name, area, area.bottom + 22.0);
    y.max(area.bottom + 24.0)
}

fn numbers(sheet: &mut Sheet, stage: &Stage<'_>, all: &[usize], top: f64) -> f64 {
    let chart = stage.chart;
    let counts = chart.kind == Kind::Histogram;
    let measures = Numbers::of(stage, sheet.width - 70.0, counts);
    let top = axis_names(sheet, top, &measures.up.title(&chart.y), None);
    let half = measures.across.width() / 2.0;
    let left = EDGE + (measures.up.width() + GAP).max(half);
    let area = Area { left, right: sheet.width - EDGE - half, top, bottom: top + height(sheet) };
    measures.up.rows(sheet, area, super::axis::Side::First);
    if counts {
        measures.across.feet(sheet, area);
        dots::histogram(sheet, stage, all, area, &measures);
    } else {
        measures.across.columns(sheet, area);
        dots::scatter(sheet, stage, all, area, &measures);
    }
    let x = measures.across.scale(area.left, area.right);
    let up = measures.up.scale(area.bottom, area.top);
    let across = |label: &str| stage.frame.find(label).map(|number| x.at(number));
    let marks: Vec<(String, String, f64, f64)> = stage
        .frame
        .traces
        .iter()
        .flat_map(|trace| {
            trace.points.iter().filter_map(|point| {
                Some((trace.name.clone(), point.label.clone(), x.at(point.x), up.at(point.y?)))
            })
        })
        .collect();
    notes::above(sheet, chart, area, &Places { across: &across, up, marks: &marks }, &mut Vec::new());
    place_name(sheet, &measures.across.title(&chart.x), area, area.bottom + 22.0).max(area.bottom + 24.0)
}
