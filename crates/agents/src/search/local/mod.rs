//! The local index: folders of documents in one SQLite file with full-text tables. It keeps the text it was
//! built from, so a hit is a byte range of a text that is there.

mod near;
mod query;
mod replaced;
mod schema;
mod shelf;
#[cfg(test)]
mod tests;
mod update;
mod walk;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

pub use near::Near;
pub use query::{Answer, Quote, Verdict};
pub use update::{Progress, Update};
pub use walk::Skipped;

/// How long a question waits for what another process writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A full-text index over folders of documents.
#[derive(Debug)]
pub struct LocalIndex {
    connection: Connection,
    /// Held while the index is prepared or brought up to date; none for one in memory, which is nobody else's.
    lock: Option<PathBuf>,
}

/// Why the index could not be built or asked.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder itself cannot be opened.
    #[error("the folder {} cannot be read: {source}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Nothing in the folder can be read.
    #[error("the folder {} holds no document that can be read (txt, md, rst, adoc, org, html, pdf, docx, csv)", path.display())]
    NoDocuments {
        /// Which.
        path: PathBuf,
    },
    /// The index file failed; it is a cache and may be deleted.
    #[error("the index failed: {0}; it can be deleted and is then built again")]
    Database(rusqlite::Error),
    /// There is no room for the index. What was indexed before is kept.
    #[error(
        "the disk is full ({0}): the index could not be written, and what it held before is kept; free space and type the same again"
    )]
    Disk(rusqlite::Error),
    /// Other processes that use the index could not be kept waiting.
    #[error("the index cannot be locked with {}: {source}", path.display())]
    Lock {
        /// With which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A stored value could not be read back.
    #[error("the index is damaged ({0}); delete it and it is built again")]
    Damaged(String),
    /// A thread that read documents was lost.
    #[error("a reading thread ended unexpectedly")]
    Thread,
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Disk(error),
            _ => Self::Database(error),
        }
    }
}

impl LocalIndex {
    /// Opens the index file, making it when there is none.
    pub fn open(file: &Path) -> Result<Self, IndexError> {
        let lock = file.with_extension("lock");
        let _alone = alone(&lock)?;
        let mut connection = Connection::open(file)?;
        connection.busy_timeout(PATIENCE)?;
        schema::prepare(&mut connection)?;
        Ok(Self { connection, lock: Some(lock) })
    }

    /// Opens the index of one folder, kept under `home`: a search in one folder finds nothing of another.
    pub fn for_folder(home: &Path, folder: &Path) -> Result<Self, IndexError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |source| IndexError::Folder { path, source }
        };
        let real = std::fs::canonicalize(folder).map_err(unreadable(folder))?;
        let name = crate::hash::sha256_hex(real.as_os_str().as_encoded_bytes());
        let indexes = home.join("index");
        std::fs::create_dir_all(&indexes).map_err(unreadable(&indexes))?;
        Self::open(&indexes.join(format!("{}.db", &name[..16])))
    }

    /// An index that lives in memory only.
    pub fn in_memory() -> Result<Self, IndexError> {
        let mut connection = Connection::open_in_memory()?;
        schema::prepare(&mut connection)?;
        Ok(Self { connection, lock: None })
    }
}

/// Waits until no other process holds the lock, and holds it until the file is closed.
fn alone(lock: &Path) -> Result<File, IndexError> {
    let trouble = |source| IndexError::Lock { path: lock.to_owned(), source };
    let file = File::create(lock).map_err(trouble)?;
    file.lock().map_err(trouble)?;
    Ok(file)
}
