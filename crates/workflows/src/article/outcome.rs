//! What a run comes to: the seed's FinalOutput, or its error response. What it cost and how long it took is added from the
//! ledger when the file is written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::brief::SourceKind;

/// What kind of error ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorType {
    /// A worker there is no article without failed.
    WorkerExecutionError,
    /// Nothing that was found addresses the topic.
    NoEvidence,
    /// The money ended before there was an article.
    BudgetExceeded,
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureReport {
    /// What kind of error.
    #[serde(rename = "type")]
    pub kind: ErrorType,
    /// What happened.
    pub message: String,
    /// The phase it happened in; the fold knows it if nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
}

impl FailureReport {
    /// A failure in the present phase.
    #[must_use]
    pub fn new(kind: ErrorType, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), phase: None }
    }
}

/// How a run ended that has an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As good as was asked for.
    Completed,
    /// Not as good; there was no iteration left.
    Partial,
}

/// The article with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArticleResult {
    /// Its title.
    pub title: String,
    /// The whole text, as Markdown.
    pub content: String,
    /// Its essence.
    pub summary: String,
    /// Its headings.
    pub sections: Vec<String>,
    /// Words, without the list of references.
    pub word_count: usize,
    /// At 240 words a minute.
    pub reading_time_minutes: usize,
    /// Words by which it is to be found.
    pub keywords: Vec<String>,
    /// For search engines.
    pub meta_description: String,
    /// Citations in the text.
    pub citations: usize,
    /// The list of references.
    pub bibliography: Vec<String>,
}

/// The quality of the article, 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QualityScore {
    /// All together.
    pub overall: f64,
    /// Article: completeness, structure, length.
    pub completeness: f64,
    /// Sources: count, kinds, citations.
    pub citations: f64,
    /// Facts.
    pub accuracy: f64,
    /// Writing: language, readability, tone.
    pub grammar: f64,
    /// Flesch reading ease against the tone.
    pub readability: Option<f64>,
    /// For search engines, if that was looked at.
    pub seo: Option<f64>,
    /// What is wrong.
    pub issues_found: Vec<String>,
    /// What is not.
    pub strengths: Vec<String>,
    /// What would help.
    pub suggestions: Vec<String>,
}

/// A source as the output lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceResult {
    /// Its number.
    pub source_id: String,
    /// Its title.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// Its date.
    pub publication_date: Option<String>,
    /// What kind it is.
    pub source_type: SourceKind,
    /// How near it is to the topic, 0 to 1.
    pub relevance_score: f64,
    /// The words of it that are nearest.
    pub excerpt: String,
    /// Whether the article cites it.
    pub cited: bool,
}

/// What a run comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinalOutput {
    /// `req_…`.
    pub request_id: String,
    /// `exec_…`.
    pub execution_id: String,
    /// Whether it is as good as was asked for.
    pub status: Status,
    /// The article.
    pub article: ArticleResult,
    /// Its quality.
    pub quality: QualityScore,
    /// What it rests on, nearest first.
    pub sources: Vec<SourceResult>,
    /// How many.
    pub source_count: usize,
    /// How many iterations it took.
    pub iteration_count: u32,
    /// `+23% quality (0.65 → 0.88)`, if there was more than one iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub improvement: Option<String>,
    /// What a reader should know of how it came about.
    pub system_notes: String,
    /// What a reader must know.
    pub warnings: Vec<String>,
    /// The day.
    pub generated_at: String,
    /// The version of this shape.
    pub version: String,
    /// Whatever belongs to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Value>,
}
