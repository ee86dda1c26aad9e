//! What each kind of task does: prepare, search, read, resolve.

use baton_agents::skill::Role;
use baton_engine::dag::{TaskEnd, TaskEnding, TaskStatus};
use baton_engine::{Cx, Fault};

use crate::asking::{Ask, ask};
use crate::citation::NumberedFact;
use crate::research::dispute::Resolution;
use crate::research::plan::{Duty, TaskKind};
use crate::research::skills::resolve::{Favours, Resolve, Side, Sides};
use crate::research::{Brief, Memory, Research, TaskOutput};
use crate::retrieval;
use crate::retrieval::{FoundFact, Lead, PrepareDocs, Reading, Search, SourceCard};

/// What a fact counts that was found by a cross-check.
const ASIDE: f64 = 0.6;

fn completed(duty: &Duty) -> TaskOutput {
    TaskOutput::nothing(TaskEnd::new(duty.id.clone(), TaskEnding::Completed))
}

/// Brings the index up to date.
pub async fn prepare(cx: &Cx<Research>, duty: &Duty) -> Result<TaskOutput, Fault> {
    let folders = cx.read(|memory| memory.brief.docs.clone());
    let mut output = completed(duty);
    if !folders.is_empty() {
        let prepared = cx.step(format!("{}/prepare", duty.id), &PrepareDocs { folders }).await?;
        output.notes.extend(prepared.left_out.into_iter().map(|file| format!("left out: {file}")));
    }
    Ok(output)
}

/// Searches for the duty's query; `again` counts the tries that a person asked for.
pub async fn search(cx: &Cx<Research>, duty: &Duty, again: u32) -> Result<TaskOutput, Fault> {
    let (brief, focus) = cx.read(|memory| {
        let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
        (memory.brief.clone(), dimension.map(|dimension| dimension.focus.clone()).unwrap_or_default())
    });
    let query = brief.words(&duty.query);
    let id = if again == 0 { duty.id.0.clone() } else { format!("{}/again{again}", duty.id) };
    let search = Search { id: &id, query, focus, searcher: &brief.roles.searcher };
    let found = match brief.roles.reader.chain.as_slice() {
        [] => retrieval::search(cx, &brief.scope(), &search).await?,
        _ => retrieval::search_for_model(cx, &brief.scope(), &search).await?,
    };
    let mut output = completed(duty);
    if let Some(why) = found.failure() {
        output.end.ending = TaskEnding::Failed { why };
    }
    (output.searches, output.leads, output.notes) = (found.searches, found.leads, found.notes);
    if let Some(lead) = found.nearest.filter(|_| output.leads.is_empty()) {
        (output.sources, output.nearest) = nearest(cx, &brief, duty, lead).await?;
    }
    Ok(output)
}

/// Reads what comes nearest to a question that nothing answers: word for word, by rules, whoever reads the rest.
async fn nearest(
    cx: &Cx<Research>,
    brief: &Brief,
    duty: &Duty,
    lead: Lead,
) -> Result<(Vec<SourceCard>, Vec<FoundFact>), Fault> {
    let rules = Role::rules_only(&brief.roles.reader.name);
    let reading = Reading {
        id: &duty.id.0,
        part: duty.dimension.unwrap_or(0),
        question: duty.query.clone(),
        query: brief.words(&duty.query),
        weight: ASIDE,
        leads: vec![lead],
        reader: &rules,
    };
    let read = retrieval::read(cx, &brief.scope(), &reading).await?;
    Ok((read.sources, read.facts))
}

/// Reads what the searches before it found.
pub async fn read(cx: &Cx<Research>, duty: &Duty) -> Result<TaskOutput, Fault> {
    let (brief, asked) = cx.read(|memory| {
        let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
        (memory.brief.clone(), dimension.map(|dimension| dimension.question.clone()))
    });
    let asked = asked.unwrap_or_else(|| duty.query.clone());
    let leads = found_before(cx, duty);
    // What was found by other words than the question's was not ranked for the question.
    let searched = |memory: &Memory| {
        let mut before = duty.depends_on.iter().filter_map(|id| memory.duties.get(id));
        before.all(|search| search.query == asked)
    };
    let weight = if duty.query == asked && cx.read(searched) { 1.0 } else { ASIDE };
    let reading = Reading {
        id: &duty.id.0,
        part: duty.dimension.unwrap_or(0),
        question: asked,
        query: brief.words(&cx.read(|memory| missing(memory, duty)).unwrap_or_else(|| duty.query.clone())),
        weight,
        leads: if brief.roles.reader.chain.is_empty() { leads } else { unread(cx, duty, leads) },
        reader: &brief.roles.reader,
    };
    let read = retrieval::read(cx, &brief.scope(), &reading).await?;
    let mut output = completed(duty);
    if let Some(why) = read.failure {
        output.end.ending = TaskEnding::Failed { why };
    }
    (output.sources, output.findings) = (read.sources, read.facts);
    (output.refused, output.notes) = (read.refused, read.notes);
    Ok(output)
}

