//! Long values are kept outside the journal under their hash; here they are put there and fetched back.

use serde_json::Value;

use super::DriveError;
use crate::Hash;
use crate::record::{INLINE_LIMIT, Payload};

/// Long payloads with their hashes, on their way to where they are kept.
pub type Blobs = Vec<(Hash, Vec<u8>)>;

/// Where long payloads are read from.
pub trait Vault: Send + Sync {
    /// The bytes with this hash.
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, VaultError>;
}

/// A long payload that cannot be had. Only a copy of it helps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored payload {hash} is {problem}; restore the blobs folder of the home from a copy")]
pub struct VaultError {
    /// Its hash.
    pub hash: Hash,
    /// What is wrong with it.
    pub problem: PayloadProblem,
}

/// What is wrong with a long payload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadProblem {
    /// It is not there.
    #[error("missing")]
    Missing,
    /// It is there and cannot be read.
    #[error("unreadable ({0})")]
    Unreadable(String),
    /// It was changed: its hash is another.
    #[error("not what its name says")]
    Changed,
}

/// A value as a record names it; if it is long, its bytes are added to `blobs`.
pub fn wrap(value: Value, blobs: &mut Blobs) -> Payload {
    // Nearly every payload is short; seeing that is cheaper than writing it out to measure it.
    if at_most(&value) <= INLINE_LIMIT {
        return Payload::Inline(value);
    }
    let text = value.to_string();
    if text.len() <= INLINE_LIMIT {
        return Payload::Inline(value);
    }
    let hash = Hash::of(text.as_bytes());
    blobs.push((hash, text.into_bytes()));
    Payload::Blob(hash)
}

/// An upper bound for the length of a value's text, without writing it.
fn at_most(value: &Value) -> usize {
    // A character takes at most six bytes when it is escaped, a number at most 24.
    let quoted = |text: &str| 6 * text.len() + 3;
    match value {
        Value::Null | Value::Bool(_) => 6,
        Value::Number(_) => 25,
        Value::String(text) => quoted(text),
        Value::Array(items) => items.iter().map(at_most).sum::<usize>() + 2,
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| quoted(name) + at_most(value) + 1).sum::<usize>() + 2
        }
    }
}

/// The value a record names.
pub fn unwrap(payload: &Payload, vault: &dyn Vault) -> Result<Value, DriveError> {
    match payload {
        Payload::Inline(value) => Ok(value.clone()),
        Payload::Blob(hash) => {
            let bytes = vault.fetch(hash)?;
            serde_json::from_slice(&bytes)
                .map_err(|error| DriveError::Blob { hash: *hash, what: error.to_string() })
        }
    }
}
