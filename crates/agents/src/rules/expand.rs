//! Query expansion: words that the best first hits share and the query lacks (relevance feedback).

use std::collections::{HashMap, HashSet};

use super::question::ParsedQuestion;
use super::words::{fold, is_stop, stem, word_ranges};

/// Up to `limit` further words, best first: those found in at least two of the hits, weighted by how many hits and
/// how often. For a second, wider search; the first search is better without them.
#[must_use]
pub fn expansion(question: &ParsedQuestion, hits: &[&str], limit: usize) -> Vec<String> {
    let asked: HashSet<&str> = question.terms.iter().map(|term| term.stem.as_str()).collect();
    let mut seen: HashMap<String, (String, HashSet<usize>, usize)> = HashMap::new();
    for (hit, text) in hits.iter().enumerate() {
        for range in word_ranges(text) {
            let word = fold(&text[range]);
            let stem = stem(&word);
            if is_stop(&word)
                || word.len() < 3
                || asked.contains(stem.as_str())
                || word.bytes().all(|b| b.is_ascii_digit())
            {
                continue;
            }
            let entry = seen.entry(stem).or_insert_with(|| (word, HashSet::new(), 0));
            entry.1.insert(hit);
            entry.2 += 1;
        }
    }
    let mut words: Vec<(String, f64)> = seen
        .into_values()
        .filter(|(_, hits, _)| hits.len() >= 2)
        .map(|(word, hits, count)| (word, hits.len() as f64 + (count as f64).ln()))
        .collect();
    words.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    words.into_iter().take(limit).map(|(word, _)| word).collect()
}
