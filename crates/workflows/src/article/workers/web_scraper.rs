//! WebScraper: reads the documents that were found in full, instead of the sentences a search picked.
//!
//! Given the sources so far; brings what they say in the parts that speak of the topic, sentence by sentence as it stands
//! there. A model, if there is one, reads them again with more of their text before it. If it cannot, what the searches
//! picked is used.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use baton_agents::rules::sentences::sentences;
use baton_agents::rules::structure::{Passage, outline};
use baton_agents::rules::words::content_stems;
use baton_agents::search::Location;
use baton_agents::skill::Answerer;
use baton_engine::Fault;

use super::{Job, Trouble, WorkerResult, writing};
use crate::retrieval::skills::read::speaks_to_machines;
use crate::retrieval::{
    self, Admit, Candidate, FetchPage, FoundFact, Lead, Proposal, RankPages, ReadLead, Reading, RefusedFact,
    Search, SourceCard, UNREAD,
};

/// How many times the usual number of sentences a model is shown.
const FULL: usize = 5;
/// Bytes of a document that are read; of a longer one what stands around the sentences that were found.
const WHOLE: usize = 120_000;
/// Sentences of one document, at the usual reach, and of all together where there are few.
const PER_DOCUMENT: usize = 30;
const IN_ALL: usize = 240;
/// Sentences more of one document for each wish of the brief.
const PER_WISH: usize = 15;
/// Lines of a table that is quoted whole: its head, the line below it, and three rows or some more.
const TABLE: std::ops::RangeInclusive<usize> = 5..=11;
/// A part that has less than this share of the words of the topic, in it or above it, does not speak of it.
const SPEAKS: f64 = 0.3;
/// The same of a wish.
const ANSWERS: f64 = 0.5;
/// What a sentence counts, beside the best that a search found in the same document.
const WEIGHT: f64 = 0.75;

/// Reads.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let known: Vec<SourceCard> = job.read(|memory| memory.sources.values().cloned().collect());
    if known.is_empty() {
        return Err(Trouble::Nothing("no source was found that could be read in full".to_owned()));
    }
    if job.assignment.roles.reader.chain.is_empty() {
        by_rules(job, &known).await
    } else {
        by_model(job, &known).await
    }
}

/// Every document by itself, whole.
async fn by_rules(job: &Job<'_>, known: &[SourceCard]) -> Result<WorkerResult, Trouble> {
    let found: Vec<FoundFact> = job.read(|memory| memory.facts.values().cloned().collect());
    let full = read_in_full(job, known, &found, "q").await?;
    if full.sources.is_empty() && full.unread == known.len() {
        return Err(Trouble::Failed(full.notes.join("; ")));
    }
    let InFull { sources, facts, refused, notes, .. } = full;
    Ok(WorkerResult::Sources { looked_for: Vec::new(), sources, facts, refused, searches: Vec::new(), notes })
}

/// What documents say in their own words, beyond what a search picked.
#[derive(Default)]
pub struct InFull {
    /// Those that say something.
    pub sources: Vec<SourceCard>,
    /// What they say.
    pub facts: Vec<FoundFact>,
    /// What was not believed.
    pub refused: Vec<RefusedFact>,
    /// Why some could not be read.
    pub notes: Vec<String>,
    /// How many could not be read.
    unread: usize,
}

/// Reads documents of which `found` is known already: the parts that speak of the topic, sentence by sentence. `mark` tells
/// its facts and steps from others of the same worker.
pub async fn read_in_full(
    job: &Job<'_>,
    known: &[SourceCard],
    found: &[FoundFact],
    mark: &str,
) -> Result<InFull, Trouble> {
    let mut full = InFull::default();
    let brief = &job.assignment.brief;
    let wishes = writing::wishes(brief).flat_map(|wish| writing::aspects(wish)).collect();
    let wanted = Wanted { topic: content_stems(&brief.topic), wishes };
    let wished = PER_WISH * writing::wishes(brief).count();
    let most = ((IN_ALL / known.len().max(1)).max(PER_DOCUMENT) + wished) * job.plan.reach;
    for (at, card) in known.iter().enumerate() {
        let own = Known::of(found, card);
        let text = match text(job, &format!("{mark}{at}"), card, &own).await? {
            Ok(text) => text,
            Err(why) => {
                full.unread += 1;
                full.notes.push(why);
                continue;
            }
        };
        let said = spoken(&text, &card.source.title, &wanted, most);
        let id = |number: usize| format!("{}{mark}{at}.{}", job.code, number + 1);
        let proposal = |(number, one): (usize, &Spoken)| {
            let (statement, quote) = (one.text.clone(), one.text.clone());
            Proposal { id: id(number), statement, quote, ranges: Vec::new() }
        };
        let proposals: Vec<Proposal> = said.iter().enumerate().map(proposal).collect();
        if proposals.is_empty() {
            continue;
        }
        let act = Admit { card: card.clone(), proposals };
        let admitted = job.cx.step(format!("{}/admit{mark}{at}", job.id), &act).await?;
        full.refused.extend(admitted.refused);
        for fact in admitted.facts {
            let Some(one) = said.iter().find(|one| one.text == fact.quote) else { continue };
            full.facts.push(FoundFact {
                fact,
                part: 0,
                heading: one.heading.clone(),
                page: None,
                score: WEIGHT * own.best * one.share,
                by: Answerer::Rules,
            });
        }
        full.sources.push(card.clone());
    }
    Ok(full)
}

