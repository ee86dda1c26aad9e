//! What SQLite and the file system say, sorted into what the rest of the engine understands.

use rusqlite::ErrorCode;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};

use crate::host::HostError;
use crate::runs::RunsError;
use crate::{BadRunId, RunId};

/// A home that cannot be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
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
    /// The file is from an older Baton, and may not be brought to the present format.
    #[error(
        "{file} was written by an older Baton (format {found}; this one reads {known}), and it cannot be brought up to date where nothing may be written. Nothing was changed: make the home writable, or copy it to where it is"
    )]
    Older {
        /// The file.
        file: String,
        /// Its format.
        found: u32,
        /// The format this build reads.
        known: u32,
    },
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
    /// It cannot be used, as any store that is open can become.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

impl OpenError {
    /// Whether making room or rights would help.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Runs(RunsError::Host(error)) if error.is_unwritable())
    }
}

impl From<HostError> for OpenError {
    fn from(error: HostError) -> Self {
        Self::Runs(error.into())
    }
}

/// Sorts what SQLite says.
pub(super) fn sqlite(what: &'static str, error: &rusqlite::Error) -> HostError {
    let why = error.to_string();
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DiskFull
            | ErrorCode::ReadOnly
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::PermissionDenied,
        ) => HostError::Unwritable { what, why },
        _ => HostError::Unusable { what, why },
    }
}

/// The same of rows that name runs.
pub(super) fn sqlite_of_runs(what: &'static str, error: &rusqlite::Error) -> RunsError {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, bad) => match bad.downcast_ref::<BadRunId>() {
            Some(bad) => RunsError::Foreign(bad.clone()),
            None => sqlite(what, error).into(),
        },
        _ => sqlite(what, error).into(),
    }
}

impl FromSql for RunId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        String::column_result(value)?.try_into().map_err(|bad: BadRunId| FromSqlError::Other(Box::new(bad)))
    }
}
