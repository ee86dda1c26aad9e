//! One trial: a home of its own, a run, and as many lives of a process as it takes to finish it.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;

use super::counted::{Counter, counted};
use super::{Child, Rehearsal, Rehearse, Spawn, TortureError};
use crate::crew::Crew;
use crate::engine::{Drive, Engine, Pace, StopSignal};
use crate::family::drive_tree;
use crate::flow::{Flow, flow};
use crate::record::Body;
use crate::runs::{OpenQuestion, RunsError};
use crate::sim::SimClock;
use crate::store::{CrashPlan, Store, StoreOptions};
use crate::{End, Idle, Millis, RunId, SeededDice};

/// One trial of a workflow in a folder.
pub struct Trial<W: Rehearse> {
    folder: PathBuf,
    seed: u64,
    parallel: Option<u32>,
    /// Who begins and drives runs inside it.
    crew: Option<Arc<dyn Crew>>,
    workflow: PhantomData<fn() -> W>,
}

/// How a life ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifeEnd {
    /// The run is over.
    Finished,
    /// The crash came first.
    Crashed,
}

/// Where a life is to end: at a commit, before or after it reaches the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The commit, counted from 1.
    pub at: u64,
    /// After it rather than before it.
    pub after: bool,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.at, if self.after { "after" } else { "before" })
    }
}

/// What one life of a process did.
pub(super) struct Life {
    pub ending: LifeEnd,
    /// Calls it repeated although their receipt was durable when it began.
    pub paid_twice: u64,
    /// Calls it repeated because an earlier crash had hidden their outcome.
    pub unknown: u64,
}

/// What must be the same however often a run dies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outcome {
    state: String,
    memory: Value,
    files: BTreeMap<String, Vec<u8>>,
}

impl Outcome {
    /// The same without the files: they may tell the name of a run and what it has spent, which are others once it was
    /// turned.
    pub fn learnt(&self) -> Self {
        Self { files: BTreeMap::new(), ..self.clone() }
    }

    /// Where another outcome differs.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.state != other.state {
            return Some(format!("it ended in {} instead of {}", other.state, self.state));
        }
        if let Some(place) = parting(&self.memory, &other.memory) {
            let at = |memory: &Value| memory.pointer(&place).map_or_else(|| "nothing".to_owned(), short);
            return Some(format!(
                "its memory has {} at {place} instead of {}",
                at(&other.memory),
                at(&self.memory)
            ));
        }
        let names: BTreeSet<&String> = self.files.keys().chain(other.files.keys()).collect();
        let differs = names.into_iter().find(|name| self.files.get(*name) != other.files.get(*name));
        differs.map(|name| format!("its file {name} differs"))
    }
}

/// The first place where two values differ, times aside, as a JSON pointer.
fn parting(one: &Value, other: &Value) -> Option<String> {
    let below = |name: &str, one: Option<&Value>, other: Option<&Value>| {
        let place = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        match (one, other) {
            (Some(one), Some(other)) => parting(one, other).map(|rest| place + &rest),
            _ => Some(place),
        }
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            names.into_iter().find_map(|name| match (one.get(name), other.get(name)) {
                (left, right) if left == right => None,
                (left, right) => below(name, left, right),
            })
        }
        (Value::Array(one), Value::Array(other)) => (0..one.len().max(other.len()))
            .filter(|index| one.get(*index) != other.get(*index))
            .find_map(|index| below(&index.to_string(), one.get(index), other.get(index))),
        // Runs inside a run take longer the more often they die: when something happened is not what must be the same.
        _ if is_time(one) && is_time(other) => None,
        _ => (one != other).then(String::new),
    }
}

/// When the clock of a rehearsal begins, and how far it can come.
const BEGINS: u64 = 1_700_000_000_000;
const LASTS: u64 = 1_000_000_000;

fn is_time(value: &Value) -> bool {
    value.as_u64().is_some_and(|millis| (BEGINS..BEGINS + LASTS).contains(&millis))
}

/// A value in a line.
fn short(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}

/// Rounds of answering before a run counts as one that never ends.
const ROUNDS: u32 = 1_000;

impl<W: Rehearse> Trial<W> {
    /// A trial in this folder.
    pub fn new(folder: PathBuf, seed: u64, crew: Option<Arc<dyn Crew>>) -> Self {
        Self { folder, seed, parallel: None, crew, workflow: PhantomData }
    }

    /// What is rehearsed here: with runs inside it where somebody can begin them.
    fn rehearsal(&self) -> Rehearsal<W> {
        self.family().unwrap_or_else(W::rehearsal)
    }

