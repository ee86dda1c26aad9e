//! What a person does to the way of a run: name a point of it, let another go off from there, take it back.
//!
//! None of it deletes anything. What was done outside is not undone, so where a step that may not simply be repeated
//! lies behind the point, a person has to say that it may stay.

mod error;
mod near;
mod settings;

use baton_machine::describe;
use serde_json::Value;

pub use error::TurnError;
pub use settings::SETTINGS;

use crate::driver::{self, DriveError, Head, Rewind, load};
use crate::engine::{Drive, Engine};
use crate::folder::Folder;
use crate::migration::{open_all, translate};
use crate::points::{self, Point};
use crate::record::{Body, Chained, Change, Changed, ChildRaised, Forked, LeftEffect, Note};
use crate::runs::{self, NewRun, Runs, RunsError};
use crate::{Purpose, Record, RunId, Spend, Status, StopReason, Work};
use near::Spot;

/// A point of a run, and who wants to go there.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The point, as a person names it: a record, a checkpoint or a state.
    pub at: &'a str,
    /// What was left outside behind the point may stay as it is.
    pub leave_effects: bool,
    /// Who does it.
    pub by: &'a str,
}

/// A run that goes off from another.
#[derive(Clone, Copy, Debug)]
pub struct Fork<'a> {
    /// Where.
    pub turn: Turn<'a>,
    /// What is otherwise from there on.
    pub changes: &'a [(String, Value)],
}

impl Engine {
    /// Makes a run that shares the records of another up to a point. Nothing acts yet.
    pub fn fork<W: Work>(&self, run: &RunId, fork: Fork<'_>) -> Result<RunId, TurnError> {
        let with_memory = fork.changes.iter().any(|(key, _)| !settings::is_key(key));
        let mut spot = match near::find::<W>(self, run, fork.turn, with_memory)? {
            Some(spot) => spot,
            None => {
                let past = Past::of::<W>(self, run)?;
                let (point, _) = past.turn(run, fork.turn, "fork")?;
                Spot::of(past.head_at::<W>(self, point.n)?)
            }
        };
        let mut changes = Vec::new();
        for (key, value) in fork.changes {
            let change = Change { key: key.clone(), value: value.clone() };
            if !settings::change(&mut spot.outline.settings, &change)? {
                if let Some(head) = &mut spot.head {
                    head.change(&change).map_err(|why| TurnError::unknown::<W>(key, why))?;
                }
                changes.push(change);
            }
        }
        let Spot { n, hash, outline, .. } = spot;
        let name = RunId::from_bits(self.dice.roll());
        let forked = Forked {
            run: name.clone(),
            from: run.clone(),
            settings: outline.settings,
            changes,
            by: fork.turn.by.to_owned(),
        };
        let at = outline.at.max(self.clock.now());
        let first = Record { n: n + 1, at, body: Body::Forked(Box::new(forked)) };
        let unstorable = |error: serde_json::Error| DriveError::Unstorable(error.to_string());
        let first = Chained::after(hash, &first).map_err(unstorable)?;
        let row = self.store.run(run)?;
        let table = serde_json::to_string(&describe(W::TABLE)).map_err(unstorable)?;
        self.store.create(NewRun {
            name: name.clone(),
            workflow: row.workflow,
            title: row.title,
            parent: None,
            state: outline.state,
            shares: Some(run.clone()),
            first,
            blobs: Vec::new(),
            table: (outline.table, table),
        })?;
        Ok(name)
    }

    /// Takes a run back to a point. It stands there again when this returns; nothing acts yet.
    pub async fn rewind<W: Work>(&self, run: &RunId, turn: Turn<'_>) -> Result<Point, TurnError> {
        let lease = self.store.lease(run).await?;
        self.refuse_family(run)?;
        let (loaded, notes) = self.load::<W>(run)?;
        let past = Past::of::<W>(self, run)?;
        let (point, left) = past.turn(run, turn, "rewind")?;
        if point.taken_back {
            return Err(TurnError::TakenBack { run: run.clone(), n: point.n });
        }
        let order = Rewind {
            to: point.n,
            mark: past.head_at::<W>(self, point.n)?.mark(),
            by: turn.by.to_owned(),
            at: self.clock.now(),
            left,
        };
        let point = point.clone();
        let mut host = self.host(lease, run, &Drive::default())?;
        let mut nobody = ();
        let mut folder = Folder::<W>::new(self, run.clone(), &mut nobody);
        driver::rewind(&mut host, self.store.blobs(), &mut folder, loaded, order, notes).await?;
        host.release().await;
        self.store.clear_cancel(run)?;
        Ok(point)
    }

