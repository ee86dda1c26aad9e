//! How much memory a thousand runs take that are all under way.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::{Found, Setting, child, clear};
use crate::probe::{Stopwatch, memory_kb, pause};
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::spread::Spread;
use crate::{BenchError, Rig, runtime};

/// The task of the child that holds them.
pub(super) const TASK: &str = "hold";

const RUNS: usize = 1_000;
const TIMES: usize = 3;
const PATIENCE: f64 = 300.0;

/// What the child saw, in kilobytes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Held {
    before: u64,
    active: u64,
    peak: u64,
}

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let folder = setting.folder("memory")?;
    let mut held: Vec<Held> = Vec::new();
    for time in 0..TIMES {
        held.push(child::ask(TASK, &[folder.join(time.to_string()).as_os_str()])?);
    }
    clear(&folder)?;
    #[expect(clippy::cast_precision_loss, reason = "kilobytes of one process")]
    let megabytes = |pick: fn(&Held) -> u64| {
        Spread::of(&held.iter().map(|held| pick(held) as f64 / 1024.0).collect::<Vec<_>>())
    };
    let lines = vec![
        Line::new("resident with 1,000 runs, each in an open step", "MB", megabytes(|held| held.active))
            .under(100.0),
        Line::new("of that, before the first run was driven", "MB", megabytes(|held| held.before)),
        Line::new("the most at any time, to the end of all runs", "MB", megabytes(|held| held.peak))
            .under(100.0),
    ];
    Ok(lines.into())
}

/// What the child does: drives a thousand runs into a step that stays open, looks, and lets them end.
pub(super) fn hold(home: &Path) -> Result<Held, BenchError> {
    let unknown = || BenchError::Void("this system does not tell a process's memory".to_owned());
    let runtime = runtime()?;
    let rig = Rig::open(home)?;
    let plan = Plan { transitions: 10, load: Load::HoldAtLast };
    let runs = (0..RUNS).map(|_| rig.start::<Ring>(&plan)).collect::<Result<Vec<_>, _>>()?;
    let before = memory_kb("VmRSS").ok_or_else(unknown)?;
    let mut tasks = JoinSet::new();
    for run in runs {
        let rig = rig.clone();
        tasks.spawn_on(async move { rig.finish::<Ring>(&run).await }, runtime.handle());
    }
    let watch = Stopwatch::start();
    while rig.holder.held() < RUNS {
        if watch.seconds() > PATIENCE {
            return Err(BenchError::Void(format!(
                "only {} runs got as far as their step",
                rig.holder.held()
            )));
        }
        pause(Duration::from_millis(5));
    }
    let active = memory_kb("VmRSS").ok_or_else(unknown)?;
    rig.holder.let_go();
    runtime.block_on(async {
        while let Some(done) = tasks.join_next().await {
            done??;
        }
        Ok::<(), BenchError>(())
    })?;
    Ok(Held { before, active, peak: memory_kb("VmHWM").ok_or_else(unknown)? })
}
