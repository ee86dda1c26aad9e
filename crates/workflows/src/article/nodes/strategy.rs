//! STRATEGY: makes the plan fit its budget and its time.

use baton_engine::{Cx, Fault};

use crate::article::strategy::optimise;
use crate::article::{Article, Event};

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    let (purse, limits) = cx.purse();
    let left =
        limits.micro_usd.map_or(f64::MAX, |most| most.saturating_sub(purse.spent.micro_usd) as f64 / 1e6);
    let made = cx.read(|memory| {
        let plan = memory.current_plan.clone()?;
        let (plan, savings) = optimise(plan, &memory.assignment, memory.demand.as_ref(), left);
        Some(plan.dag().map(|_| (plan, savings)))
    });
    match made {
        Some(Ok((plan, savings))) => Ok(Event::PlanOptimized { plan: Box::new(plan), savings }),
        Some(Err(error)) => Err(Fault::GaveUp(format!("the plan is no graph: {error}"))),
        None => Err(Fault::GaveUp("there is no plan to optimise".to_owned())),
    }
}
