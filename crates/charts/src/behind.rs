//! What stands behind a picture: its table, and its content in words for whoever cannot see it.

use crate::fault::{self, ChartError};
use crate::frame::{Frame, Places, Trace};
use crate::number;
use crate::spec::{Chart, Kind, Language};
use crate::words::{fill, words};

/// The table behind a chart, in the order the chart shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Behind {
    /// What each column is, the first one for the labels.
    pub head: Vec<String>,
    /// A label and its values; `None` is missing.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    language: Language,
}

impl Behind {
    /// The table of a chart that can be drawn.
    pub fn of(chart: &Chart) -> Result<Self, ChartError> {
        Ok(Self::of_frame(chart, &fault::frame(chart)?))
    }

    pub(crate) fn of_frame(chart: &Chart, frame: &Frame) -> Self {
        let words = words(chart.language);
        if chart.kind == Kind::Scatter {
            let head = vec![words.series.to_owned(), axis_name(&chart.x), axis_name(&chart.y)];
            let row = |trace: &Trace, x: f64, y| (trace.name.clone(), vec![Some(x), y]);
            let rows = frame.traces.iter();
            let rows = rows
                .flat_map(|trace| trace.points.iter().map(|point| row(trace, point.x, point.y)))
                .collect();
            return Self { head, rows, language: chart.language };
        }
        let mut head = vec![axis_name(&chart.x)];
        head.extend(chart.series.iter().map(|series| {
            let axis = if series.secondary { chart.y2.as_ref().unwrap_or(&chart.y) } else { &chart.y };
            with_unit(&series.name, &axis.unit)
        }));
        let mut rows: Vec<(String, Vec<Option<f64>>)> =
            labels(frame).into_iter().map(|label| (label, vec![None; frame.traces.len()])).collect();
        for (column, trace) in frame.traces.iter().enumerate() {
            for point in &trace.points {
                if let Some(cell) = rows.get_mut(point.place).and_then(|(_, values)| values.get_mut(column)) {
                    *cell = point.y;
                }
            }
        }
        Self { head, rows, language: chart.language }
    }

    /// A value as a reader sees it; words where it is missing.
    pub fn shown(&self, row: usize, column: usize) -> String {
        let value = self.rows.get(row).and_then(|(_, values)| values.get(column)).copied().flatten();
        value.map_or_else(
            || words(self.language).missing.to_owned(),
            |value| number::exact(value, self.language),
        )
    }
}

fn labels(frame: &Frame) -> Vec<String> {
    match &frame.places {
        Places::Time { stops, .. } => stops.iter().map(|(_, label)| label.clone()).collect(),
        Places::Category(labels) => labels.clone(),
        Places::Number => {
            let longest = frame.traces.iter().max_by_key(|trace| trace.points.len());
            longest
                .map(|trace| trace.points.iter().map(|point| point.label.clone()).collect())
                .unwrap_or_default()
        }
    }
}

fn axis_name(axis: &crate::spec::Axis) -> String {
    with_unit(&axis.label, &axis.unit)
}

/// "Exports (EUR)".
pub(crate) fn with_unit(name: &str, unit: &str) -> String {
    match (name.is_empty(), unit.is_empty()) {
        (_, true) => name.to_owned(),
        (true, false) => unit.to_owned(),
        (false, false) => format!("{name} ({unit})"),
    }
}

/// How many series a description tells one by one.
const TOLD: usize = 6;
/// How many categories it names.
const NAMED: usize = 3;

/// The content of a chart in words.
pub fn describe(chart: &Chart) -> String {
    let (frame, _) = Frame::of(chart);
    let words = words(chart.language);
    let mut sentences = vec![format!("{}.", words.kind(chart.kind))];
    if let Places::Time { stops, .. } = &frame.places
        && let (Some((_, first)), Some((_, last))) = (stops.first(), stops.last())
    {
        sentences.push(format!("{}.", fill(words.to, &[first, last])));
    }
    sentences.extend(frame.traces.iter().take(TOLD).map(|trace| tell(chart, &frame, trace)));
    if let more @ 1.. = frame.traces.len().saturating_sub(TOLD) {
        sentences.push(format!("+{more}."));
    }
    sentences.join(" ")
}

fn tell(chart: &Chart, frame: &Frame, trace: &Trace) -> String {
    let words = words(chart.language);
    let unit = match (&chart.y2, trace.secondary) {
        (Some(axis), true) => &axis.unit,
        _ => &chart.y.unit,
    };
    let shown = |value: f64| {
        let unit = if unit.is_empty() { String::new() } else { format!("\u{a0}{unit}") };
        format!("{}{unit}", number::exact(value, chart.language))
    };
    let known: Vec<(&str, f64)> =
        trace.points.iter().filter_map(|point| Some((point.label.as_str(), point.y?))).collect();
    let mut told = vec![format!("{} {}", known.len(), words.values)];
    let at = |name: &str, point: Option<&(&str, f64)>| {
        point.map(|(label, value)| format!("{name} {} ({label})", shown(*value)))
    };
    let category = matches!(frame.places, Places::Category(_)) && chart.kind != Kind::Line;
    if category {
        told.extend(known.iter().take(NAMED).map(|(label, value)| format!("{label} {}", shown(*value))));
    } else {
        let highest = known.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let lowest = known.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        told.extend(at(words.lowest, lowest));
        told.extend(at(words.highest, highest));
        if chart.kind == Kind::Line {
            told.extend(at(words.first, known.first()));
            told.extend(at(words.last, known.last()));
        }
    }
    let gaps = trace.points.iter().filter(|point| point.y.is_none()).count();
    if gaps > 0 {
        told.push(format!("{gaps} {}", words.gaps));
    }
    let name = if trace.name.is_empty() { String::new() } else { format!("{}: ", trace.name) };
    format!("{name}{}.", told.join("; "))
}
