//! The work of each state, one file each. What they share stands here: asking several agents at once, and what
//! follows when some of them bring nothing.

pub(super) mod clarification;
pub(super) mod clarification_input;
pub(super) mod critique;
pub(super) mod evaluation;
pub(super) mod initialization;
pub(super) mod proposal;
pub(super) mod refinement;
pub(super) mod round_manager;
pub(super) mod summarization;
pub(super) mod synthesis;

use baton_engine::{Cx, Fault};

use super::contribution::{Contribution, Type};
use super::memory::{LeftOut, Memory};
use super::objections::{Entry, Standing, objections};
use super::panel::{Desk, PanelError, ProposalDraft, panelist};
use super::setup::Agent;
use super::{Debate, Event, State};

/// How often a node is tried again before it takes its second way.
pub(super) const RETRIES: u32 = 2;
/// How often nodes are tried again in a whole debate; well below what the table bounds, so that a panel full of trouble
/// loses its voices and not the debate.
const ALL_RETRIES: u32 = 48;
/// How often a judge may look things up before it judges.
pub(super) const JUDGE_LOOKS: u32 = 6;
/// The name under which the judge is benched. No agent can have it.
pub(in crate::debate) const THE_JUDGE: &str = "the judge";

/// A piece of work that came to nothing.
struct Missing {
    /// What it is.
    what: String,
    /// Who is benched for it, if it fails for good.
    who: Option<String>,
    /// Why it failed.
    trouble: PanelError,
}

/// What one piece of work came to: nothing more to say, or what is missing.
type Piece = Result<(), Missing>;

/// What follows from the pieces of a node: the event that interrupts it, or none if it can end as it should. What
/// still fails on the second way is noted, whoever failed is benched, and the node goes on; so it is at once with those
/// who were benched before.
async fn follow(
    cx: &Cx<Debate>,
    memory: &Memory,
    node: State,
    pieces: Vec<Piece>,
) -> Result<Option<Event>, Fault> {
    let mut missing = Vec::new();
    for piece in pieces {
        match piece {
            Ok(()) => {}
            Err(Missing { trouble: PanelError::Fault(fault), .. }) => return Err(*fault),
            Err(Missing { trouble: PanelError::Budget(why), .. }) => {
                return Ok(Some(Event::BudgetReached { why }));
            }
            Err(Missing { what, who, trouble: PanelError::Unusable(why) }) => missing.push((what, who, why)),
        }
    }
    let is_known = |who: &Option<String>| who.as_ref().is_some_and(|who| memory.benched.contains_key(who));
    if !memory.falls_back(node) {
        let new: Vec<_> = missing.iter().filter(|(_, who, _)| !is_known(who)).collect();
        if !new.is_empty() {
            let why =
                new.iter().map(|(what, _, why)| format!("{what}: {why}")).collect::<Vec<_>>().join("; ");
            let pieces = new.iter().map(|(what, _, _)| what.clone()).collect();
            return Ok(Some(again(memory, node, pieces, why)));
        }
    }
    leave_out(cx, memory, missing).await?;
    Ok(None)
}

/// Notes what is missing and benches whoever failed.
async fn leave_out(
    cx: &Cx<Debate>,
    memory: &Memory,
    missing: Vec<(String, Option<String>, String)>,
) -> Result<(), Fault> {
    let mut benched: Vec<String> = Vec::new();
    for (what, who, why) in missing {
        let left = LeftOut { round: memory.round, what, why: why.clone() };
        cx.emit(Event::LeftOut { what: left }).await?;
        // A probe that failed changes nothing: they are on the bench already.
        let new = who.filter(|who| memory.on_bench(who).is_none() && !benched.contains(who));
        if let Some(who) = new {
            benched.push(who.clone());
            cx.emit(Event::Benched { who, why }).await?;
        }
    }
    Ok(())
}

/// Another try, or the second way when there were enough.
fn again(memory: &Memory, node: State, pieces: Vec<String>, why: String) -> Event {
    if memory.retried(node) < RETRIES && memory.all_retries() < ALL_RETRIES {
        Event::Retry { node, pieces, why }
    } else {
        Event::Fallback { node, pieces, why }
    }
}

/// A piece of work that was given up fails at once with its last words.
fn given_up(memory: &Memory, node: State, piece: &str) -> Result<(), PanelError> {
    match memory.gave_up(node, piece) {
        Some(why) => Err(PanelError::Unusable(why.clone())),
        None => Ok(()),
    }
}

/// What was known when the node began, and a desk for each agent.
fn desk<'a>(cx: &'a Cx<Debate>, memory: &'a Memory, agent: &'a Agent, node: State, piece: &str) -> Desk<'a> {
    Desk { cx, memory, agent, attempt: memory.attempt(node, piece) }
}

/// A proposal or a refinement as a contribution.
fn contribution(memory: &Memory, kind: Type, agent: &str, said: ProposalDraft) -> Contribution {
    Contribution {
        text: said.text,
        positions: said.positions,
        covers: said.covers,
        responses: said.responses,
        quotes: said.quotes,
        by: said.by,
        tokens: said.tokens,
        ..Contribution::new(memory.round, kind, agent, None)
    }
}

/// Objections against an agent that are still to be answered.
fn open_against(memory: &Memory, agent: &str) -> Vec<Entry> {
    let entries = objections(memory, memory.round).into_iter();
    entries.filter(|entry| entry.target == agent && entry.standing == Standing::Open).collect()
}

/// Lets an agent propose, and notes it at once.
async fn propose(cx: &Cx<Debate>, memory: &Memory, agent: &Agent) -> Piece {
    let what = format!("proposal of {}", agent.id);
    let proposed = async {
        given_up(memory, State::Proposal, &what)?;
        let desk = desk(cx, memory, agent, State::Proposal, &what);
        let said = panelist(agent).propose(&desk).await?;
        let contribution = contribution(memory, Type::Proposal, &agent.id, said);
        cx.emit(Event::Contributed { contribution }).await?;
        if memory.on_bench(&agent.id).is_some() {
            cx.emit(Event::Returned { who: agent.id.clone() }).await?;
        }
        Ok(())
    };
    proposed.await.map_err(|trouble| Missing { what: what.clone(), who: Some(agent.id.clone()), trouble })
}
