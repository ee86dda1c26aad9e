//! What the report takes from documents: words that answer, advise or define.

use baton_agents::rules::words::content_stems;

use crate::report::aggregation::{Recommendation, Section, Term};
use crate::report::memory::Memory;
use crate::report::plan::TaskKind;
use crate::report::prose::Sentence;
use crate::report::results::Outcome;
use crate::retrieval::FoundFact;

/// Quotes that answer one question.
const QUOTES: usize = 3;
/// A fact this much farther from the question than the nearest is not shown.
const NEAR: f64 = 0.55;
/// Advice a report repeats.
const ADVICE: usize = 5;

/// The words of documents that answer a question, nearest first.
#[must_use]
pub fn quotes_to(memory: &Memory, scope: &str, question: &str) -> Vec<Sentence> {
    let mut facts: Vec<&FoundFact> = memory
        .results_to(scope, question, TaskKind::Research)
        .filter(|result| result.status == Outcome::Done)
        .flat_map(|result| &result.facts)
        .filter(|fact| !memory.sources.get(&fact.fact.source).is_some_and(|card| card.replaced))
        .collect();
    facts.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.key().cmp(b.key())));
    let numbered = memory.numbered();
    facts.retain(|fact| numbered.fact(fact.key()).is_some());
    let best = facts.first().map_or(0.0, |fact| fact.score);
    let mut seen: Vec<&str> = Vec::new();
    facts.retain(|fact| {
        let new = !seen.contains(&fact.fact.quote.as_str());
        seen.push(&fact.fact.quote);
        new && fact.score >= NEAR * best && is_sentence(&fact.fact.quote)
    });
    facts.truncate(QUOTES);
    facts.into_iter().map(quoted).collect()
}

fn quoted(fact: &FoundFact) -> Sentence {
    Sentence::quoting(&crate::markup::plain(&fact.fact.quote), vec![fact.key().to_owned()])
}

/// Whether words are a whole sentence: no heading, no row of a table.
fn is_sentence(quote: &str) -> bool {
    let quote = quote.trim();
    quote.ends_with(['.', '!', '?', '"', '”'])
        && quote.split_whitespace().count() >= 4
        && !quote.contains('|')
}

/// What sources advise, with the conditions they name.
#[must_use]
pub fn recommendations(memory: &Memory) -> Vec<Recommendation> {
    let facts = memory.numbered();
    let mut found: Vec<Recommendation> = Vec::new();
    for fact in facts.all() {
        let quote = crate::markup::plain(&fact.found.fact.quote);
        if !is_sentence(&quote) || fact.superseded || !advises(&quote) {
            continue;
        }
        if found.iter().any(|known| known.sentence.text() == quote) {
            continue;
        }
        let condition =
            quote.strip_prefix("If ").and_then(|rest| rest.split_once(',')).map(|(it, _)| it.to_owned());
        found.push(Recommendation { sentence: quoted(fact.found), condition });
    }
    found.truncate(ADVICE);
    found
}

/// Whether words advise something, rather than tell of it.
fn advises(quote: &str) -> bool {
    let lower = format!(" {} ", quote.to_lowercase());
    let direct = [" should ", " recommend", " advise", " propose", " ought to "];
    let conditional = lower.trim_start().starts_with("if ")
        && [" can ", " could ", " must ", " should "].iter().any(|it| lower.contains(it));
    conditional || direct.iter().any(|word| lower.contains(word))
}

/// Terms that sources define and the report uses.
#[must_use]
pub fn glossary(memory: &Memory, sections: &[Section]) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for fact in memory.numbered().all() {
        let quote = crate::markup::plain(&fact.found.fact.quote);
        let Some((term, _)) = defined(&quote) else { continue };
        let stems = content_stems(&term);
        if stems.is_empty() || fact.superseded {
            continue;
        }
        let uses = |section: &&Section| {
            let all: String = section
                .passages
                .iter()
                .map(|passage| {
                    let told: String = passage.sentences.iter().map(|it| format!("{} ", it.text())).collect();
                    format!("{} {told}", passage.question)
                })
                .collect();
            let words = content_stems(&all);
            stems.iter().all(|stem| words.contains(stem))
        };
        let Some(section) = sections.iter().find(uses) else { continue };
        if terms.iter().any(|known| known.term.eq_ignore_ascii_case(&term)) {
            continue;
        }
        terms.push(Term {
            term,
            definition: quote.clone(),
            context: fact.found.key().to_owned(),
            first_used_in: section.title.clone(),
        });
    }
    terms.sort_by_key(|a| a.term.to_lowercase());
    terms
}

/// `The average ticket is revenue divided by orders.` defines "average ticket".
fn defined(quote: &str) -> Option<(String, String)> {
    let sentence = quote.split_once([';', '.']).map_or(quote, |(first, _)| first);
    let rest = ["The ", "An ", "A "].iter().find_map(|it| sentence.strip_prefix(it)).unwrap_or(sentence);
    for verb in [" is the ", " is ", " are ", " means ", " refers to "] {
        let Some((term, meaning)) = rest.split_once(verb) else { continue };
        let words = term.split_whitespace().count();
        let tells = meaning.split_whitespace().count() >= 3;
        // What happens to a thing is no definition of it.
        let explains = [
            "divided",
            "share of",
            "the share",
            "number of",
            "wages",
            "sum of",
            "part of",
            "measure of",
            "defined",
            "cost of",
            "ratio",
            "difference",
            "amount of",
            "total of",
        ]
        .iter()
        .any(|word| meaning.contains(word) || verb.contains("means"));
        if (1..=4).contains(&words) && tells && explains && !term.contains(',') {
            return Some((term.to_lowercase(), meaning.to_owned()));
        }
        return None;
    }
    None
}
