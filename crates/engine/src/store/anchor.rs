//! The newest head of every chain, outside the database: what was durable once and is gone can then be seen.
//!
//! A run's row has two slots in one file, each with its own checksum and each in a page of its own, so that a torn
//! page leaves the other. A slot is written after the commit it speaks of has returned: it may lie behind the
//! database, and it is ahead of it only if the database has lost something. Nothing here compares; see `loss`.

mod pages;
mod slot;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::Connection;

use super::error::sqlite;
use crate::cx::lock;
use crate::host::HostError;
use crate::{Hash, RunId, Spend};
use pages::Pages;
pub use slot::{Name, Reached};
use slot::{SLOT, is_empty};

const PAGE: usize = 4096;
/// Runs of one page; the page after it holds their other slots.
const ROWS: u64 = (PAGE / SLOT) as u64;
/// A run's lag after a power cut is bounded by this many commits; SQLite folds its log about as often.
const SYNC_EVERY: u64 = 1024;

/// What the file says of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorRow {
    /// Nothing was written there.
    Nothing,
    /// How far the run reached.
    Reached(Reached),
    /// Both slots are damaged.
    Unreadable,
}

impl AnchorRow {
    /// The newer whole slot of two. Where a run is set back both are written, so the number alone decides.
    fn of(slots: [&[u8]; 2]) -> Self {
        let newest = slots.iter().filter_map(|slot| Reached::read(slot)).max_by_key(|reached| reached.n);
        match newest {
            Some(reached) => Self::Reached(reached),
            None if slots.iter().all(|slot| is_empty(slot)) => Self::Nothing,
            None => Self::Unreadable,
        }
    }

    /// How far the run of this name reached.
    pub fn of_run(self, run: &RunId) -> Option<Reached> {
        match self {
            Self::Reached(reached) if reached.name == Name::from(run) => Some(reached),
            _ => None,
        }
    }
}

/// The file of heads.
#[derive(Debug)]
pub struct Anchor {
    /// None where a home without one is only looked at: nothing is said then.
    file: Option<File>,
    /// Groups written by this process: they go to one side and the other in turn.
    groups: AtomicU64,
    dirty: AtomicBool,
    /// The newest slots of the runs this process drives.
    held: Mutex<Pages>,
}

/// Where the heads of a home are kept.
pub fn path(home: &Path) -> PathBuf {
    home.join("baton.anchor")
}

/// What the file of a home says, without making one.
pub fn look(home: &Path) -> Result<Vec<Reached>, HostError> {
    Ok(Anchor::to_look(home)?.all()?.into_iter().filter_map(|(_, said)| said.reached()).collect())
}

impl AnchorRow {
    /// How far the run reached, whichever it is.
    pub fn reached(self) -> Option<Reached> {
        match self {
            Self::Reached(reached) => Some(reached),
            _ => None,
        }
    }
}

fn trouble(error: &std::io::Error) -> HostError {
    HostError::file("anchoring the journal", error)
}

impl Anchor {
    fn on(file: Option<File>) -> Self {
        Self { file, groups: AtomicU64::new(0), dirty: AtomicBool::new(false), held: Mutex::default() }
    }

    /// Opens the file of a home only to read it, and makes none.
    pub fn to_look(home: &Path) -> Result<Self, HostError> {
        match File::open(path(home)) {
            Ok(file) => Ok(Self::on(Some(file))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::on(None)),
            Err(error) => Err(trouble(&error)),
        }
    }

    /// Opens the file of a home. A home from before there was one gets it now, from what its database holds;
    /// the caller is alone in opening.
    pub fn open(home: &Path, connection: &Connection) -> Result<Self, HostError> {
        let path = path(home);
        let open =
            |path: &Path| File::options().read(true).write(true).create(true).truncate(false).open(path);
        if !path.exists() {
            let temporary = path.with_extension("anchor-new");
            let made = Self::on(Some(File::create(&temporary).map_err(|error| trouble(&error))?));
            for (row, reached) in heads(connection)? {
                made.set(row, &reached)?;
            }
            made.sync()?;
            std::fs::rename(&temporary, &path).map_err(|error| trouble(&error))?;
        }
        open(&path).map(|file| Self::on(Some(file))).map_err(|error| trouble(&error))
    }

    /// Writes the heads of one group of commits, in the order of the commits.
    ///
    /// Each call to the system costs about as much as a record does, so slots between two new ones are written again
    /// where nobody but this process may write them. A slot that cannot be written is no failure of the commit, which
    /// is durable: the anchor stays behind.
    pub fn keep(&self, heads: &[(i64, Reached)]) {
        let Some(file) = self.file.as_ref().filter(|_| !heads.is_empty()) else { return };
        let group = self.groups.fetch_add(1, Ordering::Relaxed);
        let mut held = lock(&self.held);
        heads.iter().for_each(|(row, reached)| held.put(*row, &reached.bytes()));
        held.each_stretch(|first, slots| drop(write_at(file, slots, place(first, group % 2))));
        drop(held);
        self.dirty.store(true, Ordering::Relaxed);
        if group % SYNC_EVERY == SYNC_EVERY - 1 {
            let _ = self.sync();
        }
    }

    /// This process no longer drives the run: its slots belong to whoever drives it next.
    pub fn let_go(&self, row: i64) {
        lock(&self.held).let_go(row);
    }

