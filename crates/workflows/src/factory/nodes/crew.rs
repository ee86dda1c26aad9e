//! Beginning efforts as runs of their own and waiting for them, so many at a time.

use baton_engine::{ChildEnding, Cx, Fault, Question, Share, Spend};
use futures::StreamExt as _;
use futures::stream;

use super::workshop;
use crate::coding::order::{EffortOrder, EffortReport};
use crate::factory::{EffortState, EffortStatus, Event, Factory, Memory, money};

/// Runs those of these efforts that are not over. At a limit of the budget a person says whether it goes on; if it does
/// not, the limit is what comes back.
pub async fn work_or_ask(cx: &Cx<Factory>, ids: &[String]) -> Result<Option<String>, Fault> {
    let mut round = 0;
    while let Some(why) = work(cx, ids).await? {
        if cx.read(|memory| memory.plan.budget.abandon) {
            return Ok(Some(why));
        }
        round += 1;
        let run = cx.run();
        let text = format!(
            "The budget does not allow the next effort: {why}. Raise it (`baton resume {run} --budget-usd N`, or for a \
             limit of the plan `baton resume {run} --set budget.phase=N`) and answer `again`, or `stop`: what is \
             merged is kept, and nothing is delivered."
        );
        let question = Question::choice(text, &["again", "stop"]);
        let answer = cx.ask::<String>(format!("budget-{round}"), question).await?;
        if answer.value == "stop" {
            return Ok(Some(why));
        }
    }
    Ok(None)
}

/// Runs those of these efforts that are not over: parts of one effort one after the other, others side by side. What the
/// budget does not allow is left, and the limit told.
async fn work(cx: &Cx<Factory>, ids: &[String]) -> Result<Option<String>, Fault> {
    let lanes = cx.read(|memory| lanes(memory, ids));
    let cap = cx.read(|memory| memory.plan.policy.parallel);
    let mut running = stream::iter(lanes.into_iter().map(|lane| along(cx, lane))).buffer_unordered(cap);
    let mut short = None;
    while let Some(done) = running.next().await {
        short = done?.or(short);
    }
    Ok(short)
}

/// Efforts that wait for each other, in order.
fn lanes(memory: &Memory, ids: &[String]) -> Vec<Vec<String>> {
    let mut lanes: Vec<Vec<String>> = Vec::new();
    for id in ids {
        // One that is under way already was begun by an earlier try of this visit, and is found again.
        let is_open = |effort: &&EffortState| {
            matches!(effort.status, EffortStatus::Planned | EffortStatus::Implementing)
        };
        let Some(effort) = memory.efforts.get(id).filter(is_open) else { continue };
        let behind =
            effort.after.as_ref().and_then(|after| lanes.iter_mut().find(|lane| lane.contains(after)));
        match behind {
            Some(lane) => lane.push(id.clone()),
            None => lanes.push(vec![id.clone()]),
        }
    }
    lanes
}

async fn along(cx: &Cx<Factory>, lane: Vec<String>) -> Result<Option<String>, Fault> {
    for id in lane {
        match one(cx, &id).await? {
            Came::Queued => {}
            // What comes behind builds on it.
            Came::Otherwise => break,
            Came::Short(why) => return Ok(Some(why)),
        }
    }
    Ok(None)
}

/// What became of an effort.
enum Came {
    Queued,
    Otherwise,
    /// The budget does not allow it.
    Short(String),
}

async fn one(cx: &Cx<Factory>, id: &str) -> Result<Came, Fault> {
    let folder = workshop(cx).display().to_string();
    let Some(order) = cx.read(|memory| order(memory, id, folder)) else { return Ok(Came::Otherwise) };
    let name = format!("{id}.{}", order.attempt);
    let begun = cx.read(|memory| {
        memory.efforts.get(id).filter(|it| it.status == EffortStatus::Implementing).map(|it| it.granted)
    });
    let granted = match begun {
        Some(granted) => granted,
        None => {
            let (purse, limits) = cx.purse();
            let granted = match cx.read(|memory| money::grant(memory, &purse, &limits, id, &order)) {
                Ok(granted) => granted,
                Err(why) => return Ok(Came::Short(why)),
            };
            cx.emit(Event::EffortBegun { effort: id.to_owned(), base: order.base.clone(), granted }).await?;
            granted
        }
    };
    let share = Share::new(Spend { micro_usd: granted, ..Spend::NONE }, Spend::NONE);
    let child = cx.start_child(name, "effort", &order, share).await?;
    let end = cx.wait_child(&child).await?;
    let mut report: EffortReport = serde_json::from_value(end.output).unwrap_or_default();
    report.micro_usd = end.spent.micro_usd;
    if end.ending == ChildEnding::Cancelled {
        report.state = "FAILED".to_owned();
        report.why = "somebody cancelled it".to_owned();
    }
    let queued = matches!(report.state.as_str(), "QUEUED" | "MERGED");
    cx.emit(Event::EffortEnded { effort: id.to_owned(), report }).await?;
    Ok(if queued { Came::Queued } else { Came::Otherwise })
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
        reviewer: plan
            .reviewer
            .as_ref()
            .or(memory.plan.review.agent.as_ref())
            .map(|name| memory.plan.agent(name)),
        judge: memory.order.judge.clone(),
        splitter: memory.plan.policy.split.as_ref().map(|name| memory.plan.agent(name)),
        needs_review: memory.plan.review.required,
        turn_micro_usd: memory.plan.budget.turn,
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
