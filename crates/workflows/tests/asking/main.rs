//! A skill asked from inside a node, over real HTTP, with the journal on the disk: crashes, money, secrets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod asker;
mod billing;
mod crashing;
mod debate;
mod fuzzing;
mod many;
mod research;
mod rooms;
mod secrets;
mod weak;
