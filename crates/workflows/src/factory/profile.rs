//! The factory as a program sees it: what is asked of a person lets something happen.

use baton_agents::skill::Role;
use baton_engine::{Effects, Limits, Settings};

use super::Factory;
use super::data::Order;
use super::plan::{PlanFiles, ReadPlan};
use crate::coding::Agents;
use crate::process::Processes;
use crate::profile::Profile;

impl Profile for Factory {
    fn performers(effects: Effects, processes: &Processes) -> Effects {
        effects.with::<ReadPlan>(PlanFiles::new(Agents::of_this_machine(processes).kinds()))
    }

    /// There is no final answer that money would have to be kept for.
    fn settings(configured: Settings) -> Settings {
        Settings { limits: Limits { kept_for_last: 0, ..configured.limits }, ..configured }
    }

    fn roles(order: &Order) -> Vec<&Role> {
        order.judge.iter().chain(&order.architect).collect()
    }
}
