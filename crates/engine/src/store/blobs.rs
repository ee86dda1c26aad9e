//! Long payloads, each a file named by the hash of its content. Written once, never changed.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use crate::Hash;
use crate::driver::{PayloadProblem, Vault, VaultError};
use crate::host::HostError;

/// The folder of long payloads.
#[derive(Clone, Debug)]
pub struct Blobs {
    root: PathBuf,
}

impl Blobs {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        let name = hash.to_string();
        self.root.join(&name[..2]).join(&name[2..])
    }

    /// Fails if a payload is not there, without reading it.
    pub(crate) fn expect(&self, hash: &Hash) -> Result<(), VaultError> {
        let there = self.path(hash).is_file();
        if there { Ok(()) } else { Err(VaultError { hash: *hash, problem: PayloadProblem::Missing }) }
    }

    /// Writes a payload and returns when it is on the disk: the record that names it comes after.
    pub(crate) fn keep(&self, hash: &Hash, bytes: &[u8]) -> Result<(), HostError> {
        let path = self.path(hash);
        if path.exists() {
            return Ok(());
        }
        self.write(&path, bytes).map_err(|error| HostError::file("writing a payload", &error))
    }

    fn write(&self, path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        let temporary = path.with_extension(format!("new-{}", std::process::id()));
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        File::open(folder)?.sync_all()
    }
}

impl Vault for Blobs {
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, VaultError> {
        let damaged = |problem| VaultError { hash: *hash, problem };
        let bytes = fs::read(self.path(hash)).map_err(|error| {
            let is_gone = error.kind() == std::io::ErrorKind::NotFound;
            damaged(if is_gone {
                PayloadProblem::Missing
            } else {
                PayloadProblem::Unreadable(error.to_string())
            })
        })?;
        if Hash::of(&bytes) == *hash { Ok(bytes) } else { Err(damaged(PayloadProblem::Changed)) }
    }
}
