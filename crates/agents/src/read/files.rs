//! Reading one file from disk: whole, within limits, and the same bytes from beginning to end.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::extract::{ChildCommand, Extractor};
use super::{Format, ReadError, Reading, bounded, head, plain};
use crate::hash::sha256_hex;

/// How much one document may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes on disk or on the wire.
    pub raw_bytes: u64,
    /// Bytes after unpacking, and of the text.
    pub unpacked_bytes: u64,
    /// Memory of the child process that parses foreign formats.
    pub child_memory: u64,
    /// Seconds one document may take in the child.
    pub child_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { raw_bytes: 64 << 20, unpacked_bytes: 128 << 20, child_memory: 1 << 30, child_seconds: 30 }
    }
}

/// A document as read: the hash of its bytes and what they say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its bytes as stored or sent (a gzip file is still packed).
    pub raw: Vec<u8>,
    /// SHA-256 of `raw`, in hex.
    pub raw_hash: String,
    /// What it says.
    pub reading: Reading,
}

/// Reads files; keeps one child process for foreign formats.
#[derive(Debug)]
pub struct FileReader {
    limits: Limits,
    extractor: Extractor,
}

impl FileReader {
    /// A reader that parses foreign formats with `child`.
    #[must_use]
    pub fn new(limits: Limits, child: ChildCommand) -> Self {
        Self { extractor: Extractor::new(child, &limits), limits }
    }

    /// Reads a file.
    pub fn read(&mut self, path: &Path) -> Result<Document, ReadError> {
        let Some(format) = Format::of_path(path) else {
            bounded::open(path)?; // a folder and a pipe are told apart from a file of another kind
            return Err(ReadError::Unknown);
        };
        let raw = stable_bytes(path, self.limits.raw_bytes)?;
        let raw_hash = sha256_hex(&raw);
        let mut reading = self.parse(format, &raw, None)?;
        reading.date = reading.date.or_else(|| head::date_in_name(path));
        Ok(Document { raw, raw_hash, reading })
    }

    /// Reads bytes of a known format; `declared` is the encoding a server named.
    pub fn parse(
        &mut self,
        format: Format,
        raw: &[u8],
        declared: Option<&str>,
    ) -> Result<Reading, ReadError> {
        let unpacked;
        let bytes = if is_gzip(raw) {
            unpacked = gunzip(raw, self.limits.unpacked_bytes)?;
            &unpacked
        } else {
            raw
        };
        if format.is_foreign() {
            let mut reading = self.extractor.extract(format, bytes, declared)?;
            reading.date = reading.date.or_else(|| head::date(&reading.text));
            Ok(reading)
        } else {
            plain::read(format, bytes, self.limits.unpacked_bytes)
        }
    }
}

pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Unpacks gzip, refusing more than `limit` bytes.
pub(crate) fn gunzip(bytes: &[u8], limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut out = Vec::new();
    let malformed = |error: std::io::Error| ReadError::Malformed {
        format: "gzip file".to_owned(),
        reason: error.to_string(),
    };
    MultiGzDecoder::new(bytes).take(limit + 1).read_to_end(&mut out).map_err(malformed)?;
    if out.len() as u64 > limit { Err(ReadError::Bomb { limit }) } else { Ok(out) }
}

/// The bytes of a file that did not change while they were read; tried three times.
fn stable_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    for _ in 0..3 {
        let file = bounded::open(path)?;
        let before = file.metadata().map_err(bounded::Refusal::Io)?;
        let bytes = bounded::all(&file, limit)?;
        let after = std::fs::metadata(path).map_err(bounded::Refusal::Io)?;
        let same_time = before.modified().ok() == after.modified().ok();
        if same_time && after.len() == before.len() && bytes.len() as u64 == after.len() {
            return Ok(bytes);
        }
    }
    Err(ReadError::Changing)
}

impl From<bounded::Refusal> for ReadError {
    fn from(refusal: bounded::Refusal) -> Self {
        match refusal {
            bounded::Refusal::Special(what) => Self::Special(what.to_owned()),
            bounded::Refusal::TooLarge { size, limit } => Self::TooLarge { size, limit },
            other => Self::Io(other.to_string()),
        }
    }
}
