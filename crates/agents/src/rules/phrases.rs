//! Key phrases of a text: runs of meaningful words, scored by how often their words occur in long runs (RAKE).

use std::collections::HashMap;

use super::sentences::sentences;
use super::words::{fold, is_stop, stem, word_ranges};

const LONGEST: usize = 4;

/// A phrase and its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    /// As first written, lower case.
    pub text: String,
    /// Larger is better.
    pub score: f64,
    /// How often it occurs.
    pub count: usize,
}

/// Up to `limit` key phrases, best first.
#[must_use]
pub fn key_phrases(text: &str, limit: usize) -> Vec<Phrase> {
    let runs = runs(text);
    let mut count: HashMap<&str, f64> = HashMap::new();
    let mut degree: HashMap<&str, f64> = HashMap::new();
    for run in &runs {
        for (_, stem) in run {
            *count.entry(stem).or_default() += 1.0;
            *degree.entry(stem).or_default() += run.len() as f64;
        }
    }
    let mut phrases: HashMap<Vec<&str>, Phrase> = HashMap::new();
    for run in runs.iter().filter(|run| run.len() <= LONGEST) {
        let key: Vec<&str> = run.iter().map(|(_, stem)| stem.as_str()).collect();
        let score = key.iter().map(|stem| degree[stem] / count[stem]).sum();
        let text = run.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ");
        phrases.entry(key).or_insert(Phrase { text, score, count: 0 }).count += 1;
    }
    let mut all: Vec<Phrase> = phrases
        .into_values()
        .map(|p| Phrase { score: p.score * (1.0 + (p.count as f64).ln()), ..p })
        .collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    all.truncate(limit);
    all
}

/// Runs of meaningful words, broken at stop words, numbers, marks and sentence ends; (word, stem).
fn runs(text: &str) -> Vec<Vec<(String, String)>> {
    let mut runs = Vec::new();
    for sentence in sentences(text) {
        let sentence = &text[sentence];
        let mut open: Vec<(String, String)> = Vec::new();
        let mut end = 0;
        for range in word_ranges(sentence) {
            let gap = &sentence[end..range.start];
            let word = fold(&sentence[range.clone()]);
            end = range.end;
            if gap.trim_matches([' ', '\n']).chars().any(|c| c != '-') {
                runs.push(std::mem::take(&mut open));
            }
            if is_stop(&word) || word.len() < 2 || word.bytes().all(|b| b.is_ascii_digit()) {
                runs.push(std::mem::take(&mut open));
            } else {
                open.push((word.clone(), stem(&word)));
            }
        }
        runs.push(open);
    }
    runs.retain(|run| !run.is_empty());
    runs
}
