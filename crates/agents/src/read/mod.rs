//! Reading: from bytes of a known format to plain text with its title, author, date and pages.
//! Foreign formats are parsed by a child process ([`extract`]); pages come from the web through [`fetch`].

pub mod archive;
pub mod bounded;
pub mod data;
pub mod docx;
pub mod encoding;
pub mod extract;
pub mod fetch;
pub mod files;
pub mod guard;
pub(crate) mod head;
pub mod html;
pub mod library;
pub mod pdf;
pub mod plain;
pub mod polite;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text.
    Text,
    /// Markdown, kept as it is.
    Markdown,
    /// HTML.
    Html,
    /// PDF.
    Pdf,
    /// Word document.
    Docx,
    /// Comma-, semicolon- or tab-separated values.
    Csv,
}

impl Format {
    /// By the end of a file name; a final `.gz` is ignored. None for everything that is not a document.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let Some((_, end)) = name.rsplit_once('.') else {
            let prose = ["readme", "license", "licence", "copying", "notice", "authors", "changelog", "news"];
            return prose.contains(&name).then_some(Self::Text);
        };
        match end {
            "txt" | "text" | "rst" | "rest" | "adoc" | "asciidoc" | "org" => Some(Self::Text),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "docx" => Some(Self::Docx),
            "csv" | "tsv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// Does parsing it take more than decoding, so that it belongs in a child process?
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Html | Self::Pdf | Self::Docx)
    }

    /// Name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Pdf => "PDF",
            Self::Docx => "Word document",
            Self::Csv => "CSV",
        }
    }
}

/// What was read from a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The text that is archived and quoted from. UTF-8, line feeds only.
    pub text: String,
    /// Title given by the document.
    pub title: Option<String>,
    /// Author given by the document.
    pub author: Option<String>,
    /// Date given by the document, `YYYY-MM-DD` or a part of it.
    pub date: Option<String>,
    /// Language code (ISO 639-3), when it could be told.
    pub language: Option<String>,
    /// Byte offset at which each page begins; empty for formats without pages.
    pub pages: Vec<usize>,
    /// Byte ranges that only list other parts of the document: tables of contents. Kept, but not searched.
    pub contents: Vec<Range<usize>>,
    /// Name of the character encoding of the raw bytes.
    pub encoding: Option<String>,
}

impl Reading {
    /// The page numbers (from 1) that a byte range touches; None for formats without pages.
    #[must_use]
    pub fn pages_of(&self, range: &Range<usize>) -> Option<(usize, usize)> {
        let page_at = |offset: usize| self.pages.partition_point(|&start| start <= offset);
        let last = range.end.saturating_sub(1).max(range.start);
        (!self.pages.is_empty()).then(|| (page_at(range.start).max(1), page_at(last).max(1)))
    }
}

/// Why a document yielded no text. Every sentence says what was wrong with the document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadError {
    /// The file could not be read from disk.
    #[error("cannot be read: {0}")]
    Io(String),
    /// A pipe, a device, a folder.
    #[error("is {0}, not a regular file")]
    Special(String),
    /// Larger than the limit.
    #[error("is {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Its size.
        size: u64,
        /// What is allowed.
        limit: u64,
    },
    /// Unpacks to more than the limit.
    #[error("unpacks to more than the limit of {limit} bytes")]
    Bomb {
        /// What is allowed.
        limit: u64,
    },
    /// The name says text, the bytes do not.
    #[error("is not text: byte {offset} is {found}")]
    Binary {
        /// Where the first such byte stands.
        offset: usize,
        /// What stands there.
        found: String,
    },
    /// Cannot be opened without its password.
    #[error("is protected by a password")]
    Password,
    /// Broken, or not of the format its name says.
    #[error("is not a readable {format}: {reason}")]
    Malformed {
        /// What it should be.
        format: String,
        /// What the parser said.
        reason: String,
    },
    /// Read, but there is no text in it.
    #[error("has no text: {0}")]
    Empty(String),
    /// Changed while it was being read, more than once.
    #[error("kept changing while it was read; read it again when nothing writes to it")]
    Changing,
    /// The child process that parsed it died or was stopped.
    #[error("could not be parsed safely: {0}")]
    Child(String),
    /// No reader for this kind of file.
    #[error("is of a kind that cannot be read (known: txt, md, rst, adoc, org, html, pdf, docx, csv)")]
    Unknown,
}
