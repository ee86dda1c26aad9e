//! One turn of an agent and the commit behind it: the same for doing and for mending.

use baton_engine::{Cx, Fault, Hash};

use crate::coding::order::EffortOrder;
use crate::coding::{Role, RunTurn, Session, TurnEnd, TurnLimits, TurnRequest, Which};
use crate::effort::{Effort, Event, Memory};
use crate::git::Snapshot;
use crate::process::Confinement;

/// Asks the agent, commits what it left, and says what came of it.
pub async fn take(cx: &Cx<Effort>, role: Role) -> Result<Event, Fault> {
    let (run, visit) = (cx.run(), cx.visit());
    let session = Hash::of(format!("{run}/{visit}").as_bytes()).to_string();
    let Some(request) = cx.read(|memory| request(memory, role, &session)) else {
        return Ok(Event::Stuck { why: "it has no worktree".to_owned(), again: false });
    };
    let before = request.tip.clone();
    let end = cx.step("turn", &RunTurn { request, micro_usd: 0 }).await?;
    cx.emit(Event::TurnEnded { role, end: end.clone() }).await?;
    let at = cx.now().0 / 1000;
    // Another try comes later: its commit has another date, and so another name.
    let snapped = cx.step(format!("commit-{at}"), &cx.read(|memory| snapshot(memory, role, at))).await?;
    if !snapped.lost.is_empty() {
        return Ok(Event::Stuck { why: snapped.lost, again: false });
    }
    cx.emit(Event::Committed { snapped: snapped.clone() }).await?;
    let (base, is_fix) = (cx.read(|memory| memory.order.base.clone()), role == Role::Fix);
    let idle = if is_fix { snapped.tip == before } else { snapped.tip == base };
    Ok(match end {
        TurnEnd::Completed { .. } | TurnEnd::CutShort | TurnEnd::LimitHit { which: Which::Lines }
            if !idle =>
        {
            Event::WorkDone
        }
        TurnEnd::Completed { words } => {
            let words: String = words.lines().next_back().unwrap_or_default().chars().take(120).collect();
            let said = if words.is_empty() { String::new() } else { format!(" ({words})") };
            Event::Stuck { why: format!("it says it is done{said}, and changed nothing"), again: true }
        }
        TurnEnd::CutShort => Event::Stuck { why: "its turn was cut short".to_owned(), again: true },
        TurnEnd::NeedsInput { question } => Event::InputNeeded { question },
        TurnEnd::Refused { why } => Event::Stuck { why: format!("it refused: {why}"), again: false },
        TurnEnd::LimitHit { which } => {
            let why = match which {
                Which::Wall => "its time was over",
                Which::Idle => "it gave no sign of life for too long",
                Which::Turns => "it used up its turns",
                Which::Budget => "its budget was used up",
                Which::Lines => "it wrote too much",
            };
            Event::Stuck { why: why.to_owned(), again: matches!(which, Which::Idle) }
        }
        TurnEnd::Cancelled => Event::Stuck { why: "somebody stopped it".to_owned(), again: false },
        TurnEnd::Failed { error } => Event::Stuck { why: error.to_string(), again: error.is_retryable() },
    })
}

fn request(memory: &Memory, role: Role, session: &str) -> Option<TurnRequest> {
    let order = &memory.order;
    let place = memory.place.as_ref()?;
    let work = if role == Role::Fix { order.fix.clone() } else { order.work.clone() };
    // A turn that goes far beyond the hard limit is ended; what it wrote is cut into parts.
    let lines = if order.agent.kind == "recipe" { 0 } else { order.size.hard.saturating_mul(4) };
    Some(TurnRequest {
        agent: order.agent.clone(),
        role,
        effort: order.effort.clone(),
        attempt: order.attempt,
        worktree: place.worktree.clone(),
        workshop: order.workshop.clone().into(),
        base: order.base.clone(),
        tip: memory.tip.clone(),
        prompt: prompt(memory, role),
        work,
        session: Session::New(session.to_owned()),
        answers: memory.answers.clone(),
        limits: TurnLimits { lines, ..order.limits },
        confinement: confinement(order, place.worktree.clone()),
    })
}

/// An agent writes in its worktree and in the folder for what it needs on the side.
fn confinement(order: &EffortOrder, worktree: std::path::PathBuf) -> Confinement {
    let scratch = std::path::Path::new(&order.workshop).join("tmp").join(&order.effort);
    Confinement { sandbox: order.sandbox, writable: vec![worktree, scratch], network: order.agent.network }
}

/// The task in words.
pub fn prompt(memory: &Memory, role: Role) -> String {
    let order = &memory.order;
    let mut text = format!("# {}\n\n{}\n", order.name, order.task.trim());
    if !order.paths.is_empty() {
        text.push_str(&format!("\nChange files only under: {}\n", order.paths.join(", ")));
    }
    let gates: Vec<String> = order.gates.iter().map(|gate| format!("- `{}`\n", gate.run)).collect();
    if !gates.is_empty() {
        text.push_str(&format!("\nThese must succeed afterwards:\n\n{}", gates.concat()));
    }
    text.push_str(&format!("\nAdd at most {} lines, tests included.\n", order.size.soft));
    let mut told = order.told.clone();
    if role == Role::Fix {
        told.extend(memory.review.iter().flat_map(|review| review.complaints()));
    }
    if !told.is_empty() {
        text.push_str("\n## What has to be mended\n");
        for what in told {
            text.push_str(&format!("\n- {what}\n"));
        }
    }
    text
}

fn snapshot(memory: &Memory, role: Role, at: u64) -> Snapshot {
    let order = &memory.order;
    let what = if role == Role::Fix { format!("{}: mended", order.name) } else { order.name.clone() };
    Snapshot {
        workshop: order.workshop.clone().into(),
        effort: order.effort.clone(),
        branch: order.branch.clone(),
        old: memory.tip.clone(),
        base: order.base.clone(),
        message: format!(
            "{what}\n\nBaton-Effort: {}\nBaton-Agent: {}\nBaton-Attempt: {}\n",
            order.effort, order.agent.name, order.attempt
        ),
        at,
        committer: order.committer.clone(),
    }
}
