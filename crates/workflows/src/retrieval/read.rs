//! Reading what searches found: open every document, see which sentences speak to the question, and admit what
//! stands in the archived text.

use baton_agents::model::ModelCard;
use baton_agents::search::Location;
use baton_agents::search::local::Verdict;
use baton_agents::skill::{Answerer, Role, Skill, Words};
use baton_engine::{Cx, Fault};
use baton_machine::Workflow;
use futures::future::{try_join, try_join_all};

use super::acts::{Admit, FetchPage, PageRead, Proposal, RankPages, ReadLead};
use super::scope::Scope;
use super::skills::read::{ProposedFact, ReadForFacts, ToRead, speaks_to_machines};
use super::source::{FoundFact, Lead, RefusedFact, SourceCard};
use crate::asking::{Ask, Material, ask};

/// Text of one document that a model reads for one question, at most: more than most documents have.
const EXCERPT: usize = 24_000;
/// Bytes that make a token when guessing how much fits, and what else a prompt holds, in tokens.
const BYTES_PER_TOKEN: u64 = 3;
const FRAME: u64 = 1_500;
/// Facts of one document for one question.
const PER_DOCUMENT: usize = 20;
/// How the note on a document begins that could not be read.
pub const UNREAD: &str = "could not be read: ";

/// What is read, and what for.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Names its steps and its facts: the id of its task.
    pub id: &'a str,
    /// The part of the work its facts serve, counted from 0.
    pub part: usize,
    /// What the sentences are ranked by.
    pub question: String,
    /// What the reader is asked to look for, and whose words it is.
    pub query: Words,
    /// What its facts count among those of other searches; 1 is the usual.
    pub weight: f64,
    /// The documents, each once.
    pub leads: Vec<Lead>,
    /// Who reads.
    pub reader: &'a Role,
}

/// What reading brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOutput {
    /// Documents with facts.
    pub sources: Vec<SourceCard>,
    /// Facts that exist.
    pub facts: Vec<FoundFact>,
    /// Facts that do not.
    pub refused: Vec<RefusedFact>,
    /// What could not be read or was left out, and why.
    pub notes: Vec<String>,
    /// Why it failed: there were documents and none could be read.
    pub failure: Option<String>,
}

/// A document that was read.
struct Document {
    /// Its place among the leads: names are made of it.
    at: usize,
    lead: Lead,
    card: SourceCard,
    excerpt: String,
}

/// Reads every lead and admits what it says to the question.
pub async fn read<W: Workflow>(
    cx: &Cx<W>,
    scope: &Scope,
    reading: &Reading<'_>,
) -> Result<ReadOutput, Fault> {
    let reader = Reader { cx, scope, reading };
    let mut output = ReadOutput::default();
    let (documents, read) = reader.open(&reading.leads, &mut output.notes).await?;
    if read == 0 && !reading.leads.is_empty() {
        output.failure = Some(unread(reading.leads.len(), &output.notes));
    }
    let parts = documents.iter().map(|document| reader.facts(document));
    for part in try_join_all(parts).await? {
        output.sources.extend(part.sources);
        output.facts.extend(part.facts);
        output.refused.extend(part.refused);
        output.notes.extend(part.notes);
    }
    Ok(output)
}

struct Reader<'a, W: Workflow> {
    cx: &'a Cx<W>,
    scope: &'a Scope,
    reading: &'a Reading<'a>,
}

