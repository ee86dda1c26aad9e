//! What a `baton.toml` that came with a project may do before a person has looked at it: very little. A few keys are
//! harmless; every other one, also one that is added later, needs `baton trust`. Trust is given to a content at a
//! place, so a change asks again, and so does the same file in another folder.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::build::DEFAULT_USD;
use super::file::{ConfigError, Layer, Says};
use crate::hash::sha256_hex;
use crate::read::bounded;

/// What a key of a project's file may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// This one key counts without trust.
    Harmless,
    /// It needs trust, with all that stands below it.
    NeedsTrust,
}
use Judged::{Harmless, NeedsTrust};

/// Every key of the schema, judged, and why. Only what is called harmless here counts without trust; the rest says to a
/// person what they are asked to allow. A test sees to it that no key is left out.
pub(super) const JUDGED: &[(&str, Judged, &str)] = &[
    (
        "home",
        NeedsTrust,
        "a home holds journals, and what stands in them is carried out with your rights and keys",
    ),
    ("parallel", Harmless, "says how much happens at once, not what; every step counts against the budget"),
    ("models", NeedsTrust, "a model says where your texts and keys go, and what a call is said to cost"),
    ("roles", NeedsTrust, "a role says which of your models are asked, with your keys and money"),
    ("limits", NeedsTrust, "says how long and how much a server may send before a call is given up"),
    ("budget.usd", Harmless, "can only lower your own, or the default where you have none; more needs trust"),
    ("budget.tokens", Harmless, "can only lower your own; without one there is no limit to raise"),
    ("budget.calls", Harmless, "can only lower your own; without one there is no limit to raise"),
    ("privacy", NeedsTrust, "consent to send your documents is yours to give"),
    ("search", NeedsTrust, "a provider says where the words of your questions are sent, and with which key"),
    ("mcp", NeedsTrust, "a server is a command that is run, or an address that gets your words and a key"),
    (
        "data",
        NeedsTrust,
        "a source is an address that is asked with a key, or a tool of a server that is run",
    ),
    ("debate", NeedsTrust, "a panel says who is asked, which commands are run and which files are read"),
    (
        "authority",
        NeedsTrust,
        "says which sources are believed over others, and its author's may be among them",
    ),
    ("research", NeedsTrust, "says whether you are asked before a run goes on; only you can give that up"),
];

/// Sections whose bare name says nothing; elsewhere a name can be a setting, as in `[search.wikipedia]`.
const BARE: [&str; 11] = [
    "models",
    "roles",
    "limits",
    "budget",
    "privacy",
    "search",
    "mcp",
    "data",
    "debate",
    "authority",
    "research",
];

/// How many keys a refusal names; `baton trust` shows all.
const NAMED: usize = 8;

/// Something a file wants that needs trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The key, as `models.fast.base_url`.
    pub key: String,
    /// Where it stands.
    pub line: usize,
    /// What allowing it means.
    pub why: &'static str,
}

/// What a file wants that needs trust, in the order of its lines. `own` are the files of the person.
#[must_use]
pub fn wishes(layer: &Layer, own: &[Layer]) -> Vec<Wish> {
    let wanted = layer.keys().filter(|(path, says, _)| match says {
        Says::Nothing => false,
        Says::Name => !BARE.contains(path),
        Says::Value => !is_harmless(path) || (*path == "budget.usd" && raises(layer, own)),
    });
    wanted.map(|(path, _, line)| Wish { key: path.to_owned(), line, why: why(path) }).collect()
}

fn is_harmless(path: &str) -> bool {
    JUDGED.iter().any(|(key, judged, _)| *judged == Harmless && *key == path)
}

/// Whether a file gives a run more money than it has where the person has said nothing. What the person did say is
/// never raised, trusted or not.
fn raises(layer: &Layer, own: &[Layer]) -> bool {
    let unsaid = own.iter().all(|own| own.settings.budget.usd.is_none());
    unsaid && layer.settings.budget.usd.is_some_and(|usd| usd > DEFAULT_USD)
}

/// Why a key needs trust: the reason of the key itself, else of what it stands in.
fn why(path: &str) -> &'static str {
    let covers =
        |key: &str| path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let found = JUDGED.iter().find(|(key, ..)| covers(key));
    found.map_or("nobody has judged this key yet", |(_, _, why)| why)
}

impl Layer {
    /// Parses a file found in a project folder. What it wants that needs trust is for the caller to settle first.
    pub fn parse_project(file: &str, text: &str) -> Result<Self, ConfigError> {
        let mut layer = Self::parse(file, text)?;
        layer.is_project = true;
        Ok(layer)
    }

    /// Why this file does not count before it is trusted; none if it wants nothing that needs trust.
    #[must_use]
    pub fn refusal(&self, own: &[Self]) -> Option<ConfigError> {
        let wishes = wishes(self, own);
        let line = wishes.first()?.line;
        let mut keys: Vec<&str> = wishes.iter().map(|wish| wish.key.as_str()).take(NAMED).collect();
        let more = format!("and {} more", wishes.len() - keys.len());
        if wishes.len() > NAMED {
            keys.push(&more);
        }
        let what = format!(
            "this file came with the project and names what needs trust: {}. Read it, then run `baton trust`.",
            keys.join(", ")
        );
        Some(ConfigError { file: self.file.clone(), line, column: 1, what })
    }
}

/// A list of trusted contents that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the list of trusted files at {path}: {source}")]
pub struct TrustError {
    path: PathBuf,
    source: std::io::Error,
}

/// What a person has trusted: a file of lines, each the hash of a content and the path it was trusted at.
#[derive(Clone, Debug, Default)]
pub struct TrustStore {
    trusted: BTreeSet<(String, String)>,
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
        Ok(Self { trusted: text.lines().filter_map(pair).collect() })
    }

    /// Whether exactly this content is trusted at this place.
    #[must_use]
    pub fn trusts(&self, content: &str, at: &Path) -> bool {
        self.trusted.contains(&entry(content, at))
    }

    /// Trusts this content at this place.
    pub fn trust(&mut self, content: &str, at: &Path) {
        self.trusted.insert(entry(content, at));
    }

    /// Writes the list, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), TrustError> {
        let wrong = |source| TrustError { path: path.to_owned(), source };
        let beside = path.with_extension("new");
        let text: String = self.trusted.iter().map(|(h, p)| format!("{h}  {p}\n")).collect();
        let mut file = std::fs::File::create(&beside).map_err(wrong)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(wrong)?;
        std::fs::rename(&beside, path).map_err(wrong)
    }
}

/// A line of the list. The folder counts as it really is, the file as it is named there: its paths are meant from
/// that folder, and a link to a trusted file elsewhere must not borrow its trust.
fn entry(content: &str, at: &Path) -> (String, String) {
    let folder = at.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let place = at.file_name().map_or_else(|| real.clone(), |name| real.join(name));
    // What would not survive as one line of text is written so that no two paths look alike.
    let plain = place.to_str().filter(|text| !text.contains(char::is_control)).map(str::to_owned);
    (sha256_hex(content.as_bytes()), plain.unwrap_or_else(|| format!("{place:?}")))
}

#[cfg(test)]
mod tests;
