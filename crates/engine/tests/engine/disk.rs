//! A power cut at every moment of a run's life, on a disk that loses, tears and reorders what was not synchronised; and
//! synchronisations that fail. Whatever is left: what was durable before an effect is there, or its loss is told.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use baton_engine::driver::{Vault, Watch};
use baton_engine::record::Body;
use baton_engine::{
    Call, Dice, Effects, End, Engine, Failure, Head, Paid, Perform, RunId, SeededDice, Status,
};
use baton_machine::Outcome;
use baton_testkit::disk::{Disk, Fate, Op, read, trace};
use baton_testkit::puppet::{Do, Poke, Puppet, poke};

use crate::common::{Home, drive, how, records};

const FOLDER: &str = "BATON_DISK_TEST";

/// Writes a line to the file of marks, where it stands in the trace among the calls around it.
#[derive(Clone)]
struct Marks(Arc<Mutex<File>>);

impl Marks {
    fn say(&self, line: &str) {
        self.0.lock().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

#[async_trait]
impl Perform<Poke> for Marks {
    async fn perform(&self, act: Poke, call: &Call) -> Result<Paid<String>, Failure> {
        self.say(&format!("effect {}", call.key));
        Ok(Paid::free(act.name))
    }
}

impl Watch<Puppet> for Marks {
    fn durable(&mut self, head: &Head<Puppet>, _status: &Status, _last: bool) {
        self.say(&format!("told {}", head.n));
    }
}

fn script() -> Vec<Vec<Do>> {
    let step = |name| Do::Step(poke(name));
    vec![
        vec![step("a"), step("b")],
        vec![Do::SayLong(20_000), step("c")],
        vec![Do::All(vec![poke("d"), poke("e")])],
        vec![step("f")],
    ]
}

/// The traced half of the tests below, which run it under strace; by itself it does nothing. Drives a run, and marks
/// what it was told and what it did.
#[tokio::test]
async fn traced() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let mut marks = Marks(Arc::new(Mutex::new(File::create(folder.join("marks")).unwrap())));
    let home = Home::new();
    let engine = Engine {
        store: baton_engine::store::Store::open(&folder.join("home"), &home.options).unwrap(),
        effects: Effects::default().with::<Poke>(marks.clone()),
        ..home.engine()
    };
    let run = home.start(&engine, &script()).unwrap();
    marks.say(&format!("run {run}"));
    marks.say("told 1");
    let end = engine.drive::<Puppet>(&run, how(), &mut marks).await;
    marks.say(&format!("end {end:?}"));
}

/// What the traced process did to its home.
fn traced_ops(folder: &Path, inject: Option<&str>) -> Vec<Op> {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["disk::traced", "--exact", "--nocapture"]).env(FOLDER, folder);
    let file = folder.join("trace");
    // strace is one of the things ./check needs.
    trace(&child, &file, inject).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    read(&text, &folder.join("home"), &folder.join("marks"))
}

/// What must be durable at a moment: all marks until then.
#[derive(Debug, Default)]
struct Promise {
    run: Option<RunId>,
    told: u64,
    effects: BTreeSet<String>,
}

impl Promise {
    fn hear(&mut self, mark: &str) {
        match mark.split_once(' ') {
            Some(("run", run)) => self.run = run.parse().ok(),
            Some(("told", n)) => self.told = n.parse().unwrap(),
            Some(("effect", key)) => drop(self.effects.insert(key.to_owned())),
            _ => {}
        }
    }

    /// Fails unless the home keeps the promise.
    fn check(&self, engine: &Engine, what: &str) {
        assert_eq!(engine.store.lost_runs().unwrap(), [], "{what}");
        assert_eq!(engine.store.unanchored().unwrap(), [], "{what}");
        let Some(run) = &self.run else { return };
        let verified = engine.store.verify(run).unwrap();
        assert_eq!((verified.damage, verified.loss), (None, None), "{what}");
        assert!(verified.records >= self.told, "{} records of {}: {what}", verified.records, self.told);
        let intents: BTreeSet<String> = records(engine, run)
            .iter()
            .filter_map(|record| {
                if let Body::Intent(intent) = &record.body { Some(intent.key.to_string()) } else { None }
            })
            .collect();
        assert!(intents.is_superset(&self.effects), "{:?} of {:?}: {what}", intents, self.effects);
        for hash in engine.store.journal(run).unwrap().payloads {
            engine.store.blobs().fetch(&hash).unwrap_or_else(|error| panic!("{error}: {what}"));
        }
    }
}

