//! Models and skills: ask anything, pay once, believe nothing unchecked.
//!
//! A [`skill`] is one thing an agent can be asked. [`skill::ask`] puts it to the [`model`]s of a role, reads
//! the answer with tolerance ([`parse`]), checks it, and falls back to rules. Every paid attempt passes
//! through [`skill::Port`], so that whoever runs the ask can write it down first. This crate knows no
//! workflow and keeps no journal.

pub mod clock;
pub mod config;
pub mod hash;
pub mod model;
pub mod nearest;
pub mod parse;
pub mod skill;
