//! Summarization: each agent whose history has grown long shortens it. Positions and objections are never shortened.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Missing, Piece, desk, follow, given_up};
use crate::debate::memory::Memory;
use crate::debate::panel::{PanelError, panelist, perspective};
use crate::debate::setup::Agent;
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    // The second way is the whole history: what could not be shortened is noted and not tried again.
    let pieces = join_all(memory.setup.agents.iter().map(|agent| shorten(&cx, &memory, agent))).await;
    let event = follow(&cx, &memory, State::Summarization, pieces).await?;
    Ok(event.unwrap_or(Event::ContextsReady))
}

async fn shorten(cx: &Cx<Debate>, memory: &Memory, agent: &Agent) -> Piece {
    let what = format!("summary of {}", agent.id);
    if memory.on_bench(&agent.id).is_some() || memory.sits_out(&what) {
        return Ok(());
    }
    let history = perspective(memory, &agent.id);
    let long = history.chars().count() >= agent.summarization.threshold;
    if !agent.summarization.enabled || !long {
        return Ok(());
    }
    let shortened = condense(cx, memory, agent, &what, &history).await;
    shortened.map_err(|trouble| Missing { who: Some(what.clone()), what, trouble })
}

async fn condense(
    cx: &Cx<Debate>,
    memory: &Memory,
    agent: &Agent,
    what: &str,
    history: &str,
) -> Result<(), PanelError> {
    given_up(memory, State::Summarization, what)?;
    let desk = desk(cx, memory, agent, State::Summarization, what);
    let Some(summary) = panelist(agent).condense(&desk, history).await? else { return Ok(()) };
    cx.emit(Event::Summarized { agent: agent.id.clone(), summary }).await?;
    if memory.on_bench(what).is_some() {
        cx.emit(Event::Returned { who: what.to_owned() }).await?;
    }
    Ok(())
}
