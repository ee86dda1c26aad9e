//! Walking a run's chain of hashes from its first record to its last.

use rusqlite::types::ValueRef;
use serde::Serialize;

use super::anchor::{Name, Reached};
use super::back::{Extent, Segment};
use super::{Store, back, named};
use crate::driver::Snapshot;
use crate::record::Chained;
use crate::runs::{Damage, Loss, RunsError};
use crate::{Hash, Millis, RunId};

/// What checking a run's chain found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Whole records.
    pub records: u64,
    /// The hash of the last whole record.
    pub head: Hash,
    /// The first damage.
    pub damage: Option<Damage>,
    /// What the anchor says was there and is not.
    pub loss: Option<Loss>,
}

pub(super) struct Walk {
    pub tail: Vec<Chained>,
    pub snapshot: Option<Snapshot>,
    pub records: u64,
    pub head: Hash,
    /// The hash of the record that was asked for by number.
    pub marked: Option<Hash>,
    /// The long payloads its records name.
    pub payloads: Vec<Hash>,
    pub damage: Option<Damage>,
}

impl Store {
    /// Checks every record of a run against its hash, and the last one against the anchor.
    pub fn verify(&self, run: &RunId) -> Result<Verified, RunsError> {
        let (walk, loss, _) = self.compared(run, &[])?;
        Ok(Verified { records: walk.records, head: walk.head, damage: walk.damage, loss })
    }

