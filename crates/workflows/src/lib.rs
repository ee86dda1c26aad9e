//! The workflows Baton runs, one folder each, all with the same anatomy: the table on the first screen of
//! `mod.rs`, what a run learns in `memory.rs`, one file per node, the files people see in `files.rs`.
//!
//! What does not live here: how a run is driven, and how the world is acted on; nodes only name acts.

pub mod approval;
pub mod asking;
pub mod command;
pub mod debate;
mod html;
pub mod profile;
pub mod research;

/// The performers of acts that any workflow may name. Those of one workflow alone stand in its profile.
pub fn effects() -> baton_engine::Effects {
    baton_engine::Effects::default().with::<command::RunCommand>(command::Shell)
}
