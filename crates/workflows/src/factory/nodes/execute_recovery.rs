//! EXECUTE_RECOVERY: a checkpoint before anything risky.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::Keep;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let workshop = workshop(&cx);
    let act = cx.read(|memory| Keep {
        workshop,
        under: format!("checkpoints/recovery-{}", memory.recoveries),
        what: vec![
            ("before".to_owned(), memory.line.clone()),
            ("phase".to_owned(), memory.phase_base.clone()),
        ],
    });
    let refs = cx.step("keep", &act).await?;
    Ok(Event::CheckpointTaken { refs })
}
