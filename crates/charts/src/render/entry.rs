//! One chart as `chart_data.json` has it, and the series files it names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::indicator;
use crate::spec::{Annotation, Axis, Chart, Kind, Language, Order, Panels, Positions, Series};

/// One chart of the file. What is not named is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Its id.
    #[serde(alias = "id")]
    pub chart_id: String,
    /// Its kind: `line`, `bar`, `grouped_bar`, `stacked_bar`, `histogram`, `scatter` and their usual other names.
    #[serde(alias = "type")]
    pub chart_type: String,
    /// Its title.
    pub title: String,
    /// A line below the title.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subtitle: String,
    /// The picture in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Values in the file itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Inline>,
    /// Series files, each with its own name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_files: Vec<String>,
    /// Series files by name and label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<SeriesName>,
    /// Where the values come from.
    #[serde(alias = "source")]
    pub source_citation: String,
    /// The horizontal axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_axis: Option<AxisName>,
    /// The axis of the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_axis: Option<AxisName>,
    /// The second axis of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y2_axis: Option<AxisName>,
    /// What is pointed out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Annotation>,
    /// What was computed, where somebody says so. Looked at only to refuse it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calculations: Vec<String>,
    /// Small multiples.
    pub panels: Panels,
    /// The order of categories.
    pub order: Order,
    /// Its language.
    pub language: Language,
}

/// Values in the file itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Inline {
    /// Places that all datasets share.
    pub labels: Labels,
    /// The series.
    pub datasets: Vec<Dataset>,
}

/// One series in the file itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dataset {
    /// Its name.
    pub label: String,
    /// Its values.
    pub data: Vec<Option<f64>>,
    /// Its own places, where they differ from the shared ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<Labels>,
    /// Measured on the second axis.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secondary_y: bool,
}

/// Places: numbers, or text and numbers mixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Labels {
    /// Numbers alone.
    Numbers(Vec<f64>),
    /// Anything else.
    Mixed(Vec<Value>),
}

impl Default for Labels {
    fn default() -> Self {
        Self::Mixed(Vec::new())
    }
}

/// A series file by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeriesName {
    /// The file.
    pub file: String,
    /// What the legend calls it.
    pub label: String,
    /// Measured on the second axis.
    pub secondary_y: bool,
}

/// An axis by its name, or in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AxisName {
    /// Its name.
    Name(String),
    /// With its unit.
    Full(Axis),
}

impl AxisName {
    fn axis(&self) -> Axis {
        match self {
            Self::Name(label) => Axis { label: label.clone(), ..Axis::default() },
            Self::Full(axis) => axis.clone(),
        }
    }
}

/// A file of a series.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct SeriesFile {
    pub asset: String,
    pub metric: String,
    pub unit: String,
    pub frequency: String,
    pub source: String,
    pub labels: Vec<String>,
    pub values: Vec<Option<f64>>,
    pub updated_at: String,
}

impl SeriesFile {
    /// What a legend calls it.
    fn name(&self) -> String {
        match (self.asset.is_empty(), self.metric.is_empty()) {
            (false, false) => format!("{} {}", self.asset, self.metric),
            (true, _) => self.metric.clone(),
            (false, true) => self.asset.clone(),
        }
    }
}

impl Entry {
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        Self::deserialize(value).map_err(|error| format!("the chart cannot be read: {error}"))
    }

    /// The chart as the file has it.
    pub fn of(chart: &Chart) -> Self {
        let shared = chart.series.first().map(|series| series.x.clone()).unwrap_or_default();
        let dataset = |series: &Series| Dataset {
            label: series.name.clone(),
            data: series.y.clone(),
            x: (series.x != shared).then(|| Labels::of(&series.x)),
            secondary_y: series.secondary,
        };
        let datasets = chart.series.iter().map(dataset).collect();
        let chart = chart.clone();
        Self {
            chart_id: chart.id,
            chart_type: kind_name(chart.kind).to_owned(),
            title: chart.title,
            subtitle: chart.subtitle,
            description: chart.description,
            data: Some(Inline { labels: Labels::of(&shared), datasets }),
            source_citation: chart.source,
            x_axis: Some(AxisName::Full(chart.x)),
            y_axis: Some(AxisName::Full(chart.y)),
            y2_axis: chart.y2.map(AxisName::Full),
            annotations: chart.annotations,
            panels: chart.panels,
            order: chart.order,
            language: chart.language,
            ..Self::default()
        }
    }

    /// The series files it names, without their folders.
    pub fn files(&self) -> Vec<String> {
        let named = self.series.iter().map(|series| series.file.as_str());
        named.chain(self.source_files.iter().map(String::as_str)).filter_map(base_name).collect()
    }

    /// The chart it describes.
    pub(super) fn chart(
        &self,
        id: &str,
        files: &BTreeMap<String, Result<SeriesFile, String>>,
    ) -> Result<Chart, String> {
        if let Some((name, indicator)) =
            self.calculations.iter().find_map(|name| Some((name, indicator::forbidden(name)?)))
        {
            return Err(format!(
                "{indicator} is an indicator of technical analysis and is not drawn (calculation {name:?})"
            ));
        }
        let axis = |name: &Option<AxisName>| name.as_ref().map(AxisName::axis);
        let mut chart = Chart {
            id: id.to_owned(),
            kind: kind(&self.chart_type)?,
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            source: self.source_citation.clone(),
            description: self.description.clone(),
            x: axis(&self.x_axis).unwrap_or_default(),
            y: axis(&self.y_axis).unwrap_or_default(),
            y2: axis(&self.y2_axis),
            series: self.data.as_ref().map(Inline::series).unwrap_or_default(),
            annotations: self.annotations.clone(),
            panels: self.panels,
            order: self.order,
            language: self.language,
        };
        let plain =
            self.source_files.iter().map(|file| SeriesName { file: file.clone(), ..SeriesName::default() });
        for named in self.series.iter().cloned().chain(plain) {
            add(&mut chart, &named, files)?;
        }
        Ok(chart)
    }
}

