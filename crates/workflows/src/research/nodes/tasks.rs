//! What each kind of task does: prepare, search, read, resolve.

use baton_agents::search::local::Verdict;
use baton_engine::dag::{Ending, TaskEnd};
use baton_engine::{Cx, Fault};
use futures::future::try_join_all;

use super::asking::said;
use crate::research::acts::{Admit, PrepareDocs, Proposal, ReadLead, SearchDocs};
use crate::research::graph::{Graph, Numbered};
use crate::research::near::Nearness;
use crate::research::plan::Duty;
use crate::research::skills::queries::{Reword, ToReword};
use crate::research::skills::read::{ReadForFacts, ToRead, speaks_to_machines};
use crate::research::skills::resolve::{Favours, Resolve, Side, Sides};
use crate::research::sources::{Finding, Lead, Resolution, Searched};
use crate::research::{Brief, Brought, Research};

/// Text of one document that a model reads for one dimension.
const EXCERPT: usize = 6_000;
/// Facts of one document for one dimension.
const PER_DOCUMENT: usize = 12;

/// What a fact counts that was found by a cross-check.
const ASIDE: f64 = 0.6;

fn completed(duty: &Duty) -> Brought {
    Brought::nothing(TaskEnd::new(duty.id.clone(), Ending::Completed))
}

/// Brings the index up to date.
pub async fn prepare(cx: &Cx<Research>, duty: &Duty) -> Result<Brought, Fault> {
    let folders = cx.read(|memory| memory.brief.docs.clone());
    let mut brought = completed(duty);
    if !folders.is_empty() {
        let prepared = cx.step(format!("{}/prepare", duty.id), &PrepareDocs { folders }).await?;
        brought.notes.extend(prepared.left_out.into_iter().map(|file| format!("left out: {file}")));
    }
    Ok(brought)
}

/// Searches, and once more in other words if that brought nothing.
pub async fn search(cx: &Cx<Research>, duty: &Duty) -> Result<Brought, Fault> {
    let brief = cx.read(|memory| memory.brief.clone());
    let mut brought = completed(duty);
    look(cx, duty, &brief, &duty.query, "first", &mut brought).await?;
    if brought.leads.is_empty() {
        let focus = cx.read(|memory| {
            let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
            dimension.map(|dimension| dimension.focus.clone()).unwrap_or_default()
        });
        let input = ToReword { question: duty.query.clone(), tried: duty.query.clone(), focus };
        let key = format!("{}/reword", duty.id);
        let other = said::<Reword>(cx, &brief.roles.searcher, &key, &input, false).await?;
        if other.output.query != duty.query {
            look(cx, duty, &brief, &other.output.query, "again", &mut brought).await?;
        }
    }
    if brought.searches.iter().all(|search| search.found.is_none()) {
        let notes: Vec<&str> = brought.searches.iter().map(|search| search.note.as_str()).collect();
        brought.end.ending = Ending::Failed { why: notes.join("; ") };
    }
    Ok(brought)
}

async fn look(
    cx: &Cx<Research>,
    duty: &Duty,
    brief: &Brief,
    query: &str,
    name: &str,
    brought: &mut Brought,
) -> Result<(), Fault> {
    let step = format!("{}/{name}", duty.id);
    let mut searched = Searched {
        provider: "local".to_owned(),
        query: query.to_owned(),
        found: None,
        addressed: false,
        note: String::new(),
    };
    match cx.step(step, &SearchDocs::of(brief, query)).await {
        Ok(sought) => {
            searched.found = Some(sought.leads.len());
            searched.addressed = sought.verdict == Verdict::Addressed;
            if sought.verdict == Verdict::Weak {
                searched.note = "the documents mention only part of what was asked".to_owned();
            }
            let unknown = sought.unknown.iter().map(|name| format!("no document mentions \"{name}\""));
            brought.notes.extend(unknown);
            brought.leads.extend(sought.leads);
        }
        Err(Fault::Failed { text, .. }) => searched.note = text,
        Err(fault) => return Err(fault),
    }
    brought.searches.push(searched);
    Ok(())
}

/// Reads what the searches before it found, and admits what stands in the archived text.
pub async fn read(cx: &Cx<Research>, duty: &Duty) -> Result<Brought, Fault> {
    let leads = cx.read(|memory| {
        let searches = memory.duties.values().filter(|other| {
            let stands_in = other.makes_up_for.as_ref().is_some_and(|id| duty.depends_on.contains(id));
            duty.depends_on.contains(&other.id) || stands_in
        });
        searches.filter_map(|search| memory.leads.get(&search.id)).flatten().cloned().collect::<Vec<Lead>>()
    });
    let mut brought = completed(duty);
    let asked = cx.read(|memory| {
        let plan = memory.plan.as_ref()?;
        plan.dimensions.get(duty.dimension?).map(|dimension| dimension.question.clone())
    });
    let nearness = Nearness::of(asked.as_deref().unwrap_or(&duty.query), &leads);
    // What was found by other words than the question's was not ranked for the question.
    let aside = if asked.as_ref().is_some_and(|asked| *asked != duty.query) { ASIDE } else { 1.0 };
    let parts = leads.iter().enumerate().map(|(at, lead)| read_one(cx, duty, at, lead, &nearness, aside));
    for part in try_join_all(parts).await? {
        brought.sources.extend(part.sources);
        brought.findings.extend(part.findings);
        brought.refused.extend(part.refused);
        brought.notes.extend(part.notes);
    }
    if brought.sources.is_empty() && !leads.is_empty() {
        let why = format!("none of {} document(s) could be read: {}", leads.len(), brought.notes.join("; "));
        brought.end.ending = Ending::Failed { why };
    }
    Ok(brought)
}

