//! Initialization: everything was checked and frozen when the run was started; the debate begins.

use baton_engine::{Cx, Fault};

use crate::debate::{Debate, Event};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let voices = cx.read(|memory| memory.setup.voices().count());
    Ok(if voices == 0 {
        Event::Failed { why: "nobody on the panel takes a position".to_owned() }
    } else {
        Event::Start
    })
}
