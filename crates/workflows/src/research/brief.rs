//! What a research run is started with. Frozen into the run: nothing here changes while it goes on.

use std::path::PathBuf;

use baton_agents::config::Authorities;
use baton_agents::search::Location;
use baton_agents::skill::Words;
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::skills::plan::clauses;
use crate::asking::{Material, roles};
use crate::retrieval::{Beyond, FoundFact, Scope, SourceCard};

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// The question itself, no side roads.
    Quick,
    /// The question and what belongs to it.
    #[default]
    Standard,
    /// More dimensions, more sentences of each source.
    Deep,
}

impl Depth {
    /// How many dimensions a plan may have.
    #[must_use]
    pub fn dimensions(self) -> usize {
        match self {
            Self::Quick => 1,
            Self::Standard => 4,
            Self::Deep => 7,
        }
    }

    /// How many pages of the web are read for one search.
    #[must_use]
    pub fn pages(self) -> usize {
        match self {
            Self::Quick => 4,
            Self::Standard => 6,
            Self::Deep => 12,
        }
    }

    /// How many sentences a search brings for one dimension.
    #[must_use]
    pub fn sentences(self) -> usize {
        match self {
            Self::Quick | Self::Standard => 12,
            Self::Deep => 24,
        }
    }
}

roles! {
    /// Drafts the plan.
    planner,
    /// Words the queries.
    searcher,
    /// Takes facts out of texts.
    reader,
    /// Judges what is missing.
    reflector,
    /// Looks at conflicts.
    resolver,
    /// Writes the report.
    synthesizer;
    /// May refuse what the gate let through; nobody, unless a model was named for it.
    verifier?
}

/// What an earlier run found, kept for this one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carried {
    /// The earlier run.
    pub run: String,
    /// Its sources that are still as they were.
    pub sources: Vec<SourceCard>,
    /// What they say.
    pub findings: Vec<FoundFact>,
    /// What changed since, in sentences for the report.
    pub changes: Vec<String>,
}

/// The order for a research run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// `DR-YYYYMMDD-NNN`.
    pub mission: String,
    /// The question.
    pub topic: String,
    /// Whether the question was read from a file that came from somewhere, rather than typed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub topic_from_file: bool,
    /// Folders of documents, as absolute paths.
    #[serde(default)]
    pub docs: Vec<PathBuf>,
    /// The places that are searched: `local`, and web providers by name.
    pub providers: Vec<String>,
    /// What may be asked beyond this machine; without it nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
    /// The safety limit: one dispatched task is one iteration.
    pub max_iterations: u32,
    /// How far to go.
    #[serde(default)]
    pub depth: Depth,
    /// Only documents from this day on, `YYYY-MM-DD` or a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Only documents up to this day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Only documents in this language (ISO 639-3), where it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Sources that must not be used: the end of a path or an address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// What sources count for, over what they say of themselves.
    #[serde(default, skip_serializing_if = "Authorities::is_empty")]
    pub authority: Authorities,
    /// Whether a person is asked every ten iterations.
    #[serde(default)]
    pub check_in: bool,
    /// The day the run was ordered, `YYYY-MM-DD`: freshness counts from here.
    pub today: String,
    /// Who is asked.
    pub roles: Roles,
    /// A plan written beforehand, with what was already done of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// How many dimensions of that plan, from the first on, are asked now; the others belong to an earlier run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<usize>,
    /// What an earlier run found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
    /// Where the report is copied to when the run ends, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
}

/// The default safety limit of the seed.
pub const MAX_ITERATIONS: u32 = 50;

impl Brief {
    /// The question, and whose words it is.
    #[must_use]
    pub fn question(&self) -> Words {
        if self.topic_from_file { Words::foreign(&self.topic) } else { Words::typed(&self.topic) }
    }

    /// Words of a plan. They may come from a heading, a file or a fact; only those of the typed question are known
    /// to be the person's own.
    #[must_use]
    pub fn words(&self, text: &str) -> Words {
        let asked = !self.topic_from_file && clauses(&self.topic).iter().any(|clause| clause == text);
        if asked { Words::typed(text) } else { Words::foreign(text) }
    }

    /// Where the run may look, and what of it it may use.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope {
            folders: self.docs.clone(),
            beyond: self.beyond.clone(),
            since: self.since.clone(),
            until: self.until.clone(),
            language: self.language.clone(),
            dropped: self.dropped.clone(),
            authority: self.authority.clone(),
            sentences: self.depth.sentences(),
            pages: self.depth.pages(),
        }
    }

    /// Whose text stands in what was found so far: a person's documents, of this run or of the one it carries on.
    #[must_use]
    pub fn material(&self) -> Material {
        let is_file = |card: &SourceCard| matches!(card.source.location, Location::Path(_));
        let carried = self.carried.as_ref().is_some_and(|carried| carried.sources.iter().any(is_file));
        Material::private_if(!self.docs.is_empty() || carried)
    }

    /// A brief for this question over these folders, with every default.
    #[must_use]
    pub fn new(topic: &str, docs: Vec<PathBuf>) -> Self {
        Self {
            mission: "DR-00000000-001".to_owned(),
            topic: topic.to_owned(),
            topic_from_file: false,
            docs,
            providers: vec!["local".to_owned()],
            beyond: None,
            max_iterations: MAX_ITERATIONS,
            depth: Depth::Standard,
            since: None,
            until: None,
            language: None,
            dropped: Vec::new(),
            authority: Authorities::default(),
            check_in: false,
            today: "1970-01-01".to_owned(),
            roles: Roles::rules_only(),
            plan: None,
            asked: None,
            carried: None,
            output: None,
        }
    }
}
