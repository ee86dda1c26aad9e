//! SETUP_EFFORT_INFRASTRUCTURE: a branch and a worktree for every effort of the wave, before anybody works.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{EffortStatus, Event, Factory};
use crate::git::Provision;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let workshop = workshop(&cx);
    let wanted: Vec<Provision> = cx.read(|memory| {
        let begins = memory.present().into_iter().filter(|effort| effort.status == EffortStatus::Planned);
        begins
            .map(|effort| Provision {
                workshop: workshop.clone(),
                effort: effort.plan.id.clone(),
                branch: effort.branch.clone(),
                base: memory.line.clone(),
                attempt: effort.attempt,
            })
            .collect()
    });
    for act in &wanted {
        cx.step(format!("provision-{}", act.effort), act).await?;
    }
    Ok(Event::InfrastructureReady)
}
