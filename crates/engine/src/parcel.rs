//! A run in one file, to be taken to another home: its table, its records, its long payloads and the archived texts it
//! names, with everything its nodes have begun.
//!
//! The same run always gives the same bytes: everything stands in one order, and each part in its exact length under its
//! hash. There are no paths in a parcel, so none can lead anywhere; whatever it says of itself is checked against the
//! chain of its records before anything of it is kept. Snapshots, leases and letters stay behind: they belong to a home.

mod error;
mod read;
mod standing;
mod write;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use error::ParcelError;
pub use read::{Contents, Packed, Sink, read};
pub use standing::RestsAt;
pub use write::{Family, Member, write};

use crate::record::Chained;
use crate::{Hash, RunId};

/// The newest form of parcels this build knows.
pub const FORM: u32 = 1;
const MAGIC: &str = "baton run";

/// Keeps archived texts by the hash of their content. They are not the engine's.
pub trait Shelf {
    /// The text of this hash, if it is there and whole.
    fn get(&self, hash: &Hash) -> Result<Option<Vec<u8>>, String>;
    /// Keeps a text.
    fn put(&self, bytes: &[u8]) -> Result<(), String>;
}

/// What a parcel says of one of its runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// Its name.
    pub run: RunId,
    /// Its workflow.
    pub workflow: String,
    /// What it is about.
    pub title: String,
    /// The run it belongs to; it stands before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RunId>,
    /// How many records it has.
    pub records: u64,
    /// The hash of the last one.
    pub head: Hash,
}

/// What was packed or unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The runs, parents before their children.
    pub runs: Vec<RunId>,
    /// How many records they have.
    pub records: u64,
    /// How many long payloads.
    pub payloads: usize,
    /// How many archived texts.
    pub archived: usize,
    /// The size of the file.
    pub bytes: u64,
    /// Its hash.
    pub hash: Hash,
}

/// Everything that looks like a hash in records or payloads. Whoever holds archived texts knows which of them are theirs.
pub fn named_in<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> BTreeSet<Hash> {
    let mut found = BTreeSet::new();
    texts.into_iter().for_each(|text| hashes_in(text, &mut found));
    found
}

/// How many digits a hash is written with.
const DIGITS: usize = 64;

/// Adds every row of exactly 64 hexadecimal digits. Every record passes through here, so only each 64th byte is looked at
/// where there is none.
pub(crate) fn hashes_in(text: &[u8], found: &mut BTreeSet<Hash>) {
    let mut at = DIGITS - 1;
    while let Some(byte) = text.get(at) {
        if !byte.is_ascii_hexdigit() {
            at += DIGITS;
            continue;
        }
        let is_other = |byte: &u8| !byte.is_ascii_hexdigit();
        let begins = text[..at].iter().rposition(is_other).map_or(0, |before| before + 1);
        let ends = text[at..].iter().position(is_other).map_or(text.len(), |behind| at + behind);
        if ends - begins == DIGITS {
            let word = std::str::from_utf8(&text[begins..ends]).ok();
            found.extend(word.and_then(|word| word.parse::<Hash>().ok()));
        }
        at = ends + DIGITS;
    }
}

/// The long payloads these records name, each once.
fn payloads_of<'a>(records: impl IntoIterator<Item = &'a Chained>) -> BTreeSet<Hash> {
    records.into_iter().filter_map(Chained::long_payload).collect()
}

#[cfg(test)]
mod tests;