/// What a model missed, if this reads what was searched for it. Its words go to the reader and into no file.
fn missing(memory: &Memory, duty: &Duty) -> Option<String> {
    let searched = |query: &str| {
        let mut before = duty.depends_on.iter().filter_map(|id| memory.duties.get(id));
        before.any(|search| search.query == query)
    };
    let gaps = memory.reflections.iter().flat_map(|reflection| &reflection.gaps);
    let mut own =
        gaps.filter(|gap| gap.by_model && Some(gap.dimension) == duty.dimension && searched(&gap.query));
    own.next().map(|gap| gap.what.clone())
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
            match leads.iter_mut().find(|known| known.location == lead.location) {
                Some(known) => {
                    let more = lead.candidates.iter().filter(|it| !known.candidates.contains(it)).cloned();
                    known.candidates.extend(more.collect::<Vec<_>>());
                }
                None => leads.push(lead.clone()),
            }
        }
        leads
    })
}

/// The leads without the documents that were read for the same part before: a model has seen what they say to it.
fn unread(cx: &Cx<Research>, duty: &Duty, leads: Vec<Lead>) -> Vec<Lead> {
    let earlier: Vec<Duty> = cx.read(|memory| {
        let is_done = |other: &&Duty| {
            let done = memory.dag.get(&other.id).is_some_and(|task| task.status() == TaskStatus::Completed);
            other.kind() == TaskKind::Read && other.dimension == duty.dimension && other.id != duty.id && done
        };
        memory.duties.values().filter(is_done).cloned().collect()
    });
    let read: Vec<Lead> = earlier.iter().flat_map(|other| found_before(cx, other)).collect();
    leads.into_iter().filter(|lead| !read.iter().any(|known| known.location == lead.location)).collect()
}

/// Looks at a conflict. Both sides stay in the report whatever comes of it.
pub async fn resolve(cx: &Cx<Research>, duty: &Duty) -> Result<TaskOutput, Fault> {
    let mut output = completed(duty);
    let asked = cx.read(|memory| {
        let dispute = memory.disputes.get(duty.conflict.as_ref()?)?;
        let facts = memory.facts();
        let (left, right) = (facts.fact(&dispute.conflict.left)?, facts.fact(&dispute.conflict.right)?);
        let sides =
            Sides { what: dispute.conflict.explanation.clone(), left: side(left), right: side(right) };
        Some((memory.brief.clone(), sides, dispute.conflict.clone()))
    });
    let Some((brief, sides, conflict)) = asked else {
        output.end.ending = TaskEnding::Skipped { why: "the conflict is gone".to_owned() };
        return Ok(output);
    };
    let key = format!("{}/resolve", duty.id);
    let asked = Ask::new(&key, &sides, brief.material());
    let answer = ask::<Resolve, _>(cx, &brief.roles.resolver, asked).await?;
    let favours = match answer.output.favours {
        Favours::Left => Some(conflict.left),
        Favours::Right => Some(conflict.right),
        Favours::Neither | Favours::NoConflict => None,
    };
    output.resolution = Some(Resolution {
        favours,
        reason: answer.output.reason(&sides),
        by: answer.by,
        no_conflict: answer.output.favours == Favours::NoConflict,
    });
    output.notes.extend(answer.note);
    Ok(output)
}

fn side(fact: &NumberedFact<'_>) -> Side {
    Side {
        quote: fact.found.fact.quote.clone(),
        title: fact.card.source.title.clone(),
        date: fact.card.source.date.clone(),
        weight: fact.weight,
        independent: fact.independent,
    }
}
