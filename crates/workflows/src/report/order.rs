//! What a report run is started with: the query, the data and documents, the wishes, and whom to ask. Frozen into the run:
//! nothing here changes while it goes on.

use std::path::PathBuf;

use baton_agents::skill::Words;
use serde::{Deserialize, Serialize};

use super::depth::Depth;
use super::remote::Remote;
use crate::asking::{Material, roles};
use crate::retrieval::{Beyond, Scope};

/// The coverage a report is to reach if nobody says it, in per cent.
pub const COVERAGE_TARGET: u32 = 80;
/// Rounds of tasks, the first one included, that no depth goes beyond.
pub const MAX_ITERATIONS: u32 = 5;

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A page that loads nothing.
    Html,
    /// For paper.
    Pdf,
    /// A workbook with the data.
    Xlsx,
}

impl Format {
    /// The one with this name.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "html" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "xlsx" | "excel" => Some(Self::Xlsx),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Xlsx => "xlsx",
        }
    }
}

/// How a report looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Neutral.
    #[default]
    Default,
    /// Numbered sections, a red accent, cards.
    Warp,
}

impl Style {
    /// The one with this name.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "default" | "neutral" => Some(Self::Default),
            "warp" => Some(Self::Warp),
            _ => None,
        }
    }

    /// As brief.json writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Warp => "warp",
        }
    }
}

roles! {
    /// Understands the query and plans.
    planner,
    /// Words the queries.
    searcher,
    /// Takes facts out of texts.
    reader,
    /// Tells the story and writes the sections.
    writer,
    /// Looks over what is written.
    editor,
}

/// The run a report goes on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continued {
    /// The earlier run.
    pub run: String,
    /// What was asked then.
    pub query: String,
}

/// The order of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// What is asked.
    pub query: String,
    /// Whether the query was read from a file or a pipe, rather than typed.
    #[serde(default)]
    pub from_file: bool,
    /// Files of data, as absolute paths.
    #[serde(default)]
    pub data: Vec<PathBuf>,
    /// Sources of data beyond the disk; without it there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<Remote>,
    /// What a person says of the tables: the text of a tables.toml.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// Whether names of columns and rows are read from the query too. Runs of before had none, and go on as they began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub names_from_query: bool,
    /// Folders of documents, as absolute paths.
    #[serde(default)]
    pub docs: Vec<PathBuf>,
    /// What may be asked beyond this machine; without it nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
    /// Only documents from this day on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Only documents up to this day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// How deep, if the query is not to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Depth>,
    /// What it is written as beside the page.
    #[serde(default)]
    pub formats: Vec<Format>,
    /// How it looks, if the query is not to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// The language of the documents (ISO 639-3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How many charts, if the query is not to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charts: Option<usize>,
    /// The coverage to reach, in per cent.
    pub coverage_target: u32,
    /// The run this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued: Option<Continued>,
    /// When it was ordered, `YYYY-MM-DD`.
    pub today: String,
    /// Who is asked.
    pub roles: Roles,
    /// Where the report is copied to when the run ends, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
}

impl Order {
    /// An order for a query, asking no model.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            from_file: false,
            data: Vec::new(),
            remote: None,
            tables: None,
            names_from_query: true,
            docs: Vec::new(),
            beyond: None,
            since: None,
            until: None,
            depth: None,
            formats: Vec::new(),
            style: None,
            language: None,
            charts: None,
            coverage_target: COVERAGE_TARGET,
            continued: None,
            today: "1970-01-01".to_owned(),
            roles: Roles::rules_only(),
            output: None,
        }
    }

    /// The query, and before it the one of the run this goes on from.
    #[must_use]
    pub fn all_asked(&self) -> String {
        let earlier = self.continued.as_ref().map(|it| format!("{}\n", it.query)).unwrap_or_default();
        format!("{earlier}{}", self.query)
    }

    /// The same order, with what the query calls columns and rows said beside the tables.
    #[must_use]
    pub fn with_words(mut self) -> Self {
        if self.names_from_query && self.has_data() {
            self.tables = super::gloss::with_words(self.tables.as_deref(), &self.all_asked());
        }
        self
    }

    /// Where the run may look for documents.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope {
            folders: self.docs.clone(),
            beyond: self.beyond.clone(),
            since: self.since.clone(),
            until: self.until.clone(),
            language: self.language.clone(),
            dropped: Vec::new(),
            authority: baton_agents::config::Authorities::default(),
            sentences: 10,
            pages: 4,
        }
    }

    /// Whether there is anything to search in.
    #[must_use]
    pub fn has_documents(&self) -> bool {
        !self.docs.is_empty() || self.beyond.is_some()
    }

    /// Whether there is data, here or elsewhere.
    #[must_use]
    pub fn has_data(&self) -> bool {
        !self.data.is_empty() || self.remote.is_some()
    }

    /// Whose text stands in what was found: cells are a person's own, like documents.
    #[must_use]
    pub fn material(&self) -> Material {
        Material::private_if(!self.docs.is_empty() || self.has_data())
    }

    /// Words of the query: the person's own unless they came in a file.
    #[must_use]
    pub fn words(&self, text: &str) -> Words {
        if self.from_file { Words::foreign(text) } else { Words::typed(text) }
    }
}
