//! Lists of events and the states they lead to, and what every workflow has to show.

use baton_engine::torture::Rigour;
use baton_testkit::workflow_suite;

use super::Debate;

mod detector;
mod driving;
mod judging;
mod panels;
pub(in crate::debate) mod support;
mod table;

workflow_suite!(Debate, Rigour { seed: 1, chains: 30, pairs: false });