/// What is known of a document already.
struct Known {
    best: f64,
    candidates: Vec<Candidate>,
}

impl Known {
    fn of(found: &[FoundFact], card: &SourceCard) -> Self {
        let own = found.iter().filter(|fact| fact.fact.source == card.key());
        let best = own.clone().map(|fact| fact.score).fold(0.0, f64::max);
        let candidate = |fact: &FoundFact| Candidate {
            text: fact.fact.quote.clone(),
            heading: fact.heading.clone(),
            page: fact.page,
            ranges: fact.ranges().to_vec(),
            score: fact.score,
        };
        let mut candidates: Vec<Candidate> = own.map(candidate).collect();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
        Self { best, candidates }
    }
}

/// The text of a document, or why there is none.
async fn text(
    job: &Job<'_>,
    at: &str,
    card: &SourceCard,
    own: &Known,
) -> Result<Result<String, String>, Trouble> {
    let lead = Lead {
        location: card.source.location.clone(),
        title: card.source.title.clone(),
        date: card.source.date.clone(),
        provider: card.provider.clone(),
        references: card.references.clone(),
        replaced: card.replaced,
        candidates: own.candidates.clone(),
    };
    let unread = |fault: Fault| match fault {
        Fault::Failed { text, .. } => Ok(Err(format!("{UNREAD}{text}"))),
        other => Err(Trouble::from(other)),
    };
    if matches!(lead.location, Location::Path(_)) {
        let folders = job.assignment.scope().folders;
        let act = ReadLead { lead, folders, excerpt: WHOLE };
        return match job.cx.step(format!("{}/read{at}", job.id), &act).await {
            Ok(read) => Ok(Ok(read.excerpt)),
            Err(fault) => unread(fault),
        };
    }
    let page = match job.cx.step(format!("{}/fetch{at}", job.id), &FetchPage { lead }).await {
        Ok(page) => page,
        Err(fault) => return unread(fault),
    };
    let sentences = PER_DOCUMENT;
    let question = job.assignment.brief.topic.clone();
    let act = RankPages { question, sentences, excerpt: WHOLE, pages: vec![page] };
    let ranked = job.cx.step(format!("{}/rank{at}", job.id), &act).await?;
    Ok(Ok(ranked.pages.into_iter().next().map(|page| page.excerpt).unwrap_or_default()))
}

/// A sentence that is read.
#[derive(Clone, Debug, PartialEq)]
struct Spoken {
    text: String,
    heading: String,
    /// The share of the words of the topic that its part has.
    share: f64,
}

/// The words of what is read for: of the topic, and of each wish of the brief.
struct Wanted {
    topic: HashSet<String>,
    wishes: Vec<HashSet<String>>,
}

