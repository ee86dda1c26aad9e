//! A gate of shared words, the baseline: half of the content stems, all numbers, and one quote must not be denied.

use std::collections::HashSet;

use baton_agents::evidence::conflict::is_negated;
use baton_agents::evidence::fact::supported;
use baton_agents::rules::words::content_stems;

const SHARED: f64 = 0.5;

/// Share of the sentence's content stems that stand in the quotes.
pub fn share(sentence: &str, quotes: &[&str]) -> f64 {
    let own = content_stems(sentence);
    let theirs: HashSet<String> = quotes.iter().flat_map(|quote| content_stems(quote)).collect();
    if own.is_empty() {
        return 0.0;
    }
    own.intersection(&theirs).count() as f64 / own.len() as f64
}

/// Would a gate of shared words let it through?
pub fn passes(sentence: &str, quotes: &[&str]) -> bool {
    let denied = matches!(quotes, [quote] if is_negated(sentence) != is_negated(quote));
    supported(sentence, &quotes.join("\n")).is_ok() && share(sentence, quotes) >= SHARED && !denied
}
