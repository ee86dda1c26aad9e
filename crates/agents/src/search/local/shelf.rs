//! Texts that were read already, put on an index by name: so pages of the web are ranked like documents of a folder.

use std::path::{Path, PathBuf};

use super::walk::Entry;
use super::write::{NewContent, folder_id, insert};
use super::{IndexError, LocalIndex, replaced};
use crate::hash::sha256_hex;
use crate::read::Reading;
use crate::rules::structure::outline;

impl LocalIndex {
    /// Adds texts; a quote from one of them has its name as its path.
    pub fn shelve(&mut self, texts: impl IntoIterator<Item = (String, Reading)>) -> Result<(), IndexError> {
        let folder = folder_id(&self.connection, Path::new(""))?;
        let transaction = self.connection.transaction()?;
        for (name, reading) in texts {
            let entry = Entry { path: PathBuf::from(name), size: reading.text.len() as u64, modified: 0 };
            let outline = outline(&reading.text, &reading.contents);
            let text_hash = sha256_hex(reading.text.as_bytes());
            let content = NewContent { raw_hash: text_hash.clone(), text_hash, reading, outline };
            insert(&transaction, folder, 0, &entry, &content)?;
        }
        replaced::mark(&transaction)?;
        transaction.commit()?;
        Ok(())
    }
}
