//! What each kind of task does: prepare, search, read, resolve.

use baton_engine::dag::{TaskEnd, TaskEnding};
use baton_engine::{Cx, Fault};

use crate::asking::{Ask, ask};
use crate::citation::NumberedFact;
use crate::research::dispute::Resolution;
use crate::research::plan::Duty;
use crate::research::skills::resolve::{Favours, Resolve, Side, Sides};
use crate::research::{Research, TaskOutput};
use crate::retrieval;
use crate::retrieval::{Lead, PrepareDocs, Reading, Search};

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

/// Searches for the duty's query.
pub async fn search(cx: &Cx<Research>, duty: &Duty) -> Result<TaskOutput, Fault> {
    let (brief, focus) = cx.read(|memory| {
        let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
        (memory.brief.clone(), dimension.map(|dimension| dimension.focus.clone()).unwrap_or_default())
    });
    let query = brief.words(&duty.query);
    let search = Search { id: &duty.id.0, query, focus, searcher: &brief.roles.searcher };
    let found = retrieval::search(cx, &brief.scope(), &search).await?;
    let mut output = completed(duty);
    if let Some(why) = found.failure() {
        output.end.ending = TaskEnding::Failed { why };
    }
    (output.searches, output.leads, output.notes) = (found.searches, found.leads, found.notes);
    Ok(output)
}

/// Reads what the searches before it found.
pub async fn read(cx: &Cx<Research>, duty: &Duty) -> Result<TaskOutput, Fault> {
    let (brief, asked) = cx.read(|memory| {
        let dimension = duty.dimension.and_then(|at| memory.plan.as_ref()?.dimensions.get(at));
        (memory.brief.clone(), dimension.map(|dimension| dimension.question.clone()))
    });
    // What was found by other words than the question's was not ranked for the question.
    let weight = if asked.as_ref().is_some_and(|asked| *asked != duty.query) { ASIDE } else { 1.0 };
    let reading = Reading {
        id: &duty.id.0,
        part: duty.dimension.unwrap_or(0),
        question: asked.unwrap_or_else(|| duty.query.clone()),
        query: brief.words(&duty.query),
        weight,
        leads: found_before(cx, duty),
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
        Favours::Neither => None,
    };
    output.resolution = Some(Resolution { favours, reason: answer.output.reason, by: answer.by });
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
