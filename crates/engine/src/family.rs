//! Driving a run together with its children, and children without their parents: what `baton worker` does.
//!
//! Parent and children are runs like any other, each driven under its own lease by whoever takes it up. A parent whose
//! children are under way waits, and goes on when one of them is over; whoever ends a child sees to that.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::crew::Crew;
use crate::driver::{DriveError, End};
use crate::engine::{Drive, Engine, Idle, Pace, StopSignal};
use crate::flow::{Flow, Progress};
use crate::runs::{RunSummary, RunsError};
use crate::{RunId, Status, StopReason};

/// How many runs one process drives at once.
const AT_ONCE: usize = 16;

/// How often to look for work where nobody rings.
const MOMENT: Duration = Duration::from_millis(200);

/// Drives a run, and everything below it that nobody else drives, until the run rests.
pub async fn drive_tree(
    engine: &Engine,
    flow: &dyn Flow,
    run: &RunId,
    how: Drive,
    progress: Progress<'_>,
) -> Result<End, DriveError> {
    let Some(crew) = engine.effects.crew().cloned() else {
        return flow.drive(engine, run, how, progress).await;
    };
    let mut hands = Hands::new(engine, crew, &how);
    let end = hands.drive(flow, run, how, progress).await;
    if end.is_err() {
        // Nothing that was begun here goes on behind the back of whoever is told of the failure.
        hands.tasks.shutdown().await;
    }
    end
}

/// Drives children that nobody drives, and parents whose children are over, of all runs there are. Returns when
/// somebody wants to stop, or when there is nothing to do and nobody wants to wait. How many runs were taken up.
pub async fn work(engine: &Engine, how: &Drive) -> Result<u64, DriveError> {
    let Some(crew) = engine.effects.crew().cloned() else { return Ok(0) };
    let mut hands = Hands::new(engine, crew, how);
    loop {
        let wanted = engine.store.undriven()?;
        let busy = hands.take_up(wanted)?;
        if how.stop.reason().is_some() || (!busy && how.idle == Idle::Leave) {
            hands.finish().await?;
            return Ok(hands.taken);
        }
        hands.moment().await?;
    }
}

/// The runs this process drives beside another.
struct Hands {
    engine: Engine,
    crew: Arc<dyn Crew>,
    how: Drive,
    tasks: JoinSet<(RunId, Result<End, DriveError>)>,
    names: BTreeSet<RunId>,
    /// Runs that were stopped with their parent and have been let go on.
    resumed: BTreeSet<RunId>,
    /// Runs that had stopped before anything was driven here, for what may have passed since. What stops while it is driven
    /// here is not tried again behind anybody's back.
    stopped_before: BTreeSet<RunId>,
    /// Runs that cannot be driven here; driving them alone says why.
    given_up: BTreeSet<RunId>,
    taken: u64,
}

impl Hands {
    fn new(engine: &Engine, crew: Arc<dyn Crew>, how: &Drive) -> Self {
        let how = Drive { idle: Idle::Leave, settings: None, ..how.clone() };
        Self {
            engine: engine.clone(),
            crew,
            how,
            tasks: JoinSet::new(),
            names: BTreeSet::new(),
            resumed: BTreeSet::new(),
            stopped_before: BTreeSet::new(),
            given_up: BTreeSet::new(),
            taken: 0,
        }
    }

    fn how(&self) -> Drive {
        self.how.clone()
    }

    /// Drives a run, and everything below it, until the run rests.
    async fn drive(
        &mut self,
        flow: &dyn Flow,
        run: &RunId,
        mut how: Drive,
        progress: Progress<'_>,
    ) -> Result<End, DriveError> {
        let engine = self.engine.clone();
        let below = engine.store.descendants(run)?.into_iter();
        let stopped = below.filter(|row| matches!(row.status, Status::Stopped(why) if why.may_have_passed()));
        self.stopped_before = stopped.map(|row| row.name).collect();
        let end = loop {
            let end = self.beside(run, flow.drive(&engine, run, how, &mut *progress)).await?;
            if end != End::Waiting || !self.until_news(run).await? {
                break end;
            }
            how = Drive { settings: None, ..self.how() };
        };
        self.finish().await?;
        self.tell_parents(run).await?;
        Ok(end)
    }

    /// Drives what is below a run while the run itself is driven.
    async fn beside(
        &mut self,
        run: &RunId,
        drive: impl Future<Output = Result<End, DriveError>>,
    ) -> Result<End, DriveError> {
        tokio::pin!(drive);
        loop {
            let wanted = self.engine.store.descendants(run)?;
            self.take_up(wanted)?;
            tokio::select! {
                biased;
                end = &mut drive => return end,
                moved = self.moment() => moved?,
            }
        }
    }

    /// Drives what is below a run that waits until it has something to go on with; false if nothing will come of it.
    async fn until_news(&mut self, run: &RunId) -> Result<bool, DriveError> {
        loop {
            if self.engine.store.has_news(run)? {
                return Ok(true);
            }
            let wanted = self.engine.store.descendants(run)?;
            if !self.take_up(wanted)? || self.how.stop.reason().is_some() {
                return Ok(false);
            }
            self.moment().await?;
        }
    }

