//! INIT: a workshop of our own, with everything the base leads to.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::OpenWorkshop;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let workshop = workshop(&cx);
    let act = cx.read(|memory| OpenWorkshop {
        workshop,
        repo: memory.order.repo.clone().into(),
        base: memory.order.base.clone(),
    });
    cx.step("open", &act).await?;
    Ok(Event::EnvironmentReady { at: cx.now().0 })
}
