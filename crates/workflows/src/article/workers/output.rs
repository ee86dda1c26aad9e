//! What workers bring, as data.

use std::collections::BTreeMap;

use baton_agents::evidence::Derived;
use baton_agents::skill::Answerer;
use baton_engine::dag::TaskEnd;
use serde::{Deserialize, Serialize};

use super::Worker;
use crate::article::brief::SourceKind;
use crate::article::draft::{Draft, Sentence};
use crate::retrieval::{FoundFact, RefusedFact, SearchRecord, SourceCard};

/// Facts that speak of one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Theme {
    /// Its name.
    pub theme: String,
    /// Keys of the sources that support it.
    pub supporting_sources: Vec<String>,
    /// Keys of its facts, nearest to the topic first.
    pub facts: Vec<String>,
}

/// A place in the text that a check means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The words.
    pub text: String,
    /// What about them.
    pub why: String,
}

/// What a check of the text found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// 0 to 1; none if it could not be measured.
    pub score: Option<f64>,
    /// What was measured, by name.
    pub measured: BTreeMap<String, f64>,
    /// The places it means.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// What would raise the score.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommendations: Vec<String>,
    /// Texts it proposes, by name: a title, a description.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
}

impl Check {
    /// A check with this score.
    #[must_use]
    pub fn of(score: f64) -> Self {
        Self { score: Some((score.clamp(0.0, 1.0) * 1000.0).round() / 1000.0), ..Self::default() }
    }

    /// With one more measure.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.measured.insert(name.to_owned(), (value * 1000.0).round() / 1000.0);
        self
    }
}

/// What a worker's work came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WorkerResult {
    /// It found sources.
    Sources {
        /// The kinds it looked for.
        looked_for: Vec<SourceKind>,
        /// The sources.
        sources: Vec<SourceCard>,
        /// What they say.
        facts: Vec<FoundFact>,
        /// What they do not say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<RefusedFact>,
        /// The searches.
        searches: Vec<SearchRecord>,
        /// What a reader must know.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// It found themes.
    Themes {
        /// They, in the order they are written about.
        key_themes: Vec<Theme>,
        /// Who found them.
        by: Answerer,
    },
    /// It summarised.
    Summary {
        /// The sentences.
        sentences: Vec<Sentence>,
        /// Who wrote them.
        by: Answerer,
    },
    /// It computed.
    Insights {
        /// What follows from the numbers.
        derived: Vec<Derived>,
        /// Who put it into words.
        by: Answerer,
    },
    /// It wrote the article.
    Written {
        /// The article.
        draft: Box<Draft>,
        /// Who wrote it.
        by: Answerer,
    },
    /// It wrote the opening or the closing.
    Part {
        /// The sentences.
        sentences: Vec<Sentence>,
        /// Who wrote them.
        by: Answerer,
    },
    /// It checked.
    Checked {
        /// What it found.
        check: Check,
        /// Who looked.
        by: Answerer,
    },
    /// It brought nothing.
    Nothing,
}

impl WorkerResult {
    /// Who did the work.
    #[must_use]
    pub fn by(&self) -> Answerer {
        match self {
            Self::Sources { facts, .. } => facts.first().map(|fact| fact.by.clone()).unwrap_or_default(),
            Self::Themes { by, .. }
            | Self::Summary { by, .. }
            | Self::Insights { by, .. }
            | Self::Written { by, .. }
            | Self::Part { by, .. }
            | Self::Checked { by, .. } => by.clone(),
            Self::Nothing => Answerer::Rules,
        }
    }
}

/// A finished worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerOutput {
    /// How its task ended.
    pub end: TaskEnd,
    /// Who.
    pub worker: Worker,
    /// The iteration.
    pub iteration: u32,
    /// What it was called with.
    pub call: String,
    /// Whether an earlier call with the same input was used.
    #[serde(default)]
    pub kept: bool,
    /// How many attempts it took.
    pub attempts: u32,
    /// Who stood in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood_in: Option<Worker>,
    /// What it brought.
    pub result: WorkerResult,
}
