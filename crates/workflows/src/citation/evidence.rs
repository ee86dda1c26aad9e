//! evidence.json: everything `baton verify` needs to check a report without the run that made it.

use std::ops::Range;
use std::path::PathBuf;

use baton_agents::evidence::{Authority, Claim, Fact, Source};
use baton_agents::hash::sha256_hex;
use baton_agents::search::Location;
use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use super::facts::source_label;
use crate::citation::report::{CitedReport, Statement};
use crate::markup::plain;
use crate::retrieval::Reference;

/// What a report rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The question.
    pub question: String,
    /// The headings of level 2 below which every sentence must be cited.
    #[serde(default = "first_headings")]
    pub claiming: Vec<String>,
    /// Sentences of the program's own: they claim nothing about the subject and cite nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Every sentence that claims something, and its facts by label.
    pub claims: Vec<Claim>,
    /// Words of sources that are shown as near to what nothing answers; they claim nothing and stand in their sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Claim>,
    /// The facts.
    pub facts: Vec<ShownFact>,
    /// The sources.
    pub sources: Vec<ShownSource>,
    /// SHA-256 of report.md as it was written.
    pub report_hash: String,
}

/// Those of reports that did not name theirs yet.
fn first_headings() -> Vec<String> {
    ["Answer", "Findings"].map(str::to_owned).to_vec()
}

/// A fact with the numbers a reader sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownFact {
    /// `Fact-001`.
    pub id: String,
    /// Its key in the run.
    pub key: String,
    /// What is stated.
    pub statement: String,
    /// The words of the source.
    pub quote: String,
    /// `S01`.
    pub source: String,
    /// Where they stand in the archived text, in bytes.
    pub ranges: Vec<Range<usize>>,
    /// The page, where there are pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// 0.6 authority + 0.4 freshness.
    pub weight: f64,
    /// High, Medium or Low.
    pub confidence: String,
    /// Who proposed it.
    pub by: Answerer,
}

/// A source with the number a reader sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownSource {
    /// `S01`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its path below its folder, or its address.
    pub place: String,
    /// Its date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The day it was read.
    pub accessed: String,
    /// What kind of source it is.
    pub authority: Authority,
    /// Whether a later document says it replaces it.
    #[serde(default)]
    pub replaced: bool,
    /// SHA-256 of its bytes.
    pub raw_hash: String,
    /// SHA-256 of its text.
    pub text_hash: String,
    /// Its bytes in the run's folder.
    pub asset: String,
    /// Everyone beyond this machine who pointed to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
}

impl Evidence {
    /// The evidence of a report that was rendered to `report_md`.
    #[must_use]
    pub fn of(report: &CitedReport<'_>, report_md: &str) -> Self {
        let facts = report.facts.all().iter().map(|fact| ShownFact {
            id: fact.label(),
            key: fact.found.key().to_owned(),
            statement: fact.found.fact.statement.clone(),
            quote: fact.found.fact.quote.clone(),
            source: fact.source_label(),
            ranges: fact.found.ranges().to_vec(),
            page: fact.found.page,
            weight: (fact.weight * 100.0).round() / 100.0,
            confidence: fact.confidence.name().to_owned(),
            by: fact.found.by.clone(),
        });
        let sources = report.facts.sources().iter().enumerate().map(|(index, card)| ShownSource {
            id: source_label(index + 1),
            title: plain(&card.source.title),
            place: card.shown.clone(),
            date: card.source.date.clone(),
            accessed: card.accessed.clone(),
            authority: card.authority(),
            replaced: card.replaced,
            raw_hash: card.source.raw_hash.clone(),
            text_hash: card.source.text_hash.clone(),
            asset: card.original(),
            references: card.references.clone(),
        });
        Self {
            question: report.title.clone(),
            claiming: report.claiming(),
            notes: report.notes(),
            claims: report.statements().map(Statement::claim).collect(),
            nearest: report.nearest().map(Statement::claim).collect(),
            facts: facts.collect(),
            sources: sources.collect(),
            report_hash: sha256_hex(report_md.as_bytes()),
        }
    }

    /// The facts as the checks of evidence know them.
    pub fn as_facts(&self) -> Vec<Fact> {
        let fact = |shown: &ShownFact| Fact {
            id: shown.id.clone(),
            statement: shown.statement.clone(),
            quote: shown.quote.clone(),
            source: shown.source.clone(),
            ranges: shown.ranges.clone(),
            confidence: 1.0,
        };
        self.facts.iter().map(fact).collect()
    }

    /// The sources as the checks of evidence know them.
    pub fn as_sources(&self) -> Vec<Source> {
        let source = |shown: &ShownSource| Source {
            id: shown.id.clone(),
            location: Location::Path(PathBuf::from(&shown.place)),
            title: shown.title.clone(),
            date: shown.date.clone(),
            authority: shown.authority,
            raw_hash: shown.raw_hash.clone(),
            text_hash: shown.text_hash.clone(),
        };
        self.sources.iter().map(source).collect()
    }
}
