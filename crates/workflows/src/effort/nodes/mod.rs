//! The work of each state, one file each; `turn.rs` is what those share that ask an agent, `second.rs`
//! asks reviewers beside the rules.

pub(super) mod fixing;
pub(super) mod implementing;
pub(super) mod measuring;
pub(super) mod needs_input;
pub(super) mod parked;
pub(super) mod planned;
pub(super) mod provisioning;
pub(super) mod reviewing;
mod second;
pub(super) mod splitting;
mod turn;
