//! Series and charts held against the data: series are computed again from how they say a value is computed, every value of a
//! chart must be one of its series or figures, and every picture must draw the values of its chart.

use std::collections::BTreeMap;

use baton_charts::readback::{self, Drawn};
use baton_charts::render::{ChartData, render};
use baton_charts::{Chart, Kind, Positions, plain};
use baton_engine::RunFile;
use baton_figures::{Calculation, Date, Figure, Grain, Period, Series};
use serde::Deserialize;

use super::{Evidence, ShownChart};
use crate::report::acts::RecomputeFigures;
use crate::report::naming::named;
use crate::report::tell::group_name;
use crate::report::world::DataWorld;

/// A value may differ so much, relative to its size: what a number of a file keeps of one with more digits.
const SLACK: f64 = 1e-12;

/// What holding series and charts against the data found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redrawn {
    /// Files of series.
    pub series: usize,
    /// Charts.
    pub charts: usize,
    /// What does not hold, in sentences.
    pub flaws: Vec<String>,
}

/// A file of `results/series`.
#[derive(Deserialize)]
struct SeriesFile {
    asset: String,
    metric: String,
    unit: Option<String>,
    frequency: Grain,
    labels: Vec<String>,
    values: Vec<Option<f64>>,
    calculation: Option<Calculation>,
}

/// Values by their labels.
type Course = BTreeMap<String, Option<f64>>;

/// A series computed again.
struct Again {
    name: String,
    unit: String,
    values: Course,
}

/// Holds the series and charts among these files against the data. The files are what a reader finds; the evidence is what the
/// journal renders.
pub fn verify_drawn(evidence: &Evidence, files: &[RunFile], world: &DataWorld) -> Redrawn {
    let mut found = Redrawn::default();
    let series = again(evidence, files, world, &mut found);
    let charts = chart_data(files, &mut found.flaws);
    found.charts = charts.len();
    for shown in &evidence.charts {
        let Some(chart) = charts.iter().find(|chart| chart.id == shown.id) else {
            found.flaws.push(format!("state/chart_data.json does not have {}", shown.id));
            continue;
        };
        let gone = |name: &&String| text(files, &format!("results/series/{name}")).is_none();
        found.flaws.extend(
            shown.series.iter().filter(gone).map(|name| format!("results/series/{name} cannot be read")),
        );
        let own: Vec<&Again> = shown.series.iter().filter_map(|file| series.get(file)).collect();
        found.flaws.extend(unfounded(chart, &own, &evidence.figures_of(shown)));
        let page = format!("output/charts/{}", shown.page);
        match text(files, &page) {
            Some(html) => found.flaws.extend(redrawn(&page, chart, readback::drawn(html))),
            None => found.flaws.push(format!("{page} cannot be read")),
        }
        found.flaws.extend(in_report(files, chart));
    }
    for chart in charts.iter().filter(|chart| evidence.charts.iter().all(|shown| shown.id != chart.id)) {
        found.flaws.push(format!("{} is a chart that nobody made", chart.id));
    }
    found
}

fn text<'a>(files: &'a [RunFile], path: &str) -> Option<&'a str> {
    std::str::from_utf8(&files.iter().find(|file| file.path == path)?.content).ok()
}

