//! WAVE_INIT: the plan as it is now, and the ref of the wave where the project stands.

use baton_engine::{Cx, Fault};

use super::noticing::{Moment, look};
use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::Keep;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    look(&cx, Moment::Wave).await?;
    let workshop = workshop(&cx);
    let act = cx.read(|memory| Keep {
        workshop,
        under: "checkpoints".to_owned(),
        what: vec![(format!("wave-{}-{}-begin", memory.phase + 1, memory.wave + 1), memory.line.clone())],
    });
    cx.step("checkpoint", &act).await?;
    Ok(Event::WaveStarted { at: cx.now().0 })
}
