//! Forks and rewinds at every record of a rehearsal: done where a visit begins, refused with the nearest points
//! everywhere else, and nothing before the point changes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use baton_engine::driver::{Outline, load};
use baton_engine::points::{Point, left_behind};
use baton_engine::record::{Body, Chained};
use baton_engine::torture::Rehearse;
use baton_engine::turns::points_of;
use baton_engine::{AfterCrash, End, Engine, Fork, Record, RunId, SeededDice, Turn, TurnError, flow};
use tempfile::TempDir;

use crate::golden::{drive_on, engine, folded};

type Failed = Box<dyn std::error::Error>;

/// Fails unless a run of the workflow can be forked and taken back at each of its points, and nowhere else.
pub async fn hold<W: Rehearse>() {
    let held = Finished::<W>::new().await;
    #[expect(clippy::panic, reason = "a test fails by panicking")]
    let finished = held.unwrap_or_else(|error| panic!("{error}"));
    if let Err(error) = finished.outlines_follow() {
        assert_eq!(error.to_string(), "", "outlines");
    }
    for record in &finished.records {
        if let Err(error) = finished.fork_at(record.n).await {
            assert_eq!(error.to_string(), "", "fork at record {}", record.n);
        }
        if let Err(error) = finished.rewind_to(record.n).await {
            assert_eq!(error.to_string(), "", "rewind to record {}", record.n);
        }
    }
}

/// A rehearsal that has ended, and what it left.
struct Finished<W: Rehearse> {
    home: TempDir,
    run: RunId,
    end: End,
    chained: Vec<Chained>,
    records: Vec<Record>,
    points: Vec<Point>,
    memory: serde_json::Value,
    workflow: std::marker::PhantomData<fn() -> W>,
}

impl<W: Rehearse> Finished<W> {
    async fn new() -> Result<Self, Failed> {
        let home = in_memory()?;
        let engine = engine::<W>(home.path(), None)?;
        let rehearsal = W::rehearsal();
        let run = engine.start::<W>(&rehearsal.input, rehearsal.settings)?;
        let end = drive_on::<W>(&engine, &run, rehearsal.answer).await?;
        let chained = engine.store.records(&run, 1)?;
        let records = chained.iter().map(Chained::open).collect::<Result<_, _>>()?;
        let points = points_of(&engine, &run, &flow::<W>().table())?;
        let memory = learnt::<W>(&engine, &run)?;
        let workflow = std::marker::PhantomData;
        Ok(Self { home, run, end, chained, records, points, memory, workflow })
    }

    /// An outline and the records behind it say what the whole fold says, from every point to every later one.
    fn outlines_follow(&self) -> Result<(), Failed> {
        let (_home, engine) = self.copy()?;
        let vault = engine.store.blobs();
        let mut before: Option<(usize, Outline)> = None;
        for point in &self.points {
            let until = usize::try_from(point.n)?;
            let head = load::<W>(None, &self.chained[..until], vault)?.into_present(vault)?;
            if let Some((from, outline)) = before.take() {
                assert_eq!(outline.after(&self.chained[from..until]), Some(head.outline()), "record {until}");
            }
            // While a child is open none is kept.
            before = head.open_children().next().is_none().then(|| (until, head.outline()));
        }
        Ok(())
    }

    fn point(&self, n: u64) -> Option<&Point> {
        self.points.iter().find(|point| point.n == n)
    }

    /// The home as it was, in a folder of its own.
    fn copy(&self) -> Result<(TempDir, Engine), Failed> {
        let home = in_memory()?;
        copy_folder(self.home.path(), home.path())?;
        // The dice of a new process: those of the old one have given their names away.
        let engine = Engine { dice: Arc::new(SeededDice::new(99)), ..engine::<W>(home.path(), None)? };
        Ok((home, engine))
    }

