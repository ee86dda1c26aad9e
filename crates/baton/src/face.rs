//! What a workflow shows and asks beyond what every run shows and asks. A workflow without a face is shown by
//! its states, steps and questions alone.

use baton_engine::driver::Vault;
use baton_engine::record::Body;
use baton_engine::{OpenQuestion, Runs};
use serde::Serialize;
use serde_json::Value;

use crate::commands::research;
use crate::detail::Detail;
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// What a workflow adds.
pub trait Face: Sync {
    /// Somebody who follows a run's records from the first.
    fn follow(&self) -> Box<dyn Follow>;
    /// What is told of a run that rests; none to tell what is told of every run.
    fn ending(&self, program: &Program, runs: &dyn Runs, detail: &Detail) -> Result<Option<Ending>, Trouble>;
    /// How a question is put to a person; none to ask it as it stands.
    fn interview(
        &self,
        program: &Program,
        runs: &dyn Runs,
        open: &OpenQuestion,
    ) -> Result<Option<Box<dyn Interview>>, Trouble>;
}

/// Follows the records of a run, for the progress view.
pub trait Follow {
    /// One more record; a line where there is something to tell of it.
    fn take(&mut self, body: &Body, vault: &dyn Vault) -> Option<String>;
    /// How far the run is, for a view that is drawn over itself.
    fn lines(&self) -> Vec<String>;
}

/// What is told of a run that rests.
pub struct Ending {
    /// For programs.
    pub value: Value,
    /// For people.
    pub page: Page,
    /// How the process ends, if not by the run's status.
    pub exit: Option<Exit>,
}

/// A question that takes more than one line.
pub trait Interview {
    /// What is to be seen first.
    fn page(&self) -> Page;
    /// What can be typed.
    fn choices(&self) -> &'static str;
    /// What a line means.
    fn read(&mut self, line: &str) -> Result<Heard, Trouble>;
}

/// What a line means.
pub enum Heard {
    /// The answer.
    Answer(Value),
    /// Nothing yet; what to say before asking again.
    Again(String),
}

/// The face of a workflow, if it has one.
pub fn face(workflow: &str) -> Option<&'static dyn Face> {
    match workflow {
        "research" => Some(&research::Shown),
        _ => None,
    }
}

/// What an answer to a question can bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// What is to be found out or decided on paper.
    Ordinary,
    /// Whether something is done to the world or was done, or what a person thinks: theirs alone to say.
    Approval,
}

/// What a question of a workflow asks, by its name (the part of its key behind the slash). What is not known here
/// asks for an approval.
pub fn asks(workflow: &str, name: &str) -> Asks {
    let ordinary = match workflow {
        // The engine's own question whether a step happened, in any workflow.
        _ if name.contains('?') => false,
        // Its plan, and whether it goes on.
        "research" => name.starts_with("approve-") || name.starts_with("check-"),
        // Behind a colon a person on the panel is asked for their own opinion.
        "debate" if name.contains(':') => false,
        // What is to be decided, and what agents want to know (agent, dash, number).
        "debate" => name == "frame" || name.starts_with("frame.") || ends_in_number(name),
        _ => false,
    };
    if ordinary { Asks::Ordinary } else { Asks::Approval }
}

fn ends_in_number(name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(_, number)| number.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests;
