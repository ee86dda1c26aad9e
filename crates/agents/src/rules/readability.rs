//! How hard a text is to read: sentence length, syllables, and the Flesch measures for English.

use super::sentences::sentences;
use super::words::word_ranges;

/// Measures of a text.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Readability {
    /// Words.
    pub words: usize,
    /// Sentences.
    pub sentences: usize,
    /// Mean words per sentence.
    pub words_per_sentence: f64,
    /// Flesch reading ease: 100 is very easy, below 30 is very hard.
    pub reading_ease: f64,
    /// Flesch-Kincaid grade: years of school.
    pub grade: f64,
}

/// Measures a text; None when it has no words.
#[must_use]
pub fn readability(text: &str) -> Option<Readability> {
    let words: Vec<&str> = word_ranges(text)
        .map(|range| &text[range])
        .filter(|word| word.contains(char::is_alphabetic))
        .collect();
    if words.is_empty() {
        return None;
    }
    let sentences = sentences(text).len().max(1);
    let syllables: usize = words.iter().map(|word| syllables(word)).sum();
    let per_sentence = words.len() as f64 / sentences as f64;
    let per_word = syllables as f64 / words.len() as f64;
    Some(Readability {
        words: words.len(),
        sentences,
        words_per_sentence: per_sentence,
        reading_ease: 206.835 - 1.015 * per_sentence - 84.6 * per_word,
        grade: 0.39 * per_sentence + 11.8 * per_word - 15.59,
    })
}

/// Vowel groups, less a silent final e; never below one.
fn syllables(word: &str) -> usize {
    let lower = word.to_lowercase();
    let vowel = |c: char| "aeiouyáéíóúäöü".contains(c);
    let mut count = 0;
    let mut inside = false;
    for c in lower.chars() {
        count += usize::from(vowel(c) && !inside);
        inside = vowel(c);
    }
    let silent = lower.ends_with('e') && !lower.ends_with("le") && count > 1;
    (count - usize::from(silent)).max(1)
}
