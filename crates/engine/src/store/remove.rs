//! Removing a run for good, and finding what nobody names any more. Records that a fork shares stay: they become the fork's.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::read::run_id;
use super::{FILE, Store, named, schema};
use crate::parcel::hashes_in;
use crate::runs::{Alone, Removed, RunsError};
use crate::{Hash, RunId, Status, StopReason, folder};

impl Store {
    /// Removes a run and everything below it. Refused while anybody drives one of them, for a child whose parent is there,
    /// and for a run that is not over unless `unfinished` ones may go too.
    pub async fn remove(&self, run: &RunId, unfinished: bool) -> Result<Vec<Removed>, RunsError> {
        if let Some(parent) = self.parent(run)? {
            return Err(RunsError::InUse(format!(
                "run {run} belongs to run {parent}, which goes by what it brought; `baton rm {parent}` removes both"
            )));
        }
        let mut family: Vec<RunId> = self.descendants(run)?.into_iter().map(|row| row.name).collect();
        family.insert(0, run.clone());
        let mut leases = Vec::new();
        for name in &family {
            leases.push(self.lease(name).await?);
            let status = self.run(name)?.status;
            let over = matches!(status, Status::Finished(_) | Status::Stopped(StopReason::Cancelled));
            if !over && !unfinished {
                return Err(RunsError::InUse(format!(
                    "run {name} is not over and could go on; `baton rm {run} --unfinished` removes it all the same"
                )));
            }
        }
        let mut removed = Vec::new();
        for (name, lease) in family.iter().zip(&leases).rev() {
            // The anchor forgets first: a crash between the two leaves it behind, which is no alarm.
            self.anchor().clear(lease.run)?;
            self.anchor().sync()?;
            let (row, taken) = (lease.run, name.clone());
            removed.push(self.writer()?.run(move |connection| remove(connection, row, taken))?);
            clear_folder(self.home(), name);
        }
        removed.reverse();
        Ok(removed)
    }

    /// Every hash that the records of this home name, or a long payload which they name, or a file below one of these
    /// folders.
    pub fn named_hashes(&self, also: &[&Path]) -> Result<BTreeSet<Hash>, RunsError> {
        let mut named = self.read(named::all)?;
        for folder in also {
            hashes_below(folder, &mut named);
        }
        Ok(named)
    }

    /// Waits until nobody opens the home, and keeps others from it; refused while another process works in it.
    pub fn alone(&self) -> Result<Alone, RunsError> {
        let lock = schema::alone(&self.home().join(FILE))?;
        let ours = super::lease::describe(&std::process::id().to_string());
        let other = self.lock_files()?.into_iter().find(|lock| lock.lives && lock.process != ours);
        match other {
            Some(other) => Err(RunsError::InUse(format!(
                "{} works in this home, and may be about to name what nobody names yet; try again when it has ended",
                other.process
            ))),
            None => Ok(Alone { _lock: lock }),
        }
    }
}

/// Removes one run; the records a fork shares become that fork's, the one that shares most.
fn remove(connection: &Connection, row: i64, run: RunId) -> rusqlite::Result<Removed> {
    let heir: Option<(i64, i64, RunId)> = connection
        .query_row(
            "SELECT id, shared, name FROM run WHERE origin = ?1 ORDER BY shared DESC, id LIMIT 1",
            [row],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let mut kept_by = None;
    if let Some((heir, shared, name)) = heir {
        let kept = connection
            .execute("UPDATE record SET run = ?2 WHERE run = ?1 AND n <= ?3", (row, heir, shared))?;
        connection.execute(
            "UPDATE run SET origin = (SELECT origin FROM run WHERE id = ?1),
                            shared = (SELECT shared FROM run WHERE id = ?1) WHERE id = ?2",
            (row, heir),
        )?;
        connection.execute("UPDATE run SET origin = ?2 WHERE origin = ?1", (row, heir))?;
        kept_by = Some((name, kept as u64));
    }
    named::forget(connection, row, 1)?;
    let records = connection.execute("DELETE FROM record WHERE run = ?1", [row])? as u64;
    for table in ["snapshot", "outline", "question", "inbox", "child", "torn", "head"] {
        connection.execute(&format!("DELETE FROM {table} WHERE run = ?1"), [row])?;
    }
    connection.execute("DELETE FROM run WHERE id = ?1", [row])?;
    debug_assert!(run_id(connection, &run)?.is_none(), "a name belongs to one row");
    Ok(Removed { run, records, kept_by })
}

/// The run's folder is a projection of what is gone. If it cannot be removed nothing rests on it.
fn clear_folder(home: &Path, run: &RunId) {
    let path = folder::path(home, run);
    let _ = std::fs::remove_dir_all(&path);
    let _ = std::fs::remove_file(path.with_file_name(format!(".{run}.lock")));
}

/// Adds the hashes in every file below a folder; what cannot be read names nothing.
fn hashes_below(folder: &Path, found: &mut BTreeSet<Hash>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => hashes_below(&entry.path(), found),
            Ok(kind) if kind.is_file() => {
                if let Ok(bytes) = std::fs::read(entry.path()) {
                    hashes_in(&bytes, found);
                }
            }
            _ => {}
        }
    }
}
