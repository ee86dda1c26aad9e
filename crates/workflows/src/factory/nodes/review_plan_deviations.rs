//! REVIEW_PLAN_DEVIATIONS: what the phase was to bring and did not.

use baton_engine::{Cx, Fault};

use crate::factory::{Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let deviations =
        cx.read(|memory| memory.assessments.last().map(|last| last.missing.clone()).unwrap_or_default());
    Ok(Event::DeviationsListed { deviations })
}
