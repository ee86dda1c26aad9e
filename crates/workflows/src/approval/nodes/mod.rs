//! The work of each state, one file each.

pub(super) mod approve;
pub(super) mod repair;
pub(super) mod work;
