//! Workflows with their types forgotten, so that one program can hold many.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use baton_machine::{Explained, TableText, Word, Workflow, describe, explain};
use serde_json::Value;

use crate::cx::lock;
use crate::driver::{DriveError, End, Head, Watch};
use crate::engine::{Drive, Engine, MigrationDone, StartError};
use crate::migration::{Mapping, Plan};
use crate::points::Point;
use crate::record::{Origin, table_hash};
use crate::runs::{self, Runs, Submitted};
use crate::turns::{Fork, Turn, TurnError};
use crate::{Changeable, Hash, Key, Purse, RunFile, RunId, Settings, Spend, Status, Work, folder};

/// A run as it stands, for those who only look. Its journal is folded once; what they ask for comes from that.
pub struct Present {
    /// The state.
    pub state: String,
    /// The visit.
    pub visit: u32,
    /// The status.
    pub status: Status,
    /// What it has spent and reserved.
    pub purse: Purse,
    /// Its settings.
    pub settings: Settings,
    /// Every row out of the state.
    pub ways_out: Vec<Explained>,
    folded: Box<dyn Folded>,
}

impl Present {
    /// What it has learnt, as it is stored.
    pub fn memory(&self) -> Value {
        self.folded.memory()
    }

    /// What it has learnt; none if it is a run of another workflow.
    pub fn memory_of<W: Work>(&self) -> Option<W::Memory> {
        let head = self.folded.as_any().downcast_ref::<Head<W>>()?;
        Some(lock(&head.memory).clone())
    }

    /// Its files as they would be written now. Those that tell the way it went read its records from `runs`.
    pub fn files(&self, runs: &dyn Runs) -> Vec<RunFile> {
        self.folded.files(runs, &self.status)
    }
}

impl fmt::Debug for Present {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, visit, status, .. } = self;
        f.debug_struct("Present").field("state", state).field("visit", visit).field("status", status).finish()
    }
}

/// The fold of a journal with its types forgotten.
trait Folded: Send {
    fn memory(&self) -> Value;
    fn files(&self, runs: &dyn Runs, status: &Status) -> Vec<RunFile>;
    fn as_any(&self) -> &dyn Any;
}

impl<W: Work> Folded for Head<W> {
    fn memory(&self) -> Value {
        serde_json::to_value(&*lock(&self.memory)).unwrap_or_default()
    }

