//! What only a person who looks after a home needs: how the file is kept, and which processes are at work.

use std::fs::{File, TryLockError};

use serde::Serialize;

use super::{Store, schema};
use crate::host::HostError;
use crate::runs::RunsError;

/// How the journal's file is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Keeping {
    /// The version of the SQLite library.
    pub sqlite: &'static str,
    /// The format of the file.
    pub format: u32,
    /// How SQLite journals its own writes.
    pub journal_mode: String,
    /// How far SQLite waits for the disk; 2 is until it is there.
    pub synchronous: i64,
    /// The size of the file in bytes, without what waits beside it.
    pub bytes: u64,
    /// What SQLite's own check of the file found.
    pub damage: Vec<String>,
}

/// The lock file of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockFile {
    /// The process.
    pub process: String,
    /// Whether it lives.
    pub lives: bool,
}

impl Store {
    /// How the file is kept, as the writing connection sees it, and whether SQLite finds it whole.
    pub fn keeping(&self) -> Result<Keeping, RunsError> {
        let (journal_mode, synchronous, bytes) = self.writer()?.run(|connection| {
            let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0));
            let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
            let bytes = number("PRAGMA page_count")? * number("PRAGMA page_size")?;
            Ok((text("PRAGMA journal_mode")?, number("PRAGMA synchronous")?, bytes.cast_unsigned()))
        })?;
        let damage: Vec<String> = self.read(|connection| {
            connection.prepare("PRAGMA quick_check(20)")?.query_map([], |row| row.get(0))?.collect()
        })?;
        let damage = damage.into_iter().filter(|line| line != "ok").collect();
        Ok(Keeping {
            sqlite: rusqlite::version(),
            format: schema::VERSION,
            journal_mode,
            synchronous,
            bytes,
            damage,
        })
    }

    /// The lock files of this home. Only looks: a file that is just being made must not be taken away.
    pub fn lock_files(&self) -> Result<Vec<LockFile>, HostError> {
        let trouble = |error: std::io::Error| HostError::file("looking at the locks", &error);
        let mut locks = Vec::new();
        for entry in std::fs::read_dir(self.home().join("locks")).map_err(trouble)? {
            let entry = entry.map_err(trouble)?;
            let token = entry.file_name().to_string_lossy().into_owned();
            // One that vanishes while we look was given back.
            let Ok(file) = File::open(entry.path()) else { continue };
            let lives = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            locks.push(LockFile { process: super::lease::describe(&token), lives });
        }
        Ok(locks)
    }
}