    /// Changes what its workflow lets be changed in a run that nobody drives. What is refused changes nothing.
    pub async fn change<W: Work>(
        &self,
        run: &RunId,
        changes: &[(String, Value)],
        by: &str,
    ) -> Result<(), TurnError> {
        let lease = self.store.lease(run).await?;
        let status = self.store.run(run)?.status;
        if let Status::Finished(_) = status {
            return Err(TurnError::Finished { run: run.clone() });
        }
        self.refuse_live_child(run)?;
        let (loaded, notes) = self.load::<W>(run)?;
        loaded.head.is_ours()?;
        let mut tried = runs::present::<W>(self, run)?;
        let mut made = Vec::new();
        for (key, value) in changes {
            let change = Change { key: key.clone(), value: value.clone() };
            tried.change(&change).map_err(|why| TurnError::unknown::<W>(key, why))?;
            made.push(change);
        }
        let order = (self.clock.now(), Changed { changes: made, by: by.to_owned() });
        let mut host = self.host(lease, run, &Drive::default())?;
        let mut nobody = ();
        let mut folder = Folder::<W>::new(self, run.clone(), &mut nobody);
        driver::change(&mut host, self.store.blobs(), &mut folder, loaded, order, notes).await?;
        host.release().await;
        Ok(self.store.clear_cancel(run)?)
    }

    /// A run whose children are not over, and a child whose end its parent has recorded, are not taken back: the other
    /// side of it would no longer be true.
    fn refuse_family(&self, run: &RunId) -> Result<(), TurnError> {
        self.refuse_live_child(run)?;
        let Some(parent) = self.store.parent(run)? else { return Ok(()) };
        let over = matches!(
            self.store.run(run)?.status,
            Status::Finished(_) | Status::Stopped(StopReason::Cancelled)
        );
        if over { Err(TurnError::ToldParent { run: run.clone(), parent }) } else { Ok(()) }
    }

    /// Another visit would begin children of its own, and nobody would hear of the end of this one.
    fn refuse_live_child(&self, run: &RunId) -> Result<(), TurnError> {
        match self.store.open_children(run)?.into_iter().next() {
            Some((key, child)) => Err(TurnError::LiveChild { run: run.clone(), key, child }),
            None => Ok(()),
        }
    }

    /// The run that waits for this one and pays for it, if there is one.
    pub fn paid_by(&self, run: &RunId) -> Result<Option<RunId>, RunsError> {
        let Some(parent) = self.store.parent(run)? else { return Ok(None) };
        let waits = self.store.open_children(&parent)?.iter().any(|(_, child)| child == run);
        Ok(waits.then_some(parent))
    }

    /// Raises the share of a child of this run, from what this run has left. The child itself is told by whoever drives it
    /// on. Refused where there is not that much, and for a child that is over.
    pub async fn raise_share<W: Work>(
        &self,
        run: &RunId,
        child: &RunId,
        by_this: Spend,
        by: &str,
    ) -> Result<(), TurnError> {
        let lease = self.store.lease(run).await?;
        let open = self.store.open_children(run)?.into_iter().find(|(_, name)| name == child);
        let Some((key, _)) = open else {
            return Err(TurnError::Share(format!(
                "run {child} is no child of run {run} that is still going"
            )));
        };
        let (loaded, notes) = self.load::<W>(run)?;
        let head = runs::present::<W>(self, run)?;
        head.is_ours()?;
        head.purse.room(&head.settings.limits, by_this, Purpose::Work).map_err(|short| {
            TurnError::Share(format!(
                "run {run} has no more for its child {child} ({short}); raise it first with `baton resume {run} --budget-usd N`"
            ))
        })?;
        let mut host = self.host(lease, run, &Drive::default())?;
        let order = (self.clock.now(), ChildRaised { key, by_this, by: by.to_owned() });
        driver::raise(&mut host, self.store.blobs(), loaded, order, notes).await?;
        host.release().await;
        Ok(())
    }

