//! Rows of bars: for names that are many or long, read from the top.

use super::Stage;
use super::axis::{Mark, Measure};
use super::bars::{Band, bars, draw};
use super::pen::{Anchor, Area, LABEL, Role, SOURCE, Sheet, Type};
use crate::frame::Trace;
use crate::spec::{Annotation, Kind};
use crate::text;
use crate::words::words;

/// How rows of bars are laid out.
pub(super) struct Rows {
    names: Vec<Vec<String>>,
    /// Width of the column of names.
    pub left: f64,
    /// Height of a row.
    pub each: f64,
    /// Room for the numbers at the ends of bars, at the left and at the right.
    pub ends: (f64, f64),
}

impl Rows {
    pub fn of(stage: &Stage<'_>, traces: &[usize], bands: &[Band], measure: &Measure, width: f64) -> Self {
        let most = width * 0.36;
        let names: Vec<Vec<String>> =
            bands.iter().map(|band| text::wrap(&text::clean(&band.label), LABEL.size, most, 2)).collect();
        let left = names.iter().flatten().map(|line| text::width(line, LABEL.size)).fold(0.0, f64::max);
        let tall = names.iter().any(|lines| lines.len() > 1);
        let stacked = stage.chart.kind == Kind::StackedBar;
        let each: f64 = if stacked || traces.len() == 1 { 24.0 } else { 10.0 + 13.0 * traces.len() as f64 };
        let room = |test: fn(f64) -> bool| {
            let shown = stage.frame.values().filter(|value| test(*value));
            let widest =
                shown.map(|value| text::width(&measure.short(value), LABEL.size)).fold(0.0, f64::max);
            if widest == 0.0 { 4.0 } else { widest + 10.0 }
        };
        let said = stage
            .chart
            .annotations
            .iter()
            .filter(|annotation| matches!(annotation, Annotation::Point { .. }));
        let said = said.map(|annotation| text::width(&text::clean(annotation.text()), SOURCE.size) + 12.0);
        let said = said.fold(0.0, f64::max).min(width * 0.2);
        let ends = (
            if stage.frame.values().any(|value| value < 0.0) { room(|value| value < 0.0) } else { 0.0 },
            room(|value| value >= 0.0) + said,
        );
        Self { names, left, each: if tall { each.max(34.0) } else { each }, ends }
    }
}

/// Draws rows of bars; `area` is what lies between the names and the numbers at the ends.
pub(super) fn draw_rows(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    traces: &[usize],
    bands: &[Band],
    area: Area,
    measure: &Measure,
    layout: &Rows,
) {
    let scale = measure.scale(area.left, area.right);
    let stacked = stage.chart.kind == Kind::StackedBar;
    let thick = if stacked || traces.len() == 1 { layout.each.min(24.0) * 0.68 } else { layout.each - 8.0 };
    let middle = |band: usize| area.top + layout.each * (band as f64 + 0.5);
    for (at, lines) in layout.names.iter().enumerate() {
        let first = middle(at) + 4.0 - 7.5 * (lines.len() as f64 - 1.0);
        for (line, words) in lines.iter().enumerate() {
            sheet.words(
                area.left - layout.ends.0 - 10.0,
                first + 15.0 * line as f64,
                Anchor::End,
                LABEL,
                words,
            );
        }
    }
    for at in traces {
        let Some(trace) = stage.frame.traces.get(*at) else { continue };
        let mut drawn = Vec::new();
        for (number, band) in bands.iter().enumerate() {
            let Some(place) = band.place else { continue };
            let top = middle(number) - thick / 2.0;
            let Some(bar) = bars(stage, traces, place).into_iter().find(|bar| bar.at == *at) else {
                if traces.len() == 1 {
                    let quiet = Type { role: Role::Quiet, ..SOURCE };
                    sheet.words(
                        scale.at(0.0) + 6.0,
                        middle(number) + 4.0,
                        Anchor::Start,
                        quiet,
                        words(stage.chart.language).missing,
                    );
                }
                continue;
            };
            let (from, to) = (scale.at(bar.from), scale.at(bar.to));
            let shape = Area {
                left: from.min(to),
                right: from.max(to),
                top: top + thick * bar.across.0,
                bottom: top + thick * bar.across.1,
            };
            drawn.push((
                shape,
                Mark { label: &band.label, value: bar.value, x: to, y: (shape.top + shape.bottom) / 2.0 },
            ));
        }
        draw(sheet, stage, *at, &trace.name, &drawn, false);
        if !stacked {
            for (_, mark) in &drawn {
                numbered(sheet, stage, trace, mark, measure, area.right + layout.ends.1);
            }
        }
    }
    if stacked {
        seams(sheet, stage, traces, bands, area, measure, middle, thick);
    }
    let zero = scale.at(0.0);
    sheet.line((zero, area.top), (zero, area.bottom), Role::Base, "");
}

/// The number at the end of a bar, and what an annotation says of it.
fn numbered(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    trace: &Trace,
    mark: &Mark<'_>,
    measure: &Measure,
    end: f64,
) {
    let shown = measure.short(mark.value);
    if mark.value < 0.0 {
        sheet.words(mark.x - 5.0, mark.y + 4.0, Anchor::End, LABEL, &shown);
        return;
    }
    sheet.words(mark.x + 5.0, mark.y + 4.0, Anchor::Start, LABEL, &shown);
    let said = stage.chart.annotations.iter().find_map(|annotation| match annotation {
        Annotation::Point { series, x, text }
            if x == mark.label && (series.is_empty() || *series == trace.name) =>
        {
            Some(text)
        }
        _ => None,
    });
    if let Some(said) = said {
        let left = mark.x + 12.0 + text::width(&shown, LABEL.size);
        let words = text::fit(&text::clean(said), SOURCE.size, (end.max(sheet.width - 8.0) - left).max(0.0));
        if words.chars().count() > 3 {
            sheet.words(left, mark.y + 4.0, Anchor::Start, SOURCE, &words);
        }
    }
}

/// Ground between the parts of stacked rows, and the whole at their ends.
#[allow(clippy::too_many_arguments)]
fn seams(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    traces: &[usize],
    bands: &[Band],
    area: Area,
    measure: &Measure,
    middle: impl Fn(usize) -> f64,
    thick: f64,
) {
    let scale = measure.scale(area.left, area.right);
    for (number, band) in bands.iter().enumerate() {
        let Some(place) = band.place else { continue };
        let stack = bars(stage, traces, place);
        let top = middle(number) - thick / 2.0;
        for bar in &stack {
            let x = scale.at(bar.from);
            sheet.line((x, top), (x, top + thick), Role::Ground, "");
        }
        let whole: f64 = stack.iter().map(|bar| bar.value).sum();
        let end = stack.iter().map(|bar| bar.to).fold(0.0, f64::max);
        if stack.iter().all(|bar| bar.value >= 0.0) && !stack.is_empty() {
            sheet.words(
                scale.at(end) + 5.0,
                middle(number) + 4.0,
                Anchor::Start,
                LABEL,
                &measure.short(whole),
            );
        }
    }
}
