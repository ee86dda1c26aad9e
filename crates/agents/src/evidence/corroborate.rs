//! Corroboration: how many independent sources say the same. Copies of one text count once.

use std::collections::{BTreeSet, HashMap};

use super::fact::Fact;
use crate::rules::duplicates::{Sketch, groups};
use crate::rules::quantities::quantities;
use crate::rules::words::{content_stems, fold, overlap, word_ranges};

/// Statements sharing at least this part of their words say the same thing (if their numbers agree).
const SAME: f64 = 0.75;

/// Two sources with a sentence of so many words in common did not write it independently.
const VERBATIM_WORDS: usize = 8;

/// Facts that say the same, and how many independent sources stand behind them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// Ids of the facts, in order.
    pub facts: Vec<String>,
    /// Ids of the sources.
    pub sources: Vec<String>,
    /// Sources that are not copies of one another.
    pub independent: usize,
}

/// Groups facts that say the same. `texts` holds the archived text of each source by id.
#[must_use]
pub fn corroborate(facts: &[Fact], texts: &HashMap<String, String>) -> Vec<Support> {
    let copies = copies(facts, texts);
    let mut taken = vec![false; facts.len()];
    let mut found = Vec::new();
    for index in 0..facts.len() {
        if taken[index] {
            continue;
        }
        let same: Vec<usize> = (index..facts.len())
            .filter(|&other| other == index || (!taken[other] && says_same(&facts[index], &facts[other])))
            .collect();
        for &member in &same {
            taken[member] = true;
        }
        let sources: BTreeSet<&str> = same.iter().map(|&member| facts[member].source.as_str()).collect();
        let independent = independent(facts, &same, &copies);
        found.push(Support {
            facts: same.iter().map(|&member| facts[member].id.clone()).collect(),
            sources: sources.iter().map(|source| (*source).to_owned()).collect(),
            independent,
        });
    }
    found
}

/// How many sources of these facts speak for themselves: copies of one text count once, and so do those that say a whole
/// sentence in the very same words.
fn independent(facts: &[Fact], same: &[usize], copies: &HashMap<&str, usize>) -> usize {
    let mut voices: Vec<(BTreeSet<usize>, BTreeSet<String>)> = Vec::new();
    for &member in same {
        let fact = &facts[member];
        let Some(&copy) = copies.get(fact.source.as_str()) else { continue };
        let words: Vec<String> = word_ranges(&fact.quote).map(|range| fold(&fact.quote[range])).collect();
        let said = (words.len() >= VERBATIM_WORDS).then(|| words.join(" "));
        let (mut known, others): (Vec<_>, Vec<_>) = voices.into_iter().partition(|(copies, sentences)| {
            copies.contains(&copy) || said.as_ref().is_some_and(|said| sentences.contains(said))
        });
        let mut voice = known.pop().unwrap_or_default();
        for (copies, sentences) in known {
            voice.0.extend(copies);
            voice.1.extend(sentences);
        }
        voice.0.insert(copy);
        voice.1.extend(said);
        voices = others;
        voices.push(voice);
    }
    voices.len()
}

/// For each source the number of its group of copies; a source without a text stands alone.
fn copies<'a>(facts: &'a [Fact], texts: &HashMap<String, String>) -> HashMap<&'a str, usize> {
    let sources: Vec<&str> =
        facts.iter().map(|fact| fact.source.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let sketches: Vec<Sketch> = sources
        .iter()
        .map(|source| Sketch::new(texts.get(*source).map_or(*source, String::as_str)))
        .collect();
    sources.into_iter().zip(groups(&sketches)).collect()
}

fn says_same(a: &Fact, b: &Fact) -> bool {
    let (left, right) = (content_stems(&a.statement), content_stems(&b.statement));
    if overlap(&left, &right) < SAME || left.len().abs_diff(right.len()) > left.len().max(right.len()) / 2 {
        return false;
    }
    let values = |fact: &Fact| {
        quantities(&fact.statement).into_iter().map(|q| q.value.to_bits()).collect::<BTreeSet<_>>()
    };
    values(a) == values(b)
        && super::conflict::is_negated(&a.statement) == super::conflict::is_negated(&b.statement)
}
