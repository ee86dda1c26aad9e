//! Long values are kept outside the journal under their hash; here they are put there and fetched back.

use serde_json::Value;

use super::DriveError;
use crate::Hash;
use crate::record::{INLINE_LIMIT, Payload};
use crate::store::StoreError;

/// Long payloads with their hashes, on their way to where they are kept.
pub type Blobs = Vec<(Hash, Vec<u8>)>;

/// Where long payloads are read from.
pub trait Vault: Send + Sync {
    /// The bytes with this hash.
    fn fetch(&self, hash: &Hash) -> Result<Vec<u8>, StoreError>;
}

/// A value as a record names it; if it is long, its bytes are added to `blobs`.
pub fn wrap(value: Value, blobs: &mut Blobs) -> Payload {
    // Only strings, arrays and objects can be long; the common short ones are not written out twice.
    if matches!(value, Value::Null | Value::Bool(_) | Value::Number(_)) {
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
