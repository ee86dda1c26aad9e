//! Verification of a finished document, offline: every claim leads to facts, every fact to words in an archived text,
//! and every archived text still has its hash.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::cited::{Cited, carries_cited};
use super::fact::Fact;
use super::quote;
use super::source::Source;
use crate::read::archive::{Archive, ArchiveError};

/// A sentence of a finished document and the facts it cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The sentence.
    pub text: String,
    /// Ids of the facts it rests on.
    pub facts: Vec<String>,
}

/// Something in a document that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum EvidenceFlaw {
    /// A sentence that cites nothing.
    Uncited {
        /// The sentence.
        claim: String,
    },
    /// A sentence cites a fact that does not exist.
    UnknownFact {
        /// The sentence.
        claim: String,
        /// What it cites.
        fact: String,
    },
    /// Its quotes do not carry a sentence.
    Unsupported {
        /// The sentence.
        claim: String,
        /// What is missing.
        reason: String,
    },
    /// A fact names a source that does not exist.
    UnknownSource {
        /// The fact.
        fact: String,
        /// What it names.
        source: String,
    },
    /// The archived text of a source is gone or changed.
    Archive {
        /// The source.
        source: String,
        /// What is wrong.
        reason: String,
    },
    /// The words of a fact are not where it says.
    QuoteMoved {
        /// The fact.
        fact: String,
    },
}

/// Where archived texts are taken from.
pub trait Archived {
    /// The text with this hash.
    fn text(&self, text_hash: &str) -> Result<String, String>;
}

impl Archived for Archive {
    fn text(&self, text_hash: &str) -> Result<String, String> {
        let bytes = self.get(text_hash).map_err(|error: ArchiveError| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }
}

/// Everything that does not hold in a document; empty when all of it does.
#[must_use]
pub fn verify(
    claims: &[Claim],
    facts: &[Fact],
    sources: &[Source],
    archive: &dyn Archived,
) -> Vec<EvidenceFlaw> {
    let by_id: HashMap<&str, &Fact> = facts.iter().map(|fact| (fact.id.as_str(), fact)).collect();
    let titles: HashMap<&str, &str> =
        sources.iter().map(|source| (source.id.as_str(), source.title.as_str())).collect();
    let title = |fact: &Fact| titles.get(fact.source.as_str()).copied().unwrap_or_default();
    let mut flaws = check_facts(facts, sources, archive);
    for claim in claims {
        if claim.facts.is_empty() {
            flaws.push(EvidenceFlaw::Uncited { claim: claim.text.clone() });
            continue;
        }
        let mut quotes = Vec::new();
        for id in &claim.facts {
            match by_id.get(id.as_str()) {
                Some(fact) => quotes.push(Cited { quote: &fact.quote, title: title(fact) }),
                None => flaws.push(EvidenceFlaw::UnknownFact { claim: claim.text.clone(), fact: id.clone() }),
            }
        }
        if let Err(reason) = carries_cited(&claim.text, &quotes)
            && !quotes.is_empty()
        {
            flaws.push(EvidenceFlaw::Unsupported { claim: claim.text.clone(), reason });
        }
    }
    flaws
}

fn check_facts(facts: &[Fact], sources: &[Source], archive: &dyn Archived) -> Vec<EvidenceFlaw> {
    let mut flaws = Vec::new();
    let mut texts: HashMap<&str, Option<String>> = HashMap::new();
    for source in sources {
        let text = match archive.text(&source.text_hash) {
            Ok(text) => Some(text),
            Err(reason) => {
                flaws.push(EvidenceFlaw::Archive { source: source.id.clone(), reason });
                None
            }
        };
        texts.insert(&source.id, text);
    }
    for fact in facts {
        match texts.get(fact.source.as_str()) {
            None => {
                flaws
                    .push(EvidenceFlaw::UnknownSource { fact: fact.id.clone(), source: fact.source.clone() });
            }
            Some(Some(text)) if !quote::stands_at(text, &fact.ranges, &fact.quote) => {
                flaws.push(EvidenceFlaw::QuoteMoved { fact: fact.id.clone() });
            }
            Some(_) => {}
        }
    }
    flaws
}