    fn family(&self) -> Option<Rehearsal<W>> {
        self.crew.as_ref().and_then(|_| W::family())
    }

    fn has_family(&self) -> bool {
        self.family().is_some()
    }

    /// How many runs there are inside others.
    pub(super) fn children(&self) -> Result<u64, TortureError> {
        let store = self.engine(None)?.store;
        let run = store.find("last")?;
        Ok(store.descendants(&run)?.len() as u64)
    }

    /// The same with another number of calls at once.
    #[must_use]
    pub(super) fn parallel(self, parallel: Option<u32>) -> Self {
        Self { parallel, ..self }
    }

    /// Runs undisturbed and counts the commits.
    pub(super) async fn count_commits(&self) -> Result<u64, TortureError> {
        let plan = Arc::new(CrashPlan::new(0, false, false));
        match self.life(Some(Arc::clone(&plan))).await?.ending {
            LifeEnd::Finished => Ok(plan.commits.load(Ordering::SeqCst)),
            LifeEnd::Crashed => Err(TortureError::Baseline("its journal could not be written".to_owned())),
        }
    }

    /// Ends this process at the commit; returns only if the run ended first.
    pub(super) async fn die_for_real(&self, at: u64, after: bool) -> Result<LifeEnd, TortureError> {
        Ok(self.life(Some(Arc::new(CrashPlan::new(at, after, true)))).await?.ending)
    }

    /// Lets another process die; false if its run ended first.
    pub(super) fn crash_outside(&self, point: Point, spawn: Spawn<'_>) -> Result<bool, TortureError> {
        let Point { at, after } = point;
        let child = Child { folder: self.folder.clone(), at, after, seed: self.seed };
        let status =
            spawn(&child).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).status()?;
        match status.code() {
            Some(0) => Ok(false),
            None => Ok(true),
            Some(code) => Err(TortureError::Baseline(format!("the child process ended with code {code}"))),
        }
    }

    /// One life inside this process: starts the run or takes it up, until it is over or the crash comes.
    pub(super) async fn live(&self, crash: Option<Point>) -> Result<Life, TortureError> {
        self.life(crash.map(|Point { at, after }| Arc::new(CrashPlan::new(at, after, false)))).await
    }

    async fn life(&self, plan: Option<Arc<CrashPlan>>) -> Result<Life, TortureError> {
        let engine = self.engine(plan.clone())?;
        let counter = Counter::open(&self.calls_file())?;
        let (durable, before) = (durable_receipts(&engine.store)?, counter.calls()?);
        let dead = || plan.as_ref().is_some_and(|plan| plan.dead.load(Ordering::SeqCst));
        // The last commit gives the run back, and nobody needs it to succeed: it still was a crash.
        let ending = match self.drive_to_end(&engine).await {
            _ if dead() => LifeEnd::Crashed,
            Ok(()) => LifeEnd::Finished,
            Err(error) => return Err(error),
        };
        let mut life = Life { ending, paid_twice: 0, unknown: 0 };
        for (step, calls) in counter.calls()? {
            let again = calls - before.get(&step).copied().unwrap_or(0);
            if durable.contains(&step) {
                life.paid_twice += again;
            } else if before.contains_key(&step) {
                life.unknown += again;
            }
        }
        Ok(life)
    }

    /// Removes what the trial has written.
    pub(super) fn clean(&self) -> Result<(), TortureError> {
        Ok(std::fs::remove_dir_all(&self.folder)?)
    }

    /// The run's end as it stands in its home.
    pub(super) fn outcome(&self) -> Result<Outcome, TortureError> {
        let engine = self.engine(None)?;
        let run = engine.store.find("last")?;
        let present = flow::<W>().present(&engine, &run)?;
        let files = present.files(&engine).into_iter().filter(|file| !file.is_history);
        let files =
            files.map(|file| (file.path, file.copy_of.map_or(file.content, String::into_bytes))).collect();
        let outcome = Outcome { memory: present.memory(), state: present.state, files };
        // The files of a family tell when things happened, which is another time the more often it dies.
        Ok(if self.has_family() { outcome.learnt() } else { outcome })
    }

    /// Starts the run if there is none, and drives it to its end, answering what it asks.
    async fn drive_to_end(&self, engine: &Engine) -> Result<(), TortureError> {
        let mut rehearsal = self.rehearsal();
        rehearsal.settings.parallel = self.parallel.unwrap_or(rehearsal.settings.parallel);
        let run = match newest(&engine.store)? {
            Some(run) => run,
            None => engine
                .start::<W>(&rehearsal.input, rehearsal.settings)
                .map_err(|error| TortureError::Baseline(error.to_string()))?,
        };
        for _ in 0..ROUNDS {
            let how = Drive {
                idle: Idle::Leave,
                pace: Pace { poll: None, grace: Duration::ZERO },
                stop: StopSignal::never(),
                by: "the rehearsal".to_owned(),
                settings: None,
            };
            let flow = flow::<W>();
            let end = if self.has_family() {
                drive_tree(engine, flow.as_ref(), &run, how, &mut |_, _, _| {}).await?
            } else {
                engine.drive::<W>(&run, how, &mut ()).await?
            };
            match end {
                End::Finished(_) => return Ok(()),
                End::Waiting => answer(engine, flow.as_ref(), &run, rehearsal.answer)?,
                End::Stopped { detail, .. } => return Err(TortureError::Baseline(detail)),
            }
        }
        Err(TortureError::Baseline(format!("it still waits after {ROUNDS} rounds of answers")))
    }

    pub(super) fn engine(&self, crash: Option<Arc<CrashPlan>>) -> Result<Engine, TortureError> {
        let store = Store::open(&self.folder, &StoreOptions { crash, ..StoreOptions::default() })?;
        let counter = Arc::new(Counter::open(&self.calls_file())?);
        let effects = counted(self.rehearsal().effects, &counter, self.seed);
        Ok(Engine {
            store,
            clock: Arc::new(SimClock::jumping(Millis(BEGINS))),
            // The run has the same name in every trial; only the order of its calls differs. Those that go off from it
            // are made by later processes, and need names of their own.
            dice: Arc::new(SeededDice::new(1 + self.runs_so_far()?)),
            effects: match &self.crew {
                Some(crew) => effects.with_crew(Arc::clone(crew)),
                None => effects,
            },
        })
    }

    fn runs_so_far(&self) -> Result<u64, TortureError> {
        if !self.folder.join("baton.db").exists() {
            return Ok(0);
        }
        Ok(Store::open(&self.folder, &StoreOptions::default())?.count_runs()?)
    }

    fn calls_file(&self) -> PathBuf {
        self.folder.join("calls.log")
    }
}

