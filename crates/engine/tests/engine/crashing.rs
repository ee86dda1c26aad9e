//! Crashes: what each policy does about a call whose outcome was hidden, and a crash at every commit.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use baton_engine::AfterCrash::{self, Ask, OnceMore, Reconcile, Retry};
use baton_engine::store::CrashPlan;
use baton_engine::torture::{Rigour, torture_family};
use baton_engine::{Catalogue, Crew, End};
use baton_machine::Outcome;
use baton_testkit::crashes::survives;
use baton_testkit::puppet::{Do, Event, Poke, Puppet, poke};
use serde_json::json;

use crate::common::{EPOCH, Home, drive, kinds, memory, said};

fn policy(name: &str, after_crash: AfterCrash) -> Poke {
    Poke { after_crash, ..poke(name) }
}

/// Dies after the intent is durable, with the call in flight; drives on, and gives the journal from there.
async fn after_crash(poke: Poke, answer: Option<serde_json::Value>) -> (Vec<String>, Vec<String>, u32) {
    let mut home = Home::new();
    let name = poke.name.clone();
    let (engine, run) = home.crash(vec![vec![Do::Step(poke)]], 3, true).await;
    let mut end = drive(&engine, &run).await.unwrap();
    if let Some(answer) = answer {
        assert_eq!(end, End::Waiting);
        let open = engine.store.questions(Some(&run)).unwrap().remove(0);
        engine.store.answer(&run, &open.key, &answer, "me", EPOCH).unwrap();
        end = drive(&engine, &run).await.unwrap();
    }
    assert_eq!(end, End::Finished(Outcome::Completed));
    let calls = home.other.calls().get(&name).copied().unwrap_or(0);
    (kinds(&engine, &run).split_off(2), said(&engine, &run), calls)
}

#[tokio::test]
async fn a_read_is_done_again() {
    let (journal, said, _) = after_crash(policy("a", Retry), None).await;
    assert_eq!(journal, ["unknown 1/a", "intent 1/a #2", "receipt 1/a #2", "event", "event"]);
    assert_eq!(said, ["a: done a"]);
}

#[tokio::test]
async fn files_and_git_are_looked_for_first() {
    let (journal, said, calls) = after_crash(policy("happened-a", Reconcile), None).await;
    assert_eq!(journal, ["unknown 1/happened-a", "receipt 1/happened-a", "event", "event"]);
    assert_eq!((said, calls), (vec!["happened-a: found happened-a".to_owned()], 0));
    let (journal, said, calls) = after_crash(policy("absent-a", Reconcile), None).await;
    assert_eq!(
        journal,
        [
            "unknown 1/absent-a",
            "looked 1/absent-a",
            "intent 1/absent-a #2",
            "receipt 1/absent-a #2",
            "event",
            "event"
        ]
    );
    assert_eq!((said, calls), (vec!["absent-a: done absent-a".to_owned()], 1));
}

#[tokio::test]
async fn where_nobody_can_tell_a_person_is_asked() {
    let happened = json!({"happened": true, "result": "as I saw it"});
    let (journal, said, calls) = after_crash(policy("a", Ask), Some(happened.clone())).await;
    assert_eq!(journal, ["unknown 1/a", "asked 1/a?1", "answered 1/a?1", "receipt 1/a", "event", "event"]);
    assert_eq!((said, calls), (vec!["a: as I saw it".to_owned()], 0));
    let (journal, said, calls) = after_crash(policy("a", Ask), Some(json!({"happened": false}))).await;
    assert_eq!(
        journal,
        ["unknown 1/a", "asked 1/a?1", "answered 1/a?1", "intent 1/a #2", "receipt 1/a #2", "event", "event"]
    );
    assert_eq!((said, calls), (vec!["a: done a".to_owned()], 1));
    let (journal, said, _) = after_crash(policy("unclear-a", Reconcile), Some(happened)).await;
    assert!(
        journal.contains(&"looked 1/unclear-a".to_owned())
            && journal.contains(&"asked 1/unclear-a?1".to_owned())
    );
    assert_eq!(said, ["unclear-a: as I saw it"]);
}