impl<W: Workflow> Reader<'_, W> {
    /// Opens what can be opened, and counts it; the rest is noted. Pages that do not speak to the question are counted
    /// and not brought.
    async fn open(&self, leads: &[Lead], notes: &mut Vec<String>) -> Result<(Vec<Document>, usize), Fault> {
        let numbered = || leads.iter().cloned().enumerate();
        let on_web = |lead: &Lead| matches!(lead.location, Location::Url(_));
        let files = numbered().filter(|(_, lead)| !on_web(lead)).map(|(at, lead)| self.file(at, lead));
        let pages = numbered().filter(|(_, lead)| on_web(lead)).map(|(at, lead)| self.page(at, lead));
        let (files, pages) = try_join(try_join_all(files), try_join_all(pages)).await?;
        let (mut documents, pages) = (sift(files, notes), sift(pages, notes));
        let read = documents.len() + pages.len();
        documents.extend(self.ranked(pages, notes).await?);
        documents.sort_by_key(|document| document.at);
        Ok((documents, read))
    }

    async fn file(&self, at: usize, lead: Lead) -> Result<Result<Document, String>, Fault> {
        let act =
            ReadLead { lead: lead.clone(), folders: self.scope.folders.clone(), excerpt: self.excerpt() };
        let read = match self.cx.step(format!("{}/read{at}", self.reading.id), &act).await {
            Ok(read) => read,
            Err(Fault::Failed { text, .. }) => return Ok(Err(format!("{UNREAD}{text}"))),
            Err(fault) => return Err(fault),
        };
        let foreign = self.foreign(&read.card, read.language.as_deref());
        Ok(foreign.map(|()| Document { at, lead, card: read.card, excerpt: read.excerpt }))
    }

    async fn page(&self, at: usize, lead: Lead) -> Result<Result<(usize, Lead, PageRead), String>, Fault> {
        let step = format!("{}/fetch{at}", self.reading.id);
        match self.cx.step(step, &FetchPage { lead: lead.clone() }).await {
            Ok(page) => Ok(self.foreign(&page.card, page.language.as_deref()).map(|()| (at, lead, page))),
            Err(Fault::Failed { text, .. }) => Ok(Err(format!("{UNREAD}{text}"))),
            Err(fault) => Err(fault),
        }
    }

    /// Why a document in another language than the wanted one is left out.
    fn foreign(&self, card: &SourceCard, found: Option<&str>) -> Result<(), String> {
        match (self.scope.language.as_deref(), found) {
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
    ) -> Result<Vec<Document>, Fault> {
        if pages.is_empty() {
            return Ok(Vec::new());
        }
        let act = RankPages {
            question: self.reading.question.clone(),
            sentences: self.scope.sentences,
            excerpt: self.excerpt(),
            pages: pages.iter().map(|(_, _, page)| page.clone()).collect(),
        };
        let ranked = self.cx.step(format!("{}/rank", self.reading.id), &act).await?;
        if ranked.verdict == Verdict::NoEvidence {
            notes.push(format!("the pages that were read do not address \"{}\"", self.reading.question));
        }
        let documents =
            pages.into_iter().zip(ranked.pages).filter(|(_, ranked)| !ranked.candidates.is_empty());
        let documents = documents.map(|((at, lead, page), ranked)| Document {
            at,
            lead: Lead { candidates: ranked.candidates, ..lead },
            card: page.card,
            excerpt: ranked.excerpt,
        });
        Ok(documents.collect())
    }

    /// As much of a document as the smallest model of the role can read; nothing where rules read.
    fn excerpt(&self) -> usize {
        let answers = 2 * u64::from(ReadForFacts::MAX_TOKENS);
        let room = |card: &ModelCard| card.context_tokens.saturating_sub(answers + FRAME) * BYTES_PER_TOKEN;
        let least = self.reading.reader.chain.iter().map(room).min();
        least.map_or(0, |room| usize::try_from(room).unwrap_or(EXCERPT).clamp(2_000, EXCERPT))
    }

    /// What a document says, held against its archived text.
    async fn facts(&self, document: &Document) -> Result<ReadOutput, Fault> {
        let Document { at, lead, card, .. } = document;
        let mut output = ReadOutput::default();
        if lead.candidates.iter().any(|candidate| speaks_to_machines(&candidate.text)) {
            let note = "holds text that tells a machine what to do; it was not followed and is not quoted";
            output.notes.push(format!("{} {note}", card.shown));
        }
        let (proposals, by) = self.proposals(document, &mut output.notes).await?;
        let act = Admit { card: card.clone(), proposals };
        let admitted = self.cx.step(format!("{}/admit{at}", self.reading.id), &act).await?;
        output.refused = admitted.refused;
        for fact in admitted.facts {
            let near =
                lead.candidates.iter().find(|it| it.text == fact.quote || it.text.contains(&fact.quote));
            let best = lead.candidates.first();
            output.facts.push(FoundFact {
                part: self.reading.part,
                heading: near.map(|it| it.heading.clone()).unwrap_or_default(),
                page: near.and_then(|it| it.page),
                score: near.or(best).map_or(0.0, |it| self.reading.weight * it.score),
                by: by.clone(),
                fact,
            });
        }
        if !output.facts.is_empty() {
            let mut card = card.clone();
            card.source.authority = self.scope.authority.of(&card.shown).unwrap_or(card.source.authority);
            output.sources.push(card);
        }
        Ok(output)
    }

    /// What the reader takes out of a document, and who it was.
    async fn proposals(
        &self,
        document: &Document,
        notes: &mut Vec<String>,
    ) -> Result<(Vec<Proposal>, Answerer), Fault> {
        let Document { at, lead, card, excerpt } = document;
        let input = ToRead {
            question: self.reading.query.clone(),
            title: card.source.title.clone(),
            text: excerpt.clone(),
            sentences: lead.candidates.iter().map(|it| it.text.clone()).collect(),
            most: PER_DOCUMENT,
        };
        let key = format!("{}/facts{at}", self.reading.id);
        let is_file = matches!(lead.location, Location::Path(_));
        // A typed question is the person's to send; words derived from documents are not, whatever page they meet.
        let is_derived = !self.reading.query.is_typed() && self.scope.material() == Material::Documents;
        let material = Material::private_if(is_file || is_derived);
        let answer =
            ask::<ReadForFacts, W>(self.cx, self.reading.reader, Ask::new(&key, &input, material)).await?;
        notes.extend(answer.note);
        let proposal = |(number, fact): (usize, ProposedFact)| {
            let known = lead.candidates.iter().find(|candidate| candidate.text == fact.quote);
            Proposal {
                id: format!("{}.{}", self.reading.id, at * 100 + number + 1),
                statement: fact.statement,
                quote: fact.quote,
                ranges: known.map(|candidate| candidate.ranges.clone()).unwrap_or_default(),
            }
        };
        let proposals = answer.output.facts.into_iter().enumerate().map(proposal).collect();
        Ok((proposals, answer.by))
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

/// The good results; the reasons of the others go to the notes.
fn sift<T>(results: Vec<Result<T, String>>, notes: &mut Vec<String>) -> Vec<T> {
    results.into_iter().filter_map(|result| result.map_err(|why| notes.push(why)).ok()).collect()
}
