//! EVALUATING: the supervisor measures the text, and decides: complete, continue, or complete because nothing is left.

use baton_engine::{Cx, Fault};

use crate::article::bibliography::References;
use crate::article::files::article_text;
use crate::article::score::{MarkdownText, ScoreInput, SourceText, evaluate};
use crate::article::workers::{is_english, kind_of, verdicts};
use crate::article::{Article, Evaluation, Event, Memory};

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    let (evaluation, least) =
        cx.read(|memory| (evaluation(memory), memory.assignment.brief.min_quality_score));
    let Some(evaluation) = evaluation else {
        return Err(Fault::GaveUp("there is no article to evaluate".to_owned()));
    };
    let evaluation = Box::new(evaluation);
    if evaluation.overall + 1e-9 >= least {
        return Ok(Event::QualityMet { evaluation });
    }
    let demand = evaluation.demand.clone();
    Ok(Event::QualityLow { evaluation, demand })
}

/// What the present article is worth.
pub fn evaluation(memory: &Memory) -> Option<Evaluation> {
    let text = article_text(memory)?;
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let references = References::of(&draft, &facts, memory.assignment.brief.citation_style);
    let cited = draft.sentences().filter(|sentence| sentence.is_claim());
    let keys: Vec<&String> = cited.flat_map(|sentence| &sentence.facts).collect();
    let good = keys.iter().filter(|key| references.place(key).is_some()).count();
    let uncited = draft.sentences().filter(|it| it.is_claim() && it.facts.is_empty()).count();
    let input = ScoreInput {
        brief: &memory.assignment.brief,
        text: &text,
        sources: source_texts(memory)?,
        claims: verdicts(memory)?,
        good_citations: good,
        all_citations: keys.len() + uncited,
        english: is_english(&MarkdownText::parse(&text).all()),
    };
    Some(evaluate(&input))
}

/// The sources, with what was quoted of them and how the article names them.
pub fn source_texts(memory: &Memory) -> Option<Vec<SourceText>> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let cited = References::of(&draft, &facts, memory.assignment.brief.citation_style);
    let all = References::all(&facts, memory.assignment.brief.citation_style);
    let texts = facts.sources().iter().map(|card| {
        let own = facts.all().iter().filter(|fact| fact.card.key() == card.key());
        let key = own.clone().next().map(|fact| fact.found.key().to_owned()).unwrap_or_default();
        SourceText {
            name: all.name(&key),
            kind: kind_of(&card.source.location, &card.source.title),
            cited: cited.cards().any(|other| other.key() == card.key()),
            text: own.map(|fact| fact.found.fact.quote.as_str()).collect::<Vec<_>>().join("\n"),
        }
    });
    Some(texts.collect())
}
