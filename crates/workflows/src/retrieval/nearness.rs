//! How near a sentence is to a question: what the search thought of its passage, and what the sentence itself
//! says. Search ranks passages first; an answer needs the sentence that says it.

use std::collections::BTreeSet;

use baton_agents::rules::question::ParsedQuestion;

use super::source::{Candidate, Lead};

/// The part of the search's own score.
const SEARCH: f64 = 0.6;

/// A question, its words weighed by how few of the found sentences have them.
pub struct Nearness {
    question: ParsedQuestion,
    weights: Vec<(String, f64)>,
}

impl Nearness {
    /// Weighs the words of a question among what a search found.
    #[must_use]
    pub fn of(question: &str, leads: &[Lead]) -> Self {
        let question = ParsedQuestion::new(question);
        let found: Vec<BTreeSet<String>> = leads
            .iter()
            .flat_map(|lead| &lead.candidates)
            .map(|candidate| question.stems(&candidate.text).into_iter().collect())
            .collect();
        let weight = |stem: &String| {
            let with = found.iter().filter(|stems| stems.contains(stem)).count();
            (2.0 + found.len() as f64 / (1.0 + with as f64)).ln()
        };
        let weights = question.terms.iter().map(|term| (term.stem.clone(), weight(&term.stem))).collect();
        Self { question, weights }
    }

    /// Larger is nearer; comparable within one question.
    #[must_use]
    pub fn near(&self, candidate: &Candidate) -> f64 {
        let text = candidate.text.trim();
        let own: BTreeSet<String> = self.question.stems(text).into_iter().collect();
        let above: BTreeSet<String> = self.question.stems(&candidate.heading).into_iter().collect();
        let part = |stem: &String| {
            if own.contains(stem) {
                1.0
            } else if above.contains(stem) {
                0.3
            } else {
                0.0
            }
        };
        let total: f64 = self.weights.iter().map(|(_, weight)| weight).sum();
        let found: f64 = self.weights.iter().map(|(stem, weight)| weight * part(stem)).sum();
        let share = if total > 0.0 { found / total } else { 0.0 };
        SEARCH * candidate.score + (1.0 - SEARCH) * (1.5 * share + 0.2 * self.question.cue(text))
    }
}
