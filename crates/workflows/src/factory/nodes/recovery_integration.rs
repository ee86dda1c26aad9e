//! RECOVERY_INTEGRATION: what was validated becomes where the project stands.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::Advance;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let folder = workshop(&cx);
    let act = cx.read(|memory| {
        let reference = format!("refs/heads/recovery-{}-integration", memory.recoveries);
        let old = memory.refs.get(&reference).cloned().unwrap_or_default();
        Advance { workshop: folder, reference, new: memory.recovery_commit.clone(), old }
    });
    let commit = cx.step("advance", &act).await?;
    Ok(Event::RecoveryIntegrated { commit, reference: act.reference })
}
