//! Graphs run by a real node on a real journal: limits, timeouts, faults, and a crash at every commit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;

use super::flow::{Does, Errand, Errands, Event, Memory, Plan, Runner};
use super::{statuses, tasks};
use crate::cx::lock;
use crate::dag::Task;
use crate::engine::{Drive, Engine, Pace};
use crate::record::{Body, Happened, Payload};
use crate::sim::SimClock;
use crate::store::{Store, StoreOptions};
use crate::torture::{Rehearsal, Rehearse, Rigour, torture};
use crate::{Call, Effects, End, Failure, Millis, Paid, Perform, RunId, SeededDice, Settings, StopReason};

/// Twelve tasks: failures with and without fallbacks, a timeout, a broken node, and two tasks found on the way.
fn twelve() -> Plan {
    let mut all = tasks("plan s1<plan s2<plan|s2-local s2-local s3?<plan r1<s1,s3 r2<s2 x y<x k z<k");
    all.push(Task::new("slow").after(["plan"]).optional().within_ms(60_000));
    assert_eq!(all.len(), 12);
    let does = [
        ("plan", Does::Adds(tasks("added<plan,r2"))),
        ("s2", Does::Fails),
        ("s3", Does::Fails),
        ("slow", Does::Hangs),
        ("x", Does::Finds(Task::new("x-again"))),
        ("k", Does::Fails),
        ("s1", Does::Breaks),
        ("r1", Does::GivesUp),
    ];
    Plan { again: true, ..plan(all, 4, does) }
}

const TWELVE: &str = "added:COMPLETED k:FAILED plan:COMPLETED r1:SKIPPED r2:COMPLETED s1:COMPLETED s2:FAILED \
    s2-local:COMPLETED s3:FAILED slow:FAILED x:FAILED x-again:COMPLETED y:COMPLETED z:SKIPPED";

