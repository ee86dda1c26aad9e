//! ConclusionWriter: the closing: what is open and what comes next, and nothing that was said.
//!
//! Given the draft and the facts it left; brings sentences. A model, if there is one, writes them; the gate reads them.

use super::edges::write;
use super::{Job, Trouble, WorkerResult};
use crate::article::skills::write_part::PartKind;

/// Writes.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    write(job, PartKind::Conclusion).await
}
