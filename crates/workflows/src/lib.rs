//! The workflows Baton runs, one folder each, all with the same anatomy: the table on the first screen of
//! `mod.rs`, what a run learns in `memory.rs`, one file per node, the files people see in `files.rs`.
//!
//! What does not live here: how a run is driven, and how the world is acted on; nodes only name acts.

pub mod approval;
pub mod asking;
pub mod command;
pub mod debate;
mod html;
mod pretended;
pub mod process;
pub mod research;

/// The performers every workflow of this crate needs.
pub fn effects(processes: &process::Processes) -> baton_engine::Effects {
    baton_engine::Effects::default()
        .with::<command::RunCommand>(command::Shell::new(processes.clone()))
        .with::<debate::panel::AskProgram>(debate::panel::Programs::new(processes.clone()))
        .with::<debate::tools::UseTool>(debate::tools::Folders)
}
