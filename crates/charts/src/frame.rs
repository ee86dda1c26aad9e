//! A chart with its places settled: one order of places for all series, dates read, bars sorted, faults found.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::fault::ChartError;
use crate::spec::{Chart, Kind, Order, Positions, Scale, Series};
use crate::time::{self, Grain};

/// A chart ready to be laid out.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub places: Places,
    pub traces: Vec<Trace>,
}

/// The places along the horizontal axis, of all series together, in the order they are drawn.
#[derive(Clone, Debug)]
pub(crate) enum Places {
    /// Moments: the second each begins at, and its label.
    Time { stops: Vec<(i64, String)>, grain: Grain },
    /// Names.
    Category(Vec<String>),
    /// Numbers; each point has its own.
    Number,
}

/// A series with its places.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    pub name: String,
    pub secondary: bool,
    /// In the order of places.
    pub points: Vec<Point>,
}

#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// Which of the places.
    pub place: usize,
    /// Seconds, index of a category, or a number.
    pub x: f64,
    pub label: String,
    pub y: Option<f64>,
}

impl Frame {
    /// The frame of a chart, and what is wrong with its places and values.
    pub fn of(chart: &Chart) -> (Self, Vec<ChartError>) {
        let mut faults: Vec<ChartError> =
            chart.series.iter().flat_map(|series| uneven(chart.kind, series)).collect();
        if chart.points() == 0 {
            faults.push(ChartError::Empty);
        }
        let numeric = matches!(chart.kind, Kind::Scatter | Kind::Histogram);
        let frame = if numeric { by_number(chart, &mut faults) } else { by_label(chart, &mut faults) };
        if chart.kind == Kind::StackedBar {
            faults.extend(overflowing(&frame));
        }
        (frame, faults)
    }

    /// The values of all traces, missing ones aside.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.traces.iter().flat_map(|trace| trace.points.iter().filter_map(|point| point.y))
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        match &self.places {
            Places::Time { stops, .. } => stops.len(),
            Places::Category(labels) => labels.len(),
            Places::Number => self.traces.iter().map(|trace| trace.points.len()).max().unwrap_or_default(),
        }
    }

    /// Where a label of an annotation stands.
    pub fn find(&self, label: &str) -> Option<f64> {
        match &self.places {
            Places::Time { .. } => time::read(label).map(|moment| moment.second as f64),
            Places::Category(labels) => labels.iter().position(|it| it == label).map(|at| at as f64),
            Places::Number => label.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        }
    }
}

/// A stack whose sum is no number any more.
fn overflowing(frame: &Frame) -> Option<ChartError> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for point in frame.traces.iter().flat_map(|trace| &trace.points) {
        let (up, down) = sums.entry(point.place).or_default();
        let value = point.y.unwrap_or_default();
        *(if value >= 0.0 { up } else { down }) += value;
    }
    let (place, _) = sums.into_iter().find(|(_, (up, down))| !up.is_finite() || !down.is_finite())?;
    let series = frame.traces.last().map(|trace| trace.name.clone()).unwrap_or_default();
    Some(ChartError::NotFinite { series, at: place + 1 })
}

fn uneven(kind: Kind, series: &Series) -> Option<ChartError> {
    let places = match &series.x {
        Positions::Labels(labels) => labels.len(),
        Positions::Numbers(numbers) => numbers.len(),
    };
    let (series_name, values) = (series.name.clone(), series.y.len());
    if kind == Kind::Histogram {
        let rising = match &series.x {
            Positions::Numbers(edges) => edges.is_sorted_by(|a, b| a < b),
            Positions::Labels(_) => false,
        };
        return (places != values + 1 || !rising).then_some(ChartError::Edges {
            series: series_name,
            edges: places,
            counts: values,
        });
    }
    (places != values).then_some(ChartError::Uneven { series: series_name, places, values })
}

fn finite(series: &Series, faults: &mut Vec<ChartError>) -> Vec<Option<f64>> {
    let bad = series.y.iter().position(|value| value.is_some_and(|value| !value.is_finite()));
    if let Some(at) = bad {
        faults.push(ChartError::NotFinite { series: series.name.clone(), at: at + 1 });
    }
    series.y.iter().map(|value| value.filter(|value| value.is_finite())).collect()
}

fn by_number(chart: &Chart, faults: &mut Vec<ChartError>) -> Frame {
    let trace = |series: &Series, faults: &mut Vec<ChartError>| {
        let numbers: Vec<Option<f64>> = match &series.x {
            Positions::Numbers(numbers) => numbers.iter().map(|number| Some(*number)).collect(),
            Positions::Labels(labels) => labels.iter().map(|label| label.trim().parse().ok()).collect(),
        };
        let values = finite(series, faults);
        let points = numbers.iter().zip(values).enumerate().filter_map(|(place, (x, y))| {
            let Some(x) = x.filter(|x| x.is_finite()) else {
                let label = match &series.x {
                    Positions::Labels(labels) => labels.get(place).cloned().unwrap_or_default(),
                    Positions::Numbers(numbers) => {
                        numbers.get(place).map(ToString::to_string).unwrap_or_default()
                    }
                };
                faults.push(ChartError::Place { series: series.name.clone(), label, wanted: "a number" });
                return None;
            };
            let label = match &series.x {
                Positions::Numbers(edges) if chart.kind == Kind::Histogram => {
                    format!("{x} – {}", edges.get(place + 1).copied().unwrap_or(x))
                }
                _ => x.to_string(),
            };
            Some(Point { place, x, label, y })
        });
        Trace { name: series.name.clone(), secondary: false, points: points.collect() }
    };
    let traces = chart.series.iter().map(|series| trace(series, faults)).collect();
    Frame { places: Places::Number, traces }
}

