//! What research does to the world, as data: preparing folders, searching, reading, admitting facts. All of
//! it only reads and archives, so after a crash it is simply done again.

mod world;

use std::ops::Range;
use std::path::PathBuf;

use baton_agents::evidence::Fact;
use baton_agents::search::local::Verdict;
use baton_engine::{Act, AfterCrash, Retry};
use serde::{Deserialize, Serialize};

use super::sources::{Lead, Refused, SourceCard};

pub use world::LocalWorld;

/// Brings the index of some folders up to date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrepareDocs {
    /// The folders.
    pub folders: Vec<PathBuf>,
}

/// What the folders hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepared {
    /// Documents that can be searched.
    pub documents: usize,
    /// Files that could not be read, each with its reason.
    pub left_out: Vec<String>,
}

/// Searches folders for sentences that answer a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchDocs {
    /// The folders.
    pub folders: Vec<PathBuf>,
    /// The question.
    pub question: String,
    /// At most this many sentences.
    pub sentences: usize,
    /// Only documents from this day on; undated ones stay in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Only documents up to this day; undated ones stay in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Sources that must not be used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
}

/// What a search brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sought {
    /// Whether the documents address the question.
    pub verdict: Verdict,
    /// Names in the question that no document knows.
    pub unknown: Vec<String>,
    /// The documents, in the order of their best sentence.
    pub leads: Vec<Lead>,
}

/// Reads a document and archives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadLead {
    /// The document.
    pub lead: Lead,
    /// The folders its path is shown below.
    pub folders: Vec<PathBuf>,
    /// How much text around its candidates to bring, for a model to read.
    pub excerpt: usize,
}

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadOut {
    /// What it is.
    pub card: SourceCard,
    /// Its language, if it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The text around the candidates.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
}

/// A fact somebody proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The name it will have: the task's id and a number.
    pub id: String,
    /// What is stated.
    pub statement: String,
    /// The words it rests on.
    pub quote: String,
    /// Where they stand, if that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<Range<usize>>,
}

/// Holds proposed facts against the archived text of their source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Admit {
    /// The source.
    pub card: SourceCard,
    /// What is proposed.
    pub proposals: Vec<Proposal>,
}

/// What became of proposed facts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Admitted {
    /// Those that exist.
    pub facts: Vec<Fact>,
    /// Those that do not.
    pub refused: Vec<Refused>,
}

macro_rules! reads {
    ($($act:ty, $kind:literal, $out:ty;)*) => {$(
        impl Act for $act {
            const KIND: &'static str = $kind;
            type Out = $out;

            fn after_crash(&self) -> AfterCrash {
                AfterCrash::Retry
            }

            /// A file that cannot be read now cannot be read in two seconds either.
            fn retry(&self) -> Retry {
                Retry::NEVER
            }
        }
    )*};
}

reads! {
    PrepareDocs, "prepare_docs", Prepared;
    SearchDocs, "search_docs", Sought;
    ReadLead, "read", ReadOut;
    Admit, "admit", Admitted;
}
