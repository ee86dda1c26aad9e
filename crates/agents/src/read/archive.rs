//! The archive: raw bytes and text of what was read, each in a file named by its SHA-256. Written once, never changed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::hash::sha256_hex;

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
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(failed)?;
        // Written beside and renamed: a crash leaves no half file under a hash.
        let partial = folder.join(format!("{hash}.{}.partial", std::process::id()));
        let mut file = fs::File::create(&partial).map_err(failed)?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
        fs::rename(&partial, &path).map_err(failed)?;
        Ok(hash)
    }

    /// Takes bytes out by hash and checks that they still have it.
    pub fn get(&self, hash: &str) -> Result<Vec<u8>, ArchiveError> {
        if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(ArchiveError::Missing(hash.to_owned()));
        }
        let path = self.path(hash);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(ArchiveError::Missing(hash.to_owned()));
            }
            Err(source) => return Err(ArchiveError::Io { path, source }),
        };
        if sha256_hex(&bytes) == hash { Ok(bytes) } else { Err(ArchiveError::Changed(hash.to_owned())) }
    }

    fn path(&self, hash: &str) -> PathBuf {
        self.folder.join(&hash[..2]).join(hash)
    }
}
