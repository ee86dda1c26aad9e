//! Plots over numbers: dots for pairs, and counts between edges.

use super::Stage;
use super::axis::{Mark, Measure, open_series};
use super::pen::{Area, Role, Sheet};
use crate::scale::Base;
use crate::spec::Positions;

/// The measures of a plot over numbers: across and up.
pub(super) struct Numbers {
    pub across: Measure,
    pub up: Measure,
}

impl Numbers {
    pub fn of(stage: &Stage<'_>, width: f64, counts: bool) -> Self {
        let chart = stage.chart;
        let places = chart.series.iter().flat_map(|series| match &series.x {
            Positions::Numbers(numbers) => numbers.clone(),
            Positions::Labels(labels) => {
                labels.iter().filter_map(|label| label.trim().parse().ok()).collect()
            }
        });
        let across =
            Measure::steps_across(&places.collect::<Vec<f64>>(), &chart.x, width, Base::Free, chart.language);
        let base = if counts { Base::Zero } else { Base::Free };
        let values = stage.frame.values().chain(stage.levels());
        Self { across, up: Measure::of(values, &chart.y, stage.steps, base, chart.language) }
    }
}

/// Dots.
pub(super) fn scatter(sheet: &mut Sheet, stage: &Stage<'_>, traces: &[usize], area: Area, numbers: &Numbers) {
    let (x, y) = (numbers.across.scale(area.left, area.right), numbers.up.scale(area.bottom, area.top));
    for at in traces {
        let Some(trace) = stage.frame.traces.get(*at) else { continue };
        let marks: Vec<Mark<'_>> = trace
            .points
            .iter()
            .filter_map(|point| {
                let value = point.y?;
                Some(Mark { label: &point.label, value, x: x.at(point.x), y: y.at(value) })
            })
            .collect();
        // Where dots are many they are small and let through what lies below.
        let (radius, shade) = match marks.len() {
            0..=60 => (4.5, "0.85"),
            61..=400 => (3.5, "0.6"),
            _ => (2.0, "0.35"),
        };
        open_series(sheet, *at, &trace.name, stage.unit(*at), &marks);
        for (number, mark) in marks.iter().enumerate() {
            sheet.dot(
                (mark.x, mark.y),
                radius,
                stage.role(*at),
                None,
                &format!("fill-opacity=\"{shade}\" data-at=\"{number}\""),
            );
        }
        sheet.close();
    }
}

/// Counts between edges.
pub(super) fn histogram(
    sheet: &mut Sheet,
    stage: &Stage<'_>,
    traces: &[usize],
    area: Area,
    numbers: &Numbers,
) {
    let (x, y) = (numbers.across.scale(area.left, area.right), numbers.up.scale(area.bottom, area.top));
    for at in traces {
        let (Some(trace), Some(series)) = (stage.frame.traces.get(*at), stage.chart.series.get(*at)) else {
            continue;
        };
        let Positions::Numbers(edges) = &series.x else { continue };
        let bars: Vec<(Area, Mark<'_>)> = trace
            .points
            .iter()
            .filter_map(|point| {
                let value = point.y?;
                let (left, right) = (x.at(point.x), x.at(*edges.get(point.place + 1)?));
                let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
                let shape = Area {
                    left: left + gap,
                    right: right - gap,
                    top: y.at(value.max(0.0)),
                    bottom: y.at(value.min(0.0)),
                };
                Some((shape, Mark { label: &point.label, value, x: (left + right) / 2.0, y: y.at(value) }))
            })
            .collect();
        let marks: Vec<Mark<'_>> = bars.iter().map(|(_, mark)| mark.clone()).collect();
        open_series(sheet, *at, &trace.name, stage.unit(*at), &marks);
        for (number, (shape, _)) in bars.iter().enumerate() {
            sheet.rect(*shape, stage.role(*at), &format!("data-at=\"{number}\""));
        }
        sheet.close();
    }
    let zero = y.at(0.0);
    sheet.line((area.left, zero), (area.right, zero), Role::Base, "");
}
