//! evidence.json: what every sentence of the article rests on, and the references for reference managers.

use baton_engine::RunFile;

use super::article_md::caption;
use super::json;
use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::draft::Sentence;
use crate::article::verification::{ArticleEvidence, ShownClaim, ShownFact, ShownRow, ShownSource};
use crate::article::workers::verdict;
use crate::citation::{Facts, bibliography};

/// evidence.json, references.bib and references.json.
pub fn render(memory: &Memory, facts: &Facts<'_>, text: &str) -> Vec<RunFile> {
    let Some(draft) = memory.draft() else { return Vec::new() };
    let references = References::of(&draft, facts, memory.assignment.brief.citation_style);
    let label = |key: &String| facts.fact(key).map(|fact| fact.label());
    let claim = |sentence: &Sentence| ShownClaim {
        text: sentence.shown(&references),
        claim: sentence.claim.clone(),
        facts: sentence.facts.iter().filter_map(label).collect(),
        verdict: verdict(sentence, facts),
        derived: sentence.derived.as_deref().cloned(),
    };
    let frames = draft.sentences().filter(|it| !it.is_claim()).map(|it| it.shown(&references));
    let cited = draft.facts();
    let fact = |fact: &crate::citation::NumberedFact<'_>| ShownFact {
        id: fact.label(),
        key: fact.found.key().to_owned(),
        quote: fact.found.fact.quote.clone(),
        source: fact.source_label(),
        ranges: fact.found.ranges().to_vec(),
    };
    let source = |(at, card): (usize, &&crate::retrieval::SourceCard)| ShownSource {
        id: crate::citation::source_label(at + 1),
        title: card.source.title.clone(),
        place: card.shown.clone(),
        raw_hash: card.source.raw_hash.clone(),
        text_hash: card.source.text_hash.clone(),
        copy: card.copy(),
    };
    let row = |(cells, key): &(Vec<String>, String)| ShownRow {
        cells: cells.clone(),
        fact: label(key).unwrap_or_default(),
    };
    let evidence = ArticleEvidence {
        topic: memory.assignment.brief.topic.clone(),
        article_hash: baton_agents::hash::sha256_hex(text.as_bytes()),
        claims: draft.sentences().filter(|sentence| sentence.is_claim()).map(claim).collect(),
        frames: frames.chain(draft.tables().map(|table| caption(table, &references))).collect(),
        rows: draft.tables().flat_map(|table| &table.rows).map(row).collect(),
        facts: facts.all().iter().filter(|it| cited.contains(&it.found.key())).map(fact).collect(),
        sources: facts.sources().iter().enumerate().map(source).collect(),
    };
    let keys: Vec<&str> = references.cards().map(|card| card.key()).collect();
    vec![
        RunFile::text("evidence.json", json(&evidence)),
        RunFile::text("references.bib", bibliography::bib_of(facts, &keys)),
        RunFile::text("references.json", json(&bibliography::csl_of(facts, &keys))),
    ]
}