fn plan(tasks: Vec<Task>, limit: usize, does: impl IntoIterator<Item = (&'static str, Does)>) -> Plan {
    let does = does.into_iter().map(|(task, does)| (task.to_owned(), does)).collect();
    Plan { tasks, limit, does, again: false }
}

impl Rehearse for Errands {
    fn rehearsal() -> Rehearsal<Self> {
        let settings = Settings { parallel: 3, ..Settings::default() };
        let effects = Effects::default().with::<Errand>(Runner);
        Rehearsal { input: twelve(), settings, effects, answer: |_| Value::Null }
    }
}

/// Counts calls by step, and how many were in flight at once.
#[derive(Clone, Default)]
struct Watched {
    calls: Arc<Mutex<BTreeMap<String, u32>>>,
    flying: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

#[async_trait]
impl Perform<Errand> for Watched {
    async fn perform(&self, act: Errand, call: &Call) -> Result<Paid<String>, Failure> {
        *lock(&self.calls).entry(call.key.name.clone()).or_insert(0) += 1;
        let flying = self.flying.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(flying, Ordering::SeqCst);
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let done = Runner.perform(act, call).await;
        self.flying.fetch_sub(1, Ordering::SeqCst);
        done
    }
}

struct Bench {
    engine: Engine,
    run: RunId,
    watched: Watched,
}

impl Bench {
    fn new(folder: &Path, plan: &Plan) -> Self {
        let watched = Watched::default();
        let engine = Engine {
            store: Store::open(folder, &StoreOptions::default()).unwrap(),
            clock: Arc::new(SimClock::jumping(Millis(1_700_000_000_000))),
            dice: Arc::new(SeededDice::new(7)),
            effects: Effects::default().with::<Errand>(watched.clone()),
        };
        let settings = Settings { parallel: 10, ..Settings::default() };
        let run = engine.start::<Errands>(plan, settings).unwrap();
        Self { engine, run, watched }
    }

    async fn drive(&self) -> (End, Memory) {
        let pace = Pace { poll: None, grace: std::time::Duration::ZERO };
        let how = Drive { pace, ..Drive::default() };
        let end = self.engine.drive::<Errands>(&self.run, how, &mut ()).await.unwrap();
        let memory = lock(&self.engine.present::<Errands>(&self.run).unwrap().memory).clone();
        (end, memory)
    }

    fn bodies(&self) -> Vec<Body> {
        let records = self.engine.store.records(&self.run, 1).unwrap();
        records.iter().map(|chained| chained.open().unwrap().body).collect()
    }

    /// The tasks whose end is journaled, in the order of the journal, with a bar where the node was tried again.
    fn journaled(&self) -> Vec<String> {
        let told = |body| match body {
            Body::Event(Happened { event: Payload::Inline(value), .. }) => {
                match serde_json::from_value(value) {
                    Ok(Event::TaskEnded { end, .. }) => Some(end.id.0),
                    Ok(Event::TryAgain { .. }) => Some("|".to_owned()),
                    _ => None,
                }
            }
            _ => None,
        };
        self.bodies().into_iter().filter_map(told).collect()
    }
}

#[tokio::test]
async fn twelve_tasks_end_as_the_rules_say() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new(folder.path(), &twelve());
    let (end, memory) = bench.drive().await;
    assert_eq!(end, End::Finished(baton_machine::Outcome::Failed));
    assert_eq!(memory.trouble, [] as [String; 0]);
    assert_eq!(statuses(&memory.dag), TWELVE);
    let lost: Vec<&str> = memory.dag.lost().iter().map(|task| task.id.0.as_str()).collect();
    assert_eq!(lost, ["k"]);
    assert_eq!(memory.broke, ["s1 broke the node"]);
    assert_eq!(memory.dag.get(&"slow".into()).unwrap().why(), Some("it took longer than 60000 ms"));
    assert_eq!(memory.brought["added"], "added/fetch for added");
    let run = memory.dag.tasks().filter(|task| task.id.0 != "z").map(|task| (task.id.0.clone(), 1)).collect();
    assert_eq!(memory.ends, run, "each task that ran ended once");
    let calls = lock(&bench.watched.calls).clone();
    assert!(calls.values().all(|times| *times == 1), "{calls:?}");
}

#[tokio::test]
async fn it_survives_a_crash_at_every_commit() {
    let folder = tempfile::tempdir().unwrap();
    for seed in [1, 2] {
        // No chains: an errand may be repeated once, so a second crash over it rightly changes the end.
        let rigour = Rigour::single(seed);
        let report = torture::<Errands>(&folder.path().join(seed.to_string()), rigour, None).await.unwrap();
        assert!(report.passes(), "{report:#?}");
        assert!(report.crash_points >= 2 * report.commits - 2, "{report:?}");
        assert!(report.unknown > 0, "some crashes must hit a call in flight: {report:?}");
    }
}

#[tokio::test]
async fn no_more_than_the_limit_run_at_once() {
    for (limit, most) in [(0, 1), (1, 1), (3, 3), (20, 8)] {
        let folder = tempfile::tempdir().unwrap();
        let bench = Bench::new(folder.path(), &plan(tasks("a b c d e f g h"), limit, []));
        let (end, _) = bench.drive().await;
        assert_eq!(end, End::Finished(baton_machine::Outcome::Completed));
        assert_eq!(bench.watched.most.load(Ordering::SeqCst), most);
    }
}

#[tokio::test]
async fn a_lost_task_can_call_everything_off() {
    let folder = tempfile::tempdir().unwrap();
    let does = [("a", Does::CallsOff), ("b", Does::Hangs)];
    let bench = Bench::new(folder.path(), &plan(tasks("a b c<b d"), 2, does));
    let (end, memory) = bench.drive().await;
    assert_eq!(end, End::Finished(baton_machine::Outcome::Failed));
    assert_eq!(statuses(&memory.dag), "a:FAILED b:CANCELLED c:CANCELLED d:CANCELLED");
    assert_eq!(memory.trouble, [] as [String; 0]);
    let abandoned = |body: &Body| matches!(body, Body::Abandoned(closed) if closed.key.name == "b/fetch");
    assert!(bench.bodies().iter().any(abandoned), "the call left behind is on record");
}

#[tokio::test]
async fn a_fault_lets_the_others_land_and_a_new_try_does_only_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(tasks("a b c d<a"), 2, [("a", Does::Breaks)]);
    plan.again = true;
    let bench = Bench::new(folder.path(), &plan);
    let (end, memory) = bench.drive().await;
    assert_eq!(end, End::Finished(baton_machine::Outcome::Completed));
    assert_eq!(statuses(&memory.dag), "a:COMPLETED b:COMPLETED c:COMPLETED d:COMPLETED");
    let journaled = bench.journaled();
    assert_eq!(journaled[..2], ["b", "|"], "b was under way when a broke, and nothing new began after that");
    assert_eq!(journaled.len(), 5);
    let calls = lock(&bench.watched.calls).clone();
    assert_eq!(calls.len(), 8);
    assert!(calls.values().all(|times| *times == 1), "{calls:?}");
}

#[tokio::test]
async fn tasks_that_do_not_fit_are_never_journaled() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new(folder.path(), &plan(tasks("a b"), 2, [("a", Does::Adds(tasks("c<d d<c")))]));
    let (end, memory) = bench.drive().await;
    let detail =
        "the end of task a does not fit: these tasks would wait for each other: c → d → c".to_owned();
    assert_eq!(end, End::Stopped { reason: StopReason::Broken, detail });
    assert_eq!(bench.journaled(), ["b"]);
    assert_eq!(statuses(&memory.dag), "a:IN_PROGRESS b:COMPLETED");
}

#[tokio::test]
async fn a_timeout_calls_the_fallback() {
    let folder = tempfile::tempdir().unwrap();
    let all = vec![
        Task::new("a").within_ms(5_000).or_else("f"),
        Task::new("b").after(["a"]),
        Task::new("f").within_ms(5_000),
    ];
    let bench = Bench::new(folder.path(), &plan(all, 2, [("a", Does::Hangs)]));
    let (end, memory) = bench.drive().await;
    assert_eq!(end, End::Finished(baton_machine::Outcome::Completed));
    assert_eq!(statuses(&memory.dag), "a:FAILED b:COMPLETED f:COMPLETED");
}
