//! The panel: five kinds of agents behind one trait. Each is given a desk: the run's mailbox, what the debate knows,
//! and who it is. What an agent says is checked here and counted elsewhere.

mod command;
mod file;
mod model;
mod person;
mod rules;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_engine::{Cx, Fault, Hash};

use super::Debate;
use super::contribution::{Contribution, Excerpt, Response, Type};
use super::ledger;
use super::memory::Memory;
use super::objections::{Entry, objections};
use super::setup::{Agent, Kind};
use super::skills::Brief;
use super::skills::critique::{Raised, Shown};

pub use command::{AskProgram, Programs, Reply};
pub(super) use model::{Looker, put, put_looking};

/// Where an agent works.
pub struct Desk<'a> {
    /// The run's mailbox.
    pub cx: &'a Cx<Debate>,
    /// What was known when the node began: the same for everybody, whoever answers first.
    pub memory: &'a Memory,
    /// Who sits here.
    pub agent: &'a Agent,
    /// How often the node has been tried again: a second ask needs a name of its own.
    pub attempt: u32,
}

impl Desk<'_> {
    /// A name for a step of this agent.
    fn key(&self, what: &str) -> String {
        let again = if self.attempt == 0 { String::new() } else { format!(".{}", self.attempt) };
        format!("{what}/{}{again}", self.agent.id)
    }

    fn brief(&self) -> Brief {
        Brief::of(self.memory, &self.agent.focus)
    }
}

/// Why an agent brought nothing.
#[derive(Debug)]
pub enum PanelError {
    /// The budget does not allow it.
    Budget(String),
    /// What it brought cannot be used; trying again may help.
    Unusable(String),
    /// The run itself cannot go on.
    Fault(Box<Fault>),
}

impl From<Fault> for PanelError {
    /// A step that failed is the agent's trouble; a budget or a broken run is the run's.
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Failed { .. } | Fault::Expired { .. } | Fault::Unknown { .. } => {
                Self::Unusable(fault.to_string())
            }
            Fault::Budget { .. } => Self::Budget(fault.to_string()),
            fault => Self::Fault(Box::new(fault)),
        }
    }
}

/// A proposal or a refinement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposalDraft {
    /// The words.
    pub text: String,
    /// Positions in one form.
    pub positions: BTreeMap<String, String>,
    /// Requirements it meets, by id.
    pub covers: Vec<String>,
    /// Answers to objections.
    pub responses: Vec<Response>,
    /// Words of the context folder it rests on.
    pub quotes: Vec<Excerpt>,
    /// Who wrote it.
    pub by: String,
    /// Tokens it took.
    pub tokens: u64,
}

/// A critique of one or more proposals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CritiqueDraft {
    /// The words.
    pub text: String,
    /// Objections, each with the letter of its target.
    pub objections: Vec<Raised>,
    /// Earlier objections that are settled.
    pub settled: Vec<String>,
    /// Who wrote it.
    pub by: String,
    /// Tokens it took.
    pub tokens: u64,
}

/// A member of the panel.
#[async_trait]
pub trait Panelist: Send + Sync {
    /// Questions that must be answered first.
    async fn clarify(&self, _desk: &Desk<'_>) -> Result<Vec<String>, PanelError> {
        Ok(Vec::new())
    }

