//! One SQLite file for all runs of a home, and beside it the folder of long payloads and the anchor.
//!
//! Records go through one writer thread that groups the commits of all runs waiting at the moment. The
//! list of runs and the open questions are projections, written in the same transaction as the records
//! they follow from. Nothing here knows what a record means.

mod anchor;
mod back;
mod batch;
mod blobs;
mod cache;
mod children;
mod error;
mod inbox;
mod lease;
mod look;
mod loss;
mod named;
mod projection;
mod read;
mod recent;
mod remove;
mod schema;
mod take_in;
mod verify;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

pub use crate::runs::{
    Damage, Filter, Journal, Loss, NewRun, OpenQuestion, RunSummary, RunsError, Submitted,
};
pub use batch::{Batch, QuestionChange};
pub use blobs::Blobs;
pub use error::OpenError;
pub use inbox::Letter;
pub use lease::{Lease, Owner};
pub use look::{Keeping, LockFile};
pub use verify::Verified;
pub use writer::CrashPlan;

pub(crate) use projection::question_change;
pub(crate) use writer::Unwritten;

use anchor::Anchor;
use rusqlite::Connection;
use writer::Writer;

use crate::cx::lock;
use crate::host::HostError;

/// How a store is opened.
#[derive(Clone, Debug, Default)]
pub struct StoreOptions {
    /// The file may not grow beyond this many pages: how tests fill the disk.
    pub max_pages: Option<u32>,
    /// Every write fails: how tests take the disk away.
    pub read_only: bool,
    /// Where to crash: how the crash test kills the process at a commit of its choice.
    pub crash: Option<Arc<CrashPlan>>,
}

/// The database below a home.
const FILE: &str = "baton.db";
/// The folder of long payloads below it.
const BLOBS: &str = "blobs";

/// A home's journal. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    home: PathBuf,
    blobs: Blobs,
    /// None where the home is only looked at.
    writer: Option<Writer>,
    anchor: Arc<Anchor>,
    reader: Mutex<Connection>,
    /// None where the home is only looked at.
    owner: Option<Owner>,
    bell: tokio::sync::Notify,
    /// Runs this process drives, by row number.
    held: Mutex<std::collections::BTreeSet<i64>>,
}

impl Store {
    /// Opens the store of a home, making it if there is none.
    pub fn open(home: &Path, options: &StoreOptions) -> Result<Self, OpenError> {
        schema::make_home(home)?;
        let file = home.join(FILE);
        let alone = schema::alone(&file)?;
        loss::refuse_empty(home, &file)?;
        let blobs = Blobs::new(home.join(BLOBS));
        let write = schema::open(&file, &blobs, options)?;
        let anchor = Arc::new(Anchor::open(home, &write)?);
        drop(alone);
        let read = schema::open_reader(&file)?;
        let owner = Owner::claim(home)?;
        let writer = Writer::spawn(write, blobs, Arc::clone(&anchor), options.crash.clone())?;
        Ok(Self::with(home, anchor, read, Some(writer), Some(owner)))
    }

    /// Opens the store of a home only to look: nothing is written there, not even a lock.
    ///
    /// For homes that may not be written; where a store can be opened, it should be.
    pub fn look(home: &Path) -> Result<Self, OpenError> {
        let file = home.join(FILE);
        loss::refuse_empty(home, &file)?;
        let read = schema::open_unwritable(&file)?;
        Ok(Self::with(home, Arc::new(Anchor::to_look(home)?), read, None, None))
    }

    fn with(
        home: &Path,
        anchor: Arc<Anchor>,
        read: Connection,
        writer: Option<Writer>,
        owner: Option<Owner>,
    ) -> Self {
        let inner = Inner {
            home: home.to_owned(),
            blobs: Blobs::new(home.join(BLOBS)),
            writer,
            anchor,
            reader: Mutex::new(read),
            owner,
            bell: tokio::sync::Notify::new(),
            held: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The home folder.
    pub fn home(&self) -> &Path {
        &self.inner.home
    }

    /// The folder in which a run shows its files.
    pub fn run_folder(&self, run: &crate::RunId) -> PathBuf {
        crate::folder::path(&self.inner.home, run)
    }

    /// The long payloads.
    pub fn blobs(&self) -> &Blobs {
        &self.inner.blobs
    }

    /// Tells every driver of this process that there may be a letter.
    pub(crate) fn ring(&self) {
        self.inner.bell.notify_waiters();
    }

    /// Rings when this process has posted a letter.
    pub(crate) fn bell(&self) -> &tokio::sync::Notify {
        &self.inner.bell
    }

    pub(crate) fn writer(&self) -> Result<&Writer, HostError> {
        self.inner.writer.as_ref().ok_or_else(|| HostError::Unwritable {
            what: "recording",
            why: "this process may only look at it".to_owned(),
        })
    }

    pub(crate) fn anchor(&self) -> &Arc<Anchor> {
        &self.inner.anchor
    }

    /// Reads with the shared connection. Reads are short; many runs share one connection and its memory.
    pub(crate) fn read<T>(
        &self,
        look: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, RunsError> {
        self.query(look).map_err(|error| error::sqlite_of_runs("read", &error))
    }

    fn query<T>(&self, look: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        look(&lock(&self.inner.reader))
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("home", &self.inner.home).finish_non_exhaustive()
    }
}
