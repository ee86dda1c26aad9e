//! Proposal: in the first round everybody proposes blind; later rounds carry the refinements over, and ask again only
//! whose refinement is missing.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Piece, follow, propose};
use crate::debate::contribution::{Contribution, Type};
use crate::debate::memory::Memory;
use crate::debate::setup::Agent;
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let missing =
        |agent: &&Agent| memory.contribution(memory.round, Type::Proposal, &agent.id, None).is_none();
    let todo: Vec<&Agent> = memory.setup.voices().filter(missing).collect();
    let pieces = join_all(todo.into_iter().map(|agent| one(&cx, &memory, agent))).await;
    if let Some(event) = follow(&cx, &memory, State::Proposal, pieces).await? {
        return Ok(event);
    }
    let proposals = cx.read(|memory| memory.of(memory.round, Type::Proposal).count());
    Ok(if proposals == 0 {
        Event::Failed { why: "not one agent brought a proposal".to_owned() }
    } else {
        Event::ProposalsComplete
    })
}

async fn one(cx: &Cx<Debate>, memory: &Memory, agent: &Agent) -> Piece {
    if let Some(before) = carried(memory, agent) {
        let contribution = Contribution {
            kind: Type::Proposal,
            round: memory.round,
            responses: Vec::new(),
            tokens: 0,
            ..before.clone()
        };
        let done = cx.emit(Event::Contributed { contribution }).await;
        return done.map_err(|fault| (format!("proposal of {}", agent.id), fault.into()));
    }
    propose(cx, memory, agent).await
}

/// What the agent stood for at the end of the round before.
fn carried<'a>(memory: &'a Memory, agent: &Agent) -> Option<&'a Contribution> {
    memory.stands_for(memory.round.checked_sub(1)?, &agent.id)
}