    fn files(&self, runs: &dyn Runs, status: &Status) -> Vec<RunFile> {
        folder::render(runs, self, status)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Listener of a run's progress: its state, its status, how many records it has.
pub type Progress<'a> = &'a mut (dyn FnMut(&str, &Status, u64) + Send);

/// A workflow by name.
#[async_trait]
pub trait Flow: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Its table.
    fn table(&self) -> TableText;
    /// The table and the node code that its runs are pinned to from now on.
    fn pins(&self) -> (Hash, u32);
    /// Starts a run with an input given as JSON.
    fn start(&self, engine: &Engine, input: Value, settings: Settings) -> Result<RunId, StartError>;
    /// Begins a child under this name, if there is none.
    fn start_child(
        &self,
        engine: &Engine,
        name: RunId,
        input: Value,
        settings: Settings,
        origin: Origin,
    ) -> Result<RunId, StartError>;
    /// What a run that is over brings its parent.
    fn brings(&self, runs: &dyn Runs, run: &RunId) -> Result<Value, DriveError>;
    /// Drives a run.
    async fn drive(
        &self,
        engine: &Engine,
        run: &RunId,
        how: Drive,
        progress: Progress<'_>,
    ) -> Result<End, DriveError>;
    /// Answers a question of a run; only what its node can read is taken.
    fn answer(
        &self,
        runs: &dyn Runs,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
    ) -> Result<Submitted, DriveError>;
    /// Stops a run that nobody drives, where it stands.
    async fn cancel(&self, engine: &Engine, run: &RunId, by: &str) -> Result<End, DriveError>;
    /// Makes a run that shares the records of another up to a point.
    fn fork(&self, engine: &Engine, run: &RunId, fork: Fork<'_>) -> Result<RunId, TurnError>;
    /// What may be changed in its runs, beside the engine's own settings.
    fn changeable(&self) -> &'static [Changeable];
    /// Changes something in a run that nobody drives.
    async fn change(
        &self,
        engine: &Engine,
        run: &RunId,
        changes: &[(String, Value)],
        by: &str,
    ) -> Result<(), TurnError>;
    /// Takes a run back to a point.
    async fn rewind(&self, engine: &Engine, run: &RunId, turn: Turn<'_>) -> Result<Point, TurnError>;
    /// Gives the beginning of a run's present visit a name.
    async fn checkpoint(
        &self,
        engine: &Engine,
        run: &RunId,
        name: &str,
        by: &str,
    ) -> Result<Point, TurnError>;
    /// Raises the share of a child of a run, from what the run has left.
    async fn raise_share(
        &self,
        engine: &Engine,
        run: &RunId,
        child: &RunId,
        by_this: Spend,
        by: &str,
    ) -> Result<(), TurnError>;
    /// Says what can be done with an unfinished run under this table.
    fn plan_migration(&self, engine: &Engine, run: &RunId, mapping: &Mapping) -> Result<Plan, DriveError>;
    /// Takes an unfinished run over to this table.
    async fn migrate(
        &self,
        engine: &Engine,
        run: &RunId,
        mapping: &Mapping,
        by: &str,
    ) -> Result<MigrationDone, DriveError>;
    /// The run as it stands.
    fn present(&self, runs: &dyn Runs, run: &RunId) -> Result<Present, DriveError>;
    /// The run as it stood behind a record.
    fn present_at(&self, runs: &dyn Runs, run: &RunId, n: u64) -> Result<Present, DriveError>;
    /// The run's files as they would be written now.
    fn files(&self, runs: &dyn Runs, run: &RunId) -> Result<Vec<RunFile>, DriveError> {
        Ok(self.present(runs, run)?.files(runs))
    }
}

/// A workflow with its types forgotten.
pub fn flow<W: Work>() -> Arc<dyn Flow> {
    Arc::new(Typed::<W>(PhantomData))
}

struct Typed<W>(PhantomData<fn() -> W>);

struct Listener<'a, 'b>(&'a mut (dyn FnMut(&str, &Status, u64) + Send + 'b));

impl<W: Work> Watch<W> for Listener<'_, '_> {
    fn durable(&mut self, head: &Head<W>, status: &Status, _last: bool) {
        (self.0)(head.position.state.name(), status, head.n);
    }
}

#[async_trait]
impl<W: Work> Flow for Typed<W> {
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn table(&self) -> TableText {
        describe(W::TABLE)
    }

    fn pins(&self) -> (Hash, u32) {
        (table_hash(&describe(W::TABLE)), W::CODE_VERSION)
    }

    fn start(&self, engine: &Engine, input: Value, settings: Settings) -> Result<RunId, StartError> {
        let input: <W as Workflow>::Input =
            serde_json::from_value(input).map_err(|error| StartError::Input(error.to_string()))?;
        engine.start::<W>(&input, settings)
    }

    fn start_child(
        &self,
        engine: &Engine,
        name: RunId,
        input: Value,
        settings: Settings,
        origin: Origin,
    ) -> Result<RunId, StartError> {
        let input: <W as Workflow>::Input =
            serde_json::from_value(input).map_err(|error| StartError::Input(error.to_string()))?;
        engine.start_child::<W>(name, &input, settings, origin)
    }

    fn brings(&self, runs: &dyn Runs, run: &RunId) -> Result<Value, DriveError> {
        Ok(W::brings(&runs::present::<W>(runs, run)?.into_memory()))
    }

    async fn drive(
        &self,
        engine: &Engine,
        run: &RunId,
        how: Drive,
        progress: Progress<'_>,
    ) -> Result<End, DriveError> {
        engine.drive::<W>(run, how, &mut Listener(progress)).await
    }

    fn answer(
        &self,
        runs: &dyn Runs,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
    ) -> Result<Submitted, DriveError> {
        runs::readable_answer::<W>(runs, run, key, answer, by)
    }

    async fn cancel(&self, engine: &Engine, run: &RunId, by: &str) -> Result<End, DriveError> {
        engine.cancel::<W>(run, by).await
    }

    fn fork(&self, engine: &Engine, run: &RunId, fork: Fork<'_>) -> Result<RunId, TurnError> {
        engine.fork::<W>(run, fork)
    }

    fn changeable(&self) -> &'static [Changeable] {
        W::changeable()
    }

    async fn change(
        &self,
        engine: &Engine,
        run: &RunId,
        changes: &[(String, Value)],
        by: &str,
    ) -> Result<(), TurnError> {
        engine.change::<W>(run, changes, by).await
    }

    async fn rewind(&self, engine: &Engine, run: &RunId, turn: Turn<'_>) -> Result<Point, TurnError> {
        engine.rewind::<W>(run, turn).await
    }

    async fn checkpoint(
        &self,
        engine: &Engine,
        run: &RunId,
        name: &str,
        by: &str,
    ) -> Result<Point, TurnError> {
        engine.checkpoint::<W>(run, name, by).await
    }

    async fn raise_share(
        &self,
        engine: &Engine,
        run: &RunId,
        child: &RunId,
        by_this: Spend,
        by: &str,
    ) -> Result<(), TurnError> {
        engine.raise_share::<W>(run, child, by_this, by).await
    }

    fn plan_migration(&self, engine: &Engine, run: &RunId, mapping: &Mapping) -> Result<Plan, DriveError> {
        engine.plan_migration::<W>(run, mapping)
    }

    async fn migrate(
        &self,
        engine: &Engine,
        run: &RunId,
        mapping: &Mapping,
        by: &str,
    ) -> Result<MigrationDone, DriveError> {
        engine.migrate::<W>(run, mapping, by).await
    }

    fn present(&self, runs: &dyn Runs, run: &RunId) -> Result<Present, DriveError> {
        Ok(present_of(runs::present::<W>(runs, run)?, runs.run(run)?.status))
    }

    fn present_at(&self, runs: &dyn Runs, run: &RunId, n: u64) -> Result<Present, DriveError> {
        let head = runs::present_at::<W>(runs, run, n)?;
        let status = head.status.clone();
        Ok(present_of(head, status))
    }
}

fn present_of<W: Work>(head: Head<W>, status: Status) -> Present {
    let ways_out = explain(W::TABLE, &head.position, &lock(&head.memory));
    Present {
        state: head.position.state.name().to_owned(),
        visit: head.position.visit,
        status,
        purse: head.purse.clone(),
        settings: head.settings.clone(),
        ways_out,
        folded: Box::new(head),
    }
}

/// The workflows a program holds.
#[derive(Clone, Default)]
pub struct Catalogue(BTreeMap<&'static str, Arc<dyn Flow>>);

impl Catalogue {
    /// Adds a workflow.
    #[must_use]
    pub fn with<W: Work>(mut self) -> Self {
        self.0.insert(W::NAME, flow::<W>());
        self
    }

    /// The workflow of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Flow>> {
        self.0.get(name)
    }

    /// Every workflow, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Flow>> {
        self.0.values()
    }
}
