//! The fair baseline: a blind vote of the same panel for the same number of calls, without critique or refinement.

use serde::Serialize;

use super::ledger::{Count, counts, positions};
use super::memory::Memory;
use super::setup::{Critiques, Kind, Setup, Termination};
use baton_agents::skill::Role;

/// The setup of a blind vote that may make as many calls as a debate made. Every model votes as often as that
/// allows; everybody else once.
#[must_use]
pub fn blind(setup: &Setup, calls: u64) -> Setup {
    let is_model = |kind: &Kind| matches!(kind, Kind::Model { .. });
    let models = setup.agents.iter().filter(|agent| is_model(&agent.kind)).count() as u64;
    let times = calls.checked_div(models).unwrap_or(1).max(1);
    let mut vote = setup.clone();
    vote.agents = setup
        .voices()
        .flat_map(|agent| {
            let times = if is_model(&agent.kind) { times } else { 1 };
            (1..=times).map(move |n| {
                let mut voice = agent.clone();
                if n > 1 {
                    voice.id = format!("{}-{n}", agent.id);
                }
                voice
            })
        })
        .collect();
    vote.judge.role = Role::rules_only("judge");
    vote.terms.rounds = 1;
    vote.terms.termination = Termination::Fixed;
    vote.terms.critiques = Critiques::None;
    vote.terms.clarify = false;
    vote
}

/// One slot, decided both ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// The slot.
    pub slot: String,
    /// What the debate decided.
    pub debate: Option<String>,
    /// Per cent behind it.
    pub debate_share: u8,
    /// What the blind vote decided.
    pub vote: Option<String>,
    /// Per cent behind it.
    pub vote_share: u8,
    /// Whether they are the same.
    pub same: bool,
}

/// A debate and a blind vote, slot by slot.
#[must_use]
pub fn compare(debate: &Memory, vote: &Memory) -> Vec<Compared> {
    let of = |memory: &Memory| counts(memory, &positions(memory, memory.last_round()));
    let (ours, theirs) = (of(debate), of(vote));
    let pair = |count: &Count| {
        let other = theirs.iter().find(|other| other.slot == count.slot);
        let voted = other.and_then(|other| other.leading.clone());
        Compared {
            slot: count.slot.clone(),
            same: count.leading == voted,
            debate: count.leading.clone(),
            debate_share: count.share,
            vote: voted,
            vote_share: other.map_or(0, |other| other.share),
        }
    };
    ours.iter().map(pair).collect()
}