fn labels(series: &Series) -> Vec<String> {
    match &series.x {
        Positions::Labels(labels) => labels.clone(),
        Positions::Numbers(numbers) => numbers.iter().map(ToString::to_string).collect(),
    }
}

fn by_label(chart: &Chart, faults: &mut Vec<ChartError>) -> Frame {
    let all: Vec<Vec<String>> = chart.series.iter().map(labels).collect();
    let is_date = |label: &String| time::read(label).is_some();
    let timed = match chart.x.scale {
        Scale::Category => false,
        Scale::Auto => all.iter().flatten().all(is_date),
        Scale::Time => {
            for (series, labels) in chart.series.iter().zip(&all) {
                let wrong = labels.iter().find(|label| !is_date(label)).cloned();
                faults.extend(wrong.map(|label| ChartError::Place {
                    series: series.name.clone(),
                    label,
                    wanted: "a date (2024, 2024-Q1, 2024-03, 2024-W05, 2024-03-09 or 2024-03-09T14:00)",
                }));
            }
            true
        }
    };
    let places = if timed { dates(&all) } else { Places::Category(categories(chart, &all)) };
    let index: HashMap<String, (usize, f64)> = match &places {
        Places::Category(labels) => {
            labels.iter().enumerate().map(|(at, label)| (label.clone(), (at, at as f64))).collect()
        }
        Places::Time { stops, .. } => {
            let by_second: HashMap<i64, usize> =
                stops.iter().enumerate().map(|(at, (second, _))| (*second, at)).collect();
            let place = |label: &String| {
                let second = time::read(label)?.second;
                Some((label.clone(), (*by_second.get(&second)?, second as f64)))
            };
            all.iter().flatten().filter_map(place).collect()
        }
        Places::Number => HashMap::new(),
    };
    let mut traces = Vec::new();
    for (series, labels) in chart.series.iter().zip(all) {
        let values = finite(series, faults);
        let mut points: Vec<Point> = labels
            .into_iter()
            .zip(values)
            .filter_map(|(label, y)| {
                index.get(&label).map(|(place, x)| Point { place: *place, x: *x, label, y })
            })
            .collect();
        points.sort_by_key(|point| point.place);
        let twice = points.windows(2).find(|two| two[0].place == two[1].place);
        faults.extend(
            twice.map(|two| ChartError::Twice { series: series.name.clone(), label: two[0].label.clone() }),
        );
        // A second axis only where units force it.
        let forced = chart.y2.as_ref().is_some_and(|y2| y2.unit != chart.y.unit);
        if series.secondary && chart.y2.is_none() {
            faults.push(ChartError::NoSecondAxis { series: series.name.clone() });
        }
        traces.push(Trace { name: series.name.clone(), secondary: series.secondary && forced, points });
    }
    Frame { places, traces }
}

fn dates(all: &[Vec<String>]) -> Places {
    let mut stops = BTreeMap::new();
    let mut grain = Grain::Year;
    for label in all.iter().flatten() {
        if let Some(moment) = time::read(label) {
            grain = grain.max(moment.grain);
            stops.entry(moment.second).or_insert_with(|| label.clone());
        }
    }
    Places::Time { stops: stops.into_iter().collect(), grain }
}

/// Names in the order they come, or by size: of the first series, of the sum where bars are stacked.
fn categories(chart: &Chart, all: &[Vec<String>]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = all.iter().flatten().filter(|name| seen.insert(*name)).cloned().collect();
    let bars = matches!(chart.kind, Kind::Bar | Kind::GroupedBar | Kind::StackedBar);
    if !bars || chart.order == Order::Given {
        return names;
    }
    let counted = if chart.kind == Kind::StackedBar { chart.series.len() } else { 1 };
    let mut sizes: HashMap<&String, f64> = HashMap::new();
    for (series, labels) in chart.series.iter().zip(all).take(counted) {
        for (label, value) in labels.iter().zip(&series.y) {
            if let Some(value) = value {
                *sizes.entry(label).or_default() += value;
            }
        }
    }
    // What is missing comes last; the order of equals is the one they came in.
    let size = |name: &String| sizes.get(name).copied().unwrap_or(f64::NEG_INFINITY);
    names.sort_by(|a, b| size(b).total_cmp(&size(a)));
    names
}
