//! Many runs in one process: what the engine adds to a bare writer that commits in groups.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::{Found, Setting, clear};
use crate::bare::{Bare, Grouped, Shape};
use crate::probe::Stopwatch;
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::rounds::rounds;
use crate::spread::Spread;
use crate::{BenchError, Rig, runtime};

const ROUNDS: usize = 7;
const RUNS: u32 = 256;
const TRANSITIONS: u32 = 200;
const ALL: u32 = RUNS * TRANSITIONS;

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let folder = setting.folder("concurrent")?;
    let runtime = runtime()?;
    let rig = Rig::open(&folder.join("home"))?;
    // The first time warms up, and shows how long a record is.
    let (_, body) = engine(&runtime, &rig, Load::Nothing)?;
    let body: Arc<str> = body.into();
    let measured = rounds("rounds", ROUNDS, |round| {
        let mut rates = [0.0; 4];
        for slot in 0..4 {
            let thing = (round + slot) % 4;
            let file = folder.join(format!("bare-{round}-{thing}.db"));
            rates[thing] = match thing {
                0 => bare(&runtime, &file, Shape::Event, &body)?,
                1 => bare(&runtime, &file, Shape::Transition, &body)?,
                2 => engine(&runtime, &rig, Load::Nothing)?.0,
                _ => engine(&runtime, &rig, Load::Step)?.0,
            };
        }
        Ok(rates)
    })?;
    drop(rig);
    clear(&folder)?;
    let [rows, moves, plain, step] = &measured.samples;
    let line = |what: &str, samples: &[f64], base: &[f64]| {
        Line::new(what, "/s", Spread::of(samples)).against(samples, base)
    };
    let lines = vec![
        line("256 runs, against one event row per transition", plain, rows).at_least_of_baseline(0.4),
        line("256 runs, against event row and moved run", plain, moves).at_least_of_baseline(0.4),
        line("256 runs with one ledgered step, against event row", step, rows),
    ];
    Ok(Found { lines, notes: vec![measured.note] })
}

/// Drives 256 new runs at once; transitions of all of them per second, and the text of one event.
/// Taking and giving back the leases counts, starting the runs does not.
fn engine(runtime: &Runtime, rig: &Rig, load: Load) -> Result<(f64, String), BenchError> {
    let plan = Plan { transitions: u64::from(TRANSITIONS), load };
    let runs = (0..RUNS).map(|_| rig.start::<Ring>(&plan)).collect::<Result<Vec<_>, _>>()?;
    let one = runs.first().cloned().ok_or_else(|| BenchError::Void("no run was started".to_owned()))?;
    let watch = Stopwatch::start();
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for run in runs {
            let rig = rig.clone();
            tasks.spawn(async move { rig.finish::<Ring>(&run).await });
        }
        all_done(tasks).await
    })?;
    let rate = f64::from(ALL) / watch.seconds();
    Ok((rate, rig.event_text(&one)?))
}

/// The same number of rows by 256 tasks that each wait for their row to be durable.
fn bare(runtime: &Runtime, file: &Path, shape: Shape, body: &Arc<str>) -> Result<f64, BenchError> {
    let (writer, thread) = Grouped::spawn(Bare::make(file, i64::from(RUNS))?, shape);
    let watch = Stopwatch::start();
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for run in 0..i64::from(RUNS) {
            let (writer, body) = (writer.clone(), Arc::clone(body));
            tasks.spawn(async move {
                for n in 1..=i64::from(TRANSITIONS) {
                    writer.keep(run, n, &body).await?;
                }
                Ok(())
            });
        }
        all_done(tasks).await
    })?;
    let rate = f64::from(ALL) / watch.seconds();
    drop(writer);
    let bare = thread.join().map_err(|_| BenchError::Void("the bare writer panicked".to_owned()))??;
    let kept = bare.count()?;
    if kept == i64::from(ALL) {
        Ok(rate)
    } else {
        Err(BenchError::Void(format!("the bare writer kept {kept} rows of {ALL}")))
    }
}

async fn all_done(mut tasks: JoinSet<Result<(), BenchError>>) -> Result<(), BenchError> {
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(())
}
