//! What a `baton.toml` that came with a project may not do until a person has looked at it: name addresses,
//! keys, commands, servers, or give consent. Trust is given to the content, so any change asks again.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::file::{ConfigError, Layer};
use crate::hash::sha256_hex;
use crate::read::bounded;

/// Keys that reach out of the project or speak for its user, wherever they stand.
const REACHING: [&str; 12] = [
    "base_url",
    "url",
    "urls",
    "key_env",
    "command",
    "commands",
    "args",
    "env",
    "mcp",
    "local",
    "send_documents",
    "documents_to",
];

/// Something a file wants that needs trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The key, as `models.fast.base_url`.
    pub key: String,
    /// Where it stands.
    pub line: usize,
}

/// What a file wants that needs trust, in the order of its lines.
#[must_use]
pub fn wishes(layer: &Layer) -> Vec<Wish> {
    let reaching = |path: &str| path.rsplit('.').next().is_some_and(|key| REACHING.contains(&key));
    let mut found: Vec<Wish> = layer
        .keys()
        .filter(|(path, _)| reaching(path))
        .map(|(path, place)| Wish { key: path.to_owned(), line: place.line })
        .collect();
    found.sort_by_key(|w| w.line);
    found
}

impl Layer {
    /// Parses a file found in a project folder, and refuses what needs trust it does not have.
    pub fn parse_project(file: &str, text: &str, trusted: &TrustStore) -> Result<Self, ConfigError> {
        let layer = Self::parse(file, text)?;
        let wishes = if trusted.trusts(text) { Vec::new() } else { wishes(&layer) };
        let Some(first) = wishes.first() else { return Ok(layer) };
        let keys: Vec<&str> = wishes.iter().map(|w| w.key.as_str()).collect();
        let what = format!(
            "this file came with the project and names {}. Read it, then run `baton trust`.",
            keys.join(", ")
        );
        Err(ConfigError { file: file.to_owned(), line: first.line, column: 1, what })
    }
}

/// A list of trusted contents that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the list of trusted files at {path}: {source}")]
pub struct TrustError {
    path: PathBuf,
    source: std::io::Error,
}

/// The contents a person has trusted: a file of lines, each a hash and the path it was trusted at.
#[derive(Clone, Debug, Default)]
pub struct TrustStore {
    hashes: BTreeMap<String, String>,
}

impl TrustStore {
    /// Reads the list; one that does not exist is empty.
    pub fn load(path: &Path) -> Result<Self, TrustError> {
        let text = match bounded::text(path, bounded::WRITTEN) {
            Ok(text) => text,
            Err(refusal) if refusal.is_missing() => String::new(),
            Err(refusal) => return Err(TrustError { path: path.to_owned(), source: refusal.into() }),
        };
        let pair = |line: &str| line.split_once("  ").map(|(h, p)| (h.to_owned(), p.to_owned()));
        Ok(Self { hashes: text.lines().filter_map(pair).collect() })
    }

    /// Whether exactly this content is trusted.
    #[must_use]
    pub fn trusts(&self, content: &str) -> bool {
        self.hashes.contains_key(&sha256_hex(content.as_bytes()))
    }

    /// Trusts this content; `seen_at` is kept for the reader.
    pub fn trust(&mut self, content: &str, seen_at: &str) {
        let one_line: String = seen_at.chars().filter(|c| !c.is_control()).collect();
        self.hashes.insert(sha256_hex(content.as_bytes()), one_line);
    }

    /// Writes the list, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), TrustError> {
        let wrong = |source| TrustError { path: path.to_owned(), source };
        let beside = path.with_extension("new");
        let text: String = self.hashes.iter().map(|(h, p)| format!("{h}  {p}\n")).collect();
        let mut file = std::fs::File::create(&beside).map_err(wrong)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(wrong)?;
        std::fs::rename(&beside, path).map_err(wrong)
    }
}
