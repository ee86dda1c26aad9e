//! What the run's folder shows: the decision record as Markdown and as a page, the whole state as JSON, and the transcript of
//! all rounds. While a round is under way its votes and critiques are withheld: nobody who still has to vote can look.

pub mod decision;
pub mod held;
mod page;
mod theirs;
mod transcript;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use baton_engine::{RunFile, View};
use baton_machine::Word;
use serde_json::json;

use super::ledger::{blind, counts, flips, positions};
use super::objections::objections;
use super::record::{Record, record};
use super::setup::{Agent, Kind};
use super::{Debate, Memory, State};
use held::Held;

/// The files of a debate.
pub fn files(view: &View<'_, Debate>) -> Vec<RunFile> {
    let memory = &*shown(view.memory, view.position.state);
    let record = record(memory);
    let held = if memory.solution.is_some() { Held::of(view) } else { Held::so_far(view) };
    let decision = decision::page(memory, &record, Some(&held));
    let transcript = transcript::page(memory);
    // What tells when and at what cost differs between two runs with the same end; the transcript does not.
    vec![
        RunFile::history("decision.md", decision.markdown()),
        RunFile::history("decision.html", decision.html()),
        RunFile::history("debate.json", state(memory, &record, &held, view.position.state.name())),
        RunFile::text("transcript.md", transcript.markdown()),
        RunFile::text("transcript.html", transcript.html()),
    ]
}

/// What may be seen of a debate in a state. The round in which people still vote is left out.
#[must_use]
pub fn shown(memory: &Memory, state: State) -> Cow<'_, Memory> {
    if !is_voting(state) {
        return Cow::Borrowed(memory);
    }
    let mut seen = memory.clone();
    seen.contributions.retain(|_, one| one.round < memory.round);
    Cow::Owned(seen)
}

/// Whether somebody may still have to vote in this state.
#[must_use]
pub fn is_voting(state: State) -> bool {
    matches!(state, State::Summarization | State::Proposal | State::Critique | State::Refinement)
}

fn title(memory: &Memory) -> String {
    <Debate as baton_engine::Work>::title(&memory.setup)
}

/// Who an agent is, in a word or two.
fn who(agent: &Agent) -> String {
    match &agent.kind {
        Kind::Model { role, .. } => {
            format!(
                "model {}",
                role.chain.iter().map(|card| card.name.as_str()).collect::<Vec<_>>().join(", ")
            )
        }
        Kind::Person { who } => format!("person: {}", who.as_deref().unwrap_or("anybody")),
        Kind::Command { line, .. } => format!("program: {line}"),
        Kind::File(_) => "file, written beforehand".to_owned(),
        Kind::Rules(_) => "rules".to_owned(),
    }
}

/// The whole state, for programs.
fn state(memory: &Memory, record: &Record, held: &Held, state: &str) -> String {
    let round = memory.last_round();
    let whole = json!({
        "id": held.run,
        "state": state,
        "record": record,
        "held": held,
        "memory": memory,
        "preDebateVote": counts(memory, &blind(memory)),
        "finalVote": counts(memory, &positions(memory, round)),
        "flips": (1..=round).flat_map(|round| flips(memory, round)).collect::<Vec<_>>(),
        "objections": objections(memory, round),
    });
    // Everything in it is plain data with text keys, so this cannot fail; an empty object would say that it did.
    serde_json::to_string_pretty(&whole).unwrap_or_else(|_| "{}".to_owned())
}
