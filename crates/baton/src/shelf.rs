//! What the engine needs of the archive to pack runs, and the eye on what leaves.

use std::io::Write;
use std::path::Path;

use baton_agents::read::archive::{Archive, ArchiveError};
use baton_engine::Hash;
use baton_engine::parcel::Shelf;

/// The archive of a home.
pub struct ArchiveShelf(Archive);

impl ArchiveShelf {
    /// The archive of this home.
    pub fn of_home(home: &Path) -> Self {
        Self(Archive::of_home(home))
    }
}

impl Shelf for ArchiveShelf {
    fn get(&self, hash: &Hash) -> Result<Option<Vec<u8>>, String> {
        match self.0.get(&hash.to_string()) {
            Ok(bytes) => Ok(Some(bytes)),
            // Most of what looks like a hash is one of something else.
            Err(ArchiveError::Missing(_)) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    fn put(&self, bytes: &[u8]) -> Result<(), String> {
        self.0.put(bytes).map(drop).map_err(|error| error.to_string())
    }
}

/// Shorter values are words, not keys.
const SHORTEST: usize = 12;

/// Looks for the keys of this environment in everything that is written through it.
pub struct Guarded<W> {
    to: W,
    keys: Vec<(String, Vec<u8>)>,
    met: Option<String>,
    /// The end of what was written before: a key may lie across two writes.
    tail: Vec<u8>,
}

impl<W> Guarded<W> {
    /// Looks for the values of every variable that is called a key, token, secret or password.
    pub fn new(to: W) -> Self {
        let is_key = |name: &str| {
            let name = name.to_ascii_uppercase();
            ["KEY", "TOKEN", "SECRET", "PASSWORD"]
                .iter()
                .any(|word| name.split('_').any(|part| part == *word))
        };
        let keys = std::env::vars()
            .filter(|(name, value)| is_key(name) && value.len() >= SHORTEST)
            .map(|(name, value)| (name, value.into_bytes()))
            .collect();
        Self { to, keys, met: None, tail: Vec::new() }
    }

    /// The name of the first key that was met.
    pub fn met(&self) -> Option<&str> {
        self.met.as_deref()
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.to
    }
}

impl<W: Write> Write for Guarded<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let longest = self.keys.iter().map(|(_, key)| key.len()).max().unwrap_or(0);
        if longest > 0 && self.met.is_none() {
            self.tail.extend_from_slice(bytes);
            let found = self.keys.iter().find(|(_, key)| holds(&self.tail, key));
            self.met = found.map(|(name, _)| name.clone());
            let keep = self.tail.len().saturating_sub(longest - 1);
            self.tail.drain(..keep);
        }
        self.to.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}

fn holds(text: &[u8], key: &[u8]) -> bool {
    let Some(first) = key.first() else { return false };
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = &rest[at..];
        if rest.starts_with(key) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

#[cfg(test)]
mod tests;
