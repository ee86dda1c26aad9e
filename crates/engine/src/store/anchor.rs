//! The newest head of every chain, outside the database: what was durable once and is gone can then be seen.
//!
//! A run's row has two slots in one file, each with its own checksum and each in a page of its own, so that a torn
//! page leaves the other. A slot is written after the commit it speaks of has returned: it may lie behind the
//! database, and it is ahead of it only if the database has lost something. Nothing here compares; see `loss`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::Connection;

use super::StoreError;
use crate::{Hash, RunId, Spend};

const NAME: usize = 24;
const SLOT: usize = 128;
const BODY: usize = SLOT - 8;
const PAGE: usize = 4096;
/// Runs of one page; the page after it holds their other slots.
const ROWS: u64 = (PAGE / SLOT) as u64;
/// A run's lag after a power cut is bounded by this many commits; SQLite folds its log about as often.
const SYNC_EVERY: u64 = 1024;

/// A run's name as a slot holds it, cut where it is longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name([u8; NAME]);

impl From<&RunId> for Name {
    fn from(run: &RunId) -> Self {
        let mut name = [0; NAME];
        name.iter_mut().zip(run.0.bytes()).for_each(|(to, from)| *to = from);
        Self(name)
    }
}

impl Name {
    /// The run.
    pub fn run(&self) -> RunId {
        RunId(String::from_utf8_lossy(&self.0).trim_end_matches('\0').to_owned())
    }
}

/// What a slot says of a run: how far its journal reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The run.
    pub name: Name,
    /// Its last record.
    pub n: u64,
    /// The hash of that record.
    pub hash: Hash,
    /// What the run had spent by then.
    pub spent: Spend,
    /// What was lost behind this record and accepted by a person, until the run goes on; record 0 for nothing.
    pub lost: (u64, Spend),
}

impl Reached {
    /// A run that stands at this record.
    pub fn at(name: Name, n: u64, hash: Hash, spent: Spend) -> Self {
        Self { name, n, hash, spent, lost: (0, Spend::NONE) }
    }

    fn bytes(&self) -> [u8; SLOT] {
        let Self { name, n, hash, spent, lost } = self;
        let mut slot = [0; SLOT];
        let mut rest = slot.as_mut_slice();
        let mut put = |bytes: &[u8]| {
            let (here, after) = std::mem::take(&mut rest).split_at_mut(bytes.len());
            here.copy_from_slice(bytes);
            rest = after;
        };
        put(&name.0);
        put(&hash.0);
        let numbers = [
            *n,
            spent.micro_usd,
            spent.tokens,
            spent.calls,
            lost.0,
            lost.1.micro_usd,
            lost.1.tokens,
            lost.1.calls,
        ];
        numbers.iter().for_each(|number| put(&number.to_be_bytes()));
        let check = check(&slot[..BODY]);
        slot[BODY..].copy_from_slice(&check);
        slot
    }

    /// What a slot says, if it is whole.
    fn read(slot: &[u8]) -> Option<Self> {
        let (body, sum) = slot.split_at_checked(BODY)?;
        if is_empty(slot) || check(body) != sum {
            return None;
        }
        let (name, body) = body.split_first_chunk::<NAME>()?;
        let (hash, body) = body.split_first_chunk::<32>()?;
        let mut numbers = body.as_chunks::<8>().0.iter().map(|bytes| u64::from_be_bytes(*bytes));
        let mut next = || numbers.next();
        let n = next()?;
        let mut spend = || Some(Spend { micro_usd: next()?, tokens: next()?, calls: next()? });
        let spent = spend()?;
        let lost_to = next()?;
        let mut spend = || Some(Spend { micro_usd: next()?, tokens: next()?, calls: next()? });
        Some(Self { name: Name(*name), n, hash: Hash(*hash), spent, lost: (lost_to, spend()?) })
    }
}

fn is_empty(slot: &[u8]) -> bool {
    slot.iter().all(|byte| *byte == 0)
}

/// A checksum against tears and flipped bits, not against people; a cryptographic one would cost a tenth of a commit
/// when many runs share it. Each step can be undone, so that no change of a single word goes unnoticed.
fn check(body: &[u8]) -> [u8; 8] {
    let mix = |sum: u64, word: &[u8; 8]| {
        let sum = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^ (sum >> 32)
    };
    let seed = u64::from_le_bytes(*b"anchor 1");
    body.as_chunks::<8>().0.iter().fold(seed, mix).to_le_bytes()
}

/// What the file says of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing was written there.
    Nothing,
    /// How far the run reached.
    Reached(Reached),
    /// Both slots are damaged.
    Unreadable,
}

impl Said {
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
    file: File,
    /// Groups written by this process: they go to one side and the other in turn.
    groups: AtomicU64,
    dirty: AtomicBool,
}

/// Where the heads of a home are kept.
pub fn path(home: &Path) -> PathBuf {
    home.join("baton.anchor")
}