    async fn fork_at(&self, n: u64) -> Result<(), Failed> {
        let (_home, engine) = self.copy()?;
        let at = n.to_string();
        let turn = Turn { at: &at, leave_effects: false, by: "the test" };
        let first = engine.fork::<W>(&self.run, Fork { turn, changes: &[] });
        let turn = Turn { leave_effects: true, ..turn };
        let forked = match first {
            Err(TurnError::LeavesEffects { left, .. }) => {
                assert_eq!(left, left_behind(&self.records, n));
                assert!(!left.is_empty());
                engine.fork::<W>(&self.run, Fork { turn, changes: &[] })
            }
            other => other,
        };
        let Some(fork) = self.expected(n, forked)? else { return Ok(()) };
        let shared = usize::try_from(n)?;
        assert_eq!(engine.store.records(&fork, 1)?[..shared], self.chained[..shared]);
        assert_eq!(drive_on::<W>(&engine, &fork, W::rehearsal().answer).await?, self.end);
        assert_eq!(learnt::<W>(&engine, &fork)?, self.memory);
        assert_eq!(engine.store.records(&self.run, 1)?, self.chained, "the origin is as it was");
        is_whole(&engine, &fork)?;
        let records = open(&engine, &fork)?;
        pays_for_nothing_again(&records[shared..]);
        Ok(())
    }

    async fn rewind_to(&self, n: u64) -> Result<(), Failed> {
        let (_home, engine) = self.copy()?;
        let spent = engine.store.run(&self.run)?.spent;
        let at = n.to_string();
        let turn = Turn { at: &at, leave_effects: true, by: "the test" };
        let turned = engine.rewind::<W>(&self.run, turn).await;
        if self.expected(n, turned)?.is_none() {
            assert_eq!(engine.store.records(&self.run, 1)?, self.chained, "what is refused changes nothing");
            return Ok(());
        }
        let before = engine.present::<W>(&self.run)?;
        assert!(before.purse.spent == spent, "what was spent stays spent");
        assert_eq!(drive_on::<W>(&engine, &self.run, W::rehearsal().answer).await?, self.end);
        assert_eq!(learnt::<W>(&engine, &self.run)?, self.memory);
        assert_eq!(engine.store.records(&self.run, 1)?[..self.chained.len()], self.chained[..]);
        is_whole(&engine, &self.run)
    }

    /// What came of a turn, if it was to be done; none if it was refused as it should be.
    fn expected<T>(&self, n: u64, turned: Result<T, TurnError>) -> Result<Option<T>, Failed> {
        match (self.point(n), turned) {
            (Some(point), Ok(done)) if !point.ends => Ok(Some(done)),
            (Some(point), Err(TurnError::Over { n: told, nearest, .. })) if point.ends => {
                assert_eq!(told, n);
                assert!(nearest.iter().all(|point| !point.ends) && !nearest.is_empty());
                Ok(None)
            }
            (None, Err(TurnError::Point(refused))) => {
                let told: Vec<u64> = refused.nearest.iter().map(|point| point.n).collect();
                let before = self.points.iter().rfind(|point| point.n < n).map(|point| point.n);
                let behind = self.points.iter().find(|point| point.n > n).map(|point| point.n);
                assert_eq!(told, before.into_iter().chain(behind).collect::<Vec<_>>(), "record {n}");
                Ok(None)
            }
            (_, Ok(_)) => Err(format!("record {n} was taken for a point").into()),
            (_, Err(error)) => Err(error.into()),
        }
    }
}

/// Calls that were paid for in the origin come from there.
fn pays_for_nothing_again(records: &[Record]) {
    let paid: BTreeSet<_> = records
        .iter()
        .filter_map(|record| match &record.body {
            Body::Intent(intent) if intent.after_crash == AfterCrash::OnceMore => Some(&intent.key),
            _ => None,
        })
        .collect();
    for record in records {
        if let Body::Receipt(receipt) = &record.body
            && paid.contains(&receipt.key)
        {
            assert!(receipt.reused.is_some() && receipt.spend.is_none(), "{receipt:?}");
        }
    }
}

fn is_whole(engine: &Engine, run: &RunId) -> Result<(), Failed> {
    let checked = engine.store.verify(run)?;
    assert_eq!((checked.damage, checked.loss), (None, None));
    Ok(())
}

fn open(engine: &Engine, run: &RunId) -> Result<Vec<Record>, Failed> {
    Ok(engine.store.records(run, 1)?.iter().map(Chained::open).collect::<Result<_, _>>()?)
}

fn learnt<W: Rehearse>(engine: &Engine, run: &RunId) -> Result<serde_json::Value, Failed> {
    Ok(folded::<W>(engine, run)?.0["memory"].take())
}

fn in_memory() -> std::io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir_all(&there)?;
            copy_folder(&entry.path(), &there)?;
        } else {
            std::fs::copy(entry.path(), there)?;
        }
    }
    Ok(())
}
