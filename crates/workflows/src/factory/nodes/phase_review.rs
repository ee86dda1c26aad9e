//! PHASE_REVIEW: the architect compares the plan of the phase with its tree.

use baton_engine::{Cx, Fault};

use super::judging::judged;
use super::looking::look;
use crate::coding::order::Acceptance;
use crate::factory::plan::Adjust;
use crate::factory::{EffortStatus, Event, Factory, Health, Memory, architect};

/// What the present phase was to bring, with its efforts.
pub fn wanted(memory: &Memory) -> Vec<Acceptance> {
    let phase = memory.plan.phases.get(memory.phase).map(|phase| phase.acceptance.clone());
    let merged = |effort: &&crate::factory::EffortState| {
        effort.phase == memory.phase && effort.status == EffortStatus::Merged && effort.part_of.is_none()
    };
    let efforts = memory.in_order().filter(merged).map(|effort| effort.plan.acceptance.clone());
    phase.into_iter().chain(efforts).filter(|acceptance| !acceptance.is_empty()).collect()
}

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (commit, wanted) = cx.read(|memory| (memory.line.clone(), wanted(memory)));
    let seen = look(&cx, "look", &commit, &wanted).await?;
    let at = cx.now().0;
    let assessment = cx.read(|memory| {
        architect::phase(memory, &commit, &seen.tree.tree, seen.missing, seen.failing, seen.asked, at)
    });
    let assessment = judged(&cx, assessment).await?;
    Ok(match (assessment.health, cx.read(|memory| memory.plan.policy.adjust)) {
        (Health::OnTrack, _) => Event::OnTrack { assessment },
        (Health::NeedsAdjustment, Adjust::Review) => Event::NeedsAdjustment { assessment },
        (Health::NeedsAdjustment, Adjust::Direct) => Event::MinorCorrection { assessment },
        (Health::OffTrack, _) => Event::OffTrack { assessment },
    })
}
