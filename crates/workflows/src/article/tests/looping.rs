//! Re-planning by rules: a run that cannot improve ends partial, and no worker is called twice with the same input.

use std::collections::BTreeSet;

use super::support::{over_corpus, run, world};
use crate::article::Memory;
use crate::article::outcome::Status;

/// Calls that were really made, each with its worker.
fn calls(memory: &Memory) -> Vec<&str> {
    memory.outputs.values().filter(|it| !it.kept && it.attempts > 0).map(|it| it.call.as_str()).collect()
}

fn no_call_twice(memory: &Memory) {
    let calls = calls(memory);
    let once: BTreeSet<&str> = calls.iter().copied().collect();
    assert_eq!(calls.len(), once.len(), "{calls:?}");
}

#[tokio::test]
async fn what_cannot_improve_ends_partial() {
    let home = tempfile::tempdir().unwrap();
    let mut assignment = over_corpus("Harlund's heat-pump network");
    assignment.brief.min_sources = 40;
    assignment.brief.min_quality_score = 0.99;
    let (_, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    assert_eq!(memory.iteration_count, 3);
    let output = memory.final_output.as_ref().unwrap();
    assert_eq!(output.status, Status::Partial);
    assert_eq!(output.warnings[0], "Quality below target");
    assert!(files.iter().any(|file| file.path == "article.md"));
    no_call_twice(&memory);
}
