//! The rooms all workflows share, used by the smallest workflow that needs them: it finds, reads, cites and writes a
//! report and its page. If this file grows, a room is missing something.

mod lookup;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::torture::{Rehearsal, Rehearse, Rigour};
use baton_engine::{Drive, Effects, End, Engine, Idle, Millis, RunFile, SeededDice, Settings, flow};
use baton_machine::{Outcome, Workflow, defects, describe};
use baton_testkit::crashes::survives;
use baton_workflows::citation::Evidence;
use baton_workflows::citation::verification::check;
use baton_workflows::retrieval::LocalWorld;
use lookup::{Lookup, Query};
use serde_json::Value;

const BEGIN: Millis = Millis(1_767_225_600_000);

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/corpus").canonicalize().unwrap()
}

fn query(question: &str) -> Query {
    Query { question: question.to_owned(), folder: corpus() }
}

fn effects(home: &Path) -> Effects {
    let child = ChildCommand { program: "/nowhere/baton".into(), arguments: Vec::new() };
    LocalWorld::new(home, child, Arc::new(SimClock::jumping(BEGIN))).effects(Effects::default())
}

async fn run(home: &Path, question: &str) -> (Engine, End, Vec<RunFile>) {
    let store = Store::open(home, &StoreOptions::default()).unwrap();
    let clock = Arc::new(SimClock::jumping(BEGIN));
    let engine = Engine { store, clock, dice: Arc::new(SeededDice::new(5)), effects: effects(home) };
    let run = engine.start::<Lookup>(&query(question), Settings::default()).unwrap();
    let how = Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::ZERO },
        by: "the test".to_owned(),
        ..Drive::default()
    };
    let end = engine.drive::<Lookup>(&run, how, &mut ()).await.unwrap();
    let files = flow::<Lookup>().files(&engine, &run).unwrap();
    (engine, end, files)
}

fn text<'a>(files: &'a [RunFile], path: &str) -> &'a str {
    let file = files.iter().find(|file| file.path == path).unwrap();
    std::str::from_utf8(&file.content).unwrap()
}

#[tokio::test]
async fn a_small_workflow_finds_reads_cites_and_writes_a_page() {
    let home = tempfile::tempdir().unwrap();
    let (_, end, files) = run(home.path(), "What does a connection for a single-family house cost?").await;
    assert_eq!(end, End::Finished(Outcome::Completed));
    let report = text(&files, "report.md");
    assert!(report.contains("4,800 euros"), "{report}");
    let evidence: Evidence = serde_json::from_str(text(&files, "evidence.json")).unwrap();
    assert_eq!(evidence.claiming, ["What the documents say"]);
    let verification = check(&evidence, report, &Archive::of_home(home.path()));
    assert_eq!((verification.flaws.len(), verification.verified), (0, verification.citations));
    assert!(verification.citations > 0);
    // A sentence slipped in under the workflow's own heading has no citation, and that is noticed.
    let slipped = report.replacen("\n\n## References", "\n\n- It is free.\n\n## References", 1);
    assert_eq!(check(&evidence, &slipped, &Archive::of_home(home.path())).flaws.len(), 2);
    let page = text(&files, "report.html");
    assert!(page.contains("Content-Security-Policy") && page.contains("4,800 euros"), "{page}");
}

#[tokio::test]
async fn what_the_documents_do_not_know_ends_without_a_report() {
    let home = tempfile::tempdir().unwrap();
    let (_, end, files) = run(home.path(), "How many trams run in Eastfield?").await;
    assert_eq!(end, End::Finished(Outcome::NoEvidence));
    assert_eq!(files.len(), 0);
}

impl Rehearse for Lookup {
    fn rehearsal() -> Rehearsal<Self> {
        // One archive for all lives of the rehearsal: what was read once is read.
        static HOME: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
        Rehearsal {
            input: query("How many buildings are connected, and what does a connection cost?"),
            settings: Settings { parallel: 4, ..Settings::default() },
            effects: effects(HOME.path()),
            answer: |_| Value::Null,
        }
    }
}

#[tokio::test]
async fn it_survives_torture() {
    assert_eq!(defects(&describe(Lookup::TABLE)), []);
    survives::<Lookup>(Rigour { seed: 7, chains: 20, pairs: false }).await;
}
