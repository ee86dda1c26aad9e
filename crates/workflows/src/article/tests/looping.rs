//! Re-planning by rules: what a light search misses is found by the plan that answers the feedback, a run that cannot improve
//! ends partial, and no worker is called twice with the same input.

use std::collections::BTreeSet;

use super::support::{over_corpus, run, world};
use crate::article::outcome::Status;
use crate::article::{ContentType, Depth, Memory, Need, Worker, WorkerResult};

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
async fn what_a_light_search_misses_is_found_by_planning_again() {
    let home = tempfile::tempdir().unwrap();
    let mut assignment = over_corpus("Harlund's heat-pump network");
    assignment.brief.content_type = ContentType::BlogPost;
    assignment.brief.research_depth = Depth::Light;
    assignment.brief.min_sources = 8;
    assignment.brief.min_quality_score = 0.90;
    let (_, memory, _) = run(home.path(), world(home.path()), &assignment).await;
    let (first, last) = (&memory.evaluations[0], memory.evaluations.last().unwrap());
    assert!(last.overall >= first.overall + 0.05, "{} to {}", first.overall, last.overall);
    assert_eq!(memory.final_output.as_ref().unwrap().status, Status::Completed, "{last:#?}");
    // What was missing, what the next plan did about it, and what came of that.
    let needs = &first.demand.needs;
    assert!(needs.iter().any(|need| matches!(need, Need::Words { .. })), "{needs:?}");
    assert!(needs.iter().any(|need| matches!(need, Need::Sources { missing, .. } if *missing > 2)));
    let plan = memory.current_plan.as_ref().unwrap();
    assert!(!memory.plan_history[0].plan.has(Worker::WebScraper) && plan.has(Worker::WebScraper));
    let Some(WorkerResult::Sources { facts, .. }) = memory.last(Worker::WebScraper).map(|it| &it.result)
    else {
        panic!("nobody read in full");
    };
    let draft = memory.draft().unwrap();
    let used = |key: &str| draft.sentences().any(|sentence| sentence.facts.iter().any(|it| it == key));
    assert!(facts.iter().any(|fact| used(fact.key())), "what was read in full is not in the article");
    no_call_twice(&memory);
}
