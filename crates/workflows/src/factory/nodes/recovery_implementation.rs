//! RECOVERY_IMPLEMENTATION: the efforts of the recovery, done like any other.

use baton_engine::{Cx, Fault};

use super::crew;
use crate::factory::{EffortStatus, Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let ids = cx.read(|memory| memory.recovery_efforts.clone());
    if let Some(why) = crew::work_or_ask(&cx, &ids).await? {
        return Ok(Event::Abandon { why: format!("the budget is used up: {why}") });
    }
    Ok(cx.read(|memory| {
        let efforts = ids.iter().filter_map(|id| memory.efforts.get(id));
        let open =
            efforts.filter(|effort| !matches!(effort.status, EffortStatus::Queued | EffortStatus::Merged));
        let failed: Vec<String> =
            open.map(|effort| format!("{}: {}", effort.plan.id, effort.told.join("; "))).collect();
        if failed.is_empty() {
            Event::RecoveryImplemented
        } else {
            Event::RecoveryFailed { why: failed.join("; ") }
        }
    }))
}
