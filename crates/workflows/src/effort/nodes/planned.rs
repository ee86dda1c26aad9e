//! PLANNED: the order stands; nothing has been made yet.

use baton_engine::{Cx, Fault};

use crate::effort::{Effort, Event};

pub async fn run(_cx: Cx<Effort>) -> Result<Event, Fault> {
    Ok(Event::Begun)
}
