//! Whether quotes carry a sentence: the one test between what somebody wrote and what a reader may be told.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::conflict::is_negated;
use super::fact::supported;
use crate::rules::words::content_stems;

/// What quotes say of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Each clause is carried by one of them.
    Carried {
        /// The quotes it takes, counted from 0.
        by: Vec<usize>,
    },
    /// A quote says something else of the very thing.
    Contradicted {
        /// That quote, counted from 0.
        by: usize,
        /// What is different.
        why: String,
    },
    /// None of them says it.
    NotCarried {
        /// What is missing.
        why: String,
    },
}

/// Part of a sentence's words that must stand in the quotes it cites.
const SHARED: f64 = 0.5;

/// Whether quotes carry a sentence. An error says what is missing.
pub fn carries(sentence: &str, quotes: &[&str]) -> Result<(), String> {
    match judge(sentence, quotes) {
        Verdict::Carried { .. } => Ok(()),
        Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } => Err(why),
    }
}

/// Holds a sentence against quotes: its numbers, dates and names stand in them, most of its words do, and it
/// does not deny what they say.
#[must_use]
pub fn judge(sentence: &str, quotes: &[&str]) -> Verdict {
    if let Err(refusal) = supported(sentence, &quotes.join("\n")) {
        return Verdict::NotCarried { why: refusal.to_string() };
    }
    let own = content_stems(sentence);
    let theirs: BTreeSet<String> = quotes.iter().flat_map(|quote| content_stems(quote)).collect();
    let shared = own.iter().filter(|stem| theirs.contains(*stem)).count();
    if own.is_empty() || (shared as f64) < SHARED * own.len() as f64 {
        return Verdict::NotCarried {
            why: format!("only {shared} of its {} words stand in what it cites", own.len()),
        };
    }
    if let [quote] = quotes
        && is_negated(sentence) != is_negated(quote)
    {
        let why = "it denies what its quote says, or the other way round".to_owned();
        return Verdict::Contradicted { by: 0, why };
    }
    Verdict::Carried { by: (0..quotes.len()).collect() }
}
