//! The engine under test: what it records, what it survives, and what it refuses.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod asking;
mod breaking;
mod changing;
mod children;
mod clocks;
mod common;
mod conformance;
mod crashing;
mod damage;
#[cfg(target_os = "linux")]
mod disk;
mod folders;
mod foreign;
mod golden;
#[cfg(unix)]
mod killing;
mod long;
mod looking;
mod migrating;
mod parcels;
mod random;
mod removing;
mod running;
mod spending;
mod storing;
mod turning;
