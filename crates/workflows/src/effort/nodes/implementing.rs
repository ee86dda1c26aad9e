//! IMPLEMENTING: the agent's turn; what it leaves is committed for it.

use baton_engine::{Cx, Fault};

use super::turn::take;
use crate::coding::Role;
use crate::effort::{Effort, Event};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    take(&cx, Role::Implement).await
}
