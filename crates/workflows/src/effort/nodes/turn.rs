//! One turn of an agent and the commit behind it: the same for doing and for mending.

use baton_engine::{Cx, Fault, Hash};

use crate::coding::order::EffortOrder;
use crate::coding::{AgentSpec, Role, RunTurn, Session, TurnEnd, TurnLimits, TurnRequest, Which};
use crate::effort::{Effort, Event, Memory, task};
use crate::git::Snapshot;
use crate::process::Confinement;

/// The visit in which every effort takes its first turn: it was planned and provisioned before.
const FIRST_VISIT: u32 = 3;
/// How often a turn that somebody stopped is taken up again before a person has to say so.
const TAKEN_UP: usize = 20;

/// Asks the agent, commits what it left, and says what came of it. A turn that somebody stopped is followed by another.
pub async fn take(cx: &Cx<Effort>, role: Role) -> Result<Event, Fault> {
    // Another try of this visit goes on behind the turns that were stopped in the one before.
    let stopped = cx.read(Memory::stopped_turns);
    for number in (1..=TAKEN_UP).map(|turn| stopped + turn) {
        if let Some(event) = one(cx, role, number).await? {
            return Ok(event);
        }
    }
    Ok(Event::Stuck { why: "it was stopped again and again".to_owned(), again: false })
}

/// One turn of a visit; none if it was stopped.
async fn one(cx: &Cx<Effort>, role: Role, number: usize) -> Result<Option<Event>, Fault> {
    let agent = cx.read(|memory| memory.order.agent.clone());
    let micro_usd = match afford(cx, &agent) {
        Ok(micro_usd) => micro_usd,
        Err(why) => return Ok(Some(Event::Stuck { why, again: false })),
    };
    let session = session(cx);
    let Some(request) = cx.read(|memory| request(memory, role, session, micro_usd)) else {
        return Ok(Some(Event::Stuck { why: "it has no worktree".to_owned(), again: false }));
    };
    let name = |step: &str| if number == 1 { step.to_owned() } else { format!("{step}-{number}") };
    let before = request.tip.clone();
    let turned = cx.step(name("turn"), &RunTurn { request, micro_usd }).await?;
    let at = cx.now().0 / 1000;
    // Another try comes later: its commit has another date, and so another name.
    let commit = name(&format!("commit-{at}"));
    let snapped = cx.step(commit, &cx.read(|memory| snapshot(memory, role, at))).await?;
    if !snapped.lost.is_empty() {
        cx.emit(Event::TurnEnded { role, end: turned }).await?;
        return Ok(Some(Event::Stuck { why: snapped.lost, again: false }));
    }
    // Learnt behind the commit: a try after a commit that failed asks for the same turn, and gets its receipt.
    cx.emit(Event::TurnEnded { role, end: turned.clone() }).await?;
    cx.emit(Event::Committed { snapped: snapped.clone() }).await?;
    if turned.end == TurnEnd::Cancelled {
        return Ok(None);
    }
    let (base, is_fix) = (cx.read(|memory| memory.order.base.clone()), role == Role::Fix);
    let idle = if is_fix { snapped.tip == before } else { snapped.tip == base };
    let is_back = is_fix && !idle && cx.read(|memory| memory.refused.contains(&snapped.tree));
    Ok(Some(came_to(turned.end, idle, is_back)))
}

/// What comes of a turn that ended so. `idle`: it changed nothing; `is_back`: what it left was refused before.
fn came_to(end: TurnEnd, idle: bool, is_back: bool) -> Event {
    match end {
        _ if is_back => {
            Event::Stuck { why: "it is back at what was refused before".to_owned(), again: false }
        }
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
                Which::Budget => "it used up what its turn may cost",
                Which::Lines => "it wrote too much",
            };
            Event::Stuck { why: why.to_owned(), again: matches!(which, Which::Idle) }
        }
        TurnEnd::Cancelled => Event::Stuck { why: "somebody stopped it".to_owned(), again: false },
        TurnEnd::Failed { error } => Event::Stuck { why: error.to_string(), again: error.is_retryable() },
    }
}

