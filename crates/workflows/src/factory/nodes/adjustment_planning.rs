//! ADJUSTMENT_PLANNING: efforts the plan has for this, or one for a person; they become a wave of the same phase.

use baton_engine::{Cx, Fault};

use crate::factory::plan::{Adjust, EffortPlan};
use crate::factory::{Event, Factory, Memory, architect};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (efforts, is_direct) =
        cx.read(|memory| (efforts(memory), memory.plan.policy.adjust == Adjust::Direct));
    Ok(if is_direct { Event::AdjustmentTaken { efforts } } else { Event::AdjustmentPlanned { efforts } })
}

fn efforts(memory: &Memory) -> Vec<EffortPlan> {
    let planned =
        memory.plan.phases.get(memory.phase).map(|phase| phase.adjustment.clone()).unwrap_or_default();
    let fresh: Vec<EffortPlan> =
        planned.into_iter().filter(|effort| !memory.efforts.contains_key(&effort.id)).collect();
    if !fresh.is_empty() {
        return fresh;
    }
    let number = memory.adjustments_here() + 1;
    let id = format!("adjustment-{}-{number}", memory.phase + 1);
    vec![architect::for_a_person(memory, id, "What the phase lacks", &memory.deviations)]
}
