//! INITIALIZED: the brief is there and valid; the work begins.

use baton_engine::{Cx, Fault};

use crate::article::{Article, Event};

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    Ok(Event::Began { execution_id: cx.read(|memory| memory.assignment.execution_id.clone()) })
}