    /// Takes up those of these runs that can go on and that nobody drives. Whether anybody works on any of them.
    fn take_up(&mut self, wanted: Vec<RunSummary>) -> Result<bool, DriveError> {
        let mut busy = false;
        for row in wanted {
            let name = &row.name;
            if self.names.contains(name) || row.driven_by.is_some() {
                busy = true;
                continue;
            }
            if self.given_up.contains(name) || self.is_held_up(name)? {
                continue;
            }
            let goes_on = match &row.status {
                Status::Running => true,
                Status::Waiting => self.engine.store.has_news(name)?,
                Status::Stopped(StopReason::Interrupted) => self.resumed.insert(name.clone()),
                Status::Stopped(_) => self.stopped_before.remove(name),
                Status::Finished(_) => false,
            };
            if goes_on {
                busy = true;
                if self.tasks.len() < AT_ONCE {
                    self.spawn(row);
                } else {
                    self.wait_for_a_hand(&row);
                }
            }
        }
        Ok(busy)
    }

    /// Nobody is free for a run that may go on: it is looked at again.
    fn wait_for_a_hand(&mut self, row: &RunSummary) {
        self.resumed.remove(&row.name);
        if matches!(row.status, Status::Stopped(why) if why != StopReason::Interrupted) {
            self.stopped_before.insert(row.name.clone());
        }
    }

    /// Whether the run belongs to one that was stopped: it goes on with that.
    fn is_held_up(&self, run: &RunId) -> Result<bool, DriveError> {
        let mut above = self.engine.store.parent(run)?;
        while let Some(parent) = above {
            if matches!(self.engine.store.run(&parent)?.status, Status::Stopped(_)) {
                return Ok(true);
            }
            above = self.engine.store.parent(&parent)?;
        }
        Ok(false)
    }

    fn spawn(&mut self, row: RunSummary) {
        let (engine, crew, how) = (self.engine.clone(), Arc::clone(&self.crew), self.how());
        self.names.insert(row.name.clone());
        self.taken += 1;
        self.tasks.spawn(async move {
            let done = drive_one(&engine, crew.as_ref(), &row, how).await;
            (row.name, done)
        });
    }

    /// Waits until a run rests, somebody rings, or a moment has passed.
    async fn moment(&mut self) -> Result<(), DriveError> {
        let clock = Arc::clone(&self.engine.clock);
        let pause = self.how.pace.poll.unwrap_or(MOMENT);
        let mut stop = self.how.stop.clone();
        let stopping = stop.reason().is_some();
        let rested = tokio::select! {
            biased;
            Some(rested) = self.tasks.join_next() => Some(rested),
            () = stop.wanted(), if !stopping => None,
            () = self.engine.store.bell().notified() => None,
            () = clock.until(clock.now().plus(pause)), if self.tasks.is_empty() || self.how.pace.poll.is_some() => None,
        };
        rested.map_or(Ok(()), |rested| self.rested(rested))
    }

    fn rested(
        &mut self,
        rested: Result<(RunId, Result<End, DriveError>), tokio::task::JoinError>,
    ) -> Result<(), DriveError> {
        // A task only fails to join when it was cut off or panicked; its run is as its journal says.
        let Ok((name, end)) = rested else { return Ok(()) };
        self.names.remove(&name);
        match end {
            Ok(_) | Err(DriveError::Runs(RunsError::Held { .. }) | DriveError::LostLease) => Ok(()),
            Err(DriveError::Runs(RunsError::Host(error))) => Err(error.into()),
            Err(_) => {
                self.given_up.insert(name);
                Ok(())
            }
        }
    }

    /// Waits for everything that is driven here.
    async fn finish(&mut self) -> Result<(), DriveError> {
        while let Some(rested) = self.tasks.join_next().await {
            self.rested(rested)?;
        }
        Ok(())
    }

    /// Lets the parents go on that wait for this run and that nobody drives.
    async fn tell_parents(&mut self, run: &RunId) -> Result<(), DriveError> {
        let mut above = self.engine.store.parent(run)?;
        while let Some(parent) = above {
            let row = self.engine.store.run(&parent)?;
            let idle = row.status == Status::Waiting && !self.engine.store.is_driven(&parent)?;
            if !idle || !self.engine.store.has_news(&parent)? {
                return Ok(());
            }
            self.take_up(vec![row])?;
            self.finish().await?;
            above = self.engine.store.parent(&parent)?;
        }
        Ok(())
    }
}

async fn drive_one(
    engine: &Engine,
    crew: &dyn Crew,
    row: &RunSummary,
    how: Drive,
) -> Result<End, DriveError> {
    let unknown = || DriveError::Unfit { n: 1, what: format!("there is no workflow {}", row.workflow) };
    let flow = crew.flow(&row.workflow).ok_or_else(unknown)?;
    let engine = crew.equip(engine, &row.name)?;
    flow.drive(&engine, &row.name, how, &mut |_, _, _| {}).await
}

/// How a worker drives: it leaves what waits, and stops when it is told to.
pub fn as_worker(by: &str, idle: Idle, stop: StopSignal) -> Drive {
    Drive { idle, pace: Pace::default(), stop, by: by.to_owned(), settings: None }
}
