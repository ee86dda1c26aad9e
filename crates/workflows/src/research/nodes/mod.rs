//! The work of each state, one file each.

pub(super) mod error;
pub(super) mod plan;
pub(super) mod reflect;
pub(super) mod research;
pub(super) mod synthesize;
pub(super) mod tasks;
