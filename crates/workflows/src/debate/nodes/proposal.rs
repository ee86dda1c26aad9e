//! Proposal: in the first round everybody proposes blind; later rounds carry the refinements over. Whoever sits on the
//! bench is carried over by nobody, and asked once now and then.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Missing, Piece, follow, propose};
use crate::debate::contribution::{Contribution, Type};
use crate::debate::memory::Memory;
use crate::debate::setup::Agent;
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let missing =
        |agent: &&Agent| memory.contribution(memory.round, Type::Proposal, &agent.id, None).is_none();
    let todo: Vec<&Agent> =
        memory.setup.voices().filter(missing).filter(|agent| !memory.sits_out(&agent.id)).collect();
    let pieces = join_all(todo.into_iter().map(|agent| one(&cx, &memory, agent))).await;
    if let Some(event) = follow(&cx, &memory, State::Proposal, pieces).await? {
        return Ok(event);
    }
    let said = cx.read(|memory| memory.last_round());
    Ok(if said == 0 {
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
        let what = format!("proposal of {}", agent.id);
        return done.map_err(|fault| Missing { what, who: None, trouble: fault.into() });
    }
    propose(cx, memory, agent).await
}

/// What the agent stood for at the end of the round before; nothing for one who is asked whether they are back.
fn carried<'a>(memory: &'a Memory, agent: &Agent) -> Option<&'a Contribution> {
    if memory.on_bench(&agent.id).is_some() {
        return None;
    }
    memory.stands_for(memory.round.checked_sub(1)?, &agent.id)
}
