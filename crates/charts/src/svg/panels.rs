//! Small multiples: a panel for each series, all on the same axes, so that a reader compares shapes.

use super::axis::{GAP, Side};
use super::bars;
use super::dots::{self, Numbers};
use super::line;
use super::pen::{Anchor, Area, LABEL, Sheet, TICK, Type};
use super::plot;
use super::{EDGE, Stage, cut};
use crate::spec::{Chart, Kind};
use crate::text;
use crate::words::words;

/// So many panels are drawn at most.
const MOST: usize = 24;

/// Draws all panels from a height on; gives where they end.
pub(super) fn draw(sheet: &mut Sheet, stage: &Stage<'_>, top: f64, remarks: &mut Vec<String>) -> f64 {
    let count = stage.frame.traces.len().min(MOST);
    if count < stage.frame.traces.len() {
        remarks.push(cut(words(stage.chart.language).some, count, stage.frame.traces.len(), stage.chart));
    }
    let wide = sheet.width >= 500.0;
    let across = match (wide, count) {
        (true, 0..=2) => count.max(1),
        (true, 4) => 2,
        (true, _) => 3,
        (false, 0..=3) => 1,
        (false, _) => 2,
    };
    let height = if wide { 120.0 } else { 100.0 };
    let drawing = Drawing::of(stage, sheet.width / across as f64);
    let name = drawing.title(stage.chart);
    let mut y = top;
    if !name.is_empty() {
        sheet.words(
            EDGE,
            y + 8.0,
            Anchor::Start,
            TICK,
            &text::fit(&text::clean(&name), TICK.size, sheet.width - 2.0 * EDGE),
        );
        y += 20.0;
    }
    let left = EDGE + drawing.numbers() + GAP;
    let each = (sheet.width - EDGE - left - GAP * 2.0 * (across as f64 - 1.0)) / across as f64;
    let feet = drawing.feet(stage);
    let rows = count.div_ceil(across);
    for at in 0..count {
        let (row, column) = (at / across, at % across);
        let x = left + (each + GAP * 2.0) * column as f64;
        let panel_top = y + (height + 30.0) * row as f64 + 20.0;
        let area = Area { left: x, right: x + each, top: panel_top, bottom: panel_top + height };
        let name = stage.frame.traces.get(at).map(|trace| text::clean(&trace.name)).unwrap_or_default();
        let bold = Type { bold: true, ..LABEL };
        sheet.words(x, panel_top - 7.0, Anchor::Start, bold, &text::fit(&name, LABEL.size * 1.09, each));
        // Names of places below the last panel of each column.
        drawing.panel(sheet, stage, at, area, column == 0, at + across >= count);
    }
    y + (height + 30.0) * rows as f64 - 10.0 + feet
}

/// What all panels share.
enum Drawing {
    Lines(line::Measures),
    Bars(super::axis::Measure, Vec<bars::Band>),
    Numbers(Numbers, bool),
}

impl Drawing {
    fn of(stage: &Stage<'_>, width: f64) -> Self {
        let stage = &Stage { chart: stage.chart, frame: stage.frame.clone(), steps: 3 };
        match stage.chart.kind {
            Kind::Line => Self::Lines(plot::measures(stage)),
            Kind::Bar | Kind::GroupedBar | Kind::StackedBar => {
                Self::Bars(bars::measure(stage, None), bars::bands(stage))
            }
            Kind::Histogram => Self::Numbers(Numbers::of(stage, width - 30.0, true), true),
            Kind::Scatter => Self::Numbers(Numbers::of(stage, width - 30.0, false), false),
        }
    }

    fn title(&self, chart: &Chart) -> String {
        match self {
            Self::Lines(measures) => measures.first.title(&chart.y),
            Self::Bars(measure, _) => measure.title(&chart.y),
            Self::Numbers(numbers, _) => numbers.up.title(&chart.y),
        }
    }

    fn numbers(&self) -> f64 {
        match self {
            Self::Lines(measures) => measures.first.width(),
            Self::Bars(measure, _) => measure.width(),
            Self::Numbers(numbers, _) => numbers.up.width(),
        }
    }

    /// Room for the names of places below the last panels.
    fn feet(&self, stage: &Stage<'_>) -> f64 {
        let two =
            matches!(stage.frame.places, crate::frame::Places::Time { .. }) || matches!(self, Self::Bars(..));
        if two { 36.0 } else { 24.0 }
    }

    fn panel(&self, sheet: &mut Sheet, stage: &Stage<'_>, at: usize, area: Area, first: bool, last: bool) {
        let side = if first { Side::First } else { Side::None };
        match self {
            Self::Lines(measures) => {
                line::grid(sheet, area, measures, first);
                line::draw(sheet, stage, &[at], area, measures);
                if last {
                    line::places(sheet, stage, area);
                }
            }
            Self::Bars(measure, bands) => {
                bars::grid(sheet, area, measure, first);
                bars::columns(sheet, stage, &[at], bands, area, measure);
                if last {
                    bars::feet(sheet, stage, bands, area);
                }
            }
            Self::Numbers(numbers, counts) => {
                numbers.up.rows(sheet, area, side);
                if *counts {
                    dots::histogram(sheet, stage, &[at], area, numbers);
                } else {
                    dots::scatter(sheet, stage, &[at], area, numbers);
                }
                if last {
                    numbers.across.feet(sheet, area);
                }
            }
        }
    }
}