    /// A solution, without having read anybody else's.
    async fn propose(&self, desk: &Desk<'_>) -> Result<ProposalDraft, PanelError>;

    /// What is wrong with these.
    async fn critique(&self, desk: &Desk<'_>, targets: &[&Contribution])
    -> Result<CritiqueDraft, PanelError>;

    /// Its own solution after the critiques.
    async fn refine(
        &self,
        desk: &Desk<'_>,
        own: &Contribution,
        open: &[Entry],
    ) -> Result<ProposalDraft, PanelError>;

    /// Its own history, shorter; none if it needs no history.
    async fn condense(&self, _desk: &Desk<'_>, _history: &str) -> Result<Option<String>, PanelError> {
        Ok(None)
    }
}

/// The member behind an agent.
#[must_use]
pub fn panelist(agent: &Agent) -> &dyn Panelist {
    match &agent.kind {
        Kind::Model { .. } => &model::ByModel,
        Kind::Person { .. } => &person::ByPerson,
        Kind::File(_) => &file::ByFile,
        Kind::Command { .. } => &command::ByCommand,
        Kind::Rules(_) => &rules::ByRules,
    }
}

/// The letter under which an agent's proposal is shown. Whose letter is whose cannot be told from the panel's order.
#[must_use]
pub fn letter(memory: &Memory, agent: &str) -> String {
    let at = place(memory, "letter", memory.setup.voices(), agent).unwrap_or(0);
    let (turn, place) = (at / 26, at % 26);
    let letter = char::from(b'A' + u8::try_from(place).unwrap_or(0));
    if turn == 0 { letter.to_string() } else { format!("{letter}{turn}") }
}

/// The number under which an agent's objections are shown; it does not tell whose they are either.
#[must_use]
pub fn number(memory: &Memory, agent: &str) -> usize {
    place(memory, "number", memory.setup.agents.iter(), agent).map_or(0, |at| at + 1)
}

/// An agent's place in an order that depends on the problem and on nothing anybody can guess at a glance.
fn place<'a>(
    memory: &Memory,
    what: &str,
    agents: impl Iterator<Item = &'a Agent>,
    wanted: &str,
) -> Option<usize> {
    let shuffled = |id: &str| Hash::of(format!("{what}/{}/{id}", memory.setup.problem).as_bytes());
    let mut order: Vec<(Hash, &str)> = agents.map(|agent| (shuffled(&agent.id), agent.id.as_str())).collect();
    order.sort_unstable_by(|one, other| one.0.0.cmp(&other.0.0).then(one.1.cmp(other.1)));
    order.iter().position(|(_, id)| *id == wanted)
}

/// A proposal without its author.
fn shown(memory: &Memory, one: &Contribution) -> Shown {
    Shown {
        letter: letter(memory, &one.agent),
        text: one.text.clone(),
        positions: one.positions.iter().map(|(slot, option)| (slot.clone(), option.clone())).collect(),
        covers: one.covers.clone(),
    }
}

/// Objections this critic raised against these targets in earlier rounds and has to look at again: those that stand,
/// and those that were accepted since.
#[must_use]
pub fn raised_before(memory: &Memory, critic: &str, targets: &[&Contribution]) -> Vec<Entry> {
    let against = |entry: &Entry| targets.iter().any(|target| target.agent == entry.target);
    objections(memory, memory.round.saturating_sub(1))
        .into_iter()
        .filter(|entry| entry.critic == critic && entry.is_to_be_checked() && against(entry))
        .collect()
}

/// Whose turn it is to dissent: somebody who can argue, when the blind proposals agreed on everything.
#[must_use]
pub fn dissenter(memory: &Memory) -> Option<&str> {
    let counts = ledger::counts(memory, &ledger::blind(memory));
    let mut required = counts.iter().filter(|count| count.required).peekable();
    required.peek()?;
    if !required.all(|count| count.share == 100) || memory.setup.voices().count() < 2 {
        return None;
    }
    let can_argue = |agent: &&Agent| !matches!(agent.kind, Kind::File(_));
    let voices: Vec<&Agent> = memory.setup.voices().filter(can_argue).collect();
    let turn = memory.round.saturating_sub(1) as usize;
    Some(voices.get(turn.checked_rem(voices.len())?)?.id.as_str())
}

/// What an agent has seen of earlier rounds: its own proposals and refinements with its answers, and the critiques of
/// them with their objections.
#[must_use]
pub fn perspective(memory: &Memory, agent: &str) -> String {
    let mine = |one: &&Contribution| {
        one.round < memory.round
            && (one.agent == agent && one.kind != Type::Critique || one.target.as_deref() == Some(agent))
    };
    let entries = objections(memory, memory.round.saturating_sub(1));
    let line = |one: &Contribution| {
        let whose = if one.agent == agent { "my" } else { "a" };
        let mut told = format!("Round {}, {whose} {}:\n{}\n", one.round, one.kind.name(), one.text);
        for objection in &one.objections {
            let entry = entries.iter().find(|entry| entry.objection.id == objection.id);
            told.push_str(
                &entry.map_or_else(String::new, |entry| format!("- {}\n", entry.line_with_reply())),
            );
        }
        told
    };
    memory.contributions.values().filter(mine).map(line).collect::<Vec<_>>().join("\n")
}

/// The history an agent is shown: a summary made for this round, else all of it. An older summary would leave out what
/// happened since.
fn history(memory: &Memory, agent: &str) -> String {
    let fresh = memory.summarized_in.get(agent) == Some(&memory.round);
    let summary = memory.summaries.get(agent).filter(|_| fresh);
    summary.cloned().unwrap_or_else(|| perspective(memory, agent))
}
