//! The real binary in a home of its own: whole outputs, exit codes, signals, a terminal.

#![cfg(unix)]
#![expect(clippy::expect_used, clippy::panic, reason = "what fails here fails a test, helpers included")]

mod answering;
mod asking;
mod assistant;
mod attacks;
mod bad_homes;
mod bridge;
mod building;
mod cancelling;
mod checking;
mod configuring;
mod damage;
mod debate;
mod debate_alone;
mod debate_closed;
mod debate_earnest;
mod debate_wrong;
mod exporting;
mod foreign;
mod help;
mod json;
mod looking;
mod mcp;
mod mcp_grants;
mod migrating;
mod modelled;
mod probing;
mod processes;
mod readme;
mod removing;
mod report;
mod research;
mod research_files;
mod research_input;
mod research_lies;
mod research_steering;
mod research_terminal;
mod research_web;
mod resuming;
mod searching;
mod second_judge;
mod signals;
mod soak;
mod special_files;
mod starting;
mod support;
mod terminal;
mod torturing;
mod travelling;
mod trusting;
mod turning;
mod unwritable;
mod verifying;
