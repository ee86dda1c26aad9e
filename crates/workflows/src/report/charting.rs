//! Which charts a report has, drawn from answers and findings: a line where x is a date, bars where it is a group. One chart
//! for each scope item first, then the most telling ones.

mod draw;

use baton_charts::{Chart, Language};
use baton_figures::series::CrossAnalysis;
use baton_figures::{Ask, Figure, FindingKind, Series, SeriesAnalysis};
use serde::{Deserialize, Serialize};

use super::memory::Memory;
use super::plan::TaskKind;
use super::relevance;
use super::tell::tell;
use draw::{by_month, headline, is_drawn, of_answer, of_finding};

pub use draw::{label, series_name};

/// A chart and what it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedChart {
    /// What is drawn.
    pub chart: Chart,
    /// The scope item it belongs to.
    pub scope: String,
    /// The question it belongs to.
    pub question: String,
    /// The figures in its title and its bars.
    pub figures: Vec<String>,
    /// Names of the series files it is drawn from.
    pub series_files: Vec<String>,
    /// What it may be left out before.
    pub rank: u32,
}

/// What was seen in a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChartAnalysis {
    /// The chart.
    pub chart_id: String,
    /// What each of its series did.
    pub series_analysis: Vec<SeriesAnalysis>,
    /// The picture in words.
    pub visual_summary: String,
}

/// All charts, and what was seen in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChartsAnalyzed {
    /// The charts, as a draft: the aggregation settles them.
    pub charts: Vec<PlannedChart>,
    /// What was seen in each.
    pub analyses: Vec<ChartAnalysis>,
    /// What they say together.
    pub cross: CrossAnalysis,
    /// What could not be drawn, and why.
    pub notes: Vec<String>,
}

/// A series as the run keeps it, with the name of its file.
#[derive(Clone, Debug)]
pub struct NamedSeries {
    /// `d1_revenue.json`.
    pub file: String,
    /// The series.
    pub series: Series,
}

/// Every series of the run, each with the name of its file. Long daily ones stand there by month as well: that is what is
/// drawn of them.
#[must_use]
pub fn all_series(memory: &Memory) -> Vec<NamedSeries> {
    let mut all: Vec<NamedSeries> = Vec::new();
    for result in memory.results.values() {
        let answered = result.answers.iter().flat_map(|answer| &answer.series);
        let found = result.findings.iter().flat_map(|finding| &finding.series);
        for own in answered.chain(found) {
            for series in std::iter::once(own.clone()).chain(by_month(own)) {
                // Within a task alone, so that no name depends on which task came back first.
                let own = |known: &NamedSeries| known.file.starts_with(&format!("{}_", result.id));
                if all.iter().any(|known| own(known) && known.series == series) {
                    continue;
                }
                let name = slug(&format!("{}_{}", series.name, series.grain.name()));
                let mut file = format!("{}_{name}.json", result.id);
                if all.iter().any(|known| known.file == file) {
                    let taken = all.iter().filter(|known| own(known)).count();
                    file = format!("{}_{name}_{}.json", result.id, taken + 1);
                }
                all.push(NamedSeries { file, series });
            }
        }
    }
    all
}

/// Letters and digits joined by `_`, at most forty.
#[must_use]
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars() {
        if letter.is_alphanumeric() {
            slug.extend(letter.to_lowercase());
        } else if !slug.ends_with('_') && !slug.is_empty() {
            slug.push('_');
        }
    }
    let cut: String = slug.chars().take(40).collect();
    cut.trim_matches('_').to_owned()
}