/// The steps whose success is on the disk.
fn durable_receipts(store: &Store) -> Result<BTreeSet<String>, TortureError> {
    let mut steps = BTreeSet::new();
    for row in store.runs(None)? {
        for chained in store.records(&row.name, 1)? {
            if let Ok(record) = chained.open()
                && let Body::Receipt(receipt) = record.body
                && receipt.out.is_ok()
            {
                steps.insert(format!("{}/{}", row.name, receipt.key));
            }
        }
    }
    Ok(steps)
}

/// Answers what a run and those inside it ask.
fn answer(
    engine: &Engine,
    flow: &dyn Flow,
    run: &RunId,
    say: fn(&OpenQuestion) -> Value,
) -> Result<(), TortureError> {
    let open = engine.store.questions_below(run)?;
    if open.is_empty() {
        return Err(TortureError::Baseline("it waits, but for no answer".to_owned()));
    }
    for question in open {
        let workflow = engine.store.run(&question.run)?.workflow;
        let theirs = engine.effects.crew().and_then(|crew| crew.flow(&workflow));
        let flow = theirs.as_deref().unwrap_or(flow);
        flow.answer(engine, &question.run, &question.key, &say(&question), "the rehearsal")?;
    }
    Ok(())
}

/// The newest run that does not belong to another.
pub(super) fn newest(store: &Store) -> Result<Option<RunId>, TortureError> {
    match store.find("last") {
        Ok(run) => Ok(Some(run)),
        Err(RunsError::NoRun(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parting;

    #[test]
    fn the_first_difference_is_named_by_its_place() {
        let one = json!({"a": [1, {"b/c": 2}], "d": null});
        assert_eq!(parting(&one, &one), None);
        assert_eq!(parting(&one, &json!({"a": [1, {"b/c": 3}], "d": null})).as_deref(), Some("/a/1/b~1c"));
        assert_eq!(parting(&one, &json!({"a": [1], "d": null})).as_deref(), Some("/a/1"));
        assert_eq!(parting(&one, &json!({"a": one["a"]})).as_deref(), Some("/d"));
        assert_eq!(parting(&one, &json!(7)).as_deref(), Some(""));
    }
}
