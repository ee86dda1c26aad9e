//! One `baton.toml` as written: parsed, every key known, every mistake with its line and column.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use super::data::{DATA_KEYS, PAGES_KEYS, RawData};
use super::sources::{MCP_KEYS, RawMcp, RawProvider, SEARCH_KEYS};
use crate::model::{Bounds, Provider, Structured};
use crate::nearest::nearest;

/// A mistake in the configuration: where, what, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {what}", place(*.line, *.column))]
pub struct ConfigError {
    /// Which file, or which flag or variable.
    pub file: String,
    /// Line from 1; 0 if the mistake has no place in a file.
    pub line: usize,
    /// Column from 1.
    pub column: usize,
    /// What is wrong and what to do about it.
    pub what: String,
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}, column {column}") }
}

/// A file's settings. Absent ones leave room for those of a lower layer.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Settings {
    #[serde(default)]
    pub models: BTreeMap<String, RawModel>,
    #[serde(default)]
    pub roles: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub limits: BTreeMap<String, Bounds>,
    #[serde(default)]
    pub budget: RawBudget,
    #[serde(default)]
    pub privacy: RawPrivacy,
    #[serde(default)]
    pub search: BTreeMap<String, RawProvider>,
    #[serde(default)]
    pub mcp: BTreeMap<String, RawMcp>,
    #[serde(default)]
    pub data: BTreeMap<String, RawData>,
    #[serde(default)]
    pub authority: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub research: RawResearch,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawResearch {
    pub check_in: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RawModel {
    pub provider: Provider,
    pub base_url: Option<String>,
    pub model: String,
    pub key_env: Option<String>,
    #[serde(default)]
    pub local: bool,
    pub price: Option<RawPrice>,
    pub context_tokens: Option<u64>,
    pub max_output_tokens: Option<u32>,
    pub temperature: Option<f64>,
    pub structured: Option<Structured>,
    pub stream: Option<bool>,
    #[serde(default)]
    pub limits: RawLimits,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RawPrice {
    pub input: f64,
    pub output: f64,
    pub cached: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawLimits {
    pub per_minute: Option<u32>,
    pub at_once: Option<u32>,
    pub idle_seconds: Option<u64>,
    #[serde(flatten)]
    pub whole: Bounds,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawBudget {
    pub usd: Option<f64>,
    pub tokens: Option<u64>,
    pub calls: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RawPrivacy {
    pub send_documents: Option<bool>,
    pub documents_to: Option<Vec<String>>,
}

/// Every section with the keys it knows; `*` is any name. What stands in no section here takes any key.
pub(super) const SCHEMA: &[(&[&str], &[&str])] = &[
    // The program's own keys stand in the same file; it reads them itself.
    (
        &[],
        &[
            "home",
            "parallel",
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
        ],
    ),
    (
        &["models", "*"],
        &[
            "provider",
            "base_url",
            "model",
            "key_env",
            "local",
            "price",
            "context_tokens",
            "max_output_tokens",
            "temperature",
            "structured",
            "stream",
            "limits",
        ],
    ),
    (&["models", "*", "price"], &["input", "output", "cached"]),
    (&["models", "*", "limits"], &["per_minute", "at_once", "idle_seconds", "total_seconds", "max_bytes"]),
    (&["limits", "*"], &["total_seconds", "max_bytes"]),
    (&["search", "*"], SEARCH_KEYS),
    (&["mcp", "*"], MCP_KEYS),
    (&["data", "*"], DATA_KEYS),
    (&["data", "*", "pages"], PAGES_KEYS),
    (&["budget"], &["usd", "tokens", "calls"]),
    (&["privacy"], &["send_documents", "documents_to"]),
    (&["authority"], &["official", "journal", "industry", "news", "other"]),
    (&["research"], &["check_in"]),
];

/// The keys known under a path; `None` where any name will do.
fn known(path: &[&str]) -> Option<&'static [&'static str]> {
    let fits = |section: &[&str]| {
        section.len() == path.len()
            && section.iter().zip(path).all(|(wanted, name)| *wanted == "*" || wanted == name)
    };
    SCHEMA.iter().find(|(section, _)| fits(section)).map(|(_, keys)| *keys)
}

/// Where a key stands, and what stands there.
#[derive(Clone, Debug)]
struct Place {
    /// The key, as `a.b.c`.
    path: String,
    span: Range<usize>,
    says: Says,
}

/// What a key says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// A value.
    Value,
    /// Only its name: a section with nothing in it.
    Name,
    /// Nothing: the keys below it speak.
    Nothing,
}

/// One parsed file and where its keys stand.
#[derive(Clone, Debug)]
pub struct Layer {
    pub(super) file: String,
    pub(super) settings: Settings,
    /// Whether it came with a project, so that its limits can only lower those of the person.
    pub(super) is_project: bool,
    text: String,
    /// In the order of the file; the tables of a list have the same paths.
    places: Vec<Place>,
}

impl Layer {
    /// Parses one file. `file` is how it is called in messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        let at = |span: Option<Range<usize>>, what: String| error_at(file, text, span, what);
        let table = DeTable::parse(text).map_err(|e| at(e.span(), e.message().to_owned()))?;
        let mut places = Vec::new();
        walk(table.get_ref(), &mut Vec::new(), &mut places).map_err(|(span, what)| at(Some(span), what))?;
        let settings = toml::from_str(text).map_err(|e| at(e.span(), e.message().trim().to_owned()))?;
        places.sort_by_key(|place| place.span.start);
        Ok(Self { file: file.to_owned(), settings, is_project: false, text: text.to_owned(), places })
    }

    /// A mistake at the key `path`, if this file has that key.
    pub(super) fn error(&self, path: &str, what: &str) -> Option<ConfigError> {
        let place = self.places.iter().rfind(|place| place.path == path)?;
        Some(error_at(&self.file, &self.text, Some(place.span.clone()), what.to_owned()))
    }

    /// Every key as `a.b.c` with what it says and its line, in the order of the file.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&str, Says, usize)> {
        self.places.iter().map(|place| {
            let at = error_at(&self.file, &self.text, Some(place.span.clone()), String::new());
            (place.path.as_str(), place.says, at.line)
        })
    }
}

/// Notes where every key stands and refuses those nobody knows.
fn walk<'a>(
    table: &'a DeTable<'_>,
    path: &mut Vec<&'a str>,
    places: &mut Vec<Place>,
) -> Result<(), (Range<usize>, String)> {
    let known = known(path);
    for (key, value) in table {
        let name: &str = key.get_ref();
        if let Some(known) = known.filter(|k| !k.contains(&name)) {
            let within = if path.is_empty() { String::new() } else { format!(" in [{}]", path.join(".")) };
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are: {}.", known.join(", ")),
            };
            return Err((key.span(), format!("unknown key `{name}`{within}; {hint}")));
        }
        path.push(name);
        let says = match value.get_ref() {
            DeValue::Table(inner) if inner.is_empty() => Says::Name,
            DeValue::Table(_) => Says::Nothing,
            _ => Says::Value,
        };
        places.push(Place { path: path.join("."), span: key.span(), says });
        match value.get_ref() {
            DeValue::Table(inner) => walk(inner, path, places)?,
            DeValue::Array(items) => {
                for item in items {
                    if let DeValue::Table(inner) = item.get_ref() {
                        walk(inner, path, places)?;
                    }
                }
            }
            _ => {}
        }
        path.pop();
    }
    Ok(())
}

fn error_at(file: &str, text: &str, span: Option<Range<usize>>, what: String) -> ConfigError {
    let before = &text[..span.map_or(0, |s| s.start).min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    ConfigError { file: file.to_owned(), line, column, what }
}