fn home_at(disk: &Disk, fate: Fate) -> Home {
    let home = Home::new();
    disk.image(fate, home.folder.path()).unwrap();
    home
}

#[tokio::test]
async fn a_power_cut_at_any_moment_keeps_what_was_durable_before_an_effect() {
    let folder = tempfile::tempdir().unwrap();
    let ops = traced_ops(folder.path(), None);
    assert!(ops.contains(&Op::Mark("end Ok(Finished(Completed))".to_owned())), "{:?}", ops.last());
    let (mut disk, mut promise) = (Disk::default(), Promise::default());
    let mut images = 0;
    for (at, op) in ops.iter().enumerate() {
        disk.apply(op);
        if let Op::Mark(mark) = op {
            promise.hear(mark);
            continue;
        }
        for fate in [Fate::Lost, Fate::Torn(at as u64), Fate::Torn(1_000_000 + at as u64)] {
            let home = home_at(&disk, fate);
            let what = format!("{fate:?} after call {at} of {}", ops.len());
            let engine = home.try_engine().unwrap_or_else(|error| panic!("{error}: {what}"));
            promise.check(&engine, &what);
            images += 1;
            if let (0, Some(run)) = (at % 17, &promise.run) {
                assert_eq!(drive(&engine, run).await.unwrap(), End::Finished(Outcome::Completed), "{what}");
            }
        }
    }
    assert!(promise.effects.len() == 6 && images > 150, "{} effects, {images} images", promise.effects.len());
}

/// A disk that says it has what it has not: the log ends early although it was synchronised.
#[tokio::test]
async fn a_disk_that_lied_about_the_log_is_found_out() {
    const FRAME: u64 = 24 + 4096;
    let folder = tempfile::tempdir().unwrap();
    let ops = traced_ops(folder.path(), None);
    let dice = SeededDice::new(5);
    let (mut disk, mut promise) = (Disk::default(), Promise::default());
    let mut told = 0;
    for (at, op) in ops.iter().enumerate() {
        disk.apply(op);
        let Op::Mark(mark) = op else { continue };
        promise.hear(mark);
        let Some(run) = &promise.run else { continue };
        let home = home_at(&disk, Fate::Kept);
        let log = File::options().write(true).open(home.folder.path().join("baton.db-wal")).unwrap();
        let frames = log.metadata().unwrap().len() / FRAME;
        log.set_len(32 + dice.roll() % frames.max(1) * FRAME).unwrap();
        drop(log);
        let engine = home.engine();
        let left = engine.store.records(run, 1).unwrap().len() as u64;
        let refused = matches!(
            drive(&engine, run).await,
            Err(baton_engine::DriveError::Runs(baton_engine::RunsError::Lost(_)))
        );
        assert!(refused || left >= promise.told, "{left} of {} records after call {at}", promise.told);
        told += usize::from(refused);
    }
    assert!(told > 10, "{told}");
}

/// The n-th synchronisation of each thread fails: nothing is acknowledged by it, and the home can be opened and driven.
#[tokio::test]
async fn a_synchronisation_that_fails_is_no_promise() {
    let mut stopped = 0;
    for n in 1..=12 {
        let folder = tempfile::tempdir().unwrap();
        let ops = traced_ops(folder.path(), Some(&format!("fsync:error=EIO:when={n}")));
        let mut promise = Promise::default();
        let marks = ops.iter().filter_map(|op| if let Op::Mark(mark) = op { Some(mark) } else { None });
        marks.for_each(|mark| promise.hear(mark));
        stopped += usize::from(promise.effects.len() < 6);
        let home = Home::new();
        let engine = Engine {
            store: baton_engine::store::Store::open(&folder.path().join("home"), &home.options).unwrap(),
            ..home.engine()
        };
        promise.check(&engine, &format!("synchronisation {n}"));
        if let Some(run) = &promise.run {
            assert_eq!(drive(&engine, run).await.unwrap(), End::Finished(Outcome::Completed), "{n}");
        }
    }
    assert!(stopped > 5, "{stopped}");
}
