//! An engine in a home of its own, ready to be measured.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_engine::driver::Watch;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{Drive, End, Engine, RunId, Settings, SystemClock, SystemDice, Work};
use baton_machine::Outcome;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::{BenchError, Holder, effects};

/// The runtime everything is measured on.
pub fn runtime() -> Result<Runtime, BenchError> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?)
}

/// An engine and its home.
#[derive(Clone)]
pub struct Rig {
    /// The engine.
    pub engine: Engine,
    /// Holds the steps that stay open.
    pub holder: Holder,
    home: PathBuf,
}

impl Rig {
    /// Opens a home, making it if there is none.
    pub fn open(home: &Path) -> Result<Self, BenchError> {
        let store = Store::open(home, &StoreOptions::default())?;
        let holder = Holder::new();
        let engine = Engine {
            store,
            clock: Arc::new(SystemClock),
            dice: Arc::new(SystemDice),
            effects: effects(holder.clone()),
        };
        Ok(Self { engine, holder, home: home.to_owned() })
    }

    /// Starts a run.
    pub fn start<W: Work>(&self, input: &W::Input) -> Result<RunId, BenchError> {
        Ok(self.engine.start::<W>(input, Settings::default())?)
    }

    /// Drives a run to its end; anything but a completed run voids the measurement.
    pub async fn finish<W: Work>(&self, run: &RunId) -> Result<(), BenchError> {
        let end = self.engine.drive::<W>(run, Drive::default(), &mut ()).await?;
        if end == End::Finished(Outcome::Completed) {
            Ok(())
        } else {
            Err(BenchError::Void(format!("run {run} ended with {end:?}")))
        }
    }

    /// Drives a run until it has `records` durable records, and drops it there: to the run, a crash.
    pub async fn drive_to<W: Work>(&self, run: &RunId, records: u64) -> Result<(), BenchError> {
        let (tell, reached) = oneshot::channel();
        let mut watch = Until { records, tell: Some(tell) };
        tokio::select! {
            biased;
            _ = reached => Ok(()),
            end = self.engine.drive::<W>(run, Drive::default(), &mut watch) => {
                Err(BenchError::Void(format!("run {run} ended before it had {records} records: {end:?}")))
            }
        }
    }

    /// The text of an event in the middle of a run.
    pub fn event_text(&self, run: &RunId) -> Result<String, BenchError> {
        let events = self.engine.store.records(run, 2)?.into_iter().map(|record| record.text);
        let event = events.filter(|text| text.starts_with("{\"event\"")).nth(20);
        event.ok_or_else(|| BenchError::Void(format!("run {run} has no event")))
    }

    /// The size of the database's main file with everything in it.
    pub fn bytes(&self) -> Result<u64, BenchError> {
        let file = self.home.join("baton.db");
        let connection = rusqlite::Connection::open(&file)?;
        let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy != 0 {
            return Err(BenchError::Void("the log could not be written back; somebody reads".to_owned()));
        }
        Ok(std::fs::metadata(&file)?.len())
    }
}

/// Tells when a run has so many durable records.
struct Until {
    records: u64,
    tell: Option<oneshot::Sender<()>>,
}

impl<W: Work> Watch<W> for Until {
    fn durable(&mut self, head: &baton_engine::Head<W>, _status: &baton_engine::Status, _last: bool) {
        if head.n >= self.records
            && let Some(tell) = self.tell.take()
        {
            // Nobody listens any more once the run was dropped.
            let _ = tell.send(());
        }
    }
}
