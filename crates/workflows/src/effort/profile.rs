//! The effort as a program sees it: what is asked of a person lets something happen.

use baton_agents::skill::Role;

use super::Effort;
use crate::coding::order::EffortOrder;
use crate::profile::Profile;

impl Profile for Effort {
    fn roles(order: &EffortOrder) -> Vec<&Role> {
        order.judge.iter().collect()
    }
}