/// Every series file computed again, by its name.
fn again(
    evidence: &Evidence,
    files: &[RunFile],
    world: &DataWorld,
    found: &mut Redrawn,
) -> BTreeMap<String, Again> {
    let mut told: Vec<(&str, SeriesFile)> = Vec::new();
    for file in files {
        let Some(name) = file.path.strip_prefix("results/series/") else { continue };
        found.series += 1;
        match serde_json::from_slice::<SeriesFile>(&file.content) {
            Ok(series) if series.labels.len() == series.values.len() => told.push((name, series)),
            Ok(_) => found.flaws.push(format!("{} has not one value for each label", file.path)),
            Err(error) => found.flaws.push(format!("{} cannot be read: {error}", file.path)),
        }
    }
    let act = RecomputeFigures {
        tables: evidence.tables.clone(),
        hashes: evidence.hashes.clone(),
        figures: Vec::new(),
        series: told.iter().map(|(_, series)| asked(series)).collect(),
    };
    if told.is_empty() {
        return BTreeMap::new();
    }
    let computed = match world.again(act) {
        Ok(computed) => computed.series,
        Err(failure) => {
            found.flaws.push(format!("the series could not be computed again: {failure}"));
            return BTreeMap::new();
        }
    };
    let mut series = BTreeMap::new();
    for (at, (name, told)) in told.into_iter().enumerate() {
        let path = format!("results/series/{name}");
        let again = match computed.get(at) {
            Some(again) if again.reason.is_none() && again.values.len() == told.labels.len() => again,
            Some(again) => {
                let reason = again.reason.as_deref().unwrap_or("a label names no period");
                found.flaws.push(format!("{path} could not be computed again: {reason}"));
                continue;
            }
            None => {
                found.flaws.push(format!("{path} was not computed again"));
                continue;
            }
        };
        let values: Vec<Option<f64>> =
            again.values.iter().map(|value| value.map(baton_figures::Decimal::to_f64)).collect();
        for ((label, stated), value) in told.labels.iter().zip(&told.values).zip(&values) {
            if !same(*stated, *value) {
                found.flaws.push(format!(
                    "{path} says {} at {label} and the data give {}",
                    in_words(*stated),
                    in_words(*value)
                ));
            }
        }
        let values = told.labels.into_iter().zip(values).collect();
        series
            .insert(name.to_owned(), Again { name: told.asset, unit: told.unit.unwrap_or_default(), values });
    }
    series
}

/// A series file as a series to be computed.
fn asked(told: &SeriesFile) -> Series {
    // A label that is no period leaves the series short of a value, which is noticed.
    let periods = told.labels.iter().filter_map(|label| period(label, told.frequency));
    Series {
        name: told.asset.clone(),
        table: String::new(),
        measure: told.metric.clone(),
        group: None,
        unit: told.unit.clone(),
        grain: told.frequency,
        periods: periods.collect(),
        values: Vec::new(),
        partial: 0,
        calculation: told.calculation.clone(),
    }
}

/// The period that a label of a series names.
fn period(label: &str, grain: Grain) -> Option<Period> {
    let first = match label.split_once("-Q") {
        Some((year, quarter)) => {
            Date::of(year.parse().ok()?, (quarter.parse::<u32>().ok()?.checked_mul(3)?).checked_sub(2)?, 1)?
        }
        None => match label.len() {
            4 => format!("{label}-01-01").parse().ok()?,
            7 => format!("{label}-01").parse().ok()?,
            _ => label.parse().ok()?,
        },
    };
    Some(grain.period(first)).filter(|period| period.from == first)
}

fn chart_data(files: &[RunFile], flaws: &mut Vec<String>) -> Vec<Chart> {
    let path = "state/chart_data.json";
    let Some(text) = text(files, path) else { return Vec::new() };
    match ChartData::parse(text) {
        Ok(data) => {
            let rendered = render(&data, &mut |file| Err(format!("{file} is not asked for")));
            for outcome in rendered.summary.charts {
                flaws.extend(outcome.error.map(|why| format!("{path}: {}: {why}", outcome.chart_id)));
            }
            rendered.charts
        }
        Err(error) => {
            flaws.push(format!("{path}: {error}"));
            Vec::new()
        }
    }
}

