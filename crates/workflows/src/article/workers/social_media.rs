//! SocialMedia: finds blogs, forums and feeds, and reads of them what speaks of the topic. A kind nobody has is an answer too.
//!
//! Given the plan's queries; brings sources and facts. A model, if there is one, takes facts out of what was found.

use super::finding::find;
use super::{Job, Trouble, Worker, WorkerResult};

/// Finds.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    find(job, Worker::SocialMedia.finds()).await
}
