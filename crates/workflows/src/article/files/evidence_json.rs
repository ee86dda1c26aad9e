//! evidence.json: what every sentence of the article rests on, and the references for reference managers.

use baton_agents::evidence::{Derived, Verdict};
use baton_engine::RunFile;
use serde::Serialize;

use super::json;
use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::workers::verdict;
use crate::citation::{Facts, bibliography};

/// A sentence and what it rests on.
#[derive(Serialize)]
struct ShownClaim<'a> {
    /// As it is read.
    text: String,
    /// What is claimed in it.
    claim: &'a str,
    facts: Vec<String>,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<&'a Derived>,
}

/// A fact.
#[derive(Serialize)]
struct Shown<'a> {
    id: String,
    key: &'a str,
    quote: &'a str,
    source: String,
    ranges: &'a [std::ops::Range<usize>],
}

/// A source.
#[derive(Serialize)]
struct ShownSource<'a> {
    id: String,
    title: &'a str,
    place: &'a str,
    raw_hash: &'a str,
    text_hash: &'a str,
    copy: String,
}

#[derive(Serialize)]
struct Evidence<'a> {
    topic: &'a str,
    article_hash: String,
    claims: Vec<ShownClaim<'a>>,
    facts: Vec<Shown<'a>>,
    sources: Vec<ShownSource<'a>>,
}

/// evidence.json, references.bib and references.json.
pub fn render(memory: &Memory, facts: &Facts<'_>, text: &str) -> Vec<RunFile> {
    let Some(draft) = memory.draft() else { return Vec::new() };
    let references = References::of(&draft, facts, memory.assignment.brief.citation_style);
    let label = |key: &String| facts.fact(key).map(|fact| fact.label());
    let claims = draft.sentences().filter(|sentence| sentence.is_claim()).map(|sentence| ShownClaim {
        text: sentence.shown(&references),
        claim: &sentence.claim,
        facts: sentence.facts.iter().filter_map(label).collect(),
        verdict: verdict(sentence, facts),
        derived: sentence.derived.as_deref(),
    });
    let cited = draft.facts();
    let used = facts.all().iter().filter(|fact| cited.contains(&fact.found.key()));
    let evidence = Evidence {
        topic: &memory.assignment.brief.topic,
        article_hash: baton_agents::hash::sha256_hex(text.as_bytes()),
        claims: claims.collect(),
        facts: used
            .map(|fact| Shown {
                id: fact.label(),
                key: fact.found.key(),
                quote: &fact.found.fact.quote,
                source: fact.source_label(),
                ranges: fact.found.ranges(),
            })
            .collect(),
        sources: facts
            .sources()
            .iter()
            .enumerate()
            .map(|(at, card)| ShownSource {
                id: crate::citation::source_label(at + 1),
                title: &card.source.title,
                place: &card.shown,
                raw_hash: &card.source.raw_hash,
                text_hash: &card.source.text_hash,
                copy: card.copy(),
            })
            .collect(),
    };
    let keys: Vec<&str> = references.cards().map(|card| card.key()).collect();
    vec![
        RunFile::text("evidence.json", json(&evidence)),
        RunFile::text("references.bib", bibliography::bib_of(facts, &keys)),
        RunFile::text("references.json", json(&bibliography::csl_of(facts, &keys))),
    ]
}