/// Values of a chart that neither its series nor its figures have.
fn unfounded(chart: &Chart, series: &[&Again], figures: &[&Figure]) -> Vec<String> {
    let mut flaws = Vec::new();
    for drawn in &chart.series {
        for (label, value) in points(drawn) {
            let holds = if chart.kind == Kind::Line {
                let own = series.iter().filter(|it| it.name == drawn.name && it.unit == chart.y.unit);
                own.filter_map(|it| it.values.get(&label)).any(|again| same(*again, value))
            } else {
                let unit = |figure: &Figure| figure.unit.as_deref().unwrap_or_default() == chart.y.unit;
                figures.iter().any(|figure| {
                    unit(figure) && group(figure) == label && same(Some(figure.value.to_f64()), value)
                })
            };
            if !holds {
                flaws.push(format!(
                    "chart {} draws {} for {} at {label}, which the data do not give",
                    chart.id,
                    in_words(value),
                    drawn.name
                ));
            }
        }
    }
    flaws
}

/// What a bar of a figure is called.
pub(in crate::report) fn group(figure: &Figure) -> String {
    let names = figure.group.iter().map(|(column, value)| group_name(&named(column), value));
    names.collect::<Vec<_>>().join(", ")
}

fn points(series: &baton_charts::Series) -> Vec<(String, Option<f64>)> {
    let labels: Vec<String> = match &series.x {
        Positions::Labels(labels) => labels.clone(),
        Positions::Numbers(numbers) => numbers.iter().map(f64::to_string).collect(),
    };
    labels.into_iter().zip(series.y.iter().copied()).collect()
}

/// The pictures of a chart in the report: the frame's and the one for paper.
fn in_report(files: &[RunFile], chart: &Chart) -> Vec<String> {
    let path = "output/report.html";
    let begin = format!("<figure id=\"{}\">", chart.id);
    let figure = text(files, path)
        .and_then(|html| html.split_once(&begin))
        .and_then(|(_, rest)| rest.split_once("</figure>"));
    let Some((figure, _)) = figure else { return vec![format!("{path} does not show {}", chart.id)] };
    let framed = readback::frames(figure);
    if framed.is_empty() {
        return vec![format!("{path} has no frame for {}", chart.id)];
    }
    let pages = framed.iter().map(String::as_str).chain([figure]);
    pages.flat_map(|page| redrawn(path, chart, readback::drawn(page))).collect()
}

/// What pictures of a chart draw otherwise than it says.
fn redrawn(path: &str, chart: &Chart, drawn: Result<Vec<Drawn>, String>) -> Vec<String> {
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(why) => return vec![format!("{path}: {why}")],
    };
    let mut flaws = Vec::new();
    for series in &chart.series {
        let name = plain(&series.name);
        let wanted: BTreeMap<String, f64> =
            points(series).into_iter().filter_map(|(label, value)| Some((plain(&label), value?))).collect();
        let mut times = 0;
        for one in drawn.iter().filter(|one| one.series == name) {
            times += 1;
            for (label, value) in &one.points {
                if wanted.get(label).is_none_or(|wanted| !same(Some(*wanted), Some(*value))) {
                    let says = in_words(wanted.get(label).copied());
                    flaws.push(format!(
                        "{path} draws {value} for {name} at {label}, and chart {} says {says}",
                        chart.id
                    ));
                }
            }
            if one.points.len() != wanted.len() {
                let (drawn, wanted) = (one.points.len(), wanted.len());
                flaws
                    .push(format!("{path} draws {drawn} of {wanted} values of {name} in chart {}", chart.id));
            }
        }
        if times == 0 {
            flaws.push(format!("{path} does not draw {name} of chart {}", chart.id));
        }
    }
    let known = |one: &&Drawn| chart.series.iter().all(|series| plain(&series.name) != one.series);
    flaws.extend(
        drawn
            .iter()
            .filter(known)
            .map(|one| format!("{path} draws {} in chart {}, which nobody computed", one.series, chart.id)),
    );
    flaws
}

fn same(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => (one - other).abs() <= SLACK * one.abs().max(other.abs()),
        _ => false,
    }
}

fn in_words(value: Option<f64>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| value.to_string())
}

impl Evidence {
    fn figures_of(&self, shown: &ShownChart) -> Vec<&Figure> {
        self.figures.iter().filter(|figure| shown.figures.contains(&figure.id)).collect()
    }
}
