//! What only a person who tidies a home needs: removing runs, and knowing what nobody names any more.

use std::collections::BTreeSet;
use std::path::Path;

use super::Engine;
use crate::runs::{Alone, Removed, RunsError};
use crate::{Hash, RunId};

impl Engine {
    /// Removes a run and everything below it; what a fork shares stays with the fork. One that is not over is refused
    /// unless `unfinished` ones may go too.
    pub async fn remove(&self, run: &RunId, unfinished: bool) -> Result<Vec<Removed>, RunsError> {
        self.store.remove(run, unfinished).await
    }

    /// Every hash that is named by a record of the home, by a long payload of one, or by a file below these folders.
    pub fn named_hashes(&self, also: &[&Path]) -> Result<BTreeSet<Hash>, RunsError> {
        self.store.named_hashes(also)
    }

    /// Keeps every other process from the home; refused while one works in it.
    pub fn alone(&self) -> Result<Alone, RunsError> {
        self.store.alone()
    }

    /// The home.
    pub fn home(&self) -> &Path {
        self.store.home()
    }
}
