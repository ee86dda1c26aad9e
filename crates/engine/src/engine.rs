//! The pieces put together: starting a run, driving it, and looking at it.

mod cancel;
mod migrating;
mod parcels;
mod removing;
mod runs_of_home;

pub use migrating::MigrationDone;
pub use parcels::Imported;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use baton_machine::{Word, defects, describe};
use serde_json::Value;
use tokio::sync::watch;

use crate::driver::{self, Donors, DriveError, End, GoOn, Head, Loaded, Watch, wrap};
use crate::folder::Folder;
use crate::host::Shown;
use crate::local::LocalHost;
use crate::migration::open_all;
use crate::record::{Body, Chained, FORMAT, Note, Origin, Started, table_hash};
use crate::runs::{self, NewRun, RunsError, Submitted};
use crate::store::{Lease, OpenError, Store, StoreOptions};
use crate::{
    Clock, Dice, Effects, Hash, Key, Record, RunId, Settings, Status, StopReason, SystemClock, SystemDice,
    Work,
};

/// Everything a process needs to run workflows.
#[derive(Clone)]
pub struct Engine {
    /// The journal.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub dice: Arc<dyn Dice>,
    /// What this process can do to the world.
    pub effects: Effects,
}

/// What a driver does when everything open waits for a person or a far time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Return; the run goes on when somebody drives it again.
    Leave,
    /// Stay and wait.
    Stay,
}

/// How patient a driver is.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How often to look for letters of other processes; `None` for never.
    pub poll: Option<Duration>,
    /// How long calls in flight may take to come back when the run is stopped.
    pub grace: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { poll: Some(Duration::from_millis(500)), grace: Duration::from_secs(10) }
    }
}

/// A wish to stop, shared by all drivers of a process.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<u32>);

/// The other end of a [`StopSignal`].
#[derive(Debug)]
pub struct StopSwitch(watch::Sender<u32>);

impl StopSignal {
    /// A signal and its switch.
    pub fn new() -> (StopSwitch, Self) {
        let (sender, receiver) = watch::channel(0);
        (StopSwitch(sender), Self(receiver))
    }

    /// A signal nobody will ever give.
    pub fn never() -> Self {
        Self::new().1
    }

    pub(crate) fn reason(&self) -> Option<(StopReason, String)> {
        (*self.0.borrow() > 0).then(|| (StopReason::Interrupted, "stopped by a signal".to_owned()))
    }