/// What the file of a home says, without making one.
pub fn look(home: &Path) -> Result<Vec<Reached>, StoreError> {
    match File::open(path(home)) {
        Ok(file) => Ok(Anchor::on(file).all()?.into_iter().filter_map(|(_, said)| said.reached()).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(trouble(&error)),
    }
}

impl Said {
    /// How far the run reached, whichever it is.
    pub fn reached(self) -> Option<Reached> {
        match self {
            Self::Reached(reached) => Some(reached),
            _ => None,
        }
    }
}

fn trouble(error: &std::io::Error) -> StoreError {
    StoreError::file("anchoring the journal", error)
}

impl Anchor {
    fn on(file: File) -> Self {
        Self { file, groups: AtomicU64::new(0), dirty: AtomicBool::new(false) }
    }

    /// Opens the file of a home. A home from before there was one gets it now, from what its database holds;
    /// the caller is alone in opening.
    pub fn open(home: &Path, connection: &Connection) -> Result<Self, StoreError> {
        let path = path(home);
        let open =
            |path: &Path| File::options().read(true).write(true).create(true).truncate(false).open(path);
        if !path.exists() {
            let temporary = path.with_extension("anchor-new");
            let made = Self::on(File::create(&temporary).map_err(|error| trouble(&error))?);
            for (row, reached) in heads(connection)? {
                made.set(row, &reached)?;
            }
            made.sync()?;
            std::fs::rename(&temporary, &path).map_err(|error| trouble(&error))?;
        }
        open(&path).map(Self::on).map_err(|error| trouble(&error))
    }

    /// Writes the heads of one group of commits, each to one slot; neighbours in one go.
    ///
    /// A slot that cannot be written is no failure of the commit, which is durable: the anchor stays behind.
    pub fn keep(&self, mut heads: Vec<(i64, Reached)>) {
        if heads.is_empty() {
            return;
        }
        let group = self.groups.fetch_add(1, Ordering::Relaxed);
        heads.sort_by_key(|(row, reached)| (*row, reached.n));
        let mut bytes: Vec<u8> = Vec::with_capacity(heads.len() * SLOT);
        let mut begins = None;
        for (at, slot) in heads.iter().map(|(row, reached)| (place(*row, group % 2), reached.bytes())) {
            let ends = begins.map(|begin: u64| begin + bytes.len() as u64);
            if ends == Some(at + SLOT as u64) {
                // The same run twice in a group: the later head stands for both.
                bytes.truncate(bytes.len() - SLOT);
            } else if ends != Some(at) {
                let _ = begins.map(|begin| write_at(&self.file, &bytes, begin));
                bytes.clear();
                begins = Some(at);
            }
            bytes.extend_from_slice(&slot);
        }
        let _ = begins.map(|begin| write_at(&self.file, &bytes, begin));
        self.dirty.store(true, Ordering::Relaxed);
        if group % SYNC_EVERY == SYNC_EVERY - 1 {
            let _ = self.sync();
        }
    }

    /// Writes both slots of a run: a new one, or one that is set back on purpose.
    pub fn set(&self, row: i64, reached: &Reached) -> Result<(), StoreError> {
        self.put(row, &reached.bytes())
    }

    /// Forgets a run.
    pub fn clear(&self, row: i64) -> Result<(), StoreError> {
        self.put(row, &[0; SLOT])
    }

    fn put(&self, row: i64, slot: &[u8]) -> Result<(), StoreError> {
        self.dirty.store(true, Ordering::Relaxed);
        (0..2)
            .try_for_each(|side| write_at(&self.file, slot, place(row, side)))
            .map_err(|error| trouble(&error))
    }

    /// Waits until what was written is on the disk.
    pub fn sync(&self) -> Result<(), StoreError> {
        if self.dirty.swap(false, Ordering::Relaxed) {
            self.file.sync_data().map_err(|error| trouble(&error))?;
        }
        Ok(())
    }

    /// What the file says of a row.
    pub fn read(&self, row: i64) -> Result<Said, StoreError> {
        let mut slots = [[0; SLOT]; 2];
        for (side, slot) in (0..).zip(&mut slots) {
            read_at(&self.file, slot, place(row, side)).map_err(|error| trouble(&error))?;
        }
        Ok(Said::of([&slots[0], &slots[1]]))
    }

    /// What the file says of every row it speaks of.
    pub fn all(&self) -> Result<Vec<(i64, Said)>, StoreError> {
        let mut found = Vec::new();
        for block in 0..self.blocks()? {
            found.extend(self.block(block)?.into_iter().filter(|(_, said)| *said != Said::Nothing));
        }
        Ok(found)
    }

    /// The highest row the file speaks of: a new run must not take the place of one that was lost.
    pub fn last_row(&self) -> Result<i64, StoreError> {
        for block in (0..self.blocks()?).rev() {
            if let Some((row, _)) = self.block(block)?.into_iter().rfind(|(_, said)| *said != Said::Nothing) {
                return Ok(row);
            }
        }
        Ok(0)
    }

    fn blocks(&self) -> Result<u64, StoreError> {
        let length = self.file.metadata().map_err(|error| trouble(&error))?.len();
        Ok(length.div_ceil(2 * PAGE as u64))
    }

    /// The rows of a page and the one after it.
    fn block(&self, block: u64) -> Result<Vec<(i64, Said)>, StoreError> {
        let mut pages = [0; 2 * PAGE];
        read_at(&self.file, &mut pages, block * 2 * PAGE as u64).map_err(|error| trouble(&error))?;
        let (one, other) = pages.split_at(PAGE);
        let slots = one.chunks(SLOT).zip(other.chunks(SLOT));
        let rows = block * ROWS + 1..;
        Ok(rows.zip(slots).map(|(row, (one, other))| (row.cast_signed(), Said::of([one, other]))).collect())
    }
}

/// Where a run's slot of one side stands. Rows are counted from 1.
fn place(row: i64, side: u64) -> u64 {
    let index = row.cast_unsigned().saturating_sub(1);
    (index / ROWS * 2 + side) * PAGE as u64 + index % ROWS * SLOT as u64
}

/// The heads a database holds.
fn heads(connection: &Connection) -> Result<Vec<(i64, Reached)>, StoreError> {
    let sql = "SELECT run.id, run.name, record.n, record.hash, run.micro_usd, run.tokens, run.calls
               FROM run JOIN record ON record.seq = run.last";
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
    read().map_err(|error| StoreError::sqlite("anchoring the journal", &error))
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
