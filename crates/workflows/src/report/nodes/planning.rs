//! planning: a task for everything that can be computed or searched. Where rules find no typed question, a model may propose
//! one; only columns that exist are computed with.

use baton_engine::{Cx, Fault};

use crate::report::planner::Planner;
use crate::report::skills::propose;
use crate::report::{Event, Report};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let (mut plan, mut notes) = cx.read(|memory| {
        let brief = memory.brief_or_rules();
        let profiles = memory.context.as_ref().map(|context| context.profiles.clone()).unwrap_or_default();
        Planner::new(memory, &brief, &profiles).first()
    });
    let (proposed, more) = propose::ask(&cx, &plan).await?;
    plan.data_tasks.extend(proposed);
    notes.extend(more);
    Ok(Event::PlanMade { plan: Box::new(plan), notes })
}
