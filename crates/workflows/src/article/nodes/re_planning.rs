//! RE_PLANNING: what was missing becomes what the next plan must answer; PLANNING builds it. What was found is kept.

use baton_engine::{Cx, Fault};

use crate::article::{Article, Event};

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    let demand = cx.read(|memory| memory.demand.clone());
    Ok(Event::RePlanned { demand: demand.unwrap_or_default() })
}
