//! The terms of a question in a passage: how often each occurs, as asked or in a related word, and how much that
//! says given how rare the term is.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::language::{Language, tokens};
use super::light::{LIGHT, is_light};
use super::question::ParsedQuestion;

/// Passages of other text that the counts are mixed with, each word being in one of them: in a folder of a few short
/// documents the counts alone say nothing about which words are rare.
const BACKGROUND: u64 = 50;
/// What a related word ("folder" for "directory") counts beside the word that was asked for.
const RELATED: f64 = 0.5;

/// What a verb of the question weighs beside a noun.
const VERB: f64 = 0.5;

/// Endings by which English makes one word of another ("invent", "inventor"), where the stemmer leaves them.
const DERIVING: &[&str] =
    &["or", "er", "ion", "ment", "al", "iv", "abl", "anc", "ship", "hood", "at", "ator", "ing"];

/// A part of a compound of fewer letters is none: too many words begin or end with it.
const SHORTEST_PART: usize = 5;

const RELATED_LINES: &[(Language, &str)] = &[
    (Language::English, include_str!("related/en.txt")),
    (Language::German, include_str!("related/de.txt")),
    (Language::French, include_str!("related/fr.txt")),
    (Language::Spanish, include_str!("related/es.txt")),
];

static RELATED_WORDS: LazyLock<HashMap<String, HashSet<String>>> =
    LazyLock::new(|| related_words(RELATED_LINES));

/// For each stem the stems of the words it shares a line with.
fn related_words(languages: &[(Language, &str)]) -> HashMap<String, HashSet<String>> {
    let mut related: HashMap<String, HashSet<String>> = HashMap::new();
    let lines = languages.iter().flat_map(|(language, lines)| lines.lines().map(|line| (*language, line)));
    for (language, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
        let group: Vec<String> = line.split_whitespace().map(|word| language.stem(word)).collect();
        for one in &group {
            let others = group.iter().filter(|other| *other != one).cloned();
            related.entry(one.clone()).or_default().extend(others);
        }
    }
    related
}

/// The stems of words that stand for nearly the same.
pub(crate) fn related(stem: &str) -> impl Iterator<Item = &'static str> {
    RELATED_WORDS.get(stem).into_iter().flatten().map(String::as_str)
}

/// Is one stem a part of the other, in a language that joins words: "speicher" in "arbeitsspeicher"?
pub(crate) fn is_joined(language: Language, one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    language.joins_words()
        && short.chars().count() >= SHORTEST_PART
        && long.len() > short.len() + 2
        && (long.starts_with(short) || long.ends_with(short))
}

/// Is one stem made of the other: the inventor of what was invented?
pub(crate) fn is_derived(language: Language, one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    language == Language::English
        && short.len() >= SHORTEST_PART
        && long.strip_prefix(short).is_some_and(|rest| DERIVING.contains(&rest))
}

/// How rare each term of one question is in the index, in the order of its terms: larger says more.
#[derive(Debug, Clone, Default)]
pub struct Rarity {
    weights: Vec<f64>,
    /// As BM25 weighs terms: common ones count for nothing.
    inverse: Vec<f64>,
    total: f64,
    /// Whether no passage has the term.
    unknown: Vec<bool>,
}

impl Rarity {
    /// The same, with what is known of the terms by related words: only those for which `unknown` says so count as such.
    #[must_use]
    pub fn with_unknown(self, unknown: Vec<bool>) -> Self {
        Self { unknown, ..self }
    }

    /// The same, words that fit any subject weighing less, and verbs, which have more synonyms than names of things.
    #[must_use]
    pub fn lightened(mut self, question: &ParsedQuestion) -> Self {
        for (weight, term) in self.weights.iter_mut().zip(&question.terms) {
            *weight *= match () {
                () if is_light(question.language, &term.stem) => LIGHT,
                () if question.verbs.contains(&term.stem) => VERB,
                () => 1.0,
            };
        }
        self.total = self.weights.iter().sum();
        self
    }

    /// Weighted share of the terms that no passage has.
    #[must_use]
    pub fn unknown_share(&self) -> f64 {
        self.share(self.unknown.iter().map(|unknown| if *unknown { 1.0 } else { 0.0 }))
    }

    /// From the number of passages and the number that hold each term.
    #[must_use]
    pub fn new(passages: u64, frequencies: &[u64]) -> Self {
        let all = (passages + BACKGROUND) as f64;
        let odds = |n: &u64| (all - (n + 1) as f64 + 0.5) / ((n + 1) as f64 + 0.5);
        let weights: Vec<f64> = frequencies.iter().map(|n| (1.0 + odds(n)).max(1.0).ln()).collect();
        let inverse = frequencies.iter().map(|n| odds(n).ln().max(1e-6)).collect();
        let total = weights.iter().sum();
        let unknown = frequencies.iter().map(|n| *n == 0).collect();
        Self { weights, inverse, total, unknown }
    }

    /// What the term at a place of the question weighs.
    #[must_use]
    pub fn weight(&self, term: usize) -> f64 {
        self.weights.get(term).copied().unwrap_or(1.0)
    }