/// The charts of a report, numbered in the order of its sections, and what could not be drawn.
#[must_use]
pub fn plan(memory: &Memory) -> (Vec<PlannedChart>, Vec<String>) {
    let mut candidates: Vec<PlannedChart> = Vec::new();
    for item in memory.brief.iter().flat_map(|brief| &brief.scope_items) {
        for question in &item.questions {
            for result in memory.results_to(&item.id, question, TaskKind::Data) {
                for (at, answer) in result.answers.iter().enumerate() {
                    let Some(mut chart) = of_answer(answer, memory) else { continue };
                    // A course is drawn for the answer it belongs to, and says what that says.
                    let course = at > 0 && matches!(answer.question.ask, Ask::Trend { .. });
                    // What one group did is no title over the line of all.
                    let is_of_it = result.answers[0].question.filters == answer.question.filters;
                    let told = if course && is_of_it { &result.answers[0] } else { answer };
                    if let Some(first) = tell(told).first().filter(|_| course) {
                        chart.title = headline(&first.text());
                    }
                    let season = matches!(answer.question.ask, Ask::Seasonality { .. });
                    let rank = if season {
                        4
                    } else if at == 0 || course {
                        0
                    } else {
                        2
                    };
                    candidates.push(planned(chart, &item.id, question, rank, &told.figures));
                }
            }
        }
        for finding in relevance::findings_for(memory, &item.id) {
            let Some(chart) = of_finding(finding, memory) else { continue };
            let question = item.questions.first().map_or("", String::as_str);
            let asked = item.questions.iter().any(|it| it.to_lowercase().contains("weekday"));
            let rank = if finding.kind == FindingKind::Season && !asked { 3 } else { 1 };
            candidates.push(planned(chart, &item.id, question, rank, &finding.figures));
        }
    }
    let mut notes = Vec::new();
    let mut drawn: Vec<PlannedChart> = Vec::new();
    for candidate in candidates {
        if let Some(why) = baton_charts::faults(&candidate.chart).first() {
            notes.push(format!("not drawn: {} ({why})", candidate.chart.title));
        } else {
            merge(&mut drawn, candidate);
        }
    }
    let files = all_series(memory);
    let mut chosen = choose(drawn, memory.most_charts());
    for (at, planned) in chosen.iter_mut().enumerate() {
        planned.chart.id = format!("c{}", at + 1);
        // Sentences write numbers the English way; 1.234 in a chart beside them would be another number.
        planned.chart.language = Language::En;
        let names: Vec<&str> = planned.chart.series.iter().map(|series| series.name.as_str()).collect();
        planned.series_files = files
            .iter()
            .filter(|it| {
                is_drawn(&it.series, &planned.chart) && names.contains(&series_name(&it.series).as_str())
            })
            .map(|it| it.file.clone())
            .collect();
    }
    notes.sort();
    notes.dedup();
    (chosen, notes)
}

fn planned(chart: Chart, scope: &str, question: &str, rank: u32, figures: &[Figure]) -> PlannedChart {
    PlannedChart {
        chart,
        scope: scope.to_owned(),
        question: question.to_owned(),
        figures: figures.iter().map(|figure| figure.id.clone()).collect(),
        series_files: Vec::new(),
        rank,
    }
}

/// Adds a chart; one that draws the same series gives its annotations to the one that is there.
fn merge(drawn: &mut Vec<PlannedChart>, candidate: PlannedChart) {
    let same = |known: &&mut PlannedChart| known.chart.series == candidate.chart.series;
    match drawn.iter_mut().find(same) {
        None => drawn.push(candidate),
        Some(known) => {
            for annotation in candidate.chart.annotations {
                if !known.chart.annotations.contains(&annotation) {
                    known.chart.annotations.push(annotation);
                }
            }
            // What stands out is a better title than what was merely asked about.
            if candidate.rank == 1 && known.rank > 0 {
                known.chart.title = candidate.chart.title;
            }
            known.figures.extend(candidate.figures);
        }
    }
}

/// The first of each scope item, then the rest by rank, in the order of the sections.
fn choose(drawn: Vec<PlannedChart>, most: usize) -> Vec<PlannedChart> {
    let mut order: Vec<usize> = (0..drawn.len()).collect();
    let is_first = |at: usize| {
        let best = drawn.iter().enumerate().filter(|(_, other)| other.scope == drawn[at].scope);
        best.min_by_key(|(place, other)| (other.rank, *place)).is_some_and(|(place, _)| place == at)
    };
    order.sort_by_key(|at| (!is_first(*at), drawn[*at].rank, *at));
    order.truncate(most);
    order.sort_unstable();
    let mut slots: Vec<Option<PlannedChart>> = drawn.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| slots[at].take()).collect()
}

/// Looks at what the charts show.
#[must_use]
pub fn analyse(memory: &Memory) -> ChartsAnalyzed {
    let (charts, notes) = plan(memory);
    let files = all_series(memory);
    let mut analyses = Vec::new();
    let mut shown: Vec<Series> = Vec::new();
    for planned in &charts {
        let own: Vec<&Series> =
            files.iter().filter(|it| planned.series_files.contains(&it.file)).map(|it| &it.series).collect();
        analyses.push(ChartAnalysis {
            chart_id: planned.chart.id.clone(),
            series_analysis: own.iter().map(|series| baton_figures::analysis::analyse(series)).collect(),
            visual_summary: baton_charts::describe(&planned.chart),
        });
        shown.extend(own.into_iter().filter(|series| !shown.contains(series)).cloned().collect::<Vec<_>>());
    }
    let cross = baton_figures::analysis::compare(&shown);
    ChartsAnalyzed { charts, analyses, cross, notes }
}
