//! ERROR_RECOVERY: efforts with issues begin again from where the project stands, told what went wrong. Who was tried too
//! often has the whole project reviewed.

use std::collections::BTreeSet;

use baton_engine::{Cx, Fault};

use crate::factory::{Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let efforts: BTreeSet<String> =
        cx.read(|memory| memory.issues.iter().map(|issue| issue.effort.clone()).collect());
    Ok(Event::RetryReady { efforts: efforts.into_iter().collect() })
}
