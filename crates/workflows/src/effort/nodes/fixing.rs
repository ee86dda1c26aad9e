//! FIXING: the agent mends what gates and reviewers found.

use baton_engine::{Cx, Fault};

use super::turn::take;
use crate::coding::Role;
use crate::effort::{Effort, Event};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    take(&cx, Role::Fix).await
}
