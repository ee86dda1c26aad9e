//! What the run's folder shows: the decision record, the whole state as JSON, and the transcript of all rounds as
//! Markdown and HTML. All of it is computed from memory.

pub mod decision;
mod html;
mod transcript;

#[cfg(test)]
mod tests;

use baton_engine::{RunFile, View};
use baton_machine::Word;
use serde_json::json;

use super::ledger::{blind, counts, flips, positions};
use super::objections::objections;
use super::{Debate, Memory};

/// The files of a debate.
pub fn files(view: &View<'_, Debate>) -> Vec<RunFile> {
    let memory = view.memory;
    let transcript = transcript::page(memory);
    let html = html::page(&title(memory), &transcript);
    vec![
        RunFile::text("decision.md", decision::record(memory)),
        RunFile::text("debate.json", state(memory, &view.run.to_string(), view.position.state.name())),
        RunFile::text("transcript.md", transcript),
        RunFile::text("transcript.html", html),
    ]
}

fn title(memory: &Memory) -> String {
    <Debate as baton_engine::Work>::title(&memory.setup)
}

/// The whole state, for programs.
fn state(memory: &Memory, run: &str, state: &str) -> String {
    let round = memory.last_round();
    let whole = json!({
        "id": run,
        "state": state,
        "memory": memory,
        "preDebateVote": counts(memory, &blind(memory)),
        "finalVote": counts(memory, &positions(memory, round)),
        "flips": (1..=round).flat_map(|round| flips(memory, round)).collect::<Vec<_>>(),
        "objections": objections(memory, round),
    });
    // Everything in it is plain data with text keys, so this cannot fail; an empty object would say that it did.
    serde_json::to_string_pretty(&whole).unwrap_or_else(|_| "{}".to_owned())
}