    /// Share of the terms, each by its weight, given how far each is found (0 to 1).
    pub(super) fn share(&self, found: impl Iterator<Item = f64>) -> f64 {
        if self.total == 0.0 {
            return 0.0;
        }
        self.weights.iter().zip(found).map(|(weight, part)| weight * part).sum::<f64>() / self.total
    }

    /// Weighted share of the question's terms found in a text.
    pub(super) fn coverage(&self, counts: &Counts) -> f64 {
        self.share(counts.terms.iter().map(|count| match count {
            Count { asked: 1.., .. } => 1.0,
            Count { related: 1.., .. } => RELATED,
            Count { .. } => 0.0,
        }))
    }

    /// BM25 (k 1.2, b 0.75) of a text, given the average length; a related word counts where the term gives less.
    pub(super) fn bm25(&self, counts: &Counts, average: f64) -> f64 {
        let length = 1.2 * (0.25 + 0.75 * counts.length as f64 / average.max(1.0));
        let often = |n: usize| (n as f64 * 2.2) / (n as f64 + length);
        let value = |count: &Count| often(count.asked).max(RELATED * often(count.related));
        self.inverse.iter().zip(&counts.terms).map(|(inverse, count)| inverse * value(count)).sum()
    }
}

/// How often a term occurs: as asked, and in related words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    asked: usize,
    related: usize,
}

/// How often each term of a question occurs in a text of so many words.
#[derive(Debug, Default)]
pub(super) struct Counts {
    terms: Vec<Count>,
    pub(super) length: usize,
}

/// Finds the terms of a question in text, stemming only words that begin like one of them or a related word.
pub(super) struct Finder {
    language: Language,
    terms: usize,
    asked: HashMap<String, usize>,
    related: HashMap<String, Vec<usize>>,
    beginnings: HashSet<[char; 2]>,
}

impl Finder {
    pub(super) fn new(question: &ParsedQuestion) -> Self {
        let asked: HashMap<String, usize> =
            question.terms.iter().enumerate().map(|(index, term)| (term.stem.clone(), index)).collect();
        let mut related: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, term) in question.terms.iter().enumerate() {
            for other in RELATED_WORDS.get(&term.stem).into_iter().flatten() {
                if !asked.contains_key(other) {
                    related.entry(other.clone()).or_default().push(index);
                }
            }
        }
        let beginnings = asked.keys().chain(related.keys()).map(|stem| beginning(stem)).collect();
        Self { language: question.language, terms: question.terms.len(), asked, related, beginnings }
    }

    pub(super) fn count<'a>(&self, parts: impl IntoIterator<Item = &'a String>) -> Counts {
        let mut counts = Counts { terms: vec![Count::default(); self.terms], length: 0 };
        for part in parts {
            for range in tokens(part) {
                counts.length += 1;
                self.add(&part[range], &mut counts.terms);
            }
        }
        counts
    }

    fn add(&self, word: &str, terms: &mut [Count]) {
        // A stem keeps the first two letters of its word, so most words need no stemming.
        if word.is_ascii() && !self.language.joins_words() && !self.beginnings.contains(&beginning(word)) {
            return;
        }
        let found = self.language.stem(word);
        if let Some(&index) = self.asked.get(&found) {
            terms[index].asked += 1;
        } else if let Some(indexes) = self.related.get(&found) {
            for &index in indexes {
                terms[index].related += 1;
            }
        } else {
            for (stem, &index) in &self.asked {
                let belongs =
                    is_joined(self.language, stem, &found) || is_derived(self.language, stem, &found);
                terms[index].related += usize::from(belongs);
            }
        }
    }
}

/// The first two letters in lower case.
fn beginning(word: &str) -> [char; 2] {
    let mut letters = word.chars().map(|letter| letter.to_ascii_lowercase());
    [letters.next().unwrap_or_default(), letters.next().unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_compound_are_found_where_words_are_joined() {
        for (language, one, other, joined) in [
            (Language::German, "speich", "arbeitsspeich", true),
            (Language::German, "netzwerkkart", "netzwerk", true),
            (Language::German, "amt", "gesamt", false),
            (Language::English, "light", "lighthouse", false),
        ] {
            assert_eq!(is_joined(language, one, other), joined, "{one} {other}");
        }
    }

    #[test]
    fn related_words_are_stemmed_by_their_language() {
        for (language, one, other) in [
            (Language::English, "folders", "directory"),
            (Language::German, "brauchen", "benötigt"),
            (Language::French, "supprimé", "effacer"),
            (Language::Spanish, "necesitan", "requisitos"),
        ] {
            let (one, other) = (language.stem(one), language.stem(other));
            assert!(related(&one).any(|known| known == other), "{one} {other}");
        }
    }

    #[test]
    fn a_word_that_fits_any_subject_does_not_decide() {
        let question = ParsedQuestion::new("Wie viele Netzwerkkarten brauchen LTSP-Server?");
        let rarity = Rarity::new(1000, &[3, 0, 40, 40]).lightened(&question);
        assert!(rarity.unknown_share() < 0.2, "{question:?}");
    }
}
