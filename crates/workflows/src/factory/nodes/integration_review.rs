//! INTEGRATION_REVIEW: nothing works any more; everything there is is kept under refs that no cleaner touches. What was
//! not merged is merged into the checkpoint and nowhere else.

use baton_engine::{Cx, Fault};

use super::{date, short, workshop};
use crate::factory::{EffortState, Event, Factory};
use crate::git::{Candidate, Keep, Merged};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (folder, at) = (workshop(&cx), date(&cx));
    let (number, line, open): (u32, String, Vec<EffortState>) = cx.read(|memory| {
        // One whose tries are used up is planned again by now, and its last try is work like any other.
        let outstanding = memory.in_order().filter(|effort| effort.is_open() && !effort.tip.is_empty());
        (memory.reviews + 1, memory.line.clone(), outstanding.cloned().collect())
    });
    let under = format!("checkpoints/integration-{number}");
    let mut what = vec![("line".to_owned(), line.clone())];
    what.extend(open.iter().map(|effort| (effort.branch.clone(), effort.tip.clone())));
    let mut refs = cx.step("keep", &Keep { workshop: folder.clone(), under: under.clone(), what }).await?;
    let (mut together, mut conflicts) = (line, Vec::new());
    for effort in &open {
        let act = cx.read(|memory| Candidate {
            workshop: folder.clone(),
            onto: together.clone(),
            onto_tree: String::new(),
            tip: effort.tip.clone(),
            message: format!("Checkpoint: {}\n", effort.branch),
            at,
            committer: memory.order.committer.clone(),
        });
        match cx.step(format!("checkpoint-{}-{at}", effort.plan.id), &act).await? {
            Merged::Clean { commit, .. } => together = commit,
            Merged::Contained => {}
            Merged::Conflict { files } => conflicts.extend(files),
        }
    }
    let name = format!("keep-together-{}", short(&together));
    let what = vec![("together".to_owned(), together)];
    refs.extend(cx.step(name, &Keep { workshop: folder, under, what }).await?);
    Ok(Event::CheckpointCreated { refs, conflicts })
}
