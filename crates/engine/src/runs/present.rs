//! A run as it stands, folded from what its keeper hands out.

use serde_json::Value;

use super::{Journal, Runs, Submitted};
use crate::driver::{self, DriveError, Head, Loaded, load};
use crate::{Key, RunId, Work};

/// The run as it stands now, without driving it.
pub fn present<W: Work>(runs: &dyn Runs, run: &RunId) -> Result<Head<W>, DriveError> {
    let journal = runs.recent(run)?;
    fold::<W>(runs, run, &journal)?.into_present(runs.vault())
}

/// The run as it stood behind a record.
pub fn present_at<W: Work>(runs: &dyn Runs, run: &RunId, n: u64) -> Result<Head<W>, DriveError> {
    let tail = runs.journal_from_start(run)?.tail;
    let until = tail.partition_point(|chained| chained.n <= n);
    load(None, &tail[..until], runs.vault())?.into_present(runs.vault())
}

/// Folds a journal, without its snapshot if that turns out unreadable.
pub(crate) fn fold<W: Work>(
    runs: &dyn Runs,
    run: &RunId,
    journal: &Journal,
) -> Result<Loaded<W>, DriveError> {
    match load(journal.snapshot.as_ref(), &journal.tail, runs.vault()) {
        Err(DriveError::BadSnapshot { .. }) => load(None, &runs.journal_from_start(run)?.tail, runs.vault()),
        loaded => loaded,
    }
}

/// Leaves an answer, if the very code that asked can read it. Nothing is recorded of one that it cannot.
pub(crate) fn readable_answer<W: Work>(
    runs: &dyn Runs,
    run: &RunId,
    key: &Key,
    answer: &Value,
    by: &str,
) -> Result<Submitted, DriveError> {
    let journal = runs.journal(run)?;
    let readers = driver::readers::<W>(fold(runs, run, &journal)?, runs.vault())?;
    let reads = readers.get(&key.name).copied();
    Ok(runs.submit_answer(run, key, answer, by, reads)?)
}
