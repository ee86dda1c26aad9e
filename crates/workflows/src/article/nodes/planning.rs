//! PLANNING: how hard the brief is, who works on it, in which steps. After an evaluation: what was missing as well.

use baton_engine::{Cx, Fault};

use crate::article::planner::{analyse, plan};
use crate::article::{Article, Event};

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    let (plan, analysis) = cx.read(|memory| {
        let analysis = analyse(&memory.assignment);
        let plan = plan(&memory.assignment, &analysis, memory.demand.as_ref(), memory.iteration_count);
        (plan, analysis)
    });
    Ok(Event::PlanCreated { plan: Box::new(plan), analysis })
}
