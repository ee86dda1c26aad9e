//! A family in several processes that are killed again and again: no child is lost, begun twice or paid twice.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::engine::{Drive, Engine, StopSignal};
use baton_engine::family::{as_worker, drive_tree, work};
use baton_engine::record::Body;
use baton_engine::{
    AfterCrash, AnyPerform, Call, Clock, Dice, Effects, Failure, Found, Idle, Paid, RunId, Runs, SeededDice,
    Settings, Spend, Status, SystemClock, flow,
};
use baton_testkit::puppet::{Do, Order, OtherSide, Poke, Puppet, child, poke};
use serde_json::Value;

/// How many kills, unless the environment says otherwise.
const KILLS: u32 = 60;
const KILLS_WANTED: &str = "BATON_TEST_KILLS";
const CHILDREN: usize = 50;
const PROCESSES: usize = 3;
/// Where a process of the family finds its home; without it this is no such process.
const HOME: &str = "BATON_TEST_FAMILY";

/// Lets real time pass: these are real processes.
async fn pause(ms: u64) {
    SystemClock.until(SystemClock.now().plus(Duration::from_millis(ms))).await;
}

/// Counts calls in a file and lets each take a while, so that kills hit them.
struct Slow {
    inner: Arc<dyn AnyPerform>,
    log: Arc<Mutex<std::fs::File>>,
}

#[async_trait]
impl AnyPerform for Slow {
    async fn perform(&self, call: &Call) -> Result<Paid<Value>, Failure> {
        writeln!(self.log.lock().unwrap(), "{}", call.token()).unwrap();
        pause(10).await;
        self.inner.perform(call).await
    }

    async fn reconcile(&self, call: &Call) -> Found<Value> {
        self.inner.reconcile(call).await
    }
}

fn open(home: &Path) -> Engine {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(home.join("calls.log")).unwrap();
    let log = Arc::new(Mutex::new(log));
    let effects: Effects =
        OtherSide::default().effects().wrapped(|inner| Arc::new(Slow { inner, log: Arc::clone(&log) }));
    Engine::open(home, effects).unwrap()
}

/// One process: drives every root it can have, and works for the others. Not a test of its own: it is started by the one
/// below, and does nothing otherwise.
#[test]
fn a_process_of_the_family() {
    let Some(home) = std::env::var_os(HOME) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let engine = open(Path::new(&home));
        loop {
            let roots = engine.store.runs(None).unwrap();
            let roots = roots.into_iter().filter(|row| !matches!(row.status, Status::Finished(_)));
            for root in roots.filter(|row| engine.store.parent(&row.name).unwrap().is_none()) {
                let how = as_worker("the test", Idle::Leave, StopSignal::never());
                // Somebody else may be faster; then there is other work.
                drop(
                    drive_tree(&engine, flow::<Puppet>().as_ref(), &root.name, how, &mut |_, _, _| {}).await,
                );
            }
            let how = Drive { idle: Idle::Leave, ..as_worker("the test", Idle::Leave, StopSignal::never()) };
            work(&engine, &how).await.unwrap();
            pause(5).await;
        }
    });
}

fn spawn(home: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killing::a_process_of_the_family", "--nocapture"])
        .env(HOME, home)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn family() -> Vec<Vec<Do>> {
    let spend = |calls| Spend { micro_usd: calls, tokens: 0, calls };
    let paid = |name: String| Poke { reserve: spend(2), after_crash: AfterCrash::OnceMore, ..poke(&name) };
    let order = |number: usize| Order {
        wish: spend(100),
        least: spend(1),
        ..child(
            &format!("c{number}"),
            (0..3).map(|visit| vec![Do::Step(paid(format!("s{visit}")))]).collect(),
        )
    };
    vec![vec![Do::Children((0..CHILDREN).map(order).collect())]]
}

#[tokio::test]
async fn kills_in_three_processes_lose_no_child_and_pay_none_twice() {
    let home = tempfile::tempdir().unwrap();
    let engine = open(home.path());
    let dice = SeededDice::new(7);
    let mut processes: Vec<Child> = (0..PROCESSES).map(|_| spawn(home.path())).collect();
    let wanted = std::env::var(KILLS_WANTED).ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let mut kills = 0;
    let mut roots = Vec::new();
    while kills < wanted {
        let root = engine.start::<Puppet>(&family(), Settings::default()).unwrap();
        for _ in 0..2_000 {
            pause(20 + dice.roll() % 100).await;
            if matches!(engine.run(&root).unwrap().status, Status::Finished(_)) {
                break;
            }
            if kills < wanted {
                let which = (dice.roll() % PROCESSES as u64) as usize;
                processes[which].kill().unwrap();
                processes[which].wait().unwrap();
                processes[which] = spawn(home.path());
                kills += 1;
            }
        }
        assert!(matches!(engine.run(&root).unwrap().status, Status::Finished(_)), "it did not end");
        roots.push(root);
    }
    for mut process in processes {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let log = std::fs::read_to_string(home.path().join("calls.log")).unwrap();
    let mut calls: BTreeMap<&str, u64> = BTreeMap::new();
    log.lines().for_each(|line| *calls.entry(line).or_default() += 1);
    let mut unknown = 0;
    for root in &roots {
        unknown += check(&engine, root, &calls);
    }
    assert!(unknown > 0, "some kills must hit a call in flight");
}

/// Checks one family; how many calls were repeated because a kill had hidden their outcome.
fn check(engine: &Engine, root: &RunId, calls: &BTreeMap<&str, u64>) -> u64 {
    let children = engine.store.children(root).unwrap();
    assert_eq!(children.len(), CHILDREN);
    let mut unknown = 0;
    for row in &children {
        assert!(matches!(row.status, Status::Finished(_)), "{row:?}");
        let mut allowed: BTreeMap<String, u64> = BTreeMap::new();
        for chained in engine.store.records(&row.name, 1).unwrap() {
            match chained.open().unwrap().body {
                Body::Receipt(receipt) => {
                    *allowed.entry(format!("{}/{}", row.name, receipt.key)).or_default() += 1;
                }
                Body::Unknown(hidden) => {
                    *allowed.entry(format!("{}/{}", row.name, hidden.key)).or_default() += 1;
                }
                _ => {}
            }
        }
        assert_eq!(allowed.len(), 3);
        for (step, most) in allowed {
            let made = calls.get(step.as_str()).copied().unwrap_or(0);
            assert!(made <= most, "{step}: {made} calls, {most} on record");
            unknown += most - 1;
        }
        let checked = engine.store.verify(&row.name).unwrap();
        assert_eq!((checked.damage, checked.loss), (None, None));
    }
    let sum = children.iter().fold(Spend::NONE, |sum, row| sum.plus(row.spent));
    let head = engine.present::<Puppet>(root).unwrap();
    assert_eq!((head.purse.spent, head.purse.reserved), (sum, Spend::NONE));
    let ended = engine.store.records(root, 1).unwrap();
    let ended = ended.iter().filter(|chained| chained.text.starts_with("{\"child_ended\"")).count();
    assert_eq!(ended, CHILDREN, "each end is told once");
    unknown
}