    /// Writes both slots of a run: a new one, or one that is set back on purpose.
    pub fn set(&self, row: i64, reached: &Reached) -> Result<(), HostError> {
        self.put(row, &reached.bytes())
    }

    /// Forgets a run.
    pub fn clear(&self, row: i64) -> Result<(), HostError> {
        self.put(row, &[0; SLOT])
    }

    fn put(&self, row: i64, slot: &[u8]) -> Result<(), HostError> {
        self.dirty.store(true, Ordering::Relaxed);
        self.let_go(row);
        let Some(file) = &self.file else { return Ok(()) };
        (0..2).try_for_each(|side| write_at(file, slot, place(row, side))).map_err(|error| trouble(&error))
    }

    /// Waits until what was written is on the disk.
    pub fn sync(&self) -> Result<(), HostError> {
        match &self.file {
            Some(file) if self.dirty.swap(false, Ordering::Relaxed) => {
                file.sync_data().map_err(|error| trouble(&error))
            }
            _ => Ok(()),
        }
    }

    /// What the file says of a row.
    pub fn read(&self, row: i64) -> Result<AnchorRow, HostError> {
        let Some(file) = &self.file else { return Ok(AnchorRow::Nothing) };
        let mut slots = [[0; SLOT]; 2];
        for (side, slot) in (0..).zip(&mut slots) {
            read_at(file, slot, place(row, side)).map_err(|error| trouble(&error))?;
        }
        Ok(AnchorRow::of([&slots[0], &slots[1]]))
    }

    /// What the file says of every row it speaks of.
    pub fn all(&self) -> Result<Vec<(i64, AnchorRow)>, HostError> {
        let mut found = Vec::new();
        for block in 0..self.blocks()? {
            found.extend(self.block(block)?.into_iter().filter(|(_, said)| *said != AnchorRow::Nothing));
        }
        Ok(found)
    }

    /// The highest row the file speaks of: a new run must not take the place of one that was lost.
    pub fn last_row(&self) -> Result<i64, HostError> {
        for block in (0..self.blocks()?).rev() {
            if let Some((row, _)) =
                self.block(block)?.into_iter().rfind(|(_, said)| *said != AnchorRow::Nothing)
            {
                return Ok(row);
            }
        }
        Ok(0)
    }

    fn blocks(&self) -> Result<u64, HostError> {
        let Some(file) = &self.file else { return Ok(0) };
        let length = file.metadata().map_err(|error| trouble(&error))?.len();
        Ok(length.div_ceil(2 * PAGE as u64))
    }

    /// The rows of a page and the one after it.
    fn block(&self, block: u64) -> Result<Vec<(i64, AnchorRow)>, HostError> {
        let Some(file) = &self.file else { return Ok(Vec::new()) };
        let mut pages = [0; 2 * PAGE];
        read_at(file, &mut pages, block * 2 * PAGE as u64).map_err(|error| trouble(&error))?;
        let (one, other) = pages.split_at(PAGE);
        let slots = one.chunks(SLOT).zip(other.chunks(SLOT));
        let rows = block * ROWS + 1..;
        Ok(rows
            .zip(slots)
            .map(|(row, (one, other))| (row.cast_signed(), AnchorRow::of([one, other])))
            .collect())
    }
}

/// Where a run's slot of one side stands. Rows are counted from 1.
fn place(row: i64, side: u64) -> u64 {
    (page(row) * 2 + side) * PAGE as u64 + row.cast_unsigned().saturating_sub(1) % ROWS * SLOT as u64
}

/// Which page of its side a row is in.
fn page(row: i64) -> u64 {
    row.cast_unsigned().saturating_sub(1) / ROWS
}

/// The heads a database holds.
fn heads(connection: &Connection) -> Result<Vec<(i64, Reached)>, HostError> {
    let sql = "SELECT run.id, run.name, record.n, record.hash, run.micro_usd, run.tokens, run.calls
               FROM run JOIN head ON head.run = run.id JOIN record ON record.seq = head.last";
    let read = || -> rusqlite::Result<Vec<(i64, Reached)>> {
        let mut statement = connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let number = |index| row.get::<_, i64>(index).map(i64::cast_unsigned);
            let spent = Spend { micro_usd: number(4)?, tokens: number(5)?, calls: number(6)? };
            let hash = Hash::from_slice(&row.get::<_, Vec<u8>>(3)?).unwrap_or(Hash::ZERO);
            Ok((row.get(0)?, Reached::at(Name::from(&RunId(row.get(1)?)), number(2)?, hash, spent)))
        })?;
        rows.collect()
    };
    read().map_err(|error| sqlite("anchoring the journal", &error))
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Reads as much as there is; the rest stays empty.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    read_with(bytes, at, |bytes, at| std::os::unix::fs::FileExt::read_at(file, bytes, at))
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        bytes = &bytes[written..];
        at += written as u64;
    }
    Ok(())
}

/// Reads as much as there is; the rest stays empty.
#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    read_with(bytes, at, |bytes, at| std::os::windows::fs::FileExt::seek_read(file, bytes, at))
}

fn read_with(
    mut bytes: &mut [u8],
    mut at: u64,
    read: impl Fn(&mut [u8], u64) -> std::io::Result<usize>,
) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match read(bytes, at)? {
            0 => return Ok(()),
            some => {
                bytes = &mut bytes[some..];
                at += some as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
