//! What each kind of task does: prepare, search, read, resolve.

mod read;
mod search;

use baton_engine::dag::{Ending, TaskEnd};
use baton_engine::{Cx, Fault};

use super::asking::said;
use crate::research::acts::PrepareDocs;
use crate::research::graph::{Graph, Numbered};
use crate::research::plan::Duty;
use crate::research::skills::resolve::{Favours, Resolve, Side, Sides};
use crate::research::sources::Resolution;
use crate::research::{Brought, Research};

pub use read::read;
pub use search::search;

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
