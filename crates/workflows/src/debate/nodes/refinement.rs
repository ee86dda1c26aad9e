//! Refinement: each agent answers the objections to its own proposal and says where it stands now.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Missing, Piece, contribution, desk, follow, given_up, open_against};
use crate::debate::contribution::{Contribution, Type};
use crate::debate::memory::Memory;
use crate::debate::panel::{PanelError, panelist};
use crate::debate::setup::{Agent, Critiques};
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let missing =
        |agent: &&Agent| memory.contribution(memory.round, Type::Refinement, &agent.id, None).is_none();
    let plays = |agent: &&Agent| memory.on_bench(&agent.id).is_none();
    let todo: Vec<&Agent> = memory.setup.voices().filter(missing).filter(plays).collect();
    let pieces = join_all(todo.into_iter().map(|agent| one(&cx, &memory, agent))).await;
    let event = follow(&cx, &memory, State::Refinement, pieces).await?;
    Ok(event.unwrap_or(Event::RefinementsComplete))
}

async fn one(cx: &Cx<Debate>, memory: &Memory, agent: &Agent) -> Piece {
    let what = format!("refinement of {}", agent.id);
    let refined = refine(cx, memory, agent, &what).await;
    refined.map_err(|trouble| Missing { what, who: Some(agent.id.clone()), trouble })
}

async fn refine(cx: &Cx<Debate>, memory: &Memory, agent: &Agent, what: &str) -> Result<(), PanelError> {
    // Without a proposal there is nothing to refine; that it is missing was noted.
    let Some(own) = memory.contribution(memory.round, Type::Proposal, &agent.id, None) else { return Ok(()) };
    // What is given up here leaves the proposal as it was.
    given_up(memory, State::Refinement, what)?;
    let refined = if memory.setup.terms.critiques == Critiques::None {
        // In a blind vote nobody moves.
        Contribution { kind: Type::Refinement, tokens: 0, ..own.clone() }
    } else {
        let open = open_against(memory, &agent.id);
        let desk = desk(cx, memory, agent, State::Refinement, what);
        let said = panelist(agent).refine(&desk, own, &open).await?;
        contribution(memory, Type::Refinement, &agent.id, said)
    };
    Ok(cx.emit(Event::Contributed { contribution: refined }).await?)
}
