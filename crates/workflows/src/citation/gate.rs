//! The one gate between whoever writes and what a reader sees: every sentence is held against the facts it cites, and
//! dropped if they do not carry it. A sentence that points back to a dropped one goes with it.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use baton_agents::evidence::{Cited, carries_cited};
use serde::{Deserialize, Serialize};

use super::facts::Facts;

/// A sentence and the facts it rests on, by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The sentence, without citations.
    pub text: String,
    /// Keys of its facts; never empty.
    pub facts: Vec<String>,
}

/// A sentence that was not let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The sentence.
    pub text: String,
    /// Why.
    pub why: String,
}

/// Lets through what facts carry, each sentence once.
#[derive(Debug)]
pub struct Gate<'a> {
    facts: &'a Facts<'a>,
    passed: BTreeSet<String>,
    dropped: Vec<Dropped>,
    /// Was the sentence before the present one dropped?
    gap: bool,
}

impl<'a> Gate<'a> {
    /// A gate before these facts.
    #[must_use]
    pub fn new(facts: &'a Facts<'a>) -> Self {
        Self { facts, passed: BTreeSet::new(), dropped: Vec::new(), gap: false }
    }

    /// The sentence, if the facts with these labels carry it. What was said before is not wrong, it is only not said
    /// again.
    pub fn pass(&mut self, text: &str, labels: &[String]) -> Option<Line> {
        let orphan = self.gap && points_back(text);
        let checked = if orphan {
            Err("what it points back to was dropped".to_owned())
        } else {
            check(text, labels, self.facts)
        };
        self.gap = checked.is_err();
        match checked {
            Ok(line) => self.passed.insert(line.text.to_lowercase()).then_some(line),
            Err(why) => {
                self.dropped.push(Dropped { text: text.to_owned(), why });
                None
            }
        }
    }

    /// What was not let through.
    #[must_use]
    pub fn dropped(self) -> Vec<Dropped> {
        self.dropped
    }
}

/// First words that mean something only with the sentence before.
const POINTERS: &[&str] = &[
    "it",
    "its",
    "they",
    "their",
    "them",
    "this",
    "these",
    "those",
    "that",
    "he",
    "she",
    "his",
    "her",
    "both",
    "such",
    "neither",
    "either",
    "one",
    "another",
    "each",
    "there",
    "thus",
    "therefore",
    "hence",
    "so",
];
/// The same behind "the".
const POINTED: &[&str] = &[
    "higher",
    "lower",
    "larger",
    "smaller",
    "greater",
    "lesser",
    "latter",
    "former",
    "other",
    "others",
    "same",
    "second",
    "two",
    "difference",
    "gap",
    "discrepancy",
    "rest",
    "remainder",
    "remaining",
    "older",
    "newer",
    "earlier",
    "later",
    "first",
];

/// Does a sentence begin by pointing at the one before?
fn points_back(text: &str) -> bool {
    let mut words = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase);
    let Some(first) = words.next() else { return false };
    match (first.as_str(), words.next().as_deref()) {
        // "There are 14 plants", "One plant", "Each plant" stand on their own.
        ("there", _) => false,
        ("one" | "each" | "another", second) => {
            matches!(second, Some("of" | "says" | "gives" | "is" | "puts"))
        }
        ("that", second) => matches!(second, Some("is" | "was" | "means" | "figure" | "number")),
        ("so", second) => matches!(second, Some("it" | "they" | "this" | "the")),
        ("the", Some(second)) => POINTED.contains(&second),
        (first, _) => POINTERS.contains(&first),
    }
}

fn check(text: &str, labels: &[String], facts: &Facts<'_>) -> Result<Line, String> {
    let text = without_citations(text);
    if labels.is_empty() {
        return Err("it cites nothing".to_owned());
    }
    let mut cited = Vec::new();
    let mut keys = Vec::new();
    for label in labels {
        let fact = facts.labelled(label).ok_or_else(|| format!("{label} does not exist"))?;
        cited.push(Cited { quote: &fact.found.fact.quote, title: &fact.card.source.title });
        keys.push(fact.found.key().to_owned());
    }
    carries_cited(&text, &cited)?;
    Ok(Line { text, facts: keys })
}

/// Citations are written by the program: what a model put in brackets goes.
fn without_citations(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        plain.push_str(&rest[..at]);
        let inner = &rest[at + 1..];
        match inner.find(']') {
            Some(end) if is_citation(&inner[..end]) => {
                rest = &inner[end + 1..];
                // The space before a citation goes with it where a mark follows.
                if rest.starts_with(['.', ',', ';', ':', '!', '?', ')']) {
                    plain.truncate(plain.trim_end().len());
                }
            }
            _ => {
                plain.push('[');
                rest = inner;
            }
        }
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_citation(inner: &str) -> bool {
    let one = |part: &str| {
        let part = part.trim();
        let digits = part.strip_prefix("Fact-").or_else(|| part.strip_prefix('S'));
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    inner.split([',', ';']).all(one)
}
