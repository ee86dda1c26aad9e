//! editing: holds every number against its cells, every sentence against its evidence, every chart against the text, and
//! logs what it changes.

use baton_engine::{Cx, Fault};

use crate::report::editor::edit;
use crate::report::{Event, Report};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    match cx.read(edit) {
        Some(edited) => Ok(Event::Edited { edited: Box::new(edited) }),
        None => Err(Fault::GaveUp("there is no report to edit".to_owned())),
    }
}
