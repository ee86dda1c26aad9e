//! Where a run may look, and what of it it may use. A workflow makes it from its own order.

use std::path::PathBuf;

use baton_agents::config::Authorities;

use super::beyond::Beyond;
use crate::asking::Material;

/// Where a run may look, and what of it it may use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// Folders of documents, as absolute paths.
    pub folders: Vec<PathBuf>,
    /// What may be asked beyond this machine; without it nothing is.
    pub beyond: Option<Beyond>,
    /// Only documents from this day on, `YYYY-MM-DD` or a part of it; undated ones stay in.
    pub since: Option<String>,
    /// Only documents up to this day.
    pub until: Option<String>,
    /// Only documents in this language (ISO 639-3), where it can be told.
    pub language: Option<String>,
    /// Sources that must not be used: the end of a path or an address.
    pub dropped: Vec<String>,
    /// What sources count for, over what they say of themselves.
    pub authority: Authorities,
    /// At most this many sentences of one search.
    pub sentences: usize,
    /// At most this many pages of the web are read for one search.
    pub pages: usize,
}

impl Scope {
    /// Folders alone, with the usual bounds.
    #[must_use]
    pub fn of_folders(folders: Vec<PathBuf>) -> Self {
        Self { folders, sentences: 12, pages: 6, ..Self::default() }
    }

    /// What words are that may have come out of what is found here.
    #[must_use]
    pub fn material(&self) -> Material {
        Material::private_if(!self.folders.is_empty())
    }
}
