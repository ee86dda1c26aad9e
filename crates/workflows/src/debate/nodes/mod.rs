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
use super::ledger::{Entry, Standing, objections};
use super::memory::{LeftOut, Memory};
use super::panel::{Desk, PanelError, ProposalDraft, panelist};
use super::setup::Agent;
use super::{Debate, Event, State};

/// How often a node is tried again before it takes its second way.
pub(super) const RETRIES: u32 = 2;

/// What one piece of work came to: nothing more to say, or what it is and why it failed.
type Piece = Result<(), (String, PanelError)>;

/// What follows from the pieces of a node: the event that interrupts it, or none if it can end as it should. On
/// the second way, what is missing is noted and the node goes on.
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
            Err((_, PanelError::Fault(fault))) => return Err(*fault),
            Err((_, PanelError::Budget(why))) => return Ok(Some(Event::BudgetReached { why })),
            Err((what, PanelError::Unusable(why))) => missing.push((what, why)),
        }
    }
    if missing.is_empty() {
        return Ok(None);
    }
    if memory.falls_back(node) {
        for (what, why) in missing {
            let what = LeftOut { round: memory.round, what, why };
            cx.emit(Event::LeftOut { what }).await?;
        }
        return Ok(None);
    }
    let why = missing.iter().map(|(what, why)| format!("{what}: {why}")).collect::<Vec<_>>().join("; ");
    let pieces = missing.into_iter().map(|(what, _)| what).collect();
    Ok(Some(again(memory, node, pieces, why)))
}

/// Another try, or the second way when there were enough.
fn again(memory: &Memory, node: State, pieces: Vec<String>, why: String) -> Event {
    if memory.retried(node) < RETRIES {
        Event::Retry { node, pieces, why }
    } else {
        Event::Fallback { node, pieces, why }
    }
}

/// A piece of work that was given up fails at once with its last words.
fn given_up(memory: &Memory, node: State, piece: &str) -> Piece {
    match memory.gave_up(node, piece) {
        Some(why) => Err((piece.to_owned(), PanelError::Unusable(why.clone()))),
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
    let failed = |trouble| (what.clone(), trouble);
    given_up(memory, State::Proposal, &what)?;
    let desk = desk(cx, memory, agent, State::Proposal, &what);
    let said = panelist(agent).propose(&desk).await.map_err(failed)?;
    let contribution = contribution(memory, Type::Proposal, &agent.id, said);
    cx.emit(Event::Contributed { contribution }).await.map_err(|fault| failed(fault.into()))
}