/// The sentences of the parts of a text that speak of the topic or of a wish, those of the parts that do most if they are
/// too many, in their order. A part is taken whole: a sentence needs those around it.
fn spoken(text: &str, title: &str, wanted: &Wanted, most: usize) -> Vec<Spoken> {
    let parts = outline(text, &[]).passages;
    let of = |part: &Passage| content_stems(&format!("{} {}", part.heading, &text[part.range.clone()]));
    let stems: Vec<HashSet<String>> = parts.iter().map(of).collect();
    let titled = content_stems(title);
    let share = |weights: &BTreeMap<String, f64>, own: &HashSet<String>| -> f64 {
        let has = |stem: &String| own.contains(stem) || titled.contains(stem);
        weights.iter().filter(|(stem, _)| has(stem)).map(|(_, weight)| weight).sum()
    };
    let order = |weights: &BTreeMap<String, f64>, least: f64| {
        let mut order: Vec<(f64, usize)> = stems.iter().map(|own| share(weights, own)).zip(0..).collect();
        order.retain(|(share, _)| *share >= least);
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order
    };
    let mut orders = vec![order(&writing::weights(&wanted.topic, &stems), SPEAKS)];
    orders.extend(wanted.wishes.iter().map(|wish| order(&writing::telling(wish, &stems), ANSWERS)));
    let order = in_turn(&orders);
    let mut found: Vec<(usize, Vec<Spoken>)> = Vec::new();
    let mut there = 0;
    for (share, at) in order {
        let part = &parts[at];
        let own = &text[part.range.clone()];
        // A heading runs into the first sentence below it.
        let below = |sentence: &'_ str| sentence.rfind("\n\n").map_or(0, |at| at + 2);
        let said = sentences(own).into_iter().map(|range| own[range].trim()).map(|it| it[below(it)..].trim());
        let mut usable = said
            .filter(|sentence| writing::sentence_of(sentence).is_some() && !speaks_to_machines(sentence))
            .map(|sentence| Spoken { text: sentence.to_owned(), heading: part.heading.clone(), share })
            .collect::<Vec<_>>();
        // Of a part that is too long what stands first is taken: it leads into the rest.
        usable.truncate(most - there);
        if usable.is_empty() {
            break;
        }
        there += usable.len();
        let tables = tables(own).into_iter();
        usable.extend(tables.map(|table| Spoken {
            text: table.to_owned(),
            heading: part.heading.clone(),
            share,
        }));
        found.push((at, usable));
    }
    found.sort_by_key(|(at, _)| *at);
    let mut said: BTreeSet<String> = BTreeSet::new();
    found.into_iter().flat_map(|(_, own)| own).filter(|one| said.insert(one.text.clone())).collect()
}

/// One part of each order after the other, each part once, with the most it has in any of them.
fn in_turn(orders: &[Vec<(f64, usize)>]) -> Vec<(f64, usize)> {
    let longest = orders.iter().map(Vec::len).max().unwrap_or(0);
    let mut found: Vec<(f64, usize)> = Vec::new();
    for (share, at) in (0..longest).flat_map(|place| orders.iter().filter_map(move |order| order.get(place)))
    {
        match found.iter_mut().find(|(_, known)| known == at) {
            Some(known) => known.0 = known.0.max(*share),
            None => found.push((*share, *at)),
        }
    }
    found
}

/// The small tables of a part, each whole: what compares in it is of use only side by side.
fn tables(part: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut end, mut lines) = (0, 0, 0);
    let mut at = 0;
    for line in part.split_inclusive('\n').chain([""]) {
        if line.trim_start().starts_with('|') {
            (start, lines) = if lines == 0 { (at, 1) } else { (start, lines + 1) };
            end = at + line.trim_end().len();
        } else {
            if TABLE.contains(&lines) {
                found.push(part[start..end].trim_start());
            }
            lines = 0;
        }
        at += line.len();
    }
    found
}

/// A model reads what is found in them, with more of their text around it.
async fn by_model(job: &Job<'_>, known: &[SourceCard]) -> Result<WorkerResult, Trouble> {
    let known: BTreeSet<String> = known.iter().map(|card| card.source.location.to_string()).collect();
    let mut scope = job.assignment.scope();
    scope.sentences *= FULL * job.plan.reach;
    scope.pages *= 2;
    let (mut sources, mut facts, mut searches) = (Vec::new(), Vec::new(), Vec::new());
    let (mut refused, mut notes) = (Vec::new(), Vec::new());
    for (at, query) in job.plan.queries.iter().enumerate() {
        let search = Search {
            id: &format!("{}/q{at}", job.id),
            query: job.assignment.words(query),
            focus: Vec::new(),
            searcher: &job.assignment.roles.searcher,
        };
        let found = retrieval::search(job.cx, &scope, &search).await?;
        if let Some(why) = found.failure().filter(|_| !found.searches.is_empty()) {
            return Err(Trouble::Failed(why));
        }
        let leads = found.leads.into_iter().filter(|lead| known.contains(&lead.location.to_string()));
        let reading = Reading {
            id: &format!("{}q{at}", job.code),
            part: at,
            question: query.clone(),
            query: job.assignment.words(query),
            weight: 0.9,
            leads: leads.collect(),
            reader: &job.assignment.roles.reader,
        };
        let read = retrieval::read(job.cx, &scope, &reading).await?;
        searches.extend(found.searches);
        sources.extend(read.sources);
        facts.extend(read.facts);
        refused.extend(read.refused);
        notes.extend(read.notes);
    }
    notes.sort();
    notes.dedup();
    Ok(WorkerResult::Sources { looked_for: Vec::new(), sources, facts, refused, searches, notes })
}
