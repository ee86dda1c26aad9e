//! What a program does with runs, whoever keeps them: list, look, follow, answer, ask to stop.
//!
//! Everything here is data, and nothing in it says where a run is kept: the SQLite store of a home is one keeper,
//! a page and a server are others. Driving is not among it: a driver needs the run to itself, see [`crate::host`].

mod error;
mod loss;
mod present;

use std::time::Duration;

use async_trait::async_trait;
use baton_machine::TableText;
use serde::Serialize;
use serde_json::Value;

pub use error::RunsError;
pub use loss::Loss;
pub(crate) use loss::{cost, count};
pub(crate) use present::{fold, readable_answer};
pub use present::{present, present_at};

use crate::driver::{Outline, Snapshot, Vault};
use crate::record::Chained;
use crate::{Clock, Hash, Key, Millis, Question, Reads, RunId, Spend, Status};

/// How long to wait before looking again, where a keeper cannot tell when something is new.
const MOMENT: Duration = Duration::from_millis(200);

/// Keeps runs, and lets a program look at them and speak to whoever drives them.
#[async_trait]
pub trait Runs: Send + Sync {
    /// Keeps a new run. Nothing drives it yet.
    fn create(&self, new: NewRun) -> Result<(), RunsError>;
    /// The run a person means: a whole name, an unambiguous prefix, or `last`.
    fn find(&self, typed: &str) -> Result<RunId, RunsError>;
    /// One run as lists show it.
    fn run(&self, run: &RunId) -> Result<RunSummary, RunsError>;
    /// The runs that fit, newest first.
    fn list(&self, filter: Filter<'_>) -> Result<Vec<RunSummary>, RunsError>;
    /// A run's records from number `from` on, unchecked: for logs and for following.
    fn records(&self, run: &RunId, from: u64) -> Result<Vec<Chained>, RunsError>;
    /// A run's whole chain, checked; only what is behind its newest snapshot is handed out.
    fn journal(&self, run: &RunId) -> Result<Journal, RunsError>;
    /// The same without any snapshot, for when one turns out unreadable.
    fn journal_from_start(&self, run: &RunId) -> Result<Journal, RunsError>;
    /// What is behind a run's newest snapshot, checked as far as it is handed out: for those who only look.
    fn recent(&self, run: &RunId) -> Result<Journal, RunsError> {
        self.journal(run)
    }
    /// The same apart from what the run has learnt, where that is kept: for lists and for showing where a long run stands.
    fn glance(&self, _run: &RunId) -> Result<Option<Glance>, RunsError> {
        Ok(None)
    }
    /// The table of this hash, as it was when a run was pinned to it.
    fn table(&self, hash: &Hash) -> Result<Option<TableText>, RunsError>;
    /// Where long payloads are read from.
    fn vault(&self) -> &dyn Vault;
    /// The questions of a run, or of all runs, that wait for an answer.
    fn questions(&self, run: Option<&RunId>) -> Result<Vec<OpenQuestion>, RunsError>;
    /// The open questions of a run and of everything below it.
    fn questions_below(&self, run: &RunId) -> Result<Vec<OpenQuestion>, RunsError> {
        self.questions(Some(run))
    }
    /// The runs that nodes of a run have begun, oldest first.
    fn children(&self, _run: &RunId) -> Result<Vec<RunSummary>, RunsError> {
        Ok(Vec::new())
    }
    /// The answer that counts, and who gave it, if a question has been answered.
    fn answer_to(&self, run: &RunId, key: &Key) -> Result<Option<(Value, String)>, RunsError>;
    /// Leaves an answer for whoever drives the run. Refused if the question is not open, if the answer does not fit
    /// it, or if `reads` cannot read it; only the first answer counts.
    fn submit_answer(
        &self,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
        reads: Option<Reads>,
    ) -> Result<Submitted, RunsError>;
    /// Asks whoever drives the run to stop it.
    fn request_cancel(&self, run: &RunId, by: &str) -> Result<(), RunsError>;

    /// Returns when there may be something new of a run. Who follows one asks for its records from where they left
    /// off, and waits here; a keeper that cannot tell lets a moment pass.
    async fn news(&self, _run: &RunId, clock: &dyn Clock) {
        clock.until(clock.now().plus(MOMENT)).await;
    }
}

/// A run to be made.
#[derive(Debug)]
pub struct NewRun {
    /// Its name.
    pub name: RunId,
    /// Its workflow.
    pub workflow: String,
    /// What it is about.
    pub title: String,
    /// The run that started it.
    pub parent: Option<RunId>,
    /// The state it begins in.
    pub state: String,
    /// The run whose records come before its first one, and are shared.
    pub shares: Option<RunId>,
    /// Its first record of its own.
    pub first: Chained,
    /// The long payloads of that record.
    pub blobs: Vec<(Hash, Vec<u8>)>,
    /// Its table, by content hash.
    pub table: (Hash, String),
}

/// A run as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// Its name.
    pub name: RunId,
    /// Its workflow.
    pub workflow: String,
    /// What it is about.
    pub title: String,
    /// Its state.
    pub state: String,
    /// Its status as last recorded.
    pub status: Status,
    /// When it was started.
    pub started: Millis,
    /// When it last did something.
    pub updated: Millis,
    /// How many records it has.
    pub records: u64,
    /// How many of them it shares with the run it went off from.
    pub shared: u64,
    /// What it has spent.
    pub spent: Spend,
    /// Who drives it now, in words, if that is somebody else. What this process drives it knows itself.
    pub driven_by: Option<String>,
}

