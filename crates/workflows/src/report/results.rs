//! What tasks bring, as the run remembers it.

use std::collections::BTreeSet;

use baton_engine::dag::TaskEnd;
use baton_figures::{Answer, Figure, Finding};
use serde::{Deserialize, Serialize};

use super::plan::TaskKind;
use crate::markup::count;
use crate::retrieval::{FoundFact, RefusedFact, SearchRecord, SourceCard};

/// How a task ended, as the seed says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It answered its question.
    Done,
    /// It brought something, and not what was asked.
    Partial,
    /// It brought nothing.
    Failed,
}

/// A number of a document held against the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentCheck {
    /// The fact, by key.
    pub fact: String,
    /// The number as the document writes it.
    pub stated: String,
    /// What the data say; its first figure is the one to compare with.
    pub answer: Answer,
    /// Whether they are the same at the digits the document writes.
    pub agrees: bool,
}

/// What a task brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    /// How it ended, for the graph.
    pub end: TaskEnd,
    /// `d1`.
    pub id: String,
    /// Its kind.
    pub kind: TaskKind,
    /// The scope item it serves; `all` for what serves every one.
    pub scope: String,
    /// The question it was to answer.
    pub question: String,
    /// How it ended, for people.
    pub status: Outcome,
    /// The round it was done in.
    pub round: u32,
    /// Figures, for a data task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// What the tables say without being asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What the data say to numbers of the documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<DocumentCheck>,
    /// Documents with facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceCard>,
    /// Facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<FoundFact>,
    /// Facts somebody proposed that do not exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedFact>,
    /// Searches, and what became of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchRecord>,
    /// What was left out, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

impl TaskResult {
    /// Nothing yet.
    #[must_use]
    pub fn nothing(end: TaskEnd, kind: TaskKind, scope: &str, question: &str, round: u32) -> Self {
        Self {
            id: end.id.0.clone(),
            end,
            kind,
            scope: scope.to_owned(),
            question: question.to_owned(),
            status: Outcome::Failed,
            round,
            answers: Vec::new(),
            findings: Vec::new(),
            checks: Vec::new(),
            sources: Vec::new(),
            facts: Vec::new(),
            refused: Vec::new(),
            searches: Vec::new(),
            notes: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Every figure, those of answers first, each once.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let answered = self.answers.iter().flat_map(|answer| &answer.figures);
        let found = self.findings.iter().flat_map(|finding| &finding.figures);
        let checked = self.checks.iter().flat_map(|check| &check.answer.figures);
        let mut seen = BTreeSet::new();
        answered.chain(found).chain(checked).filter(move |figure| seen.insert(figure.id.clone()))
    }

    /// What it brought, in a line.
    #[must_use]
    pub fn in_a_line(&self) -> String {
        let brought = match self.kind {
            TaskKind::Data if !self.findings.is_empty() => count(self.findings.len(), "finding"),
            TaskKind::Data => count(self.figures().count(), "figure"),
            TaskKind::Overview | TaskKind::Research => {
                format!("{} from {}", count(self.facts.len(), "fact"), count(self.sources.len(), "document"))
            }
        };
        match (self.status, self.errors.first()) {
            (Outcome::Failed, Some(why)) => format!("{}  {}: {why}", self.id, self.question),
            _ => format!("{}  {}: {brought}", self.id, self.question),
        }
    }
}
