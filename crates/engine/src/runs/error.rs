//! Why a keeper of runs did not do what was asked, sorted by what can be done about it.

use super::Loss;
use crate::driver::VaultError;
use crate::host::HostError;
use crate::{BadRunId, RunId, WrongShape};

/// A keeper of runs that cannot do what was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunsError {
    /// No run fits the name.
    #[error("there is no run `{0}`; `baton runs --all` lists them")]
    NoRun(String),
    /// More than one run fits the name.
    #[error("`{prefix}` could be any of {}; type more letters", runs.join(", "))]
    Ambiguous {
        /// What was typed.
        prefix: String,
        /// The runs it could be.
        runs: Vec<String>,
    },
    /// Somebody else drives the run.
    #[error(
        "run {run} is being driven by {owner}; watch it with `baton watch {run}`, or stop it with `baton cancel {run}`"
    )]
    Held {
        /// The run.
        run: RunId,
        /// Who drives it.
        owner: String,
    },
    /// A run of this name exists.
    #[error("a run named {0} exists already")]
    Taken(RunId),
    /// The question is not open.
    #[error("{0}")]
    NotOpen(String),
    /// The answer does not fit its question, or the code that asked cannot read it.
    #[error("{wrong}; expected {hint}")]
    WrongAnswer {
        /// What does not fit.
        wrong: WrongShape,
        /// What an answer looks like.
        hint: String,
    },
    /// It is needed by something else.
    #[error("{0}; nothing was changed")]
    InUse(String),
    /// A record inside the journal is damaged.
    #[error(
        "record {n} of run {run} is damaged, and records after it are whole, so nothing can be rolled back safely. The run was not touched; `baton doctor` shows where. Restore the home from a copy"
    )]
    Damaged {
        /// The run.
        run: RunId,
        /// The first damaged record.
        n: u64,
    },
    /// Records that were durable are gone.
    #[error(
        "{0}. Nothing was touched. Restore the home from a copy, or go on from what there is with `baton doctor --accept-loss {run}`", run = .0.run
    )]
    Lost(Loss),
    /// A run is named as no Baton names one.
    #[error(
        "the journal of this home is damaged or was made by somebody else: {0}. It was not touched, and nothing was written in its name; restore the home from a copy, or choose another with --home"
    )]
    Foreign(BadRunId),
    /// A long payload cannot be had.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The journal cannot be read or written at the moment.
    #[error(transparent)]
    Host(#[from] HostError),
}
