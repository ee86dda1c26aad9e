//! PROVISIONING: a branch and a worktree, or what an earlier try left of them. Work that the base already holds needs
//! neither.

use baton_engine::{Cx, Fault};

use crate::effort::{Effort, Event};
use crate::git::Provision;

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let act = cx.read(|memory| Provision {
        workshop: memory.order.workshop.clone().into(),
        effort: memory.order.effort.clone(),
        branch: memory.order.branch.clone(),
        base: memory.order.base.clone(),
        attempt: memory.order.attempt,
    });
    let place = cx.step("provision", &act).await?;
    let nothing_to_do = cx.read(|memory| {
        let order = &memory.order;
        order.agent.kind == "recipe" && order.work.is_empty()
    });
    Ok(if nothing_to_do { Event::AlreadyContained { tip: place.tip } } else { Event::Provisioned { place } })
}
