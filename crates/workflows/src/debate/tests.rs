//! Lists of events and the states they lead to; the diagram beside it is written by a test.

mod detector;
mod driving;
mod judging;
pub(in crate::debate) mod support;
mod table;
