//! What goes into one transaction, and the statements that put it there.

use std::collections::BTreeMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension};

use super::anchor::{Name, Reached};
use super::back::{self, Extent};
use super::cache::{self, Cache};
use super::{Blobs, named};
use crate::host::Shown;
use crate::record::Chained;
use crate::runs::{NewRun, RunsError};
use crate::{Hash, Millis, Question, RunId, Spend};

/// What one run wants durable.
#[derive(Debug)]
pub struct Batch {
    /// The run.
    pub run: i64,
    /// Its name, for the anchor.
    pub name: Name,
    /// The fencing number of its driver.
    pub fence: i64,
    /// The records, in order.
    pub records: Vec<Chained>,
    /// The long payloads they name.
    pub blobs: Vec<(Hash, Vec<u8>)>,
    /// What lists show from now on.
    pub shown: Shown,
    /// Its status, written out, if that or what was spent has changed.
    pub status: Option<String>,
    /// What happened to its open questions.
    pub questions: Vec<QuestionChange>,
    /// A snapshot up to and including a record.
    pub snapshot: Option<(u64, Hash, String)>,
    /// The same without what the run has learnt.
    pub outline: Option<(u64, Hash, String)>,
}

impl Batch {
    /// How far the run reaches once this is durable, if it gets further.
    pub(super) fn reaches(&self) -> Option<(i64, Reached)> {
        let last = self.records.last()?;
        Some((self.run, Reached::at(self.name, last.n, last.hash, self.shown.spent)))
    }
}

/// A question was put, or is closed.
#[derive(Clone, Debug)]
pub enum QuestionChange {
    /// It was put.
    Put {
        /// Its key.
        key: String,
        /// The question.
        question: Box<Question>,
        /// When it was put.
        asked: Millis,
        /// When it expires.
        deadline: Option<Millis>,
    },
    /// It is closed.
    Close {
        /// Its key.
        key: String,
    },
    /// All are closed: the part of the run that asked them was taken back.
    CloseAll,
    /// A child was begun.
    Child {
        /// Its key.
        key: String,
        /// The child.
        run: RunId,
    },
    /// A child is over.
    ChildOver {
        /// Its key.
        key: String,
    },
}

/// Where the last record of each run stands that is driven here, by the fencing number that drives it: a commit then
/// need not look it up. Whoever takes a run over changes its number, and the row is asked again.
#[derive(Debug, Default)]
pub(super) struct Ends(BTreeMap<i64, (i64, Option<i64>)>);

impl Ends {
    fn of(&self, run: i64, fence: i64) -> Option<Option<i64>> {
        self.0.get(&run).filter(|(held, _)| *held == fence).map(|(_, last)| *last)
    }

    /// Nobody drives the run here any more.
    pub fn forget(&mut self, run: i64) {
        self.0.remove(&run);
    }

    /// What was written did not become durable.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The statements every batch needs, looked up once for a whole group.
pub(super) struct Statements<'a> {
    connection: &'a Connection,
    blobs: &'a Blobs,
    held: CachedStatement<'a>,
    run: CachedStatement<'a>,
    moved: CachedStatement<'a>,
    record: CachedStatement<'a>,
}

