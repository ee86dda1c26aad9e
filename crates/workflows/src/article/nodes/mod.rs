//! The work of each state, one file each.

pub mod evaluating;
pub mod executing;
pub mod initialized;
pub mod merging;
pub mod planning;
pub mod re_planning;
pub mod strategy;
