//! Charts from a file: `chart_data.json` and the series it names in, one page for each chart and a summary out. A chart that
//! cannot be drawn is an entry with its error; the others are drawn all the same. Reading and writing files is the caller's.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::page;
use crate::spec::{Chart, Kind};

mod entry;
pub use entry::{AxisName, Entry, Labels, SeriesFile, SeriesName};
#[cfg(test)]
mod tests;

/// Why nothing was rendered at all.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Not JSON, or not with a list of charts.
    #[error("the chart data cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
}

/// A file of charts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChartData {
    /// Its charts, each read when it is drawn: a bad one stands in nobody's way.
    pub charts: Vec<Value>,
    /// How many there are.
    #[serde(default)]
    pub total: usize,
}

/// A page to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// What came of a file of charts.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// For whoever asked.
    pub summary: Summary,
    /// One page for each chart that was drawn.
    pub pages: Vec<File>,
    /// The charts that were drawn, in the same order.
    pub charts: Vec<Chart>,
}

/// What was drawn and what was not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many charts were drawn.
    pub charts_rendered: usize,
    /// How many were not.
    pub charts_failed: usize,
    /// How many series files were read.
    pub series_files_processed: usize,
    /// One for each chart, in order.
    pub charts: Vec<Outcome>,
}

/// What came of one chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its id.
    pub chart_id: String,
    /// Its title.
    pub title: String,
    /// Name of its page.
    pub rendered_file: Option<String>,
    /// How many values it shows.
    pub data_points: usize,
    /// What was done otherwise than asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Why it was not drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl ChartData {
    /// Reads a file of charts.
    pub fn parse(text: &str) -> Result<Self, RenderError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The file of these charts.
    pub fn of(charts: &[Chart]) -> Self {
        let charts: Vec<Value> = charts.iter().map(|chart| json!(Entry::of(chart))).collect();
        Self { total: charts.len(), charts }
    }

    /// The series files its charts name.
    pub fn files(&self) -> Vec<String> {
        let entries = self.charts.iter().filter_map(|value| Entry::read(value).ok());
        let names: BTreeSet<String> = entries.flat_map(|entry| entry.files()).collect();
        names.into_iter().collect()
    }
}

/// Draws every chart of a file. `read` gets the name of a series file, without a folder, and gives its text.
pub fn render(data: &ChartData, read: &mut dyn FnMut(&str) -> Result<String, String>) -> Rendered {
    let mut files: BTreeMap<String, Result<SeriesFile, String>> = BTreeMap::new();
    for name in data.files() {
        let file =
            read(&name).and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        files.insert(
            name.clone(),
            file.map_err(|error| format!("the series file {name} cannot be used: {error}")),
        );
    }
    let mut rendered = Rendered::default();
    rendered.summary.series_files_processed = files.values().filter(|file| file.is_ok()).count();
    let mut taken = BTreeSet::new();
    for (at, value) in data.charts.iter().enumerate() {
        let mut outcome = Outcome {
            chart_id: text_of(value, "chart_id").unwrap_or_else(|| format!("chart_{}", at + 1)),
            title: text_of(value, "title").unwrap_or_default(),
            ..Outcome::default()
        };
        match drawn(value, &files, &mut outcome) {
            Ok((chart, text)) => {
                let name = unused(&outcome.chart_id, &outcome.title, &mut taken);
                outcome.data_points = chart.points();
                outcome.rendered_file = Some(name.clone());
                rendered.summary.charts_rendered += 1;
                rendered.pages.push(File { name, text });
                rendered.charts.push(chart);
            }
            Err(error) => {
                rendered.summary.charts_failed += 1;
                outcome.error = Some(error);
            }
        }
        rendered.summary.charts.push(outcome);
    }
    rendered
}

fn text_of(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn drawn(
    value: &Value,
    files: &BTreeMap<String, Result<SeriesFile, String>>,
    outcome: &mut Outcome,
) -> Result<(Chart, String), String> {
    let entry = Entry::read(value)?;
    let mut chart = entry.chart(&outcome.chart_id, files)?;
    if matches!(chart.kind, Kind::Bar | Kind::GroupedBar) && chart.is_timed() {
        outcome.notes.push("drawn as a line: its places are dates".to_owned());
        chart.kind = Kind::Line;
    }
    let text = page::write(&chart).map_err(|error| error.to_string())?;
    Ok((chart, text))
}

/// The name of a chart's page: its id and the beginning of its title.
pub fn file_name(id: &str, title: &str) -> String {
    let (id, title) = (slug(id, 60), slug(title, 30));
    match (id.is_empty(), title.is_empty()) {
        (true, true) => "chart.html".to_owned(),
        (true, false) => format!("{title}.html"),
        (false, true) => format!("{id}.html"),
        (false, false) => format!("{id}_{title}.html"),
    }
}

fn unused(id: &str, title: &str, taken: &mut BTreeSet<String>) -> String {
    let first = file_name(id, title);
    let stem = first.strip_suffix(".html").unwrap_or(&first).to_owned();
    let mut name = first;
    let mut count = 2;
    // Names that differ only in case are one file on some disks.
    while !taken.insert(name.to_lowercase()) {
        name = format!("{stem}_{count}.html");
        count += 1;
    }
    name
}

/// Letters and digits with an underscore for everything between them.
fn slug(text: &str, most: usize) -> String {
    let lower: String = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let cut: String = words.join("_").chars().take(most).collect();
    cut.trim_end_matches('_').to_owned()
}
