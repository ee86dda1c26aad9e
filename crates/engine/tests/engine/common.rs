//! A home in a temporary folder, a clock that stands or jumps, and a puppet to drive.

use std::sync::Arc;
use std::time::Duration;

use baton_engine::engine::{Drive, Engine, Pace, StartError, StopSignal};
use baton_engine::record::{Body, Record};
use baton_engine::sim::SimClock;
use baton_engine::store::{CrashPlan, Store, StoreOptions};
use baton_engine::{DriveError, End, Idle, Millis, RunId, SeededDice, Settings};
use baton_testkit::puppet::{Memory, OtherSide, Puppet, Script};
use tempfile::TempDir;

pub const EPOCH: Millis = Millis(1_700_000_000_000);

pub struct Home {
    pub folder: TempDir,
    pub clock: Arc<SimClock>,
    pub other: OtherSide,
    pub options: StoreOptions,
    pub settings: Settings,
}

impl Home {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::new(SimClock::jumping(EPOCH)),
            other: OtherSide::default(),
            options: StoreOptions::default(),
            settings: Settings::default(),
        }
    }

    pub fn standing(mut self) -> Self {
        self.clock = Arc::new(SimClock::standing(EPOCH));
        self
    }

    pub fn engine(&self) -> Engine {
        self.try_engine().unwrap()
    }

    pub fn try_engine(&self) -> Result<Engine, baton_engine::store::OpenError> {
        Ok(Engine {
            store: Store::open(self.folder.path(), &self.options)?,
            clock: Arc::clone(&self.clock) as Arc<dyn baton_engine::Clock>,
            dice: Arc::new(SeededDice::new(7)),
            effects: self.other.effects(),
        })
    }

    /// Starts a puppet and drives it until it ends, waits or stops.
    pub async fn play(&self, script: Script) -> (Engine, RunId, Result<End, DriveError>) {
        let engine = self.engine();
        let run = self.start(&engine, &script).unwrap();
        let end = drive(&engine, &run).await;
        (engine, run, end)
    }

    pub fn start(&self, engine: &Engine, script: &Script) -> Result<RunId, StartError> {
        engine.start::<Puppet>(script, self.settings.clone())
    }

    /// Plays a puppet that dies at a commit, and opens its home again.
    pub async fn crash(&mut self, script: Script, at: u64, after: bool) -> (Engine, RunId) {
        let plan = Arc::new(CrashPlan::new(at, after, false));
        self.options.crash = Some(Arc::clone(&plan));
        let (engine, run, end) = self.play(script).await;
        assert!(plan.dead.load(std::sync::atomic::Ordering::SeqCst), "it did not die: {end:?}");
        drop(engine);
        self.options.crash = None;
        (self.engine(), run)
    }
}

pub fn how() -> Drive {
    Drive {
        idle: Idle::Leave,
        pace: Pace { poll: None, grace: Duration::from_secs(5) },
        stop: StopSignal::never(),
        by: "the test".to_owned(),
        settings: None,
    }
}

pub async fn drive(engine: &Engine, run: &RunId) -> Result<End, DriveError> {
    engine.drive::<Puppet>(run, how(), &mut ()).await
}

pub fn memory(engine: &Engine, run: &RunId) -> Memory {
    let head = engine.present::<Puppet>(run).unwrap();
    let memory = head.memory.lock().unwrap();
    memory.clone()
}

pub fn said(engine: &Engine, run: &RunId) -> Vec<String> {
    memory(engine, run).said
}

pub fn records(engine: &Engine, run: &RunId) -> Vec<Record> {
    engine.store.records(run, 1).unwrap().iter().map(|chained| chained.open().unwrap()).collect()
}

/// The journal in one word per record, with the key where there is one.
pub fn kinds(engine: &Engine, run: &RunId) -> Vec<String> {
    let word = |body: &Body| {
        let key = match body {
            Body::Intent(intent) => Some((&intent.key, intent.attempt)),
            Body::Receipt(receipt) => Some((&receipt.key, receipt.attempt)),
            Body::Unknown(unknown) => Some((&unknown.key, unknown.attempt)),
            Body::Looked(looked) => Some((&looked.key, 1)),
            Body::Denied(denied) => Some((&denied.key, 1)),
            Body::Timer(timer) => Some((&timer.key, 1)),
            Body::Fired(closed) | Body::Abandoned(closed) | Body::Expired(closed) => Some((&closed.key, 1)),
            Body::Asked(asked) => Some((&asked.key, 1)),
            Body::Answered(answered) => Some((&answered.key, 1)),
            _ => None,
        };
        match key {
            Some((key, 1)) => format!("{} {key}", body.kind()),
            Some((key, attempt)) => format!("{} {key} #{attempt}", body.kind()),
            None => body.kind().to_owned(),
        }
    };
    records(engine, run).iter().map(|record| word(&record.body)).collect()
}
