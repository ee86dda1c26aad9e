//! What finding and reading do to the world, as data: preparing folders, searching, reading, admitting facts. All of
//! it only reads and archives, so after a crash it is simply done again; a page that was fetched comes from the archive.

use std::ops::Range;
use std::path::PathBuf;

use baton_agents::evidence::Fact;
use baton_agents::search::fan::Fanned;
use baton_agents::search::local::Verdict;
use baton_agents::search::merge::SourceRules;
use baton_engine::{Act, AfterCrash, Retry};
use serde::{Deserialize, Serialize};

use super::source::{Candidate, Lead, RefusedFact, SourceCard};

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
    /// Whether somebody reads what is found and can say that it answers nothing: then rules do not decide that alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
}

/// What a search brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocsFound {
    /// Whether the documents address the question.
    pub verdict: Verdict,
    /// Names in the question that no document knows.
    pub unknown: Vec<String>,
    /// The documents, in the order of their best sentence.
    pub leads: Vec<Lead>,
    /// Where nothing addresses the question, what comes nearest: no evidence, and never among the leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Lead>,
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
pub struct DocRead {
    /// What it is.
    pub card: SourceCard,
    /// Its language, if it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The text around the candidates.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
}

/// Puts a query to every place beyond this machine that the run may ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchWeb {
    /// The words.
    pub query: String,
    /// At most this many hits of each provider.
    pub hits: usize,
    /// Which of them are wanted.
    pub rules: SourceRules,
    /// Two-letter code of the language wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// Fetches a page and archives it. Once in a run: a second time it comes from the archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FetchPage {
    /// The page.
    pub lead: Lead,
}

/// A page that was fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageRead {
    /// What it is.
    pub card: SourceCard,
    /// Its language, if it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where its pages begin in the text, if it has pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<usize>,
    /// Its tables of contents, which are not searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<Range<usize>>,
}

/// Looks for sentences that answer a question in archived pages, as a search looks for them in a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankPages {
    /// The question.
    pub question: String,
    /// At most this many sentences.
    pub sentences: usize,
    /// How much text around them to bring, for a model to read.
    pub excerpt: usize,
    /// The pages.
    pub pages: Vec<PageRead>,
}

/// What archived pages say to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankedPages {
    /// Whether they address it.
    pub verdict: Verdict,
    /// For each page, in the order they were given, what it says.
    pub pages: Vec<RankedPage>,
}

/// What one page says to a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedPage {
    /// Sentences that may answer it, best first.
    pub candidates: Vec<Candidate>,
    /// The text around them.
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
    pub refused: Vec<RefusedFact>,
}

macro_rules! reads {
    ($($act:ty, $kind:literal, $out:ty, $retry:expr;)*) => {$(
        impl Act for $act {
            const KIND: &'static str = $kind;
            type Out = $out;

            fn after_crash(&self) -> AfterCrash {
                AfterCrash::Retry
            }

            fn retry(&self) -> Retry {
                $retry
            }
        }
    )*};
}

/// A server that stumbles may stand again a little later.
const ONCE_MORE: Retry = Retry { attempts: 2, wait_ms: 2_000 };

// A file that cannot be read now cannot be read in two seconds either; a search beyond this machine is tried again
// by the fan, which keeps the limits of its providers.
reads! {
    PrepareDocs, "prepare_docs", Prepared, Retry::NEVER;
    SearchDocs, "search_docs", DocsFound, Retry::NEVER;
    SearchWeb, "search_web", Fanned, Retry::NEVER;
    ReadLead, "read", DocRead, Retry::NEVER;
    FetchPage, "fetch", PageRead, ONCE_MORE;
    RankPages, "rank_pages", RankedPages, Retry::NEVER;
    Admit, "admit", Admitted, Retry::NEVER;
}
