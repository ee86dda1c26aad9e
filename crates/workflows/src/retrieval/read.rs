//! Reading what searches found: open every document, see which sentences speak to the question, and admit what
//! stands in the archived text.

use baton_agents::search::Location;
use baton_agents::search::local::Verdict;
use baton_engine::dag::Ending;
use baton_engine::{Cx, Fault};
use futures::future::{try_join, try_join_all};

use super::completed;
use crate::research::acts::{Admit, FetchPage, PageRead, Proposal, RankPages, ReadLead};
use crate::research::memory::UNREAD;
use crate::research::near::Nearness;
use crate::research::nodes::asking::said;
use crate::research::plan::Duty;
use crate::research::skills::read::{Noted, ReadForFacts, ToRead, speaks_to_machines};
use crate::research::sources::{Finding, Lead, SourceCard};
use crate::research::{Brief, Brought, Research};

/// Text of one document that a model reads for one dimension.
const EXCERPT: usize = 6_000;
/// Facts of one document for one dimension.
const PER_DOCUMENT: usize = 12;
/// What a fact counts that was found by a cross-check.
const ASIDE: f64 = 0.6;

/// A document that was read.
struct Opened {
    /// Its place among the leads: names are made of it.
    at: usize,
    lead: Lead,
    card: SourceCard,
    excerpt: String,
}

/// A read task and what it works with.
struct Reading<'a> {
    cx: &'a Cx<Research>,
    duty: &'a Duty,
    brief: Brief,
    question: String,
}

/// Reads what the searches before it found.
pub async fn read(cx: &Cx<Research>, duty: &Duty) -> Result<Brought, Fault> {
    let leads = found_before(cx, duty);
    let (brief, asked) = cx.read(|memory| {
        let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
        (memory.brief.clone(), dimension.map(|dimension| dimension.question.clone()))
    });
    // What was found by other words than the question's was not ranked for the question.
    let aside = if asked.as_ref().is_some_and(|asked| *asked != duty.query) { ASIDE } else { 1.0 };
    let question = asked.unwrap_or_else(|| duty.query.clone());
    let reading = Reading { cx, duty, brief, question };
    let mut brought = completed(duty);
    let (opened, read) = reading.open(&leads, &mut brought.notes).await?;
    if read == 0 && !leads.is_empty() {
        brought.end.ending = Ending::Failed { why: unread(leads.len(), &brought.notes) };
    }
    let shown: Vec<Lead> = opened.iter().map(|opened| opened.lead.clone()).collect();
    let nearness = Nearness::of(&reading.question, &shown);
    let parts = opened.iter().map(|opened| reading.facts(opened, &nearness, aside));
    for part in try_join_all(parts).await? {
        brought.sources.extend(part.sources);
        brought.findings.extend(part.findings);
        brought.refused.extend(part.refused);
        brought.notes.extend(part.notes);
    }
    Ok(brought)
}

/// The leads of the searches a task depends on, each document once.
fn found_before(cx: &Cx<Research>, duty: &Duty) -> Vec<Lead> {
    cx.read(|memory| {
        let searches = memory.duties.values().filter(|other| {
            let stands_in = other.makes_up_for.as_ref().is_some_and(|id| duty.depends_on.contains(id));
            duty.depends_on.contains(&other.id) || stands_in
        });
        let mut leads: Vec<Lead> = Vec::new();
        for lead in searches.filter_map(|search| memory.leads.get(&search.id)).flatten() {
            if !leads.iter().any(|known| known.location == lead.location) {
                leads.push(lead.clone());
            }
        }
        leads
    })
}