/// Adds the series of a file.
fn add(
    chart: &mut Chart,
    named: &SeriesName,
    files: &BTreeMap<String, Result<SeriesFile, String>>,
) -> Result<(), String> {
    let name =
        base_name(&named.file).ok_or_else(|| format!("{:?} is not the name of a series file", named.file))?;
    let file = match files.get(&name) {
        Some(Ok(file)) => file,
        Some(Err(error)) => return Err(error.clone()),
        None => return Err(format!("the series file {name} was not read")),
    };
    for name in [&file.metric, &named.label] {
        if let Some(indicator) = indicator::forbidden(name) {
            return Err(format!(
                "{indicator} is an indicator of technical analysis and is not drawn (series {name:?})"
            ));
        }
    }
    let axis = if named.secondary_y { chart.y2.get_or_insert_default() } else { &mut chart.y };
    if axis.unit.is_empty() {
        axis.unit = file.unit.clone();
    } else if !file.unit.is_empty() && axis.unit != file.unit {
        return Err(format!(
            "{name} is measured in {:?} and its axis in {:?}; give it the second axis (secondary_y) or a chart of its own",
            file.unit, axis.unit
        ));
    }
    if chart.source.is_empty() {
        chart.source = file.source.clone();
    }
    chart.series.push(Series {
        name: if named.label.is_empty() { file.name() } else { named.label.clone() },
        x: Positions::Labels(file.labels.clone()),
        y: file.values.clone(),
        secondary: named.secondary_y,
    });
    Ok(())
}

/// The name of a file without its folders: a chart cannot reach beyond the folder of series.
fn base_name(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    (!name.is_empty() && !name.starts_with('.')).then(|| name.to_owned())
}

impl Inline {
    fn series(&self) -> Vec<Series> {
        let series = |dataset: &Dataset| Series {
            name: dataset.label.clone(),
            x: dataset.x.as_ref().unwrap_or(&self.labels).positions(),
            y: dataset.data.clone(),
            secondary: dataset.secondary_y,
        };
        self.datasets.iter().map(series).collect()
    }
}

impl Labels {
    fn of(positions: &Positions) -> Self {
        match positions {
            Positions::Numbers(numbers) => Self::Numbers(numbers.clone()),
            Positions::Labels(labels) => Self::Mixed(labels.iter().cloned().map(Value::String).collect()),
        }
    }

    fn positions(&self) -> Positions {
        match self {
            Self::Numbers(numbers) => Positions::Numbers(numbers.clone()),
            Self::Mixed(values) => Positions::Labels(values.iter().map(label).collect()),
        }
    }
}

fn label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Line => "line",
        Kind::Bar => "bar",
        Kind::GroupedBar => "grouped_bar",
        Kind::StackedBar => "stacked_bar",
        Kind::Histogram => "histogram",
        Kind::Scatter => "scatter",
    }
}

fn kind(name: &str) -> Result<Kind, String> {
    match name.trim().to_ascii_lowercase().replace([' ', '-'], "_").as_str() {
        "line" | "area" | "time_series" | "timeseries" | "" => Ok(Kind::Line),
        "bar" | "column" | "horizontal_bar" | "pie" | "donut" => Ok(Kind::Bar),
        "grouped_bar" | "grouped" | "clustered_bar" => Ok(Kind::GroupedBar),
        "stacked_bar" | "stacked" | "stacked_column" => Ok(Kind::StackedBar),
        "histogram" => Ok(Kind::Histogram),
        "scatter" | "scatter_plot" => Ok(Kind::Scatter),
        other => Err(format!(
            "{other:?} is no kind of chart; use line, bar, grouped_bar, stacked_bar, histogram or scatter"
        )),
    }
}