#[tokio::test]
async fn a_model_call_is_tried_once_more_and_not_twice_more() {
    let mut home = Home::new();
    let script = vec![vec![Do::Step(policy("a", OnceMore))]];
    let (engine, run) = home.crash(script, 3, true).await;
    drop(engine);
    // The lease is commit 1 of the new process, unknown and the second intent are commit 2.
    home.options.crash = Some(Arc::new(CrashPlan::new(2, true, false)));
    let engine = home.engine();
    assert!(drive(&engine, &run).await.is_err());
    drop(engine);
    home.options.crash = None;
    let engine = home.engine();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(
        said(&engine, &run),
        ["a: nobody knows what 1/a did before the crash, and it may not be repeated"]
    );
    assert_eq!(
        kinds(&engine, &run)[1..6],
        ["intent 1/a", "unknown 1/a", "intent 1/a #2", "unknown 1/a #2", "event"]
    );
}

/// Every instruction a puppet knows that can end well, with parallel steps and two retries of a node.
fn everything() -> Vec<Vec<Do>> {
    let flaky = Poke { fails: 1, ..poke("flaky") };
    let long = Poke { length: 20_000, ..poke("long") };
    vec![
        vec![
            Do::All((0..6).map(|number| poke(&format!("p{number}"))).collect()),
            Do::Step(flaky),
            Do::Say("one".to_owned()),
        ],
        vec![Do::Sleep("nap".to_owned(), 1_000), Do::Step(long), Do::SayLong(20_000)],
        vec![Do::Race(poke("won"), 1_000_000), Do::Step(policy("once", OnceMore)), Do::Say("two".to_owned())],
        vec![Do::Ask { name: "q".to_owned(), within_ms: Some(100), otherwise: Some("none".to_owned()) }],
        vec![Do::Step(policy("absent-b", Reconcile)), Do::End(Event::Divert)],
    ]
}

#[tokio::test]
async fn a_crash_at_every_commit_changes_nothing() {
    let calm = Home::new();
    let mut counting = Home::new();
    let plan = Arc::new(CrashPlan::new(0, false, false));
    counting.options.crash = Some(Arc::clone(&plan));
    let (engine, run, mut end) = counting.play(everything()).await;
    while end.unwrap() == End::Waiting {
        counting.clock.pass(std::time::Duration::from_secs(1));
        end = drive(&engine, &run).await;
        if !matches!(end, Ok(End::Waiting)) {
            break;
        }
    }
    let wanted = memory(&engine, &run);
    drop((engine, calm));
    let commits = plan.commits.load(Ordering::SeqCst);
    assert!(commits > 20, "{commits}");
    for at in 3..commits {
        for after in [false, true] {
            let mut home = Home::new();
            let plan = Arc::new(CrashPlan::new(at, after, false));
            home.options.crash = Some(Arc::clone(&plan));
            let (engine, run, mut end) = home.play(everything()).await;
            drop(engine);
            home.options.crash = None;
            let engine = home.engine();
            for _ in 0..10 {
                if matches!(end, Ok(End::Finished(_))) {
                    break;
                }
                home.clock.pass(std::time::Duration::from_secs(1));
                end = drive(&engine, &run).await;
            }
            assert_eq!(end.unwrap(), End::Finished(Outcome::Completed), "commit {at}, after: {after}");
            assert_eq!(memory(&engine, &run), wanted, "commit {at}, after: {after}");
            assert_eq!(engine.store.verify(&run).unwrap().damage, None);
        }
    }
}

/// The same with runs inside it, and with turns between the crashes.
#[tokio::test]
async fn crashes_among_runs_inside_runs_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let crew: Arc<dyn Crew> = Arc::new(Catalogue::default().with::<Puppet>());
    let rigour = Rigour { seed: 3, chains: 60, pairs: false };
    let report = torture_family::<Puppet>(folder.path(), rigour, None, Some(crew)).await.unwrap();
    assert!(report.passes(), "{report:#?}");
    assert_eq!(report.children, 2);
    assert!(report.forks > 0 && report.changes > 0 && report.unknown > 0, "{report:?}");
}

/// A crash at every commit, and a second one at every commit of the recovery, with fewer slots than steps.
#[tokio::test]
async fn every_pair_of_crashes_changes_nothing() {
    let report = survives::<Puppet>(Rigour { seed: 1, chains: 200, pairs: true }).await;
    assert!(report.chains > 2_000 && report.chained_crashes > report.chains, "{report:?}");
}
