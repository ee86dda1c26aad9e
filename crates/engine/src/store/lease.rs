//! Who drives a run. One locked file per process, and a fencing number per run.
//!
//! A process holds an operating-system lock for as long as it lives, however it ends. A run names the
//! process that drives it; if that process's lock is free, its owner is dead and the run is taken over at
//! once. Every commit names the fencing number it was given, so a driver that was taken over cannot write.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::OptionalExtension;

use super::Store;
use super::anchor::Name;
use crate::cx::lock;
use crate::host::HostError;
use crate::runs::RunsError;
use crate::{Dice, RunId, SystemDice};

/// This process as an owner of leases.
#[derive(Debug)]
pub struct Owner {
    token: String,
    path: PathBuf,
    // Held for the life of the process; dropping it frees the lock.
    _lock: File,
}

impl Owner {
    pub(crate) fn claim(home: &Path) -> Result<Self, HostError> {
        let trouble = |error: std::io::Error| HostError::file("locking the home", &error);
        let folder = home.join("locks");
        std::fs::create_dir_all(&folder).map_err(trouble)?;
        let token = format!("{}-{:016x}", std::process::id(), SystemDice.roll());
        let path = folder.join(&token);
        let lock = File::create(&path).map_err(trouble)?;
        lock.lock().map_err(trouble)?;
        Ok(Self { token, path, _lock: lock })
    }

    /// Whether the process behind a token still lives. A token that no process has claimed names no file of ours.
    fn lives(home: &Path, token: &str) -> bool {
        if !is_token(token) {
            return false;
        }
        let path = home.join("locks").join(token);
        let Ok(file) = File::open(&path) else { return false };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => true,
            Ok(()) | Err(TryLockError::Error(_)) => {
                // A dead process's file: nobody else will ever lock it, so it may go.
                let _ = std::fs::remove_file(&path);
                false
            }
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // If it cannot be removed it is only an unlocked leftover, and the next one to meet it removes it.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The right to drive one run, until dropped.
#[derive(Debug)]
pub struct Lease {
    store: Store,
    pub(crate) name: Name,
    pub(crate) run: i64,
    pub(crate) fence: i64,
    released: bool,
}

impl Store {
    /// Takes the right to drive a run, from a dead owner if need be.
    pub async fn lease(&self, run: &RunId) -> Result<Lease, RunsError> {
        let (id, owner, fence) = self.owner_of(run)?;
        if let Some(token) = owner.filter(|token| self.is_held(id, token)) {
            return Err(RunsError::Held { run: run.clone(), owner: describe(&token) });
        }
        let writer = self.writer()?;
        let token = self.token().unwrap_or_default().to_owned();
        let take = writer.run_async(move |connection| {
            let taken = connection
                .prepare_cached("UPDATE head SET fence = fence + 1 WHERE run = ?1 AND fence = ?2")?
                .execute((id, fence))?;
            if taken > 0 {
                connection
                    .prepare_cached("UPDATE run SET owner = ?1 WHERE id = ?2")?
                    .execute((&token, id))?;
            }
            Ok(taken)
        });
        if take.await? == 0 {
            // Somebody was faster; say who.
            let (_, owner, _) = self.owner_of(run)?;
            return Err(RunsError::Held {
                run: run.clone(),
                owner: owner.map_or_else(|| "another process".to_owned(), |token| describe(&token)),
            });
        }
        lock(&self.inner.held).insert(id);
        Ok(Lease { store: self.clone(), name: Name::from(run), run: id, fence: fence + 1, released: false })
    }

    /// Whether somebody drives the run now.
    pub fn is_driven(&self, run: &RunId) -> Result<bool, RunsError> {
        let (id, owner, _) = self.owner_of(run)?;
        Ok(owner.is_some_and(|token| self.is_held(id, &token)))
    }

    /// The other living process behind a token, in words.
    pub(super) fn other(&self, token: &str) -> Option<String> {
        (self.token() != Some(token) && Owner::lives(self.home(), token)).then(|| describe(token))
    }

    /// What this process signs its leases with; none if it can have none.
    fn token(&self) -> Option<&str> {
        self.inner.owner.as_ref().map(|owner| owner.token.as_str())
    }

    /// Whether the owner a run names still drives it. This process knows its own leases by heart: what the
    /// file says of them may lag behind.
    fn is_held(&self, run: i64, token: &str) -> bool {
        if self.token() == Some(token) {
            return lock(&self.inner.held).contains(&run);
        }
        Owner::lives(self.home(), token)
    }

    fn owner_of(&self, run: &RunId) -> Result<(i64, Option<String>, i64), RunsError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, owner, fence FROM run JOIN head ON head.run = run.id WHERE name = ?1",
                )?
                .query_row([&run.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()
        })?
        .ok_or_else(|| self.no_run(&run.0))
    }
}

impl Lease {
    /// Gives the run back and returns when that is durable.
    pub(crate) async fn release(mut self) {
        self.released = true;
        let (run, fence) = (self.run, self.fence);
        // If it cannot be written the lease ends with the process, which is what the lock is for.
        if let Ok(writer) = self.store.writer() {
            drop(writer.give_back(run, fence).await);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (run, fence) = (self.run, self.fence);
        lock(&self.store.inner.held).remove(&run);
        if !self.released
            && let Ok(writer) = self.store.writer()
        {
            drop(writer.give_back(run, fence));
        }
    }
}

pub(super) fn give_back(connection: &rusqlite::Connection, run: i64, fence: i64) -> rusqlite::Result<usize> {
    connection
        .prepare_cached("UPDATE run SET owner = NULL WHERE id = ?1 AND EXISTS (SELECT 1 FROM head WHERE run = ?1 AND fence = ?2)")?
        .execute((run, fence))
}

/// Whether this looks like what `claim` makes: a process and sixteen hexadecimal digits.
fn is_token(text: &str) -> bool {
    let all = |part: &str, fits: fn(&u8) -> bool| !part.is_empty() && part.bytes().all(|byte| fits(&byte));
    text.split_once('-').is_some_and(|(process, chance)| {
        all(process, u8::is_ascii_digit) && chance.len() == 16 && all(chance, u8::is_ascii_hexdigit)
    })
}

pub(super) fn describe(token: &str) -> String {
    format!("process {}", token.split('-').next().unwrap_or(token))
}
