//! PHASE_INIT: a phase begins, or goes on after an adjustment or a recovery.

use baton_engine::{Cx, Fault};

use crate::factory::{Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    Ok(Event::PhaseStarted { at: cx.now().0 })
}
