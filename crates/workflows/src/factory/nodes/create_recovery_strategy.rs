//! CREATE_RECOVERY_STRATEGY: the ways out, each with its efforts, its risk and where it begins.

use baton_engine::{Cx, Fault};

use crate::factory::{Event, Factory, strategy};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    Ok(Event::StrategyCreated { strategy: cx.read(strategy::ways) })
}
