//! Critique: everybody reads proposals of others, under letters instead of names: each in turn, all at once, or the
//! next two of the ring.

use baton_engine::{Cx, Fault};
use futures::future::join_all;

use super::{Missing, Piece, desk, follow, given_up};
use crate::debate::contribution::{Contribution, Objection, Type};
use crate::debate::memory::Memory;
use crate::debate::panel::{CritiqueDraft, PanelError, letter, number, panelist, raised_before};
use crate::debate::setup::{Agent, Critiques};
use crate::debate::{Debate, Event, State};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let memory = cx.read(Clone::clone);
    let tasks = tasks(&memory);
    let pieces = join_all(tasks.iter().map(|(agent, targets)| one(&cx, &memory, agent, targets))).await;
    let event = follow(&cx, &memory, State::Critique, pieces).await?;
    Ok(event.unwrap_or(Event::CritiquesComplete))
}

/// Who is still to read what, in the order of the panel.
fn tasks(memory: &Memory) -> Vec<(&Agent, Vec<&Contribution>)> {
    let proposals: Vec<&Contribution> = {
        let of = |agent: &Agent| memory.contribution(memory.round, Type::Proposal, &agent.id, None);
        memory.setup.voices().filter_map(of).collect()
    };
    let done = |agent: &Agent, target: &Contribution| {
        memory.contribution(memory.round, Type::Critique, &agent.id, Some(&target.agent)).is_some()
    };
    let mut tasks = Vec::new();
    for agent in memory.setup.agents.iter().filter(|agent| memory.on_bench(&agent.id).is_none()) {
        let targets: Vec<&Contribution> = targets(memory, agent, &proposals)
            .into_iter()
            .filter(|target| target.agent != agent.id && !done(agent, target))
            .collect();
        match memory.setup.terms.critiques {
            Critiques::None => {}
            Critiques::Batched if targets.is_empty() => {}
            Critiques::Batched => tasks.push((agent, targets)),
            Critiques::Pairwise | Critiques::Ring => {
                tasks.extend(targets.into_iter().map(|target| (agent, vec![target])));
            }
        }
    }
    tasks
}

/// Whose proposals an agent reads. Critics without a proposal of their own stand outside the ring and read all.
fn targets<'a>(memory: &Memory, agent: &Agent, proposals: &[&'a Contribution]) -> Vec<&'a Contribution> {
    let place = proposals.iter().position(|one| one.agent == agent.id);
    match (memory.setup.terms.critiques, place) {
        (Critiques::Ring, Some(place)) => {
            let next = |step: usize| proposals.get((place + step) % proposals.len()).copied();
            let mut two: Vec<&Contribution> = [1, 2].into_iter().filter_map(next).collect();
            two.dedup_by(|a, b| a.agent == b.agent);
            two
        }
        _ => proposals.to_vec(),
    }
}

async fn one(cx: &Cx<Debate>, memory: &Memory, agent: &Agent, targets: &[&Contribution]) -> Piece {
    let names: Vec<&str> = targets.iter().map(|target| target.agent.as_str()).collect();
    let what = format!("critique of {} by {}", names.join(", "), agent.id);
    let held = criticise(cx, memory, agent, targets, &what).await;
    held.map_err(|trouble| Missing { what, who: Some(agent.id.clone()), trouble })
}

async fn criticise(
    cx: &Cx<Debate>,
    memory: &Memory,
    agent: &Agent,
    targets: &[&Contribution],
    what: &str,
) -> Result<(), PanelError> {
    given_up(memory, State::Critique, what)?;
    let desk = desk(cx, memory, agent, State::Critique, what);
    let held = panelist(agent).critique(&desk, targets).await?;
    for (n, target) in targets.iter().enumerate() {
        let contribution = against(memory, agent, target, &held, n == 0);
        cx.emit(Event::Contributed { contribution }).await?;
    }
    Ok(())
}

/// The part of a critique that is about one proposal. What it cost, and what it settles, is told once.
fn against(
    memory: &Memory,
    agent: &Agent,
    target: &Contribution,
    held: &CritiqueDraft,
    first: bool,
) -> Contribution {
    let letter = letter(memory, &target.agent);
    let mine = held.objections.iter().filter(|raised| raised.target == letter);
    let name = |n: usize| format!("r{}-{}{letter}-{n}", memory.round, number(memory, &agent.id));
    let objections = (1..).zip(mine).map(|(n, raised)| Objection {
        id: name(n),
        slot: Some(raised.slot.clone()).filter(|slot| !slot.is_empty()),
        severity: raised.severity,
        claim: raised.claim.clone(),
        quote: raised.quote.clone(),
    });
    let reviewed = raised_before(memory, &agent.id, &[target]).into_iter().map(|entry| entry.objection.id);
    Contribution {
        text: held.text.clone(),
        objections: objections.collect(),
        reviewed: reviewed.collect(),
        settled: if first { held.settled.clone() } else { Vec::new() },
        by: held.by.clone(),
        tokens: if first { held.tokens } else { 0 },
        ..Contribution::new(memory.round, Type::Critique, &agent.id, Some(&target.agent))
    }
}
