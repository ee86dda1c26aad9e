//! The workflows Baton runs, one folder each, all with the same anatomy: the table on the first screen of
//! `mod.rs`, what a run learns in `memory.rs`, one file per node, the files people see in `files.rs`. Beside them the
//! rooms they share: [`asking`] skills, [`retrieval`] of facts, [`citation`] of them, [`checking`] of any text, text made
//! safe in `markup`, running a [`command`], [`coding`] agents and all [`git`], `changing` a run that has begun. No workflow knows another, and no room knows a
//! workflow.
//!
//! What does not live here: how a run is driven, and how the world is acted on; nodes only name acts.

// The workflows.
pub mod approval;
pub mod article;
pub mod debate;
pub mod effort;
pub mod factory;
pub mod report;
pub mod research;

// The rooms.
pub mod asking;
mod changing;
pub mod checking;
pub mod citation;
pub mod coding;
pub mod command;
pub mod git;
pub mod markup;
mod pretended;
pub mod process;
pub mod profile;
pub mod retrieval;

#[cfg(test)]
mod fencing;

/// The performers of acts that any workflow may name. Those of one workflow alone stand in its profile.
pub fn effects(processes: &process::Processes) -> baton_engine::Effects {
    let effects =
        baton_engine::Effects::default().with::<command::RunCommand>(command::Shell::new(processes.clone()));
    coding::performers(git::performers(effects, processes), processes)
}
