//! Models, skills, search, reading, evidence and rules: ask anything, pay once, believe nothing unchecked.
//!
//! A [`skill`] is one thing an agent can be asked. [`skill::ask`] puts it to the [`model`]s of a role, reads
//! the answer with tolerance ([`parse`]), checks it, and falls back to rules. Every paid attempt passes
//! through [`skill::Port`], so that whoever runs the ask can write it down first.
//!
//! [`search`] finds documents, [`read`] turns them into text, [`evidence`] holds what they say word for word,
//! and [`rules`] is text work that needs no model. This crate knows no workflow and keeps no journal.

pub mod clock;
pub mod config;
pub mod confine;
pub mod data;
pub mod evidence;
pub mod hash;
pub mod model;
pub mod nearest;
pub mod parse;
pub mod read;
mod retry_after;
pub mod rules;
pub mod search;
pub mod shared;
pub mod skill;
