//! The durability trait: what a driver needs of whatever keeps its journal.
//!
//! Small, object safe, and all data, so that the same driver and the same node code run on the SQLite
//! journal and on Restate. The driver has chained every record before it gets here; a host decides
//! nothing, it makes things durable and brings completions in one order.

use std::borrow::Cow;

use async_trait::async_trait;
use serde_json::Value;

use crate::record::Chained;
use crate::{Call, Failure, Found, Hash, Key, Millis, Paid, Question, Reads, Spend, StopReason};

/// Something a run waits for.
#[derive(Clone, Debug)]
pub enum Op {
    /// One attempt at a step.
    Step(Call),
    /// A look whether a step happened before a crash.
    Look(Call),
    /// A question to a person.
    Ask {
        /// The question.
        question: Question,
        /// When it expires.
        deadline: Option<Millis>,
        /// What an answer must be readable as; one that is not counts as none.
        reads: Reads,
    },
    /// A wait.
    Sleep {
        /// When it ends.
        until: Millis,
    },
    /// A child run: it is begun if there is none, and its end waited for. The same again may add that it shall stop.
    Child {
        /// What the journal says of it.
        begun: crate::record::ChildBegun,
        /// What it is started with.
        input: Value,
        /// How deep it is nested.
        depth: u32,
        /// Whether it shall stop.
        cancelled: bool,
    },
}

/// How a child ended, or why there is none.
pub type OverChild = Result<crate::ChildEnd, String>;

/// What came of an [`Op`].
#[derive(Clone, Debug, PartialEq)]
pub enum OpResult {
    /// The attempt came back.
    Back(Result<Paid<Value>, Failure>),
    /// The look is over.
    Looked(Found<Value>),
    /// A person answered.
    Answer {
        /// The answer.
        answer: Value,
        /// Who gave it.
        by: String,
    },
    /// The deadline passed.
    Expired,
    /// The wait is over.
    Fired,
    /// The child is over, or could not be begun.
    ChildOver(OverChild),
}

/// One completion. `at` is journaled with it: the only clock node code ever sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What completed.
    pub key: Key,
    /// What came of it.
    pub result: OpResult,
    /// When.
    pub at: Millis,
}

/// Why driving ends although the run has not. Nothing durable is lost by any of them.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// Everything open waits for a person or a time, and nobody wants to wait here.
    #[error("the run waits")]
    Suspended,
    /// Somebody wants the run stopped. Calls that came back meanwhile are kept.
    #[error("{detail}")]
    Wanted {
        /// The reason.
        reason: StopReason,
        /// In words.
        detail: String,
        /// Completions that must still be recorded.
        late: Vec<Done>,
    },
    /// Another driver has taken the run over.
    #[error("another process has taken over this run; it goes on there")]
    LostLease,
    /// The journal cannot be written.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// What keeps a journal cannot do so at the moment. Nothing is wrong with the run, and what was recorded is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// There is no home folder yet, and none can be made there.
    #[error(
        "cannot make the home folder {home}: {why}. Nothing was recorded; name another with --home or BATON_HOME"
    )]
    NoHome {
        /// Where it should be.
        home: String,
        /// What the system said.
        why: String,
    },
    /// No room, or no right to write: a person must give it.
    #[error(
        "cannot write to the home folder ({what}): {why}. Everything recorded before is kept; make room or writable, then `baton resume`"
    )]
    Unwritable {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        why: String,
    },
    /// It fails, or it has ended: another process may have better luck, and `baton doctor` says more.
    #[error("the journal cannot be used ({what}): {why}")]
    Unusable {
        /// What was being done.
        what: &'static str,
        /// What it said.
        why: String,
    },
}

impl HostError {
    /// What the file system says.
    pub(crate) fn file(what: &'static str, error: &std::io::Error) -> Self {
        Self::Unwritable { what, why: error.to_string() }
    }

    /// Whether making room or rights would help.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Unwritable { .. })
    }
}

/// What lists show of a run; kept beside the journal and derivable from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The state.
    pub state: Cow<'static, str>,
    /// The status.
    pub status: Status,
    /// What has been spent.
    pub spent: Spend,
    /// The journaled time.
    pub at: Millis,
}

/// What the engine says of a run, apart from its state.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "why")]
pub enum Status {
    /// A node works.
    Running,
    /// It waits for an answer or a time.
    Waiting,
    /// It was stopped in its state.
    Stopped(StopReason),
    /// It is over.
    Finished(baton_machine::Outcome),
}

/// Keeps the journal of one run and performs what the driver submits.
#[async_trait]
pub trait Host: Send {
    /// Buffers a record. `blobs` are the long payloads it names.
    fn append(&mut self, record: Chained, blobs: Vec<(Hash, Vec<u8>)>);
    /// Buffers what lists show from now on.
    fn show(&mut self, shown: Shown);
    /// Buffers a snapshot of the fold up to and including record `n`; a cache, never the truth.
    fn snapshot(&mut self, n: u64, hash: Hash, text: String);
    /// Buffers an outline of the run up to and including record `n`; a cache too.
    fn outline(&mut self, _n: u64, _hash: Hash, _text: String) {}
    /// Buffers something to wait for. Called in a deterministic order; never waits.
    fn submit(&mut self, key: Key, op: Op);
    /// Nobody waits for this any more. What is in flight may be cut off.
    fn abandon(&mut self, key: &Key);
    /// Makes what is buffered durable, starts what was submitted, then waits for one completion.
    async fn next(&mut self) -> Result<Done, Stop>;
    /// The run is stopped: whoever drives one of its open children is asked to stop that too.
    fn stop_children(&mut self) {}
    /// Makes what is buffered durable.
    async fn flush(&mut self) -> Result<(), Stop>;
}