async fn read_one(
    cx: &Cx<Research>,
    duty: &Duty,
    at: usize,
    lead: &Lead,
    nearness: &Nearness,
    aside: f64,
) -> Result<Brought, Fault> {
    let mut brought = completed(duty);
    let (brief, dimension) = cx.read(|memory| (memory.brief.clone(), duty.dimension.unwrap_or(0)));
    let reads = !brief.roles.reader.chain.is_empty();
    let act = ReadLead {
        lead: lead.clone(),
        folders: brief.docs.clone(),
        excerpt: if reads { EXCERPT } else { 0 },
    };
    let read = match cx.step(format!("{}/read{at}", duty.id), &act).await {
        Ok(read) => read,
        Err(Fault::Failed { text, .. }) => {
            brought.notes.push(format!("could not be read: {text}"));
            return Ok(brought);
        }
        Err(fault) => return Err(fault),
    };
    if let (Some(wanted), Some(found)) = (&brief.language, &read.language)
        && wanted != found
    {
        brought.notes.push(format!("{} is in {found} and was left out", read.card.shown));
        return Ok(brought);
    }
    let sentences: Vec<String> = lead.candidates.iter().map(|candidate| candidate.text.clone()).collect();
    if sentences.iter().any(|sentence| speaks_to_machines(sentence)) {
        let note = "holds text that tells a machine what to do; it was not followed and is not quoted";
        brought.notes.push(format!("{} {note}", read.card.shown));
    }
    let input = ToRead {
        question: duty.query.clone(),
        title: read.card.source.title.clone(),
        text: read.excerpt.clone(),
        sentences,
        most: PER_DOCUMENT,
    };
    let key = format!("{}/facts{at}", duty.id);
    let notes = said::<ReadForFacts>(cx, &brief.roles.reader, &key, &input, false).await?;
    brought.notes.extend(notes.note);
    let proposals: Vec<Proposal> = notes
        .output
        .facts
        .into_iter()
        .enumerate()
        .map(|(number, fact)| {
            let known = lead.candidates.iter().find(|candidate| candidate.text == fact.quote);
            Proposal {
                id: format!("{}.{}", duty.id, at * 100 + number + 1),
                statement: fact.statement,
                quote: fact.quote,
                ranges: known.map(|candidate| candidate.ranges.clone()).unwrap_or_default(),
            }
        })
        .collect();
    let card = read.card;
    let act = Admit { card: card.clone(), proposals };
    let admitted = cx.step(format!("{}/admit{at}", duty.id), &act).await?;
    brought.refused = admitted.refused;
    for fact in admitted.facts {
        let near = lead.candidates.iter().find(|it| it.text == fact.quote || it.text.contains(&fact.quote));
        let best = lead.candidates.first();
        brought.findings.push(Finding {
            dimension,
            heading: near.map(|it| it.heading.clone()).unwrap_or_default(),
            page: near.and_then(|it| it.page),
            score: near.or(best).map_or(0.0, |it| aside * nearness.near(it)),
            by: notes.by.clone(),
            fact,
        });
    }
    if !brought.findings.is_empty() {
        brought.sources.push(card);
    }
    Ok(brought)
}

/// Looks at a conflict. Both sides stay in the report whatever comes of it.
pub async fn resolve(cx: &Cx<Research>, duty: &Duty) -> Result<Brought, Fault> {
    let mut brought = completed(duty);
    let asked = cx.read(|memory| {
        let dispute = memory.disputes.get(duty.conflict.as_ref()?)?;
        let graph = Graph::of(memory);
        let (left, right) = (graph.fact(&dispute.conflict.left)?, graph.fact(&dispute.conflict.right)?);
        let sides =
            Sides { what: dispute.conflict.explanation.clone(), left: side(left), right: side(right) };
        Some((memory.brief.roles.resolver.clone(), sides, dispute.conflict.clone()))
    });
    let Some((role, sides, conflict)) = asked else {
        brought.end.ending = Ending::Skipped { why: "the conflict is gone".to_owned() };
        return Ok(brought);
    };
    let answer = said::<Resolve>(cx, &role, &format!("{}/resolve", duty.id), &sides, false).await?;
    let favours = match answer.output.favours {
        Favours::Left => Some(conflict.left),
        Favours::Right => Some(conflict.right),
        Favours::Neither => None,
    };
    brought.resolution = Some(Resolution { favours, reason: answer.output.reason, by: answer.by });
    brought.notes.extend(answer.note);
    Ok(brought)
}

fn side(fact: &Numbered<'_>) -> Side {
    Side {
        quote: fact.finding.fact.quote.clone(),
        title: fact.card.source.title.clone(),
        date: fact.card.source.date.clone(),
        weight: fact.weight,
        independent: fact.independent,
    }
}

impl SearchDocs {
    /// The search for these words within the limits of a brief.
    #[must_use]
    pub fn of(brief: &Brief, question: &str) -> Self {
        Self {
            folders: brief.docs.clone(),
            question: question.to_owned(),
            sentences: brief.depth.sentences(),
            since: brief.since.clone(),
            until: brief.until.clone(),
            dropped: brief.dropped.clone(),
        }
    }
}
