//! Re-planning by rules: one run is lifted by it, one cannot improve and ends partial, and no worker is called twice with
//! the same input.

use std::collections::BTreeSet;

use super::support::{over_corpus, run, text, world};
use crate::article::outcome::Status;
use crate::article::{Depth, Memory};

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

#[tokio::test]
async fn what_falls_short_is_lifted_by_planning_again() {
    let home = tempfile::tempdir().unwrap();
    let mut assignment = over_corpus("Harlund's heat-pump network");
    // A first look finds too little for this many words and sources.
    assignment.brief.research_depth = Depth::Light;
    assignment.brief.target_length = 2_500;
    assignment.brief.min_sources = 14;
    assignment.brief.min_quality_score = 0.95;
    let (_, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    let qualities: Vec<f64> = memory.evaluations.iter().map(|it| it.overall).collect();
    let (first, last) = (qualities[0], *qualities.last().unwrap());
    assert!(first < 0.9 && last - first >= 0.05, "{qualities:?} {:#?}", memory.evaluations);
    let output = memory.final_output.as_ref().unwrap();
    let points = ((last - first) * 100.0).round();
    let improvement = format!("+{points}% quality ({first:.2} → {last:.2})");
    assert_eq!(output.improvement.as_deref(), Some(improvement.as_str()));
    assert!(text(&files, "plan.md").contains("plan_002"));
    // What was found is kept: the first search is not made again.
    no_call_twice(&memory);
    assert!(memory.plan_history[0].feedback.contains(" → "), "{}", memory.plan_history[0].feedback);
}
