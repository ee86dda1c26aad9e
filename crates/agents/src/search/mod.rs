//! Search: one trait for every place that can be searched, and the local full-text index behind it.
//! Web providers ([`web`]) implement [`Search`] too; what a hit looks like is the same for all. [`fan`] puts queries
//! to many of them ([`assemble`] makes it from the configuration), [`merge`] makes one list of what they found, [`identity`] tells when two hits are one document.

pub mod assemble;
pub mod fan;
pub mod identity;
pub mod local;
pub mod mcp;
pub mod merge;
pub mod pace;
#[cfg(test)]
mod tests;
pub mod web;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::rules::dates::Date;

/// What to look for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// Words or a question.
    pub text: String,
    /// At most this many hits.
    pub limit: usize,
    /// Not older than this day. A wish: a provider that cannot choose by date ignores it, [`merge`] does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Date>,
    /// Not younger than this day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
    /// Two-letter code of the language wanted, for providers that know languages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Query {
    /// A query with no wish but its words.
    #[must_use]
    pub fn new(text: impl Into<String>, limit: usize) -> Self {
        Self { text: text.into(), limit, ..Self::default() }
    }
}

/// Where a hit can be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// On the web.
    Url(String),
    /// On this machine.
    Path(PathBuf),
}

impl std::fmt::Display for Location {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Url(url) => out.write_str(url),
            Self::Path(path) => write!(out, "{}", path.display()),
        }
    }
}

/// One result, the same for all providers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Title of the page or document.
    pub title: String,
    /// Where it is.
    pub location: Location,
    /// The part that matches, as found.
    pub snippet: String,
    /// Date of the document, `YYYY-MM-DD` or as much as is known.
    pub date: Option<String>,
    /// Who found it: `local`, `wikipedia`…
    pub provider: String,
    /// 1 for the best.
    pub rank: usize,
    /// Exactly where the snippet stands in the archived text, when the text is archived.
    pub anchor: Option<Anchor>,
}

/// A place in an archived text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// SHA-256 of the archived text, in hex.
    pub text_hash: String,
    /// Byte range in it.
    pub range: std::ops::Range<usize>,
    /// Headings above it, outermost first.
    pub heading: String,
}