    /// Takes a damaged last record out of the journal and keeps it aside. The caller holds the lease.
    pub(crate) fn set_torn_aside(&self, run: &RunId, n: u64, now: Millis) -> Result<(), RunsError> {
        self.set_anchor_back(run)?;
        let name = run.0.clone();
        self.writer()?.run(move |connection| {
            let arguments = (&name, n.cast_signed(), now.0.cast_signed());
            connection.execute(
                "INSERT INTO torn (run, n, at, body, hash, found)
                 SELECT record.run, record.n, record.at, CAST(record.body AS BLOB), record.hash, ?3
                 FROM record JOIN run ON run.id = record.run WHERE run.name = ?1 AND record.n >= ?2",
                arguments,
            )?;
            if let Some(row) = super::read::run_id(connection, &RunId(name.clone()))? {
                named::forget(connection, row, n.cast_signed())?;
            }
            connection.execute(
                "DELETE FROM record WHERE n >= ?2 AND run = (SELECT id FROM run WHERE name = ?1)",
                (&name, n.cast_signed()),
            )?;
            connection.execute(
                "UPDATE head SET last = (SELECT max(seq) FROM record WHERE record.run = head.run), records = ?2 - 1
                 WHERE run = (SELECT id FROM run WHERE name = ?1)",
                (&name, n.cast_signed()),
            )?;
            for table in ["snapshot", "outline"] {
                connection.execute(
                    &format!("DELETE FROM {table} WHERE n >= ?2 AND run = (SELECT id FROM run WHERE name = ?1)"),
                    (&name, n.cast_signed()),
                )?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Sets the anchor to the last whole record before the database forgets what is behind it: a crash between
    /// the two then leaves the anchor behind, which is no alarm.
    fn set_anchor_back(&self, run: &RunId) -> Result<(), RunsError> {
        let walk = self.walk(run, Vec::new(), 0)?;
        if let Some(row) = self.read(|connection| super::read::run_id(connection, run))? {
            let spent = self.run(run)?.spent;
            self.anchor().set(row, &Reached::at(Name::from(run), walk.records, walk.head, spent))?;
            self.anchor().sync()?;
        }
        Ok(())
    }

    /// Walks the chain. Keeps the records behind the newest of `snapshots` that fits it, and the hash of record `mark`.
    pub(super) fn walk(&self, run: &RunId, snapshots: Vec<Snapshot>, mark: u64) -> Result<Walk, RunsError> {
        if let Some(whole) = self.walk_back(run, &snapshots, mark)? {
            return Ok(whole);
        }
        self.walk_forward(run, snapshots, mark)
    }

    /// The quick way, last record first; nothing if anything about the run is not as it was.
    fn walk_back(&self, run: &RunId, snapshots: &[Snapshot], mark: u64) -> Result<Option<Walk>, RunsError> {
        let mut tail: Vec<Chained> = Vec::new();
        let mut behind: Option<Chained> = None;
        let (mut head, mut marked) = (None, None);
        let mut payloads = Vec::new();
        let mut snapshot: Option<&Snapshot> = None;
        let mut sound = true;
        let through = self.read(|connection| {
            back::walk(connection, run, |record| {
                head.get_or_insert((record.n, record.hash));
                if record.n == mark {
                    marked = Some(record.hash);
                }
                payloads.extend(record.long_payload());
                sound = behind.take().is_none_or(|later| {
                    let follows = later.follows(record.hash);
                    if snapshot.is_none() {
                        tail.push(later);
                    }
                    follows
                });
                if snapshot.is_none() {
                    snapshot = snapshots.iter().find(|it| it.n == record.n && it.hash == record.hash);
                }
                behind = Some(record);
                sound
            })
        })?;
        let Some(first) = behind.filter(|first| through && sound && first.follows(Hash::ZERO)) else {
            return Ok(None);
        };
        if snapshot.is_none() {
            tail.push(first);
        }
        tail.reverse();
        let (records, head) = head.unwrap_or((0, Hash::ZERO));
        Ok(Some(Walk { tail, snapshot: snapshot.cloned(), records, head, marked, payloads, damage: None }))
    }

    /// The patient way, by number: finds the first record that is not what it was.
    fn walk_forward(&self, run: &RunId, mut snapshots: Vec<Snapshot>, mark: u64) -> Result<Walk, RunsError> {
        let expected = self.run(run)?.records;
        let mut walk = Walk {
            tail: Vec::new(),
            snapshot: None,
            records: 0,
            head: Hash::ZERO,
            marked: None,
            payloads: Vec::new(),
            damage: None,
        };
        // Oldest first, so that the walk meets them in order.
        snapshots.sort_by_key(|snapshot| std::cmp::Reverse(snapshot.n));
        self.read(|connection| {
            let Some(Extent { segments, .. }) = back::extent(connection, run)? else { return Ok(()) };
            let sql = "SELECT n, at, body, hash FROM record WHERE run = ?1 AND n > ?2 AND n <= ?3 ORDER BY n";
            let mut statement = connection.prepare_cached(sql)?;
            for Segment { run, after, to } in segments.into_iter().rev() {
                let mut rows = statement.query((run, after, to.unwrap_or(i64::MAX)))?;
                while let Some(row) = rows.next()? {
                    if let Some(damage) = walk.damage.as_mut() {
                        damage.is_last = false;
                        return Ok(());
                    }
                    match whole(row, walk.records + 1, walk.head) {
                        Ok(record) => {
                            if record.n == mark {
                                walk.marked = Some(record.hash);
                            }
                            walk.take(record, &mut snapshots);
                        }
                        Err((n, what)) => walk.damage = Some(Damage { n, what, is_last: true }),
                    }
                }
            }
            Ok(())
        })?;
        if walk.damage.is_none() && walk.records < expected {
            let what = format!("the list of runs says there were {expected} records");
            walk.damage = Some(Damage { n: walk.records + 1, what, is_last: true });
        }
        Ok(walk)
    }
}

impl Walk {
    fn take(&mut self, record: Chained, snapshots: &mut Vec<Snapshot>) {
        self.records = record.n;
        self.head = record.hash;
        self.payloads.extend(record.long_payload());
        self.tail.push(record);
        if snapshots.last().is_some_and(|snapshot| snapshot.n == self.records)
            && let Some(snapshot) = snapshots.pop()
            && snapshot.hash == self.head
        {
            self.tail.clear();
            self.snapshot = Some(snapshot);
        }
    }
}

/// The record in a row, if it is number `n` and follows `previous` undamaged.
fn whole(row: &rusqlite::Row<'_>, n: u64, previous: Hash) -> Result<Chained, (u64, String)> {
    let bad = |what: &str| (n, what.to_owned());
    let found: i64 = row.get(0).map_err(|_| bad("its number is not a number"))?;
    if found.cast_unsigned() != n {
        return Err((n, format!("it is missing; the next one is {found}")));
    }
    let at: i64 = row.get(1).map_err(|_| bad("its time is not a number"))?;
    let text = match row.get_ref(2) {
        Ok(ValueRef::Text(bytes)) => {
            std::str::from_utf8(bytes).map_err(|_| bad("its body is not text"))?.to_owned()
        }
        _ => return Err(bad("its body is not text")),
    };
    let hash = row.get_ref(3).ok().and_then(|value| value.as_blob().ok()).and_then(Hash::from_slice);
    let hash = hash.ok_or_else(|| bad("its hash is not a hash"))?;
    let record = Chained { n, at: Millis(at.cast_unsigned()), text, hash };
    if record.follows(previous) {
        Ok(record)
    } else {
        Err(bad("its hash does not fit its content and the record before it"))
    }
}