/// What is reserved for a turn or a review by this agent, or why there is not enough: what the plan says, else a quarter
/// of what the effort may spend, for a first turn and three that mend.
pub fn afford(cx: &Cx<Effort>, agent: &AgentSpec) -> Result<u64, String> {
    let (purse, limits) = cx.purse();
    let named = cx.read(|memory| memory.order.turn_micro_usd);
    agent.afford(named, &purse, &limits, "this effort")
}

/// The session of a turn: agents go on with the one of the first turn, which is known before it is used. Recipes have none.
fn session(cx: &Cx<Effort>) -> Session {
    let (run, visit) = (cx.run(), cx.visit());
    let named = |visit: u32| Hash::of(format!("{run}/{visit}").as_bytes()).to_string();
    let goes_on = cx.read(|memory| memory.order.agent.kind != "recipe" && !memory.turns.is_empty());
    if goes_on { Session::Resume(named(FIRST_VISIT)) } else { Session::New(named(visit)) }
}

fn request(memory: &Memory, role: Role, session: Session, micro_usd: u64) -> Option<TurnRequest> {
    let order = &memory.order;
    let place = memory.place.as_ref()?;
    let work = if role == Role::Fix { order.fix.clone() } else { order.work.clone() };
    // Somebody who goes far beyond the hard limit is stopped; what was written is cut into parts.
    let is_recipe = order.agent.kind == "recipe";
    let (lines, warn_lines) =
        if is_recipe { (0, 0) } else { (order.size.hard.saturating_mul(4), order.size.soft) };
    Some(TurnRequest {
        agent: order.agent.clone(),
        role,
        effort: order.effort.clone(),
        attempt: order.attempt,
        worktree: place.worktree.clone(),
        workshop: order.workshop.clone().into(),
        base: order.base.clone(),
        tip: memory.tip.clone(),
        prompt: task::words(memory, role),
        work,
        session,
        answers: memory.answers.clone(),
        limits: TurnLimits { lines, warn_lines, micro_usd, ..order.limits },
        confinement: confinement(order, &order.effort, Some(place.worktree.clone()), &order.agent),
    })
}

/// What somebody is asked who is shown the tree and may change nothing. It has a session and a folder of its own, called
/// after what it is asked.
pub fn review_request(
    memory: &Memory,
    (agent, what): (AgentSpec, &str),
    prompt: String,
    micro_usd: u64,
) -> Option<TurnRequest> {
    let order = &memory.order;
    let effort = format!("{}.{what}", order.effort);
    let confinement = confinement(order, &effort, None, &agent);
    let named = match what {
        "review" => format!("{}/{}", memory.tip, memory.reviews),
        what => format!("{}/{what}", memory.tip),
    };
    let session = Session::New(Hash::of(named.as_bytes()).to_string());
    Some(TurnRequest {
        agent,
        role: Role::Review,
        effort,
        attempt: order.attempt,
        worktree: memory.place.as_ref()?.worktree.clone(),
        workshop: order.workshop.clone().into(),
        base: order.base.clone(),
        tip: memory.tip.clone(),
        prompt,
        work: Vec::new(),
        session,
        answers: Vec::new(),
        limits: TurnLimits { micro_usd, ..order.limits },
        confinement,
    })
}

/// An agent writes in its worktree and in the folder for what it needs on the side.
fn confinement(
    order: &EffortOrder,
    effort: &str,
    worktree: Option<std::path::PathBuf>,
    agent: &AgentSpec,
) -> Confinement {
    let scratch = std::path::Path::new(&order.workshop).join("tmp").join(effort);
    let writable = worktree.into_iter().chain([scratch]).collect();
    Confinement { sandbox: order.sandbox, writable, network: agent.network }
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
