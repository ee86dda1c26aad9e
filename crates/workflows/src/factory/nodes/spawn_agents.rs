//! SPAWN_AGENTS: everybody knows who does what. Their runs begin in MONITOR, which waits for them.

use baton_engine::{Cx, Fault};

use crate::factory::{EffortStatus, Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let agents = cx.read(|memory| {
        let begins = memory.present().into_iter().filter(|effort| effort.status == EffortStatus::Planned);
        begins
            .enumerate()
            .map(|(number, effort)| {
                let agent = memory.plan.agent(&effort.plan.agent);
                let worker = match agent.kind.as_str() {
                    "person" => agent.name,
                    _ => format!("sw-engineer-{}", number % memory.plan.policy.parallel + 1),
                };
                (effort.plan.id.clone(), worker)
            })
            .collect()
    });
    Ok(Event::AgentsAssigned { agents })
}
