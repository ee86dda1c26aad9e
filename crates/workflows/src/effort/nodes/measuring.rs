//! MEASURING: how many lines the effort adds, by the one definition there is.

use baton_engine::{Cx, Fault};

use crate::effort::{Effort, Event};
use crate::git::Measure;

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let act = cx.read(|memory| Measure {
        workshop: memory.order.workshop.clone().into(),
        base: memory.order.base.clone(),
        tip: memory.tip.clone(),
        exclude: memory.order.size.exclude.clone(),
    });
    let size = cx.step("measure", &act).await?;
    Ok(Event::Measured { size })
}
