//! Reading with an archive behind it: what is read is stored, raw and as text, under the hashes that evidence names.

use std::path::Path;

use super::archive::{Archive, ArchiveError};
use super::fetch::FetchedPage;
use super::files::FileReader;
use super::{ReadError, Reading};
use crate::search::Location;

/// A document that was read and archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Where it came from.
    pub location: Location,
    /// SHA-256 of the archived bytes.
    pub raw_hash: String,
    /// SHA-256 of the archived text.
    pub text_hash: String,
    /// What it says.
    pub reading: Reading,
}

/// Why a document could not be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// It yields no text.
    #[error("{location} {problem}")]
    Read {
        /// Which document.
        location: Location,
        /// Why.
        problem: ReadError,
    },
    /// It could not be archived.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

/// Reads files and fetched pages and archives them.
#[derive(Debug)]
pub struct Library {
    reader: FileReader,
    archive: Archive,
}

impl Library {
    /// A library over an archive.
    #[must_use]
    pub fn new(reader: FileReader, archive: Archive) -> Self {
        Self { reader, archive }
    }

    /// Reads and archives a file.
    pub fn read_file(&mut self, path: &Path) -> Result<Kept, LibraryError> {
        let location = Location::Path(path.to_owned());
        match self.reader.read(path) {
            Ok(document) => self.keep(location, &document.raw, document.reading),
            Err(problem) => Err(LibraryError::Read { location, problem }),
        }
    }

    /// Reads and archives a fetched page.
    pub fn read_page(&mut self, page: &FetchedPage) -> Result<Kept, LibraryError> {
        let location = Location::Url(page.url.clone());
        match self.reader.parse(page.format, &page.body, page.charset.as_deref()) {
            Ok(reading) => self.keep(location, &page.body, reading),
            Err(problem) => Err(LibraryError::Read { location, problem }),
        }
    }

    fn keep(&self, location: Location, raw: &[u8], reading: Reading) -> Result<Kept, LibraryError> {
        let raw_hash = self.archive.put(raw)?;
        let text_hash = self.archive.put(reading.text.as_bytes())?;
        Ok(Kept { location, raw_hash, text_hash, reading })
    }
}
