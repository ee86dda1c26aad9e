//! Bringing the index up to date with a folder: read what is new or changed, forget what is gone.
//!
//! Files are read and cut into passages on worker threads; one thread writes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;

use super::schema::MAPPED;
use super::walk::{Entry, Skipped, list};
use super::write::{Content, NewContent, Prepared, folder_id, forget, known, problems, write};
use super::{IndexError, LocalIndex, alone, replaced};
use crate::hash::sha256_hex;
use crate::read::ReadError;
use crate::read::extract::ChildCommand;
use crate::read::files::{FileReader, Limits};
use crate::rules::structure::outline;

/// Documents written in one transaction.
const BATCH: usize = 500;
/// A file changed this shortly before it was last looked at (ns) is looked at again: clocks are coarse.
const RACY: i64 = 2_000_000_000;

/// How far an update has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Documents dealt with.
    pub done: usize,
    /// Documents that need reading.
    pub total: usize,
}

/// What an update did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Update {
    /// Documents in the index for this folder now.
    pub documents: usize,
    /// Read and indexed: new or changed.
    pub indexed: usize,
    /// Not touched.
    pub unchanged: usize,
    /// No longer there.
    pub removed: usize,
    /// Left out, each with its reason.
    pub skipped: Vec<Skipped>,
}

impl LocalIndex {
    /// Brings the index up to date with `folder`. `now` is the time of the call.
    pub fn update(
        &mut self,
        folder: &Path,
        limits: &Limits,
        child: &ChildCommand,
        now: SystemTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Update, IndexError> {
        let listing = list(folder)?;
        // Two processes that search one folder would both index it: the second waits, and finds it done.
        let _alone = self.lock.as_deref().map(alone).transpose()?;
        let root = std::fs::canonicalize(folder)
            .map_err(|source| IndexError::Folder { path: folder.to_owned(), source })?;
        if listing.entries.is_empty() {
            return Err(IndexError::NoDocuments { path: folder.to_owned() });
        }
        // What is mapped counts as memory of this process; a long update would map the whole file.
        self.connection.pragma_update(None, "mmap_size", 0)?;
        let folder_id = folder_id(&self.connection, &root)?;
        let mut known = known(&self.connection, folder_id)?;
        let mut update = Update { skipped: listing.skipped, ..Update::default() };
        let mut work = Vec::new();
        for entry in listing.entries {
            let old = known.remove(&entry.path);
            match old {
                Some(old)
                    if old.size == entry.size
                        && old.modified == entry.modified
                        && entry.modified + RACY < old.checked =>
                {
                    update.unchanged += 1;
                }
                old => work.push((entry, old.map(|o| (o.id, o.raw_hash)))),
            }
        }
        update.removed = known.len();
        let gone: Vec<i64> = known.into_values().map(|old| old.id).collect();
        let writer = Writer { connection: &mut self.connection, folder: folder_id, now: nanos(now) };
        writer.run(&root, &work, &gone, (limits, child), &mut update, progress)?;
        self.connection.pragma_update(None, "mmap_size", MAPPED)?;
        let counting = "SELECT count(*) FROM docs WHERE folder = ? AND problem IS NULL";
        let documents: i64 = self.connection.query_row(counting, [folder_id], |row| row.get(0))?;
        update.documents = usize::try_from(documents).unwrap_or(0);
        update.skipped.extend(problems(&self.connection, folder_id)?);
        if update.documents == 0 {
            return Err(IndexError::NoDocuments { path: folder.to_owned() });
        }
        Ok(update)
    }
}

struct Writer<'a> {
    connection: &'a mut Connection,
    folder: i64,
    now: i64,
}

type Work = Vec<(Entry, Option<(i64, String)>)>;

impl Writer<'_> {
    fn run(
        self,
        root: &Path,
        work: &Work,
        gone: &[i64],
        reading: (&Limits, &ChildCommand),
        update: &mut Update,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), IndexError> {
        if work.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let total = work.len();
        let old: HashMap<PathBuf, i64> =
            work.iter().filter_map(|(e, o)| o.as_ref().map(|o| (e.path.clone(), o.0))).collect();
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
        std::thread::scope(|scope| -> Result<(), IndexError> {
            let (send, receive) = sync_channel::<Prepared>(32);
            for _ in 0..threads {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || prepare_all(root, work, next, reading, &send));
            }
            drop(send);
            let mut transaction = self.connection.transaction()?;
            for id in gone {
                forget(&transaction, *id)?;
            }
            let mut done = 0;
            for prepared in receive {
                let old = old.get(&prepared.entry.path).copied();
                if write(&transaction, self.folder, self.now, old, prepared)? {
                    update.indexed += 1;
                } else {
                    update.unchanged += 1;
                }
                done += 1;
                progress(Progress { done, total });
                if done % BATCH == 0 {
                    transaction.commit()?;
                    transaction = self.connection.transaction()?;
                }
            }
            replaced::mark(&transaction)?;
            transaction.commit()?;
            if done == total { Ok(()) } else { Err(IndexError::Thread) }
        })
    }
}

fn prepare_all(
    root: &Path,
    work: &Work,
    next: &AtomicUsize,
    reading: (&Limits, &ChildCommand),
    send: &SyncSender<Prepared>,
) {
    let mut reader = FileReader::new(reading.0.clone(), reading.1.clone());
    loop {
        let Some((entry, old)) = work.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let old_hash = old.as_ref().map(|(_, hash)| hash.as_str());
        let result = prepare(root, entry, old_hash, &mut reader);
        if send.send(Prepared { entry: entry.clone(), result }).is_err() {
            return; // the writer failed and says why itself
        }
    }
}

fn prepare(
    root: &Path,
    entry: &Entry,
    old_hash: Option<&str>,
    reader: &mut FileReader,
) -> Result<Content, ReadError> {
    let document = reader.read(&root.join(&entry.path))?;
    if old_hash == Some(document.raw_hash.as_str()) {
        return Ok(Content::Same);
    }
    let reading = document.reading;
    let outline = outline(&reading.text, &reading.contents);
    let text_hash = sha256_hex(reading.text.as_bytes());
    Ok(Content::New(Box::new(NewContent { raw_hash: document.raw_hash, text_hash, reading, outline })))
}

fn nanos(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}
