//! What a debate will cost, before it begins: calls and tokens, at least, at most, and the calls it takes if as much goes
//! wrong as may.

use baton_agents::skill::MOST_CALLS;
use serde::Serialize;

use super::setup::{Agent, Critiques, Kind, Setup, Termination};

/// Bytes of a prompt that make a token, for a guess.
const BYTES_PER_TOKEN: u64 = 4;
/// What a prompt holds beside the problem and the contributions.
const FRAME_TOKENS: u64 = 500;
/// A contribution as models write it.
const WRITTEN_TOKENS: u64 = 600;

/// Calls and tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Calls to models.
    pub calls: u64,
    /// Tokens read and written.
    pub tokens: u64,
    /// Millionths of a dollar; none if a model has no price.
    pub microusd: Option<u64>,
}

/// What a debate will cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// If it ends as soon as it can.
    pub low: Cost,
    /// If it takes all rounds, all questions, all looks and all summaries.
    pub high: Cost,
    /// Calls, if every ask needs every turn and every retry as well.
    pub worst_calls: u64,
}

/// Estimates a debate.
#[must_use]
pub fn plan(setup: &Setup) -> Plan {
    let rounds = u64::from(setup.terms.rounds);
    let least = if setup.terms.termination == Termination::Fixed { rounds } else { 1 };
    let high = cost(setup, rounds, true);
    // Each ask may take all its turns, and each node is tried again so often.
    let worst_calls = high.calls * MOST_CALLS as u64 * u64::from(1 + super::nodes::RETRIES);
    Plan { low: cost(setup, least.min(rounds), false), high, worst_calls }
}

fn models(setup: &Setup) -> impl Iterator<Item = &Agent> {
    setup
        .agents
        .iter()
        .filter(|agent| matches!(&agent.kind, Kind::Model { role, .. } if !role.chain.is_empty()))
}

/// Calls of one agent in one round of critiques.
fn critiques(setup: &Setup) -> u64 {
    let others = (setup.voices().count() as u64).saturating_sub(1);
    match setup.terms.critiques {
        Critiques::None => 0,
        Critiques::Batched => others.min(1),
        Critiques::Ring => others.min(2),
        Critiques::Pairwise => others,
    }
}

fn cost(setup: &Setup, rounds: u64, all: bool) -> Cost {
    let agents = models(setup).count() as u64;
    let judged = !setup.judge.role.chain.is_empty();
    let judge = u64::from(judged);
    let by_judge = setup.terms.termination != Termination::Fixed;
    let samples = if by_judge { judge * u64::from(setup.judge.samples) } else { 0 };
    let refines = u64::from(setup.terms.critiques != Critiques::None);
    let asks = match (setup.terms.clarify, all) {
        (false, _) => 0,
        (true, false) => u64::from(setup.terms.clarify_iterations.min(1)),
        (true, true) => u64::from(setup.terms.clarify_iterations),
    };
    let looks = |agent: &Agent| match (&setup.context, &agent.kind) {
        (Some(_), Kind::Model { tool_calls, .. }) => {
            if all {
                u64::from(*tool_calls)
            } else {
                1
            }
        }
        _ => 0,
    };
    let summaries = if all {
        let long = models(setup).filter(|agent| agent.summarization.enabled).count() as u64;
        long * rounds.saturating_sub(1) + u64::from(judged && setup.judge.summarization.enabled && rounds > 1)
    } else {
        0
    };
    let framed = u64::from(setup.frame.is_none() && !setup.terms.frame_from_person) * judge;
    // Critics, refiners and the judge are asked once more for each look they take.
    let again = |agent: &Agent| if all { 1 + looks(agent) } else { 1 };
    let spoken: u64 = models(setup).map(|agent| again(agent) * (critiques(setup) + refines)).sum();
    let judged_looks = if all && setup.context.is_some() { u64::from(super::nodes::JUDGE_LOOKS) } else { 0 };
    let calls = agents * (1 + asks)
        + models(setup).map(looks).sum::<u64>()
        + rounds * (spoken + samples * (1 + judged_looks))
        + summaries
        + framed
        + judge;
    let prompt = FRAME_TOKENS + setup.problem.len() as u64 / BYTES_PER_TOKEN;
    // A call reads what others have written; with every round there is more of it.
    let read = WRITTEN_TOKENS * if all { 1 + rounds } else { 1 };
    let (input, output) = (calls * (prompt + read), calls * WRITTEN_TOKENS);
    Cost { calls, tokens: input + output, microusd: money(setup, calls, input, output) }
}

/// All calls at the price of the dearest first model.
fn money(setup: &Setup, calls: u64, input: u64, output: u64) -> Option<u64> {
    if calls == 0 {
        return Some(0);
    }
    let roles = models(setup).filter_map(|agent| match &agent.kind {
        Kind::Model { role, .. } => role.chain.first(),
        _ => None,
    });
    let cards = roles.chain(setup.judge.role.chain.first());
    let usage = baton_agents::model::Usage { input, output, ..Default::default() };
    let costs: Option<Vec<u64>> =
        cards.map(|card| card.price.as_ref().map(|price| price.cost(&usage))).collect();
    costs.map(|costs| costs.into_iter().max().unwrap_or(0))
}