/// Which runs a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Only those that wait.
    pub waiting: bool,
    /// Only those of this workflow.
    pub workflow: Option<&'a str>,
    /// At most this many.
    pub limit: Option<usize>,
}

/// What became of a run that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// The run.
    pub run: RunId,
    /// How many of its records are gone.
    pub records: u64,
    /// The fork that has the others now, and how many they are.
    pub kept_by: Option<(RunId, u64)>,
}

/// Nobody else works in the home until this is dropped.
#[derive(Debug)]
pub struct Alone {
    pub(crate) _lock: std::fs::File,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenQuestion {
    /// The run that asks.
    pub run: RunId,
    /// Its key.
    pub key: Key,
    /// The question.
    pub question: Question,
    /// When it was put.
    pub asked: Millis,
    /// When it expires.
    pub deadline: Option<Millis>,
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It was taken.
    Taken,
    /// The same answer had been given before; nothing changed.
    Again,
}

/// A run's journal, checked.
#[derive(Clone, Debug)]
pub struct Journal {
    /// The newest snapshot that fits the chain.
    pub snapshot: Option<Snapshot>,
    /// The records behind the snapshot, or all of them.
    pub tail: Vec<Chained>,
    /// A damaged last record, if there was one; it is not in `tail`.
    pub torn: Option<Damage>,
    /// The long payloads all its records name.
    pub payloads: Vec<Hash>,
    /// What was durable once and is not there.
    pub loss: Option<Loss>,
    /// A loss a person has accepted, of which the journal does not tell yet.
    pub accepted: Option<Loss>,
}

/// Where a record of a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub n: u64,
    /// Where its keeper finds it.
    pub(crate) seq: i64,
}

/// A run apart from what it has learnt.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Where it stands, what it has spent, its settings.
    pub outline: Outline,
    /// The hash of its last record.
    pub hash: Hash,
    /// The records since the outline that is kept of it; nothing from before is under way.
    pub tail: Vec<Chained>,
}

/// The first record of a run that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// Its number.
    pub n: u64,
    /// What is wrong with it.
    pub what: String,
    /// Whether it is the last one, so that nothing whole stands behind it.
    pub is_last: bool,
}
