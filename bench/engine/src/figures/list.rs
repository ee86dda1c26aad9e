//! How long the list of runs takes when there are many.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{Found, Setting, child, clear};
use crate::probe::Stopwatch;
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::rounds::rounds;
use crate::spread::Spread;
use crate::{BenchError, Rig};

/// The task of the child that lists.
pub(super) const TASK: &str = "list";

const RUNS: usize = 20_000;
/// As many as the command lists unless all are wanted.
const SHOWN: usize = 20;
const TIMES: usize = 9;

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let folder = setting.folder("list")?;
    let home = folder.join("home");
    let rig = Rig::open(&home)?;
    for _ in 0..RUNS {
        rig.start::<Ring>(&Plan { transitions: 1, load: Load::Nothing })?;
    }
    drop(rig);
    let line = |what: &str, samples: &[f64]| Line::new(what, "ms", Spread::of(samples)).under(100.0);
    let read = rounds("store", TIMES, |_| Ok([child::ask(TASK, &[home.as_os_str()])?]))?;
    let mut lines = vec![line("open the store and read all 20,000 runs", &read.samples[0])];
    let mut notes = vec![read.note];
    if let Some(program) = &setting.baton {
        let typed = rounds("command", TIMES, |_| {
            Ok([listing(program, &home, &[], SHOWN)?, listing(program, &home, &["--all"], RUNS)?])
        })?;
        lines.push(line("the command `baton runs`", &typed.samples[0]));
        lines.push(line("the command `baton runs --all`", &typed.samples[1]));
        notes.push(typed.note);
    } else {
        notes.push(
            "`baton runs` was not measured: no release build of the program beside this one".to_owned(),
        );
    }
    clear(&folder)?;
    Ok(Found { lines, notes })
}

/// What the child does: opens the store and lists all runs; milliseconds.
pub(super) fn list(home: &Path) -> Result<f64, BenchError> {
    let watch = Stopwatch::start();
    let rig = Rig::open(home)?;
    let runs = rig.engine.store.runs(None)?;
    let took = watch.millis();
    if runs.len() == RUNS {
        Ok(took)
    } else {
        Err(BenchError::Void(format!("{} runs were listed", runs.len())))
    }
}

/// The whole command, from starting the process to its end; milliseconds.
fn listing(program: &Path, home: &Path, flags: &[&str], wanted: usize) -> Result<f64, BenchError> {
    let mut command = Command::new(program);
    command.arg("--home").arg(home).args(["runs", "--json"]).args(flags).stdin(Stdio::null());
    let watch = Stopwatch::start();
    let output = command.output()?;
    let took = watch.millis();
    let listed = serde_json::from_slice::<Vec<serde_json::Value>>(&output.stdout)?.len();
    if output.status.success() && listed == wanted {
        Ok(took)
    } else {
        Err(BenchError::Void(format!("`baton runs` ended with {} and listed {listed} runs", output.status)))
    }
}
