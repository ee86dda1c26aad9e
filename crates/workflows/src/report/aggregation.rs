//! What the report says before it is a page: sections with their sentences, tables and charts, takeaways, recommendations
//! that somebody carries, terms that somebody defines.

use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use super::charting::PlannedChart;
use super::prose::Sentence;
use crate::citation::Dropped;

/// A table of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataTable {
    /// What it shows.
    pub name: String,
    /// The heads of its columns.
    pub headers: Vec<String>,
    /// Its rows: the first cell names the row, the others are figures or words.
    pub rows: Vec<Vec<TableCell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableCell {
    /// As it is read.
    pub text: String,
    /// The figure it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
}

/// What is said to one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The question.
    pub question: String,
    /// What is said.
    pub sentences: Vec<Sentence>,
    /// Whether it is answered.
    pub answered: bool,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// The scope item.
    pub scope_item_id: String,
    /// What is said to its questions, in their order.
    pub passages: Vec<Passage>,
    /// Its charts.
    pub chart_ids: Vec<String>,
    /// Its tables.
    pub data_tables: Vec<DataTable>,
}

impl Section {
    /// Its sentences, in order.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.passages.iter().flat_map(|passage| &passage.sentences)
    }
}

/// A figure and a document that disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contradiction {
    /// The scope item it belongs to.
    pub scope: String,
    /// The fact, by key.
    pub fact: String,
    /// The figure.
    pub figure: String,
    /// Both, in a sentence.
    pub sentence: Sentence,
}

/// Something a source carries as advice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recommendation {
    /// The words, with their condition.
    pub sentence: Sentence,
    /// The condition, if it has one.
    pub condition: Option<String>,
}

/// A term that a source defines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// The term.
    pub term: String,
    /// Its definition, as the source has it.
    pub definition: String,
    /// The fact it stands in, by key.
    pub context: String,
    /// The section that uses it first.
    pub first_used_in: String,
}

/// What the report says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Aggregation {
    /// The answer first: at most six sentences.
    pub takeaways: Vec<Sentence>,
    /// In the order a reader meets them.
    pub sections: Vec<Section>,
    /// What the data and the documents disagree on.
    pub contradictions: Vec<Contradiction>,
    /// What sources advise.
    pub recommendations: Vec<Recommendation>,
    /// Terms.
    pub glossary: Vec<Term>,
    /// What a reader must know about the data.
    pub remarks: Vec<Sentence>,
}

impl Aggregation {
    /// Every sentence, in order.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.takeaways
            .iter()
            .chain(self.sections.iter().flat_map(Section::sentences))
            .chain(self.contradictions.iter().map(|it| &it.sentence))
            .chain(self.recommendations.iter().map(|it| &it.sentence))
    }
}

/// The report as it was put together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// What it says.
    pub aggregation: Aggregation,
    /// Its charts.
    pub charts: Vec<PlannedChart>,
    /// Sentences that were not let through.
    pub dropped: Vec<Dropped>,
    /// Who wrote the sections.
    pub by: Answerer,
    /// What a reader of method.md should know.
    pub notes: Vec<String>,
}

/// What the editor changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorChange {
    /// `structural`, `factual`, `language` or `visual`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where.
    pub location: String,
    /// What stood there.
    pub original: String,
    /// What stands there now; empty where it was taken out.
    pub corrected: String,
    /// Why.
    pub reason: String,
}

/// The report after the editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edited {
    /// What it says now.
    pub aggregation: Aggregation,
    /// What was looked at, with how many there were.
    pub checks_performed: Vec<String>,
    /// What was changed.
    pub changes_made: Vec<EditorChange>,
    /// Sentences of a model editor that were not let through.
    pub dropped: Vec<Dropped>,
    /// Who edited.
    pub by: Answerer,
    /// `clean` or `corrected`.
    pub final_status: String,
    /// What a reader of method.md should know.
    pub notes: Vec<String>,
}
