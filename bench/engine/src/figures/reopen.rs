//! How long a long run takes to go on: from opening the store to the first new durable record.

use std::path::Path;

use baton_engine::driver::Watch;
use baton_engine::{Drive, Head, RunId, Status};
use tokio::sync::oneshot;

use super::{Found, Setting, child, clear};
use crate::probe::Stopwatch;
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::rounds::{Rounds, rounds};
use crate::spread::Spread;
use crate::{BenchError, Rig, runtime};

/// The task of a child that resumes a run.
pub(super) const TASK: &str = "resume";

const RECORDS: u64 = 100_000;
const TIMES: usize = 9;

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let events = reopen(setting, "resume-events", Load::Nothing)?;
    let steps = reopen(setting, "resume-steps", Load::Step)?;
    let memory = reopen(setting, "resume-memory", Load::Learn)?;
    let line = |what: &str, measured: &Rounds<1>| Line::new(what, "ms", Spread::of(&measured.samples[0]));
    let lines = vec![
        line("resume 100,000 records, all events", &events).under(200.0),
        line("resume 100,000 records of steps and events", &steps).under(200.0),
        line("resume 100,000 records with 20 MB of memory", &memory),
    ];
    Ok(Found { lines, notes: vec![events.note, steps.note, memory.note] })
}

/// Makes a run with so many records and resumes it in one fresh process after the other.
fn reopen(setting: &Setting, name: &str, load: Load) -> Result<Rounds<1>, BenchError> {
    let folder = setting.folder("reopen")?;
    let home = folder.join("home");
    let rig = Rig::open(&home)?;
    let run = rig.start::<Ring>(&Plan { transitions: u64::MAX, load })?;
    runtime()?.block_on(rig.drive_to::<Ring>(&run, RECORDS))?;
    drop(rig);
    let times = rounds(name, TIMES, |_| Ok([child::ask(TASK, &[home.as_os_str(), run.as_str().as_ref()])?]))?;
    clear(&folder)?;
    Ok(times)
}

/// Opens the store and drives until the first record that was not there; milliseconds.
pub(super) fn resume(home: &Path, run: &RunId) -> Result<f64, BenchError> {
    let runtime = runtime()?;
    let watch = Stopwatch::start();
    let rig = Rig::open(home)?;
    let before = rig.engine.store.run(run)?.records;
    let (tell, first) = oneshot::channel();
    let mut seen = FirstNew { before, tell: Some(tell), watch };
    let took = runtime.block_on(async {
        tokio::select! {
            biased;
            took = first => Ok(took),
            end = rig.engine.drive::<Ring>(run, Drive::default(), &mut seen) => Err(BenchError::Void(format!("the run ended: {end:?}"))),
        }
    })?;
    let took = took.map_err(|_| BenchError::Void("the run made no record".to_owned()))?;
    let after = rig.engine.store.run(run)?.records;
    if after > before && before >= RECORDS {
        Ok(took)
    } else {
        Err(BenchError::Void(format!("{before} records before, {after} after")))
    }
}

struct FirstNew {
    before: u64,
    tell: Option<oneshot::Sender<f64>>,
    watch: Stopwatch,
}

impl Watch<Ring> for FirstNew {
    fn durable(&mut self, head: &Head<Ring>, _status: &Status, _last: bool) {
        if head.n > self.before
            && let Some(tell) = self.tell.take()
        {
            // The receiver is gone once the run was dropped.
            let _ = tell.send(self.watch.millis());
        }
    }
}
