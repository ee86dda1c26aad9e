//! Summarization: each agent whose history has grown long shortens it. Positions and objections are never shortened.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Piece, desk, follow};
use crate::debate::memory::Memory;
use crate::debate::panel::{panelist, perspective};
use crate::debate::setup::Agent;
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    // The second way is the whole history.
    if memory.falls_back(State::Summarization) {
        return Ok(Event::ContextsReady);
    }
    let pieces = join_all(memory.setup.agents.iter().map(|agent| shorten(&cx, &memory, agent))).await;
    let event = follow(&cx, &memory, State::Summarization, pieces).await?;
    Ok(event.unwrap_or(Event::ContextsReady))
}

async fn shorten(cx: &Cx<Debate>, memory: &Memory, agent: &Agent) -> Piece {
    let history = perspective(memory, &agent.id);
    let long = history.chars().count() >= agent.summarization.threshold;
    if !agent.summarization.enabled || !long {
        return Ok(());
    }
    let what = format!("summary of {}", agent.id);
    let failed = |trouble| (what.clone(), trouble);
    let desk = desk(cx, memory, agent, State::Summarization, &what);
    let Some(summary) = panelist(agent).condense(&desk, &history).await.map_err(failed)? else {
        return Ok(());
    };
    let event = Event::Summarized { agent: agent.id.clone(), summary };
    cx.emit(event).await.map_err(|fault| failed(fault.into()))
}
