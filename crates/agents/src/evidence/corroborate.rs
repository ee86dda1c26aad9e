//! Corroboration: how many independent sources say the same. Copies of one text count once.

use std::collections::{BTreeSet, HashMap};

use super::fact::Fact;
use crate::rules::duplicates::{Sketch, groups};
use crate::rules::quantities::quantities;
use crate::rules::words::{content_stems, overlap};

/// Statements sharing at least this part of their words say the same thing (if their numbers agree).
const SAME: f64 = 0.75;

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
        let independent: BTreeSet<usize> =
            sources.iter().filter_map(|source| copies.get(*source).copied()).collect();
        found.push(Support {
            facts: same.iter().map(|&member| facts[member].id.clone()).collect(),
            sources: sources.iter().map(|source| (*source).to_owned()).collect(),
            independent: independent.len(),
        });
    }
    found
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
