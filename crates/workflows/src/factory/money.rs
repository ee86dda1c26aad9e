//! What an effort may spend: the least of what the project, its phase, itself and one try of it have left, and of what the
//! run has. It is reserved before its agent is started, and what it did not use comes back.

use baton_engine::{Limits, Purse};

use super::efforts::{EffortState, EffortStatus};
use super::memory::Memory;
use crate::coding::order::EffortOrder;

/// What an effort is granted, in millionths of a dollar, or which limit is in the way. Nobody is paid for nothing.
pub fn grant(
    memory: &Memory,
    purse: &Purse,
    limits: &Limits,
    id: &str,
    order: &EffortOrder,
) -> Result<u64, String> {
    let Some(effort) = memory.efforts.get(id).filter(|_| is_paid(order)) else { return Ok(0) };
    let budget = &memory.plan.budget;
    let phase = memory.plan.phases.get(effort.phase).and_then(|phase| phase.budget).or(budget.phase);
    let own = effort.plan.budget.or(budget.effort);
    let scopes = [
        ("the project", budget.project, used(memory, |_| true)),
        ("its phase", phase, used(memory, |other| other.phase == effort.phase)),
        ("the effort", own, effort.spent),
        ("one try of it", budget.attempt, 0),
    ];
    let left = purse.left(limits).micro_usd;
    let named = scopes.iter().filter_map(|(name, limit, used)| Some((*name, (*limit)?, *used)));
    let mut least = ("the run", limits.micro_usd.unwrap_or(u64::MAX), left);
    for (name, limit, used) in named {
        let room = limit.saturating_sub(used);
        if room < least.2 {
            least = (name, limit, room);
        }
    }
    // Without a limit of its own it gets its part of what there is.
    let open = memory.efforts.values().filter(|it| it.status == EffortStatus::Planned).count().max(1) as u64;
    let bound = own.is_some() || budget.attempt.is_some() || limits.micro_usd.is_none();
    let granted = if bound { least.2 } else { least.2.min((left / open).max(1)) };
    let turn = order.agent.turn_micro_usd.or(budget.turn).unwrap_or(1);
    let (name, limit, room) = least;
    if room < turn {
        return Err(format!(
            "`{id}` needs {} for a turn, and {name} has {} left of {}",
            dollars(turn),
            dollars(room),
            dollars(limit)
        ));
    }
    Ok(granted.max(turn))
}

/// Whether somebody is paid for an effort: who does it, reviews it or cuts it.
fn is_paid(order: &EffortOrder) -> bool {
    let mut others = order.reviewer.iter().chain(&order.splitter);
    order.agent.is_paid()
        || others.any(|agent| agent.is_paid())
        || order.judge.as_ref().is_some_and(|role| !role.chain.is_empty())
}

/// What was spent by these efforts, and is reserved for those under way.
fn used(memory: &Memory, which: impl Fn(&EffortState) -> bool) -> u64 {
    let of = |effort: &EffortState| {
        let reserved = if effort.status == EffortStatus::Implementing { effort.granted } else { 0 };
        effort.spent + reserved
    };
    memory.efforts.values().filter(|effort| which(effort)).map(of).sum()
}

/// An amount for people.
pub fn dollars(micro: u64) -> String {
    format!("{:.2} USD", micro as f64 / 1e6)
}
