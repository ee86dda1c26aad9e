//! Coding agents for every workflow that builds software: one trait, [`CodingAgent::run_turn`], with typed ends, and the
//! words in which work is ordered and reported. `recipe/` needs no model, `command.rs` runs any program, `person.rs` is a
//! person; `acp.rs`, `claude.rs`, `codex.rs` and `aider.rs` speak with programs of others, and `adapter.rs` is what those
//! share; `reviewer.rs` lets any of them review, `cutting.rs` say how a change is cut. Another agent is one more file and its line in [`Agents::of_this_machine`].
//!
//! What does not live here: git beyond what a recipe applies, and verdicts. What an agent says of its work proves nothing;
//! results are read from the worktree and the gates.

#[cfg(unix)]
mod acp;
mod act;
mod adapter;
mod aider;
mod beside;
mod claude;
mod codex;
mod command;
mod cutting;
pub mod gate;
pub mod opinion;
pub mod order;
pub mod paths;
mod person;
pub(crate) mod pretended;
mod recipe;
mod reviewer;
mod turn;

#[cfg(test)]
mod tests;

#[cfg(unix)]
pub use acp::AcpAgent;
pub use act::{Agents, RunTurn};
pub use aider::AiderAgent;
pub use beside::{Beside, Usage, micro_usd};
pub use claude::ClaudeAgent;
pub use codex::CodexAgent;
pub use command::CommandAgent;
pub use cutting::{CutPlan, PlanCut};
pub use gate::{Gate, GateResult, RunGate};
pub use opinion::{Health, Opinion};
pub use person::PersonAgent;
pub use recipe::{RecipeAgent, Work};
pub use reviewer::{RunReview, shown_change};
pub use turn::{
    AgentError, AgentSpec, Cost, Login, Probe, Role, Session, TokenPrice, TurnEnd, TurnLimits, TurnRequest,
    Turned, Which,
};

use async_trait::async_trait;
use baton_engine::Effects;

use crate::process::Processes;

/// Somebody who changes files in a worktree, one turn at a time.
#[async_trait]
pub trait CodingAgent: Send + Sync {
    /// The word for it in a plan: `recipe`, `command`, `person`, and those of adapters.
    fn kind(&self) -> &'static str;

    /// Whether it can be used here, for `baton doctor`. No call of it costs anything.
    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError>;

    /// One turn in the worktree of the request. What it costs is told beside it, and a stop that comes there gives it a
    /// moment to end. Dropping the future ends the turn and all that it started.
    async fn run_turn(&self, request: &TurnRequest, beside: &Beside) -> Result<TurnEnd, AgentError>;

    /// Whether a turn that a crash cut short begins again from a clean worktree. Otherwise what it left there counts as
    /// its work.
    fn starts_over(&self) -> bool {
        false
    }
}

/// Adds the performers of turns and gates.
#[must_use]
pub fn performers(effects: Effects, processes: &Processes) -> Effects {
    effects
        .with::<RunTurn>(Agents::of_this_machine(processes))
        .with::<RunReview>(Agents::of_this_machine(processes))
        .with::<PlanCut>(Agents::of_this_machine(processes))
        .with::<RunGate>(gate::Gates::new(processes.clone()))
}
