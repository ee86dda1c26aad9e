//! How driving can end, and why it may not begin.

use baton_machine::Outcome;

use super::VaultError;
use crate::host::HostError;
use crate::record::Chained;
use crate::runs::RunsError;
use crate::{Hash, StopReason};

/// How driving ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The run is over.
    Finished(Outcome),
    /// It waits for a person or a time.
    Waiting,
    /// It was stopped in its state and can go on from there.
    Stopped {
        /// The reason.
        reason: StopReason,
        /// In words.
        detail: String,
    },
}

/// Why a run cannot be driven. Its journal is as it was.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The table or the code has changed since the run began.
    #[error(
        "this run was started with {what} {was}, and this Baton has {is}; nothing was changed. `baton migrate --plan` says whether this Baton can take it over; the version that started it can finish it"
    )]
    Changed {
        /// What has changed.
        what: String,
        /// What the run is pinned to.
        was: String,
        /// What is here.
        is: String,
    },
    /// A record is of a kind that this build does not know.
    #[error(
        "record {n} is of the kind `{kind}`, which this Baton does not know: a newer one wrote it. Nothing was changed; update Baton"
    )]
    Newer {
        /// The record.
        n: u64,
        /// Its kind.
        kind: String,
    },
    /// A record does not fit the workflow.
    #[error("record {n} does not fit the workflow: {what}")]
    Unfit {
        /// The record.
        n: u64,
        /// What does not fit.
        what: String,
    },
    /// A long payload cannot be read back.
    #[error("the stored payload {hash} is damaged: {what}")]
    Blob {
        /// Its hash.
        hash: Hash,
        /// What is wrong.
        what: String,
    },
    /// A snapshot cannot be read; the journal can.
    #[error("the snapshot at record {n} cannot be read")]
    BadSnapshot {
        /// Its last record.
        n: u64,
    },
    /// Something cannot be written as JSON.
    #[error("a record cannot be stored: {0}")]
    Unstorable(String),
    /// What the run may use cannot be had in this process.
    #[error("{0}")]
    Unequipped(String),
    /// Another process drives the run.
    #[error("another process has taken over this run; it goes on there")]
    LostLease,
    /// Whoever keeps the run says no.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

impl DriveError {
    /// What a record means that cannot be read: a newer Baton, or damage.
    pub(crate) fn unreadable(chained: &Chained, error: &serde_json::Error) -> Self {
        match chained.unknown_kind() {
            Some(kind) => Self::Newer { n: chained.n, kind },
            None => Self::Unfit { n: chained.n, what: error.to_string() },
        }
    }
}

impl From<HostError> for DriveError {
    fn from(error: HostError) -> Self {
        Self::Runs(error.into())
    }
}

impl From<VaultError> for DriveError {
    fn from(error: VaultError) -> Self {
        Self::Runs(error.into())
    }
}
