//! Everything that needs a server: providers, faults, asking, many asks at once, secrets.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // a test may panic and print

mod asking;
mod bad_input;
mod charges;
mod common;
mod crash;
mod fan;
mod limits;
#[cfg(feature = "live")]
mod live;
mod many;
#[cfg(unix)]
mod mcp;
#[cfg(unix)]
mod mcp_answers;
mod polite;
mod providers;
mod replay;
mod secrets;
mod silence;
mod web;