impl<'a> Statements<'a> {
    pub fn new(connection: &'a Connection, blobs: &'a Blobs) -> rusqlite::Result<Self> {
        let held = connection.prepare_cached("SELECT last FROM head WHERE run = ?1 AND fence = ?2")?;
        let moved = connection.prepare_cached(
            "UPDATE head SET state = ?1, updated = ?2, records = coalesce(?3, records), last = ?4
             WHERE run = ?5 AND fence = ?6",
        )?;
        // Most commits only move a run.
        let run = connection.prepare_cached(
            "UPDATE run SET status = ?1, micro_usd = ?2, tokens = ?3, calls = ?4 WHERE id = ?5",
        )?;
        let record = connection.prepare_cached(
            "INSERT INTO record (run, n, at, body, hash, back) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        Ok(Self { connection, blobs, held, run, moved, record })
    }

    /// Writes a batch; false if its driver no longer holds the run.
    pub fn write(&mut self, batch: &Batch, ends: &mut Ends) -> rusqlite::Result<bool> {
        let Batch { run, fence, .. } = batch;
        let end = match ends.of(*run, *fence) {
            Some(last) => Some(last),
            None => self.held.query_row((run, fence), |row| row.get(0)).optional()?,
        };
        let Some(mut last) = end else { return Ok(false) };
        let mut places = Vec::with_capacity(batch.records.len());
        for Chained { n, at, text, hash } in &batch.records {
            self.record.execute((run, n.cast_signed(), at.0.cast_signed(), text, &hash.0, last))?;
            let place = self.connection.last_insert_rowid();
            places.push(place);
            last = Some(place);
        }
        if self.move_run(batch, last)? == 0 {
            // Somebody has taken the run over since we last looked: it was never ours to write.
            ends.forget(*run);
            self.connection
                .execute("DELETE FROM record WHERE run = ?1 AND seq >= ?2", (run, places.first()))?;
            return Ok(false);
        }
        for named in places.iter().copied().zip(&batch.records) {
            named::keep(self.connection, named, &batch.blobs, self.blobs)?;
        }
        ends.0.insert(*run, (*fence, last));
        for change in &batch.questions {
            write_question(self.connection, *run, change)?;
        }
        for (cache, kept) in [(Cache::Snapshot, &batch.snapshot), (Cache::Outline, &batch.outline)] {
            if let Some(kept) = kept {
                cache.write(self.connection, *run, kept)?;
            }
        }
        if let Some((n, ..)) = &batch.outline
            && let Some((place, _)) = places.iter().zip(&batch.records).find(|(_, record)| record.n == *n)
        {
            cache::write_place(self.connection, *run, *n, *place)?;
        }
        Ok(true)
    }

    /// What the list of runs says from now on; 0 if the run is not ours.
    fn move_run(&mut self, batch: &Batch, last: Option<i64>) -> rusqlite::Result<usize> {
        let Batch { run, fence, shown, .. } = batch;
        let (at, count) =
            (shown.at.0.cast_signed(), batch.records.last().map(|record| record.n.cast_signed()));
        let moved = self.moved.execute((&shown.state, at, count, last, run, fence))?;
        if let Some(status) = batch.status.as_ref().filter(|_| moved > 0) {
            let spent = [shown.spent.micro_usd, shown.spent.tokens, shown.spent.calls].map(u64::cast_signed);
            let [usd, tokens, calls] = spent;
            self.run.execute((status, usd, tokens, calls, run))?;
        }
        Ok(moved)
    }
}

pub(super) fn write_question(
    connection: &Connection,
    run: i64,
    change: &QuestionChange,
) -> rusqlite::Result<()> {
    match change {
        QuestionChange::Put { key, question, asked, deadline } => {
            let body = serde_json::to_string(question).unwrap_or_default();
            connection
                .prepare_cached("INSERT OR REPLACE INTO question (run, key, body, asked, deadline) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute((run, key, body, asked.0.cast_signed(), deadline.map(|at| at.0.cast_signed())))?;
        }
        QuestionChange::Close { key } => {
            connection
                .prepare_cached("DELETE FROM question WHERE run = ?1 AND key = ?2")?
                .execute((run, key))?;
        }
        QuestionChange::CloseAll => {
            connection.prepare_cached("DELETE FROM question WHERE run = ?1")?.execute([run])?;
        }
        QuestionChange::Child { key, run: child } => {
            connection
                .prepare_cached("INSERT OR REPLACE INTO child (run, key, name) VALUES (?1, ?2, ?3)")?
                .execute((run, key, &child.0))?;
        }
        QuestionChange::ChildOver { key } => {
            connection
                .prepare_cached("DELETE FROM child WHERE run = ?1 AND key = ?2")?
                .execute((run, key))?;
        }
    }
    Ok(())
}

impl super::Store {
    /// Makes a run: its row, its table and its first record, in one transaction.
    pub fn create(&self, new: NewRun) -> Result<(), RunsError> {
        for (hash, bytes) in &new.blobs {
            self.blobs().keep(hash, bytes)?;
        }
        let name = new.name.clone();
        let first = Reached::at(Name::from(&name), new.first.n, new.first.hash, Spend::NONE);
        let after = self.anchor().last_row()?;
        let shares = new.shares.as_ref().map(|run| self.shared_end(run, new.first.n - 1)).transpose()?;
        let blobs = self.blobs().clone();
        match self.writer()?.run(move |connection| insert_run(connection, &new, shares, after, &blobs))? {
            Some(row) => Ok(self.anchor().set(row, &first)?),
            None => Err(RunsError::Taken(name)),
        }
    }
}

/// Where the records end that a new run shares with another.
#[derive(Clone, Copy)]
struct SharedEnd {
    /// The row the last of them belongs to.
    run: i64,
    /// Its number.
    n: i64,
    /// Its place.
    place: i64,
}

impl super::Store {
    /// Record `n` of a run, whichever row it belongs to.
    fn shared_end(&self, run: &RunId, n: u64) -> Result<SharedEnd, RunsError> {
        let n = n.cast_signed();
        let found = self.read(|connection| {
            let Some(Extent { segments, .. }) = back::extent(connection, run)? else { return Ok(None) };
            let place = back::place_of(connection, run, n)?;
            let owner = segments.into_iter().find(|segment| segment.after < n);
            Ok(owner.zip(place).map(|(owner, place)| SharedEnd { run: owner.run, n, place }))
        })?;
        found.ok_or_else(|| RunsError::Damaged { run: run.clone(), n: n.cast_unsigned() })
    }
}

/// Makes a run behind all others, those that are gone included; its row, or nothing if the name is taken.
fn insert_run(
    connection: &Connection,
    new: &NewRun,
    shares: Option<SharedEnd>,
    after: i64,
    blobs: &Blobs,
) -> rusqlite::Result<Option<i64>> {
    let made = connection.execute(
        "INSERT OR IGNORE INTO run (name, workflow, title, parent, status, started, id, origin, shared)
         VALUES (?1, ?2, ?3, ?4, '{\"status\":\"running\"}', ?5,
                 1 + max(?6, (SELECT coalesce(max(id), 0) FROM run)), ?7, ?8)",
        (
            &new.name.0,
            &new.workflow,
            &new.title,
            new.parent.as_ref().map(|parent| &parent.0),
            new.first.at.0.cast_signed(),
            after,
            shares.map(|shared| shared.run),
            shares.map_or(0, |shared| shared.n),
        ),
    )?;
    if made == 0 {
        return Ok(None);
    }
    let run = connection.last_insert_rowid();
    connection.execute(
        "INSERT OR IGNORE INTO definition (hash, body) VALUES (?1, ?2)",
        (&new.table.0.0, &new.table.1),
    )?;
    connection.execute(
        "INSERT INTO record (run, n, at, body, hash, back) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            run,
            new.first.n.cast_signed(),
            new.first.at.0.cast_signed(),
            &new.first.text,
            &new.first.hash.0,
            shares.map(|shared| shared.place),
        ),
    )?;
    let place = connection.last_insert_rowid();
    named::keep(connection, (place, &new.first), &new.blobs, blobs)?;
    connection.execute(
        "INSERT INTO head (run, fence, state, updated, records, last) VALUES (?1, 0, ?2, ?3, ?4, ?5)",
        (run, &new.state, new.first.at.0.cast_signed(), new.first.n.cast_signed(), place),
    )?;
    Ok(Some(run))
}
