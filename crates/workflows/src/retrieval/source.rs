//! What searching and reading bring, as data: leads, sources, facts and how each was found.

use std::ops::Range;

use baton_agents::evidence::{Authority, Fact, Source};
use baton_agents::search::Location;
use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use crate::markup::count;

/// A document a search pointed at, with the sentences it was found by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// Where it can be read.
    pub location: Location,
    /// Its title.
    pub title: String,
    /// Its date, as far as known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Who found it: `local`, `wikipedia`…
    pub provider: String,
    /// Everyone beyond this machine who pointed to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// Whether another document says it replaces this one.
    #[serde(default)]
    pub replaced: bool,
    /// Sentences that may answer the question, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
}

/// A provider that pointed to a document, and the address it gave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// The provider.
    pub provider: String,
    /// The address.
    pub address: String,
}

/// A sentence that may answer the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// As in the document.
    pub text: String,
    /// The headings above it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// Its page, counted from 1, where there are pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// Where it stands in the text, if that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<Range<usize>>,
    /// Larger is better, within one search.
    pub score: f64,
}

/// A document that was read and archived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceCard {
    /// The evidence it is: `id` is the first sixteen letters of its text's hash.
    pub source: Source,
    /// As a person would write the place: a path below its folder, or an address.
    pub shown: String,
    /// Its author, if it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// `PDF`, `HTML`, `Markdown`…
    pub kind: String,
    /// The day it was read.
    pub accessed: String,
    /// Where its copy stands in the run's folder: `assets/<type>/<name>`, see [`SourceCard::copy`].
    pub asset: String,
    /// Who found it.
    pub provider: String,
    /// Everyone beyond this machine who pointed to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// Whether another document says it replaces this one.
    #[serde(default)]
    pub replaced: bool,
}

impl SourceCard {
    /// Its key in the registry.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.source.id
    }

    /// The providers that pointed to it, each once.
    #[must_use]
    pub fn found_by(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.references.iter().map(|it| it.provider.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Its bytes as they were read, in the run's folder: under a name by which no browser runs what is in them.
    #[must_use]
    pub fn original(&self) -> String {
        if self.is_inert() { self.asset.clone() } else { format!("{}.txt", self.asset) }
    }

    /// The copy that files link to: the original where opening it runs nothing, else its archived text.
    #[must_use]
    pub fn copy(&self) -> String {
        if self.is_inert() { self.asset.clone() } else { format!("{}.txt", self.stem()) }
    }

    /// Whether programs that open the copy by its name only show it. What is not known to be so is not.
    fn is_inert(&self) -> bool {
        let end = self.asset.trim_end_matches(".gz").strip_prefix(self.stem());
        end.is_some_and(|end| [".pdf", ".docx", ".csv", ".md", ".txt"].contains(&end))
    }

    /// The copy's path without its endings; names of assets have no other dots.
    fn stem(&self) -> &str {
        let name = self.asset.rfind('/').map_or(0, |at| at + 1);
        let dot = self.asset[name..].find('.').map_or(self.asset.len(), |at| name + at);
        &self.asset[..dot]
    }

    /// Its class as an authority.
    #[must_use]
    pub fn authority(&self) -> Authority {
        self.source.authority
    }
}

/// A fact that stands in its source, and how it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundFact {
    /// The fact; its id is the task's id and a number (`R1.03`), its source a key of the registry.
    pub fact: Fact,
    /// The part of the question it serves, counted from 0.
    #[serde(rename = "dimension")]
    pub part: usize,
    /// The headings above its quote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// The page of its quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// How near it is to the question, within its search; larger is nearer.
    pub score: f64,
    /// Who proposed it.
    pub by: Answerer,
}

impl FoundFact {
    /// Its key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.fact.id
    }

    /// Where its quote stands in the archived text.
    #[must_use]
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.fact.ranges
    }
}

/// A proposed fact that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedFact {
    /// What was proposed.
    pub statement: String,
    /// Why it was refused.
    pub why: String,
    /// Whether the words it was made of became a fact in its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quoted: bool,
}

impl SearchRecord {
    /// What became of it, in a few words.
    #[must_use]
    pub fn outcome(&self) -> String {
        match self.found {
            None => format!("failed ({})", self.note.trim_end_matches('.')),
            Some(0) => "found nothing".to_owned(),
            Some(found) if !self.addressed => {
                format!("found {} that address only part of it", count(found, "document"))
            }
            Some(found) => format!("found {}", count(found, "document")),
        }
    }
}

/// One search and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The provider.
    pub provider: String,
    /// The words.
    pub query: String,
    /// How many documents it brought; none if it failed.
    pub found: Option<usize>,
    /// Whether they address the question.
    pub addressed: bool,
    /// What went wrong, or why nothing was used.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}
