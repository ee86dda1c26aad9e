//! evidence.json: everything `baton verify` needs to compute every figure of a report again and to find every quote, without
//! the run that made it.

mod drawn;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_agents::evidence::{Archived, Authority, EvidenceFlaw, Fact, Source, verify as verify_quotes};
use baton_agents::search::Location;
use baton_figures::figure::Recomputed;
use baton_figures::{Figure, TableReading};
use serde::{Deserialize, Serialize};

use super::acts::RecomputeFigures;
use super::charting::PlannedChart;
use super::memory::Memory;
use super::prose::Sentence;
use super::world::DataWorld;

pub(super) use drawn::group;
pub use drawn::{Redrawn, verify_drawn};

/// A sentence of the report and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownSentence {
    /// As it is read.
    pub text: String,
    /// Its figures.
    pub figures: Vec<String>,
    /// Its facts.
    pub facts: Vec<String>,
}

/// A document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownSource {
    /// Its key.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it was read.
    pub place: String,
    /// SHA-256 of its bytes.
    pub raw_hash: String,
    /// SHA-256 of its text.
    pub text_hash: String,
}

/// A chart, and what its values come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownChart {
    /// Its id.
    pub id: String,
    /// The file of its page.
    pub page: String,
    /// The files of its series.
    pub series: Vec<String>,
    /// Its figures.
    pub figures: Vec<String>,
}

/// What a report rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Always `report`.
    pub workflow: String,
    /// The query.
    pub query: String,
    /// Every sentence that states something.
    pub sentences: Vec<ShownSentence>,
    /// Every figure a reader sees.
    pub figures: Vec<Figure>,
    /// Every chart.
    #[serde(default)]
    pub charts: Vec<ShownChart>,
    /// How the tables are read.
    pub tables: Vec<TableReading>,
    /// SHA-256 of the files of data that were archived.
    pub hashes: BTreeMap<String, String>,
    /// The facts that are cited.
    pub facts: Vec<Fact>,
    /// Their documents.
    pub sources: Vec<ShownSource>,
}

/// What verifying found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verified {
    /// Figures of the report.
    pub figures: usize,
    /// Those that come out the same.
    pub equal: usize,
    /// Facts whose words stand where they stood.
    pub quotes: usize,
    /// What does not hold, in sentences.
    pub flaws: Vec<String>,
}

/// The evidence of a report.
#[must_use]
pub fn of(memory: &Memory) -> Evidence {
    let told = memory.aggregation();
    let sentences =
        told.iter().flat_map(|it| it.sentences()).filter(|it| !it.remark).map(|sentence| ShownSentence {
            text: sentence.text(),
            figures: sentence.figures().into_iter().map(str::to_owned).collect(),
            facts: sentence.facts.clone(),
        });
    let mut keys: Vec<String> =
        told.iter().flat_map(|it| it.sentences()).flat_map(|it: &Sentence| it.facts.clone()).collect();
    keys.extend(told.iter().flat_map(|it| &it.glossary).map(|term| term.context.clone()));
    keys.sort();
    keys.dedup();
    let facts: Vec<Fact> =
        keys.iter().filter_map(|key| memory.facts.get(key)).map(|it| it.fact.clone()).collect();
    let tables = memory.context.as_ref().map(|context| context.profiles.tables.clone()).unwrap_or_default();
    let cited = memory.sources.values().filter(|card| facts.iter().any(|fact| fact.source == card.key()));
    Evidence {
        workflow: "report".to_owned(),
        query: memory.order.query.clone(),
        sentences: sentences.collect(),
        figures: memory.shown_figures().into_iter().cloned().collect(),
        charts: memory.charts().iter().map(shown_chart).collect(),
        hashes: memory.context.as_ref().map(|context| context.hashes.clone()).unwrap_or_default(),
        tables: tables.into_iter().map(|table| table.reading).collect(),
        sources: cited
            .map(|card| ShownSource {
                id: card.key().to_owned(),
                title: card.source.title.clone(),
                place: card.shown.clone(),
                raw_hash: card.source.raw_hash.clone(),
                text_hash: card.source.text_hash.clone(),
            })
            .collect(),
        facts,
    }
}

fn shown_chart(planned: &PlannedChart) -> ShownChart {
    ShownChart {
        id: planned.chart.id.clone(),
        page: baton_charts::render::file_name(&planned.chart.id, &planned.chart.title),
        series: planned.series_files.clone(),
        figures: planned.figures.clone(),
    }
}

/// Computes every figure again and looks for every quote.
pub fn verify(evidence: &Evidence, world: &DataWorld, archive: &dyn Archived) -> Verified {
    let mut flaws = Vec::new();
    let act = RecomputeFigures {
        tables: evidence.tables.clone(),
        hashes: evidence.hashes.clone(),
        figures: evidence.figures.clone(),
        series: Vec::new(),
    };
    let again: Vec<Recomputed> = if evidence.figures.is_empty() {
        Vec::new()
    } else {
        match world.again(act) {
            Ok(again) => again.figures,
            Err(failure) => {
                flaws.push(format!("the figures could not be computed again: {failure}"));
                Vec::new()
            }
        }
    };
    for figure in again.iter().filter(|figure| !figure.holds) {
        let found = figure.found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
        let reason = figure.reason.as_deref().unwrap_or("it differs");
        flaws.push(format!("{} says {} and the data give {found}: {reason}", figure.id, figure.stated));
    }
    for sentence in &evidence.sentences {
        let known = |id: &String| evidence.figures.iter().any(|figure| figure.id == *id);
        let cited = |key: &String| evidence.facts.iter().any(|fact| fact.id == *key);
        if let Some(id) = sentence.figures.iter().find(|id| !known(id)) {
            flaws.push(format!("{id} does not exist: {}", sentence.text));
        }
        if let Some(key) = sentence.facts.iter().find(|key| !cited(key)) {
            flaws.push(format!("{key} does not exist: {}", sentence.text));
        }
    }
    let sources: Vec<Source> = evidence
        .sources
        .iter()
        .map(|shown| Source {
            id: shown.id.clone(),
            location: Location::Path(PathBuf::from(&shown.place)),
            title: shown.title.clone(),
            date: None,
            authority: Authority::Official,
            raw_hash: shown.raw_hash.clone(),
            text_hash: shown.text_hash.clone(),
        })
        .collect();
    let broken = verify_quotes(&[], &evidence.facts, &sources, archive);
    flaws.extend(broken.iter().map(in_words));
    Verified {
        figures: evidence.figures.len(),
        equal: again.iter().filter(|figure| figure.holds).count(),
        quotes: evidence.facts.len().saturating_sub(broken.len()),
        flaws,
    }
}

fn in_words(flaw: &EvidenceFlaw) -> String {
    match flaw {
        EvidenceFlaw::QuoteMoved { fact } => format!("the words of {fact} do not stand where it says"),
        EvidenceFlaw::UnknownSource { fact, source } => {
            format!("{fact} names {source}, which does not exist")
        }
        EvidenceFlaw::Archive { source, reason } => format!("the archived text of {source}: {reason}"),
        other => format!("{other:?}"),
    }
}