    /// Returns when the switch is pressed.
    pub(crate) async fn wanted(&mut self) {
        if self.0.wait_for(|presses| *presses > 0).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Returns when the switch is pressed a second time: somebody is in a hurry.
    pub(crate) async fn again(&mut self) {
        if self.0.wait_for(|presses| *presses > 1).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl StopSwitch {
    /// Asks all drivers to stop; a second time, not to wait for calls in flight.
    pub fn press(&self) {
        self.0.send_modify(|presses| *presses += 1);
    }
}

/// How one run is driven.
#[derive(Clone)]
pub struct Drive {
    /// What to do when the run waits.
    pub idle: Idle,
    /// How patient to be.
    pub pace: Pace,
    /// The wish to stop.
    pub stop: StopSignal,
    /// Who drives; recorded when a stopped run goes on.
    pub by: String,
    /// New settings from now on.
    pub settings: Option<Settings>,
}

impl Default for Drive {
    fn default() -> Self {
        Self {
            idle: Idle::Leave,
            pace: Pace::default(),
            stop: StopSignal::never(),
            by: "somebody".to_owned(),
            settings: None,
        }
    }
}

/// A workflow that may not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its table is defective.
    #[error("the table of {workflow} is defective: {}", defects.join("; "))]
    Defective {
        /// The workflow.
        workflow: &'static str,
        /// What is wrong.
        defects: Vec<String>,
    },
    /// Its input cannot be stored.
    #[error("the input cannot be stored: {0}")]
    Input(String),
    /// Whoever keeps the runs says no.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

impl Engine {
    /// An engine on a home folder, with the machine's own clock and chance.
    pub fn open(home: &Path, effects: Effects) -> Result<Self, OpenError> {
        let store = Store::open(home, &StoreOptions::default())?;
        Ok(Self { store, clock: Arc::new(SystemClock), dice: Arc::new(SystemDice), effects })
    }

    /// Starts a run: journals everything it is started with. Nothing acts yet.
    pub fn start<W: Work>(&self, input: &W::Input, settings: Settings) -> Result<RunId, StartError> {
        self.start_as::<W>(self.new_name(), input, settings, Origin::Fresh, None)
    }

    /// Starts a run that belongs to another: it is listed, but it is not the last run a person means.
    pub fn start_beside<W: Work>(
        &self,
        input: &W::Input,
        settings: Settings,
        other: &RunId,
    ) -> Result<RunId, StartError> {
        self.start_as::<W>(self.new_name(), input, settings, Origin::Fresh, Some(other.clone()))
    }

    /// Starts a run under this name for a node of another. One that is there already stays as it is, if it is its child.
    pub(crate) fn start_child<W: Work>(
        &self,
        run: RunId,
        input: &W::Input,
        settings: Settings,
        origin: Origin,
    ) -> Result<RunId, StartError> {
        let parent = match &origin {
            Origin::Fresh => None,
            Origin::Child { run, .. } => Some(run.clone()),
        };
        match self.start_as::<W>(run.clone(), input, settings, origin, parent.clone()) {
            Err(StartError::Runs(RunsError::Taken(_)))
                if parent.is_some() && self.store.parent(&run)? == parent =>
            {
                Ok(run)
            }
            made => made,
        }
    }

    fn new_name(&self) -> RunId {
        RunId::from_bits(self.dice.roll())
    }

    fn start_as<W: Work>(
        &self,
        run: RunId,
        input: &W::Input,
        settings: Settings,
        origin: Origin,
        parent: Option<RunId>,
    ) -> Result<RunId, StartError> {
        let table = describe(W::TABLE);
        let found = defects(&table);
        if !found.is_empty() {
            let defects = found.iter().map(ToString::to_string).collect();
            return Err(StartError::Defective { workflow: W::NAME, defects });
        }
        let input_value =
            serde_json::to_value(input).map_err(|error| StartError::Input(error.to_string()))?;
        let hash = table_hash(&table);
        let mut blobs = Vec::new();
        let title = W::title(input);
        let started = Started {
            format: FORMAT,
            run: run.clone(),
            workflow: W::NAME.to_owned(),
            table: hash,
            code: W::CODE_VERSION,
            events: W::EVENT_VERSION,
            title: title.clone(),
            input: wrap(input_value, &mut blobs),
            settings,
            origin,
        };
        let first = Record { n: 1, at: self.clock.now(), body: Body::Started(Box::new(started)) };
        let first =
            Chained::after(Hash::ZERO, &first).map_err(|error| StartError::Input(error.to_string()))?;
        let text = serde_json::to_string(&table).map_err(|error| StartError::Input(error.to_string()))?;
        self.store.create(NewRun {
            name: run.clone(),
            workflow: W::NAME.to_owned(),
            title,
            parent,
            shares: None,
            state: W::START.name().to_owned(),
            first,
            blobs,
            table: (hash, text),
        })?;
        Ok(run)
    }

    /// Drives a run until it ends, waits or stops. `watch` sees it at every commit.
    pub async fn drive<W: Work>(
        &self,
        run: &RunId,
        how: Drive,
        watch: &mut dyn Watch<W>,
    ) -> Result<End, DriveError> {
        let lease = self.store.lease(run).await?;
        let (loaded, notes) = self.load::<W>(run)?;
        let stopped = matches!(self.store.run(run)?.status, Status::Stopped(_));
        let goes_on = stopped || how.settings.is_some();
        if goes_on {
            self.store.clear_cancel(run)?;
        }
        let go_on = goes_on.then(|| GoOn {
            by: how.by.clone(),
            at: self.clock.now(),
            settings: how.settings.clone(),
        });
        let mut host = self.host(lease, run, &how)?;
        let mut folder = Folder::<W>::new(self, run.clone(), watch);
        let end = driver::drive(&mut host, self.store.blobs(), &mut folder, loaded, go_on, notes).await;
        host.release().await;
        if matches!(end, Ok(End::Stopped { reason: StopReason::Cancelled, .. })) {
            self.store.clear_cancel(run)?;
        }
        end
    }

    /// A host for a leased run. [`Engine::drive`] makes its own; the conformance suite asks for one.
    pub fn host(&self, lease: Lease, run: &RunId, how: &Drive) -> Result<LocalHost, RunsError> {
        let row = self.store.run(run)?;
        let shown = Shown { state: row.state.into(), status: row.status, spent: row.spent, at: row.updated };
        let (effects, clock) = (self.effects.clone(), Arc::clone(&self.clock));
        Ok(LocalHost::new(lease, self.store.clone(), effects, clock, how, shown))
    }

    /// Answers a question of a run, if the answer can be read by the very code that asked. Nothing is recorded
    /// of one that cannot.
    pub fn answer<W: Work>(
        &self,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
    ) -> Result<Submitted, DriveError> {
        runs::readable_answer::<W>(self, run, key, answer, by)
    }

    /// The run as it stands now, without driving it.
    pub fn present<W: Work>(&self, run: &RunId) -> Result<Head<W>, DriveError> {
        runs::present(self, run)
    }

    /// The run, and what its journal must tell of damage before anything new happens.
    pub(crate) fn load<W: Work>(&self, run: &RunId) -> Result<(Loaded<W>, Vec<Body>), DriveError> {
        let mut journal = self.store.journal(run)?;
        if let Some(loss) = journal.loss.take() {
            return Err(RunsError::Lost(loss).into());
        }
        journal.payloads.iter().try_for_each(|hash| self.store.blobs().expect(hash))?;
        let mut said = Vec::new();
        if let Some(loss) = &journal.accepted {
            said.push(format!(
                "{loss}; a person accepted that, and the run goes on from record {}",
                loss.kept
            ));
        }
        if let Some(torn) = &journal.torn {
            self.store.set_torn_aside(run, torn.n, self.clock.now())?;
            let text = format!(
                "record {} was torn ({}); the run was rolled back to record {}",
                torn.n,
                torn.what,
                torn.n - 1
            );
            said.push(text);
        }
        let notes = said.into_iter().map(|text| Body::Note(Note { text, data: None })).collect();
        let mut loaded = runs::fold(self, run, &journal)?;
        loaded.donors = self.donors(&loaded.head)?;
        Ok((loaded, notes))
    }

    /// What a run may take of the one it went off from. If that is gone there is nothing to take.
    fn donors<W: Work>(&self, head: &Head<W>) -> Result<Donors, DriveError> {
        let Some((from, shared)) = &head.forked else { return Ok(Donors::default()) };
        let records = match self.store.records(from, 1) {
            Err(RunsError::NoRun(_) | RunsError::Lost(_)) => return Ok(Donors::default()),
            records => records?,
        };
        let records = open_all(&records, self.store.blobs());
        Ok(Donors::of(from, W::START.name(), records, *shared))
    }
}
