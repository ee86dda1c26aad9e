//! NEXT_PHASE: on to the next one; behind the last, everything must pass once more before anything is delivered.

use baton_engine::{Cx, Fault};

use super::merging::gate_all;
use super::noticing::{Moment, look};
use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::{Deliver, Delivery, ReadTree};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    look(&cx, Moment::Phase).await?;
    if cx.read(|memory| memory.phase + 1 < memory.plan.phases.len()) {
        return Ok(Event::MorePhases { at: cx.now().0 });
    }
    let (line, gates) =
        cx.read(|memory| (memory.line.clone(), memory.plan.gates_named(&memory.plan.integration)));
    let act = ReadTree { workshop: workshop(&cx), commit: line.clone(), wanted: Vec::new() };
    let tree = cx.step("tree", &act).await?.tree;
    let said = gate_all(&cx, "integration", &tree, &gates).await?;
    if let Some(failed) = said.iter().find(|said| !said.passed()) {
        return Ok(Event::VerificationFailed { why: failed.told() });
    }
    let (folder, run) = (workshop(&cx), cx.run());
    let act = cx.read(|memory| {
        let order = &memory.order;
        let branch = match order.deliver {
            Delivery::Merge => order.branch.clone(),
            _ => format!("baton/{run}"),
        };
        Deliver {
            workshop: folder,
            repo: order.repo.clone().into(),
            base: order.base.clone(),
            commit: line,
            how: order.deliver,
            branch,
            folder: order.folder.clone().into(),
            title: memory.plan.title.clone(),
        }
    });
    let delivered = cx.step("deliver", &act).await?;
    Ok(Event::ProjectVerified { delivered })
}
