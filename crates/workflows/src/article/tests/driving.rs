//! Articles that are really written: by rules over the example corpus, and by models that fail or lie.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::read::extract::ChildCommand;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{
    Call, Drive, Effects, End, Engine, Failure, Idle, Millis, Paid, Perform, RunFile, SeededDice, Settings,
    flow,
};
use baton_machine::Outcome;

use super::support::{corpus, form, of};
use crate::article::outcome::Status;
use crate::article::{Article, Assignment, ErrorType, Memory, Worker};
use crate::retrieval::{DocsFound, LocalWorld, SearchDocs};

fn world(home: &Path) -> Effects {
    let child = ChildCommand { program: "/nowhere/baton".into(), arguments: Vec::new() };
    let clock = Arc::new(SimClock::jumping(Millis(1_775_000_000_000)));
    LocalWorld::new(home, child, clock).effects(Effects::default())
}

async fn run(home: &Path, effects: Effects, assignment: &Assignment) -> (End, Memory, Vec<RunFile>) {
    let store = Store::open(home, &StoreOptions::default()).unwrap();
    let clock = Arc::new(SimClock::jumping(Millis(1_775_000_000_000)));
    let engine = Engine { store, clock, dice: Arc::new(SeededDice::new(5)), effects };
    let run = engine.start::<Article>(assignment, Settings::default()).unwrap();
    let how = Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::ZERO },
        by: "the test".to_owned(),
        ..Drive::default()
    };
    let end = engine.drive::<Article>(&run, how, &mut ()).await.unwrap();
    let files = flow::<Article>().files(&engine, &run).unwrap();
    let memory = engine.present::<Article>(&run).unwrap().into_memory();
    (end, memory, files)
}

fn over_corpus(topic: &str) -> Assignment {
    let mut form = form(topic);
    form.set("target_length", 1000);
    let mut assignment = of(form);
    assignment.docs = vec![corpus()];
    assignment
}

fn text<'a>(files: &'a [RunFile], path: &str) -> &'a str {
    let file = files.iter().find(|file| file.path == path).unwrap();
    std::str::from_utf8(&file.content).unwrap()
}

#[tokio::test]
async fn rules_write_a_measured_article_over_the_corpus() {
    let home = tempfile::tempdir().unwrap();
    let assignment = over_corpus("Harlund's heat-pump network");
    let (end, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    let last = memory.evaluations.last().unwrap();
    let output = memory.final_output.as_ref().unwrap();
    assert_eq!(output.status, Status::Completed, "{last:#?}");
    assert!(memory.iteration_count <= 3 && last.overall >= 0.8, "{last:#?}");
    assert_eq!(last.factual.score, 1.0, "{last:#?}");
    assert!((900..=1100).contains(&last.words), "{}", last.words);
    let ease = last.reading_ease.unwrap();
    assert!((40.0..=65.0).contains(&ease), "{ease}");
    assert_eq!(last.article.factor, 1.0, "{last:#?}");
    for file in [
        "article.md",
        "article.html",
        "output.json",
        "state.json",
        "quality.md",
        "plan.md",
        "references.bib",
        "references.json",
        "evidence.json",
    ] {
        assert!(files.iter().any(|it| it.path == file), "{file}");
    }
    let article = text(&files, "article.md");
    assert!(article.contains("## Conclusion") && article.contains("## References"), "{article}");
    assert!(!article.contains("SYSTEM OVERRIDE"), "{article}");
}

#[tokio::test]
async fn a_topic_the_documents_do_not_address_is_no_article() {
    let home = tempfile::tempdir().unwrap();
    let assignment = over_corpus("Submarine volcanoes of Antarctica");
    let (end, memory, files) = run(home.path(), world(home.path()), &assignment).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    assert_eq!(memory.failure.map(|failure| failure.kind), Some(ErrorType::NoEvidence));
    assert!(!files.iter().any(|file| file.path.starts_with("article.")));
    assert!(text(&files, "output.json").contains("\"NoEvidence\""));
}

/// A place that is down.
struct Down;

#[async_trait]
impl Perform<SearchDocs> for Down {
    async fn perform(&self, _act: SearchDocs, _call: &Call) -> Result<Paid<DocsFound>, Failure> {
        Err(Failure::lasting("API timeout"))
    }
}

#[tokio::test]
async fn all_research_down_is_a_failure_with_what_there_is() {
    let home = tempfile::tempdir().unwrap();
    let effects = world(home.path()).with::<SearchDocs>(Down);
    let (end, memory, files) = run(home.path(), effects, &over_corpus("Harlund's heat-pump network")).await;
    assert_eq!(end, End::Finished(Outcome::Failed));
    let failure = memory.failure.clone().unwrap();
    assert_eq!(failure.kind, ErrorType::WorkerExecutionError);
    assert_eq!(failure.message, "all research workers failed after 3 retries, the first because API timeout");
    let searched = memory.last(Worker::WebSearch).is_none();
    assert!(searched && memory.outputs.values().filter(|it| it.attempts == 3).count() >= 3);
    let output: serde_json::Value = serde_json::from_str(text(&files, "output.json")).unwrap();
    assert_eq!(output["status"], "failed");
    assert_eq!(output["error"]["phase"], "EXECUTING");
    assert_eq!(output["partial_results"]["cost_incurred"], 0.0);
}
