//! REVIEWING: the gates on exactly the tree that was committed, the tests as they were before on that tree, the rules, and
//! whoever else reviews. The verdict holds for this tree and for no other.

use baton_engine::{Cx, Fault};
use futures::future::try_join_all;

use super::second::opinions;
use crate::coding::order::{Finding, Review, Severity};
use crate::coding::{Gate, GateResult, RunGate};
use crate::effort::{Effort, Event, review};
use crate::git::{MixTree, ReadDiff};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let (order, tip, snapped) =
        cx.read(|memory| (memory.order.clone(), memory.tip.clone(), memory.snapped.clone()));
    let Some(snapped) = snapped else {
        return Ok(Event::GaveUp { why: "there is nothing to review".to_owned() });
    };
    let diff =
        ReadDiff { workshop: order.workshop.clone().into(), base: order.base.clone(), tip: tip.clone() };
    let diff = cx.step("diff", &diff).await?;
    let mut findings = cx.read(|memory| review::rules(&diff, memory, &snapped));
    let gates =
        try_join_all(order.gates.iter().map(|gate| run_gate(&cx, "gate", &snapped.tree, gate))).await?;
    if gates.iter().all(GateResult::passed) && !order.changes_tests {
        findings.extend(old_tests(&cx, &tip).await?);
    }
    let mut review = Review { commit: tip, tree: snapped.tree, findings, gates, opinions: Vec::new() };
    // What rules or gates refuse needs no second opinion, and none could let it pass.
    if review.approves() {
        review.opinions = opinions(&cx, &diff, &review.tree).await?;
        let said = review.opinions.iter().flat_map(|opinion| opinion.weigh(order.needs_review));
        review.findings.extend(said.collect::<Vec<_>>());
    }
    Ok(if review.approves() { Event::Approved { review } } else { Event::ChangesRequired { review } })
}

async fn run_gate(cx: &Cx<Effort>, kind: &str, tree: &str, gate: &Gate) -> Result<GateResult, Fault> {
    let act = cx.read(|memory| RunGate {
        workshop: memory.order.workshop.clone().into(),
        tree: tree.to_owned(),
        gate: gate.clone(),
        sandbox: memory.order.sandbox,
    });
    cx.step(format!("{kind}-{}", gate.name), &act).await
}

/// Runs the tests as they were before the effort on what it made: who changes a test to pass it is found out.
async fn old_tests(cx: &Cx<Effort>, tip: &str) -> Result<Vec<Finding>, Fault> {
    let order = cx.read(|memory| memory.order.clone());
    let gates: Vec<&Gate> = order.gates.iter().filter(|gate| gate.tests).collect();
    if gates.is_empty() || order.tests.is_empty() {
        return Ok(Vec::new());
    }
    let act = MixTree {
        workshop: order.workshop.clone().into(),
        tip: tip.to_owned(),
        base: order.base.clone(),
        paths: order.tests.clone(),
    };
    let mixed = cx.step("old-tests", &act).await?;
    if mixed.restored.is_empty() {
        return Ok(Vec::new());
    }
    let said = try_join_all(gates.iter().map(|gate| run_gate(cx, "old", &mixed.tree, gate))).await?;
    let failed = said.iter().filter(|said| !said.passed());
    Ok(failed
        .map(|said| Finding {
            rule: "old tests".to_owned(),
            severity: Severity::Blocker,
            path: mixed.restored.join(", "),
            what: format!("with the tests as they were, {}", said.told()),
            by: "rules".to_owned(),
        })
        .collect())
}
