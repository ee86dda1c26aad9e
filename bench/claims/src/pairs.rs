//! The pairs: quotes of real documents, a sentence written to them by hand, and whether they carry it.

use serde::Deserialize;

const OWN: &str = include_str!("../pairs.jsonl");

/// Quotes and a sentence.
#[derive(Debug, Deserialize)]
pub struct Pair {
    /// As they stand in their documents.
    pub quotes: Vec<String>,
    /// What somebody could write to them.
    pub sentence: String,
    /// Do they carry it?
    pub carried: bool,
    /// What kind of lie, or how near it is to the quotes.
    pub kind: String,
    /// The documents.
    #[allow(dead_code, reason = "for whoever reads the pairs")]
    pub doc: String,
    /// `early`: the rules were made with it; `late`: written after them.
    pub set: String,
}

/// The pairs of a file, one JSON object a line.
pub fn read(text: &str) -> Result<Vec<Pair>, serde_json::Error> {
    text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect()
}

/// The pairs that stand beside this program.
pub fn own() -> Result<Vec<Pair>, serde_json::Error> {
    read(OWN)
}
