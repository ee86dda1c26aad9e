//! WAVE_INIT: the ref of the wave stands where the project stands.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::Keep;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let workshop = workshop(&cx);
    let act = cx.read(|memory| Keep {
        workshop,
        under: "checkpoints".to_owned(),
        what: vec![(format!("wave-{}-{}-begin", memory.phase + 1, memory.wave + 1), memory.line.clone())],
    });
    cx.step("checkpoint", &act).await?;
    Ok(Event::WaveStarted { at: cx.now().0 })
}
