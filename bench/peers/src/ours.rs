//! This engine's part, in processes of its own: the tasks that the peers' scripts have too.

use std::path::{Path, PathBuf};

use baton_bench_engine::bare::Bare;
use baton_bench_engine::probe::Stopwatch;
use baton_bench_engine::ring::{Load, Plan, Ring};
use baton_bench_engine::{BenchError, Rig, report, runtime};
use baton_engine::migration::{Mapping, Verdict};
use baton_engine::{Drive, End, RunId};
use baton_machine::Outcome;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::order::{Bill, after, before};

/// The word that makes this program a child.
pub const CHILD: &str = "child";

/// Does a child's task: who, what, where, and what belongs to it.
pub fn be_child(words: &[String]) -> Result<(), BenchError> {
    let [who, task, folder, rest @ ..] = words else { return Err(void("a child without a task")) };
    let folder = PathBuf::from(folder);
    let number = |index: usize| rest.get(index).and_then(|word| word.parse::<u32>().ok()).unwrap_or(0);
    let path = |index: usize| rest.get(index).map(PathBuf::from).unwrap_or_default();
    let said = match (who.as_str(), task.as_str()) {
        ("bare", "single") => bare(&folder, number(0))?,
        (_, "single") => single(&folder, number(0), Load::Nothing)?,
        (_, "single-step") => single(&folder, number(0), Load::Step)?,
        (_, "grow") => single(&folder, number(0), Load::Learn)?,
        (_, "many") => many(&folder, number(0), number(1))?,
        (_, "mark") => mark(&folder, number(0), path(1))?,
        (_, "wait") => wait(&folder, path(0))?,
        (_, "answer") => answer(&folder)?,
        (_, "answer-renamed") => answer_renamed(&folder)?,
        (_, other) => return Err(void(&format!("there is no task {other}"))),
    };
    Ok(report::say(&said.to_string())?)
}

fn void(what: &str) -> BenchError {
    BenchError::Void(what.to_owned())
}

fn single(folder: &Path, steps: u32, load: Load) -> Result<Value, BenchError> {
    let rig = Rig::open(&folder.join("home"))?;
    let run = rig.start::<Ring>(&Plan { transitions: u64::from(steps), load })?;
    let before = rig.bytes()?;
    let watch = Stopwatch::start();
    runtime()?.block_on(rig.finish::<Ring>(&run))?;
    let seconds = watch.seconds();
    Ok(json!({"seconds": seconds, "bytes": rig.bytes()?.saturating_sub(before)}))
}

fn bare(folder: &Path, steps: u32) -> Result<Value, BenchError> {
    let mut bare = Bare::make(&folder.join("bare.db"), 1)?;
    let watch = Stopwatch::start();
    for n in 1..=i64::from(steps) {
        bare.transition(
            0,
            n,
            r#"{"event":{"from":"PLANNING","row":0,"to":"SEARCHING","event":{"is":"MOVED"}}}"#,
        )?;
    }
    Ok(json!({"seconds": watch.seconds()}))
}

fn many(folder: &Path, runs: u32, steps: u32) -> Result<Value, BenchError> {
    let rig = Rig::open(&folder.join("home"))?;
    let plan = Plan { transitions: u64::from(steps), load: Load::Nothing };
    let runs = (0..runs).map(|_| rig.start::<Ring>(&plan)).collect::<Result<Vec<_>, _>>()?;
    let watch = Stopwatch::start();
    runtime()?.block_on(async {
        let mut tasks = JoinSet::new();
        for run in runs {
            let rig = rig.clone();
            tasks.spawn(async move { rig.finish::<Ring>(&run).await });
        }
        while let Some(done) = tasks.join_next().await {
            done??;
        }
        Ok::<(), BenchError>(())
    })?;
    Ok(json!({"seconds": watch.seconds()}))
}

/// The one run of a home, if there is one.
fn only(rig: &Rig) -> Result<Option<RunId>, BenchError> {
    Ok(rig.engine.store.runs(Some(1))?.pop().map(|row| row.name))
}

fn mark(folder: &Path, steps: u32, file: PathBuf) -> Result<Value, BenchError> {
    let rig = Rig::open(&folder.join("home"))?;
    let run = match only(&rig)? {
        Some(run) => run,
        None => rig.start::<Ring>(&Plan { transitions: u64::from(steps), load: Load::Mark(file) })?,
    };
    runtime()?.block_on(rig.finish::<Ring>(&run))?;
    Ok(json!({"done": true}))
}

fn wait(folder: &Path, file: PathBuf) -> Result<Value, BenchError> {
    let rig = Rig::open(&folder.join("home"))?;
    let run = rig.start::<before::Order>(&Bill { file })?;
    let end = runtime()?.block_on(rig.engine.drive::<before::Order>(&run, Drive::default(), &mut ()))?;
    Ok(json!({"waits": format!("{end:?}")}))
}

/// Two of these at once: the second is refused while the first drives, and finds it done afterwards.
fn answer(folder: &Path) -> Result<Value, BenchError> {
    let rig = Rig::open(&folder.join("home"))?;
    let run = only(&rig)?.ok_or_else(|| void("there is no run"))?;
    let now = rig.engine.clock.now();
    if let Some(open) = rig.engine.store.questions(Some(&run))?.pop() {
        // The other process may have been faster, and then the answer is there.
        let _ = rig.engine.store.answer(&run, &open.key, &json!(true), "a person", now);
    }
    match runtime()?.block_on(rig.engine.drive::<before::Order>(&run, Drive::default(), &mut ())) {
        Ok(End::Finished(Outcome::Completed)) => Ok(json!({"paid": 1})),
        Ok(other) => Ok(json!({"error": format!("{other:?}")})),
        Err(error) => Ok(json!({"error": error.to_string()})),
    }
}

/// The newer program: it refuses the run, plans, takes it over with the mapping, and the answer counts.
fn answer_renamed(folder: &Path) -> Result<Value, BenchError> {
    let rig = Rig::open(&folder.join("home"))?;
    let run = only(&rig)?.ok_or_else(|| void("there is no run"))?;
    let open = rig.engine.store.questions(Some(&run))?.pop().ok_or_else(|| void("nothing is asked"))?;
    rig.engine.store.answer(&run, &open.key, &json!(true), "a person", rig.engine.clock.now())?;
    let runtime = runtime()?;
    let refused = runtime.block_on(rig.engine.drive::<after::Order>(&run, Drive::default(), &mut ()));
    let Err(refused) = refused else { return Err(void("a changed table was driven")) };
    let plan = rig.engine.plan_migration::<after::Order>(&run, &Mapping::default())?;
    if !matches!(plan.verdict, Verdict::NeedsMapping { .. }) {
        return Err(void("a gone state needs no mapping"));
    }
    let states = [("WAIT".to_owned(), "AWAIT_APPROVAL".to_owned())].into();
    let mapping = Mapping { states, ..Mapping::default() };
    runtime.block_on(rig.engine.migrate::<after::Order>(&run, &mapping, "a person"))?;
    let end = runtime.block_on(rig.engine.drive::<after::Order>(&run, Drive::default(), &mut ()))?;
    Ok(json!({"error": refused.to_string(), "paid_after_mapping": end == End::Finished(Outcome::Completed)}))
}