impl Reading<'_> {
    /// Opens what can be opened, and counts it; the rest is noted. Pages that do not speak to the question are counted
    /// and not brought.
    async fn open(&self, leads: &[Lead], notes: &mut Vec<String>) -> Result<(Vec<Opened>, usize), Fault> {
        let numbered = || leads.iter().cloned().enumerate();
        let on_web = |lead: &Lead| matches!(lead.location, Location::Url(_));
        let files = numbered().filter(|(_, lead)| !on_web(lead)).map(|(at, lead)| self.file(at, lead));
        let pages = numbered().filter(|(_, lead)| on_web(lead)).map(|(at, lead)| self.page(at, lead));
        let (files, pages) = try_join(try_join_all(files), try_join_all(pages)).await?;
        let (mut opened, pages) = (taken(files, notes), taken(pages, notes));
        let read = opened.len() + pages.len();
        opened.extend(self.ranked(pages, notes).await?);
        opened.sort_by_key(|document| document.at);
        Ok((opened, read))
    }

    async fn file(&self, at: usize, lead: Lead) -> Result<Result<Opened, String>, Fault> {
        let act = ReadLead { lead: lead.clone(), folders: self.brief.docs.clone(), excerpt: self.excerpt() };
        let read = match self.cx.step(format!("{}/read{at}", self.duty.id), &act).await {
            Ok(read) => read,
            Err(Fault::Failed { text, .. }) => return Ok(Err(format!("{UNREAD}{text}"))),
            Err(fault) => return Err(fault),
        };
        let foreign = self.foreign(&read.card, read.language.as_deref());
        Ok(foreign.map(|()| Opened { at, lead, card: read.card, excerpt: read.excerpt }))
    }

    async fn page(&self, at: usize, lead: Lead) -> Result<Result<(usize, Lead, PageRead), String>, Fault> {
        let step = format!("{}/fetch{at}", self.duty.id);
        match self.cx.step(step, &FetchPage { lead: lead.clone() }).await {
            Ok(page) => Ok(self.foreign(&page.card, page.language.as_deref()).map(|()| (at, lead, page))),
            Err(Fault::Failed { text, .. }) => Ok(Err(format!("{UNREAD}{text}"))),
            Err(fault) => Err(fault),
        }
    }

    /// Why a document in another language than the wanted one is left out.
    fn foreign(&self, card: &SourceCard, found: Option<&str>) -> Result<(), String> {
        match (self.brief.language.as_deref(), found) {
            (Some(wanted), Some(found)) if wanted != found => {
                Err(format!("{} is in {found} and was left out", card.shown))
            }
            _ => Ok(()),
        }
    }

    /// Pages come without sentences: they are found here.
    async fn ranked(
        &self,
        pages: Vec<(usize, Lead, PageRead)>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Opened>, Fault> {
        if pages.is_empty() {
            return Ok(Vec::new());
        }
        let act = RankPages {
            question: self.question.clone(),
            sentences: self.brief.depth.sentences(),
            excerpt: self.excerpt(),
            pages: pages.iter().map(|(_, _, page)| page.clone()).collect(),
        };
        let ranked = self.cx.step(format!("{}/rank", self.duty.id), &act).await?;
        if ranked.verdict == Verdict::NoEvidence {
            notes.push(format!("the pages that were read do not address \"{}\"", self.question));
        }
        let opened = pages.into_iter().zip(ranked.pages).filter(|(_, ranked)| !ranked.candidates.is_empty());
        let opened = opened.map(|((at, lead, page), ranked)| Opened {
            at,
            lead: Lead { candidates: ranked.candidates, ..lead },
            card: page.card,
            excerpt: ranked.excerpt,
        });
        Ok(opened.collect())
    }

    fn excerpt(&self) -> usize {
        if self.brief.roles.reader.chain.is_empty() { 0 } else { EXCERPT }
    }

    /// What a document says, held against its archived text.
    async fn facts(&self, opened: &Opened, nearness: &Nearness, aside: f64) -> Result<Brought, Fault> {
        let Opened { at, lead, card, excerpt } = opened;
        let mut brought = completed(self.duty);
        let sentences: Vec<String> = lead.candidates.iter().map(|it| it.text.clone()).collect();
        if sentences.iter().any(|sentence| speaks_to_machines(sentence)) {
            let note = "holds text that tells a machine what to do; it was not followed and is not quoted";
            brought.notes.push(format!("{} {note}", card.shown));
        }
        let input = ToRead {
            question: self.brief.words(&self.duty.query),
            title: card.source.title.clone(),
            text: excerpt.clone(),
            sentences,
            most: PER_DOCUMENT,
        };
        let key = format!("{}/facts{at}", self.duty.id);
        let notes = said::<ReadForFacts>(self.cx, &self.brief.roles.reader, &key, &input, false).await?;
        brought.notes.extend(notes.note);
        let proposal = |(number, fact): (usize, Noted)| {
            let known = lead.candidates.iter().find(|candidate| candidate.text == fact.quote);
            Proposal {
                id: format!("{}.{}", self.duty.id, at * 100 + number + 1),
                statement: fact.statement,
                quote: fact.quote,
                ranges: known.map(|candidate| candidate.ranges.clone()).unwrap_or_default(),
            }
        };
        let proposals = notes.output.facts.into_iter().enumerate().map(proposal).collect();
        let act = Admit { card: card.clone(), proposals };
        let admitted = self.cx.step(format!("{}/admit{at}", self.duty.id), &act).await?;
        brought.refused = admitted.refused;
        for fact in admitted.facts {
            let near =
                lead.candidates.iter().find(|it| it.text == fact.quote || it.text.contains(&fact.quote));
            let best = lead.candidates.first();
            brought.findings.push(Finding {
                dimension: self.duty.dimension.unwrap_or(0),
                heading: near.map(|it| it.heading.clone()).unwrap_or_default(),
                page: near.and_then(|it| it.page),
                score: near.or(best).map_or(0.0, |it| aside * nearness.near(it)),
                by: notes.by.clone(),
                fact,
            });
        }
        if !brought.findings.is_empty() {
            brought.sources.push(card.clone());
        }
        Ok(brought)
    }
}

/// Why nothing could be read: the first reason, for the others are among the notes.
fn unread(leads: usize, notes: &[String]) -> String {
    let first = notes.first().map_or("", |note| note.trim_start_matches(UNREAD));
    match leads {
        1 => format!("what was found could not be read: {first}"),
        many => format!("none of {many} documents could be read, the first because {first}"),
    }
}

/// What came, with the reasons of what did not among the notes.
fn taken<T>(results: Vec<Result<T, String>>, notes: &mut Vec<String>) -> Vec<T> {
    let mut came = Vec::new();
    for result in results {
        match result {
            Ok(it) => came.push(it),
            Err(why) => notes.push(why),
        }
    }
    came
}
