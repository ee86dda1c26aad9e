//! Homes full of approval chains, driven by the engine like any other: commands that print a line or a page, and a yes
//! between the stages. The last question of the longest one stays open.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::engine::Pace;
use baton_engine::store::{Store, StoreOptions};
use baton_engine::{
    Call, Drive, Effects, End, Engine, Failure, Filter, Idle, Paid, Perform, RunId, Runs, Settings,
    SystemClock, SystemDice,
};
use baton_workflows::approval::{Approval, Command, Plan, Stage};
use baton_workflows::command::{CommandResult, RunCommand};
use serde_json::json;
use tokio::task::{JoinError, JoinSet};

use crate::prose::sentence;
use crate::{BenchError, runtime};

/// Commands of each stage of a long chain, and the records such a stage takes with its question.
const WIDTH: u64 = 20;
const STAGE: u64 = 3 * WIDTH + 4;
/// Stages of an ordinary one.
const ORDINARY: [u64; 3] = [7, 7, 6];
/// One chain in so many prints a page that is too long for a record.
const LONG_EVERY: usize = 10;
const PAGE: usize = 20_000;
/// How long to wait for the next question.
const A_MOMENT: Duration = Duration::from_millis(1);
/// Chains that are driven at once.
const AT_ONCE: usize = 64;

/// How many runs a home gets beside the longest, and how many records that one has at least.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Ordinary runs.
    pub runs: usize,
    /// Records of the longest.
    pub longest: u64,
}

/// A home of approval chains.
pub struct Chains {
    engine: Engine,
}

impl Chains {
    /// Opens a home, making it if there is none.
    pub fn open(home: &Path) -> Result<Self, BenchError> {
        let store = Store::open(home, &StoreOptions::default())?;
        let effects = Effects::default().with::<RunCommand>(Pretended);
        Ok(Self {
            engine: Engine { store, clock: Arc::new(SystemClock), dice: Arc::new(SystemDice), effects },
        })
    }

    /// Makes the runs, the longest in the middle of them; its name.
    pub fn make(&self, size: Size) -> Result<RunId, BenchError> {
        let runtime = runtime()?;
        let before = size.runs / 2;
        runtime.block_on(self.ordinary(0..before))?;
        let longest = runtime.block_on(self.long(size.longest))?;
        runtime.block_on(self.ordinary(before..size.runs))?;
        Ok(longest)
    }

    async fn ordinary(&self, numbers: std::ops::Range<usize>) -> Result<(), BenchError> {
        let mut driven = JoinSet::new();
        for number in numbers {
            if driven.len() >= AT_ONCE {
                joined(driven.join_next().await)?;
            }
            let engine = self.engine.clone();
            driven.spawn(async move {
                let run = engine.start::<Approval>(&plan(number, &ORDINARY), Settings::default())?;
                while engine.drive::<Approval>(&run, Drive::default(), &mut ()).await? == End::Waiting {
                    approve(&engine, &run)?;
                }
                Ok(())
            });
        }
        while !driven.is_empty() {
            joined(driven.join_next().await)?;
        }
        Ok(())
    }

    /// Drives a chain until it has so many records and asks.
    async fn long(&self, records: u64) -> Result<RunId, BenchError> {
        let stages = vec![WIDTH; usize::try_from(records.div_ceil(STAGE) + 2).unwrap_or(usize::MAX)];
        let run = self.engine.start::<Approval>(&plan(0, &stages), Settings::default())?;
        let pace = Pace { poll: Some(A_MOMENT), ..Pace::default() };
        let how = Drive { idle: Idle::Stay, pace, ..Drive::default() };
        let mut nobody = ();
        let clock = Arc::clone(&self.engine.clock);
        let driving = self.engine.drive::<Approval>(&run, how, &mut nobody);
        tokio::pin!(driving);
        loop {
            tokio::select! {
                end = &mut driving => return Err(BenchError::Void(format!("the longest run ended: {end:?}"))),
                () = clock.until(clock.now().plus(A_MOMENT)) => {
                    if self.engine.store.questions(Some(&run))?.is_empty() {
                        continue;
                    }
                    if self.engine.run(&run)?.records >= records {
                        return Ok(run.clone());
                    }
                    approve(&self.engine, &run)?;
                }
            }
        }
    }

    /// How many records all runs have.
    pub fn records(&self) -> Result<u64, BenchError> {
        Ok(self.engine.list(Filter::default())?.iter().map(|row| row.records).sum())
    }

    /// How many records a run has.
    pub fn records_of(&self, run: &RunId) -> Result<u64, BenchError> {
        Ok(self.engine.run(run)?.records)
    }

    /// A record near this one behind which a stage begins.
    pub fn point_near(&self, run: &RunId, n: u64) -> Result<u64, BenchError> {
        let records = self.engine.records(run, n)?;
        let begins =
            records.iter().find(|record| record.text.starts_with(r#"{"event":{"from":"AWAITING_APPROVAL""#));
        begins
            .map(|record| record.n)
            .ok_or_else(|| BenchError::Void(format!("run {run} has no stage behind {n}")))
    }
}

fn joined(joined: Option<Result<Result<(), BenchError>, JoinError>>) -> Result<(), BenchError> {
    joined.map_or(Ok(()), |joined| joined?)
}

/// Says yes to everything a run asks.
fn approve(engine: &Engine, run: &RunId) -> Result<(), BenchError> {
    for open in engine.store.questions(Some(run))? {
        // Without asking the node whether it can read a yes: that would fold the whole run each time.
        engine.store.answer(run, &open.key, &json!(true), "the benchmark", engine.clock.now())?;
    }
    Ok(())
}

fn plan(number: usize, stages: &[u64]) -> Plan {
    let command = |stage: usize, index: u64| Command {
        name: format!("c{index}"),
        run: match number % LONG_EVERY == LONG_EVERY - 1 && stage == 0 && index == 0 {
            true => format!("page {number}"),
            false => "check".to_owned(),
        },
        folder: None,
        repeatable: true,
    };
    let stage = |(stage, width): (usize, &u64)| Stage {
        name: format!("s{stage}"),
        commands: (0..*width).map(|index| command(stage, index)).collect(),
        ask: None,
        within_hours: None,
    };
    Plan { title: format!("chain {number}"), stages: stages.iter().enumerate().map(stage).collect() }
}

/// Prints a line for every command, or a page.
struct Pretended;

#[async_trait]
impl Perform<RunCommand> for Pretended {
    async fn perform(&self, act: RunCommand, _call: &Call) -> Result<Paid<CommandResult>, Failure> {
        let number = act.line.strip_prefix("page ").and_then(|number| number.parse().ok());
        let output = number.map_or_else(|| "done\n".to_owned(), |number| sentence(number, PAGE));
        Ok(Paid::free(CommandResult { code: Some(0), output }))
    }
}
