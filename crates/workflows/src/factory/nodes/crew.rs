//! Beginning efforts as runs of their own and waiting for them, so many at a time.

use baton_engine::{ChildEnding, Cx, Fault, Share, Spend};
use futures::StreamExt as _;
use futures::stream;

use super::workshop;
use crate::coding::order::{EffortOrder, EffortReport};
use crate::factory::{EffortState, EffortStatus, Event, Factory, Memory};

/// Runs those of these efforts that are planned; parts of one effort one after the other, others side by side.
pub async fn work(cx: &Cx<Factory>, ids: &[String]) -> Result<(), Fault> {
    let lanes = cx.read(|memory| lanes(memory, ids));
    let cap = cx.read(|memory| memory.plan.policy.parallel);
    let mut running = stream::iter(lanes.into_iter().map(|lane| along(cx, lane))).buffer_unordered(cap);
    while let Some(done) = running.next().await {
        done?;
    }
    Ok(())
}

/// Efforts that wait for each other, in order.
fn lanes(memory: &Memory, ids: &[String]) -> Vec<Vec<String>> {
    let mut lanes: Vec<Vec<String>> = Vec::new();
    for id in ids {
        let Some(effort) = memory.efforts.get(id).filter(|effort| effort.status == EffortStatus::Planned)
        else {
            continue;
        };
        let behind =
            effort.after.as_ref().and_then(|after| lanes.iter_mut().find(|lane| lane.contains(after)));
        match behind {
            Some(lane) => lane.push(id.clone()),
            None => lanes.push(vec![id.clone()]),
        }
    }
    lanes
}

async fn along(cx: &Cx<Factory>, lane: Vec<String>) -> Result<(), Fault> {
    for id in lane {
        let queued = one(cx, &id).await?;
        // What comes behind builds on it.
        if !queued {
            break;
        }
    }
    Ok(())
}

async fn one(cx: &Cx<Factory>, id: &str) -> Result<bool, Fault> {
    let folder = workshop(cx).display().to_string();
    let Some(order) = cx.read(|memory| order(memory, id, folder)) else { return Ok(false) };
    let name = format!("{id}.{}", order.attempt);
    cx.emit(Event::EffortBegun { effort: id.to_owned(), base: order.base.clone() }).await?;
    let child = cx.start_child(name, "effort", &order, share(cx, &order)).await?;
    let end = cx.wait_child(&child).await?;
    let mut report: EffortReport = serde_json::from_value(end.output).unwrap_or_default();
    if end.ending == ChildEnding::Cancelled {
        report.state = "FAILED".to_owned();
        report.why = "somebody cancelled it".to_owned();
    }
    let queued = matches!(report.state.as_str(), "QUEUED" | "MERGED");
    cx.emit(Event::EffortEnded { effort: id.to_owned(), report }).await?;
    Ok(queued)
}

/// What an effort may spend: nothing where nobody is paid, else its part of what is left.
fn share(cx: &Cx<Factory>, order: &EffortOrder) -> Share {
    if matches!(order.agent.kind.as_str(), "recipe" | "command" | "person") {
        return Share::NONE;
    }
    let (purse, limits) = cx.purse();
    let left = limits.micro_usd.unwrap_or(0).saturating_sub(purse.spent.micro_usd + purse.reserved.micro_usd);
    let open = cx.read(|memory| memory.efforts.values().filter(|effort| effort.is_open()).count()).max(1);
    Share::new(Spend { micro_usd: left / open as u64, ..Spend::NONE }, Spend::NONE)
}

/// The commit an effort begins from: where the project stands, or the part before it while that is not merged.
fn base(memory: &Memory, effort: &EffortState) -> String {
    let before = effort.after.as_ref().and_then(|after| memory.efforts.get(after));
    if let Some(before) = before.filter(|before| before.status == EffortStatus::Queued) {
        return before.tip.clone();
    }
    // The first part begins where its whole began, so that its commits need no merging.
    let whole = effort.part_of.as_ref().and_then(|whole| memory.efforts.get(whole));
    match whole.filter(|whole| effort.tries == 1 && effort.after.is_none() && !whole.base.is_empty()) {
        Some(whole) => whole.base.clone(),
        None => memory.line.clone(),
    }
}

/// What is ordered of an effort.
pub fn order(memory: &Memory, id: &str, workshop: String) -> Option<EffortOrder> {
    let effort = memory.efforts.get(id)?;
    let plan = &effort.plan;
    Some(EffortOrder {
        effort: id.to_owned(),
        name: plan.name.clone(),
        branch: effort.branch.clone(),
        workshop,
        base: base(memory, effort),
        attempt: effort.attempt,
        task: plan.task.clone(),
        agent: memory.plan.agent(&plan.agent),
        reviewer: None,
        work: plan.work.clone(),
        fix: plan.fix.clone(),
        paths: plan.paths.clone(),
        size: plan.size.clone().unwrap_or_else(|| memory.plan.size.clone()),
        gates: memory.plan.gates_named(&plan.gates),
        tests: memory.plan.tests.clone(),
        changes_tests: plan.changes_tests,
        protected: memory.plan.protected.clone(),
        limits: memory.plan.policy.turn,
        sandbox: memory.plan.policy.sandbox,
        told: effort.told.clone(),
        committer: memory.order.committer.clone(),
    })
}