    /// Gives the beginning of a run's present visit a name.
    pub async fn checkpoint<W: Work>(&self, run: &RunId, name: &str, by: &str) -> Result<Point, TurnError> {
        if !points::is_name(name) {
            return Err(TurnError::Name(format!("`{name}` cannot be a name: {}", points::NAMES)));
        }
        if describe(W::TABLE).states.iter().any(|state| state.name.eq_ignore_ascii_case(name)) {
            let why = "a state is called so, and `--at` and `--to` then mean the state";
            return Err(TurnError::Name(format!("`{name}` cannot be a name: {why}")));
        }
        let lease = self.store.lease(run).await?;
        let (loaded, notes) = self.load::<W>(run)?;
        let mut past = Past::of::<W>(self, run)?;
        if let Some(taken) = past.points.iter().find(|point| point.names.iter().any(|it| it == name)) {
            let n = taken.n;
            return Err(TurnError::Name(format!("record {n} of run {run} is called `{name}` already")));
        }
        let mut host = self.host(lease, run, &Drive::default())?;
        let order = (self.clock.now(), name.to_owned(), by.to_owned());
        driver::checkpoint(&mut host, self.store.blobs(), loaded, order, notes).await?;
        host.release().await;
        let mut point =
            past.points.pop().ok_or(DriveError::Unfit { n: 1, what: "it is empty".to_owned() })?;
        point.names.push(name.to_owned());
        Ok(point)
    }

    /// Writes a note into the journal of a run, also when it is over; its files are rendered anew. The run stays where it is.
    pub async fn note<W: Work>(&self, run: &RunId, note: Note) -> Result<(), TurnError> {
        let lease = self.store.lease(run).await?;
        let (loaded, notes) = self.load::<W>(run)?;
        let order = (self.clock.now(), note, self.store.run(run)?.status);
        let mut host = self.host(lease, run, &Drive::default())?;
        let mut nobody = ();
        let mut folder = Folder::<W>::new(self, run.clone(), &mut nobody);
        driver::note(&mut host, self.store.blobs(), &mut folder, loaded, order, notes).await?;
        host.release().await;
        Ok(())
    }
}

/// A run's records from its first on.
struct Past {
    chained: Vec<Chained>,
    records: Vec<Record>,
    points: Vec<Point>,
}

impl Past {
    fn of<W: Work>(engine: &Engine, run: &RunId) -> Result<Self, TurnError> {
        let chained = engine.store.journal_from_start(run)?.tail;
        let open =
            |chained: &Chained| chained.open().map_err(|error| DriveError::unreadable(chained, &error));
        let mut records = chained.iter().map(open).collect::<Result<Vec<Record>, DriveError>>()?;
        translate(&mut records.iter_mut().collect::<Vec<_>>(), None, engine.store.blobs())?;
        let points = points::points(&describe(W::TABLE), &records);
        Ok(Self { chained, records, points })
    }

    /// The point that is meant, and what was left outside behind it.
    fn turn(
        &self,
        run: &RunId,
        turn: Turn<'_>,
        verb: &'static str,
    ) -> Result<(&Point, Vec<LeftEffect>), TurnError> {
        let point = points::find(&self.points, turn.at)?;
        if point.ends {
            let usable = self.points.iter().filter(|point| !point.ends && !point.taken_back);
            return Err(TurnError::Over {
                n: point.n,
                state: point.state.clone(),
                nearest: usable.cloned().collect(),
            });
        }
        let left = points::left_behind(&self.records, point.n);
        if !left.is_empty() && !turn.leave_effects {
            return Err(TurnError::LeavesEffects { run: run.clone(), n: point.n, left, verb });
        }
        Ok((point, left))
    }

    /// The run as it stood behind a record.
    fn head_at<W: Work>(&self, engine: &Engine, n: u64) -> Result<Head<W>, TurnError> {
        let until = self.chained.partition_point(|chained| chained.n <= n);
        let vault = engine.store.blobs();
        let head = load::<W>(None, &self.chained[..until], vault)?.into_present(vault)?;
        head.is_ours()?;
        Ok(head)
    }
}

/// The points of a run, oldest first.
pub fn points_of(
    runs: &dyn Runs,
    run: &RunId,
    table: &baton_machine::TableText,
) -> Result<Vec<Point>, DriveError> {
    let records = open_all(&runs.records(run, 1)?, runs.vault());
    Ok(points::points(table, &records))
}
