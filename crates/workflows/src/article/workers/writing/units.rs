//! Facts as units of prose: sentences of one source that stand together there and need one another here.

use baton_agents::rules::words::content_stems;

use super::{is_personal, looks_ahead, points_back, sentence_of, years};
use crate::citation::{Facts, NumberedFact};

/// Sentences that are set together or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Key and sentence of each fact, in the order of the source.
    pub sentences: Vec<(String, String)>,
    /// The source.
    pub source: String,
    /// Where it begins in the source.
    pub start: usize,
    /// How near it is to what was searched for.
    pub score: f64,
    /// The year it speaks of, or else the year of its source.
    pub year: i32,
    /// The heading above it in the source.
    pub heading: String,
    /// Whether it looks ahead.
    pub ahead: bool,
    /// Whether somebody speaks in it.
    pub personal: bool,
}

impl Unit {
    /// Its words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.sentences.iter().map(|(_, sentence)| sentence.split_whitespace().count()).sum()
    }

    /// All its sentences.
    #[must_use]
    pub fn text(&self) -> String {
        self.sentences.iter().map(|(_, sentence)| sentence.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A fact that cannot stand in an article, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    /// Its key.
    pub key: String,
    /// Why.
    pub why: &'static str,
}

/// Bytes between two sentences that follow one another in a paragraph.
const GAP: usize = 2;
/// Sentences of one unit.
const MOST: usize = 3;

/// The units of facts, best first. What the brief excludes, or no sentence can be made of, is left out.
#[must_use]
pub fn units(facts: &Facts<'_>, exclude: &[String]) -> (Vec<Unit>, Vec<Unused>) {
    let mut all: Vec<&NumberedFact<'_>> = facts.all().iter().collect();
    let start = |fact: &NumberedFact<'_>| fact.found.ranges().first().map_or(0, |range| range.start);
    all.sort_by_key(|fact| (fact.card.key().to_owned(), start(fact)));
    let excluded: Vec<_> =
        exclude.iter().map(|topic| content_stems(topic)).filter(|it| !it.is_empty()).collect();
    let (mut units, mut unused): (Vec<Unit>, Vec<Unused>) = (Vec::new(), Vec::new());
    let mut before: Option<(String, usize)> = None;
    for fact in all {
        let key = fact.found.key().to_owned();
        let mut leave = |why: &'static str| unused.push(Unused { key: key.clone(), why });
        if fact.superseded {
            leave("a later document replaced its source");
            continue;
        }
        let Some(sentence) = sentence_of(&fact.found.fact.statement) else {
            leave("it is no sentence that can stand by itself");
            continue;
        };
        let stems = content_stems(&sentence);
        if excluded.iter().any(|topic| topic.is_subset(&stems)) {
            leave("the brief excludes it");
            continue;
        }
        let (source, begin) = (fact.card.key().to_owned(), start(fact));
        let end = fact.found.ranges().last().map_or(begin, |range| range.end);
        let follows = before
            .as_ref()
            .is_some_and(|(known, last)| *known == source && begin >= *last && begin - last <= GAP);
        let score = fact.parts.values().copied().fold(0.0, f64::max);
        let back = points_back(&sentence);
        before = Some((source.clone(), end));
        match units.last_mut() {
            Some(unit) if back && follows && unit.sentences.len() < MOST => {
                unit.ahead |= looks_ahead(&sentence);
                unit.personal |= is_personal(&sentence);
                unit.score = unit.score.max(score);
                unit.sentences.push((key, sentence));
            }
            _ if back => {
                leave("it needs the sentence before it");
                before = None;
            }
            _ => {
                let named = years(&sentence).into_iter().max();
                let dated = fact.card.source.date.as_deref().and_then(|date| date.get(..4)?.parse().ok());
                units.push(Unit {
                    source,
                    start: begin,
                    score,
                    year: named.or(dated).unwrap_or(0),
                    heading: fact.found.heading.rsplit(" > ").next().unwrap_or_default().trim().to_owned(),
                    ahead: looks_ahead(&sentence),
                    personal: is_personal(&sentence),
                    sentences: vec![(key, sentence)],
                });
            }
        }
    }
    units.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| (&a.source, a.start).cmp(&(&b.source, b.start)))
    });
    (units, unused)
}
