//! Whether quotes carry a sentence: the one test between what somebody wrote and what a reader may be told.

use std::collections::BTreeSet;

use super::conflict::is_negated;
use super::fact::supported;
use crate::rules::words::content_stems;

/// Part of a sentence's words that must stand in the quotes it cites.
const SHARED: f64 = 0.5;

/// Whether quotes carry a sentence: its numbers, dates and names stand in them, most of its words do, and it
/// does not deny what they say. An error says what is missing.
pub fn carries(sentence: &str, quotes: &[&str]) -> Result<(), String> {
    supported(sentence, &quotes.join("\n")).map_err(|refusal| refusal.to_string())?;
    let own = content_stems(sentence);
    let theirs: BTreeSet<String> = quotes.iter().flat_map(|quote| content_stems(quote)).collect();
    let shared = own.iter().filter(|stem| theirs.contains(*stem)).count();
    if own.is_empty() || (shared as f64) < SHARED * own.len() as f64 {
        return Err(format!("only {shared} of its {} words stand in what it cites", own.len()));
    }
    if let [quote] = quotes
        && is_negated(sentence) != is_negated(quote)
    {
        return Err("it denies what its quote says, or the other way round".to_owned());
    }
    Ok(())
}
