//! The archive: raw bytes and text of what was read, each in a file named by its SHA-256. Written once, never changed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::bounded;
use crate::hash::sha256_hex;

/// More than any document or text that is read and archived.
const LARGEST: u64 = 1 << 30;

/// A folder of files named by the hash of their content.
#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
}

/// Why something could not be archived or taken out again.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The disk said no.
    #[error("the archive {} failed: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Nothing under this hash.
    #[error("nothing is archived under {0}")]
    Missing(String),
    /// Something is there, but it is not what was put in.
    #[error("the archived file {0} has been changed: its content no longer has this hash")]
    Changed(String),
}

impl Archive {
    /// The folder of the archive below a home.
    pub const FOLDER: &str = "archive";

    /// The archive of a home.
    #[must_use]
    pub fn of_home(home: &Path) -> Self {
        Self::new(&home.join(Self::FOLDER))
    }

    /// Where the bytes of a hash stand below a home, with `/`.
    #[must_use]
    pub fn place(hash: &str) -> String {
        format!("{}/{}/{hash}", Self::FOLDER, hash.get(..2).unwrap_or_default())
    }

    /// An archive in `folder`, which is made when it is first written to.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Stores bytes and returns their hash. Storing the same bytes again does nothing.
    pub fn put(&self, bytes: &[u8]) -> Result<String, ArchiveError> {
        let hash = sha256_hex(bytes);
        let path = self.path(&hash);
        if path.exists() {
            return Ok(hash);
        }
        let failed = |source| ArchiveError::Io { path: path.clone(), source };
        self.write(&path, bytes).map_err(failed)?;
        Ok(hash)
    }

    /// Written beside and renamed, and returns when name and bytes are on the disk: a crash leaves no half file under a
    /// hash, and nothing that evidence names is lost with the power.
    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        let folder = path.parent().unwrap_or(&self.folder);
        let is_new = !folder.exists();
        fs::create_dir_all(folder)?;
        // No two writers share it, so neither renames what the other still writes.
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let partial = path.with_extension(format!("{}-{number}.partial", std::process::id()));
        let made = fs::File::create(&partial)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&partial, path));
        if let Err(error) = made {
            let _ = fs::remove_file(&partial); // what is left of it is of no use, and room may be what is missing
            return Err(error);
        }
        sync(folder)?;
        if is_new { sync(&self.folder) } else { Ok(()) }
    }

    /// Takes bytes out by hash and checks that they still have it.
    pub fn get(&self, hash: &str) -> Result<Vec<u8>, ArchiveError> {
        if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(ArchiveError::Missing(hash.to_owned()));
        }
        let path = self.path(hash);
        let bytes = match bounded::bytes(&path, LARGEST) {
            Ok(bytes) => bytes,
            Err(refusal) if refusal.is_missing() => return Err(ArchiveError::Missing(hash.to_owned())),
            Err(refusal) => return Err(ArchiveError::Io { path, source: refusal.into() }),
        };
        if sha256_hex(&bytes) == hash { Ok(bytes) } else { Err(ArchiveError::Changed(hash.to_owned())) }
    }

    fn path(&self, hash: &str) -> PathBuf {
        self.folder.join(&hash[..2]).join(hash)
    }
}

/// Names of a folder are durable when the folder is.
fn sync(folder: &Path) -> std::io::Result<()> {
    fs::File::open(folder)?.sync_all()
}
