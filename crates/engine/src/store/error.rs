//! What can go wrong with a home, sorted by who must act.

use rusqlite::ErrorCode;

use crate::{BadRunId, Hash, RunId, WrongShape};

/// A store that cannot do what was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// No room, or no right to write. Everything committed before is kept.
    #[error(
        "cannot write to the home folder ({what}): {why}. Everything recorded before is kept; make room or writable, then `baton resume`"
    )]
    Disk {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        why: String,
    },
    /// The file is from a newer Baton.
    #[error(
        "{file} was written by a newer Baton (format {found}; this one knows up to {known}). Nothing was changed: update Baton, or choose another home with --home"
    )]
    Newer {
        /// The file.
        file: String,
        /// Its format.
        found: u32,
        /// The newest format this build knows.
        known: u32,
    },
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
    /// Another process drives the run.
    #[error(
        "run {run} is being driven by {owner}; watch it with `baton watch {run}`, or stop it with `baton cancel {run}`"
    )]
    Held {
        /// The run.
        run: RunId,
        /// Who drives it.
        owner: String,
    },
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
    /// The journal names a run as no Baton does.
    #[error(
        "the journal of this home is damaged or was made by somebody else: {0}. It was not touched, and nothing was written in its name; restore the home from a copy, or choose another with --home"
    )]
    Name(BadRunId),
    /// Records that were durable are gone.
    #[error(
        "{0}. Nothing was touched. Restore the home from a copy, or go on from what there is with `baton doctor --accept-loss {run}`", run = .0.run
    )]
    Lost(super::Loss),
    /// The database is empty, and it was not.
    #[error(
        "the journal {file} is empty, and it held {what}. Nothing was touched: restore the home from a copy, or begin anew with `baton doctor --accept-loss all`"
    )]
    Emptied {
        /// The file.
        file: String,
        /// What it held, and what that may have cost.
        what: String,
    },
    /// A long payload is missing or is not what its name says.
    #[error("the stored payload {hash} is {what}; restore the blobs folder of the home from a copy")]
    Blob {
        /// Its hash.
        hash: Hash,
        /// Missing or damaged.
        what: String,
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
    /// The journal's writer has ended; nothing can be recorded any more.
    #[error("the journal's writer has stopped: {0}")]
    WriterGone(String),
    /// Anything else SQLite says.
    #[error("the journal cannot be used ({what}): {why}")]
    Sqlite {
        /// What was being done.
        what: &'static str,
        /// What SQLite said.
        why: String,
    },
}

impl StoreError {
    /// Sorts what SQLite says.
    pub(crate) fn sqlite(what: &'static str, error: &rusqlite::Error) -> Self {
        if let rusqlite::Error::FromSqlConversionFailure(_, _, bad) = error
            && let Some(bad) = bad.downcast_ref::<BadRunId>()
        {
            return Self::Name(bad.clone());
        }
        let why = error.to_string();
        match error.sqlite_error_code() {
            Some(
                ErrorCode::DiskFull
                | ErrorCode::ReadOnly
                | ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied,
            ) => Self::Disk { what, why },
            _ => Self::Sqlite { what, why },
        }
    }

    /// Sorts what the file system says.
    pub(crate) fn file(what: &'static str, error: &std::io::Error) -> Self {
        Self::Disk { what, why: error.to_string() }
    }

    /// Whether making room or rights would help.
    pub fn is_disk(&self) -> bool {
        matches!(self, Self::Disk { .. })
    }
}
