//! WAVE_REVIEW: the architect looks at what the wave was to bring. What is not there counts at the end of the phase;
//! a command that does not succeed sends its effort back at once.

use baton_engine::{Cx, Fault};

use super::looking::look;
use crate::factory::{EffortState, EffortStatus, Event, Factory, Issue, architect};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (commit, efforts): (String, Vec<EffortState>) = cx.read(|memory| {
        let merged = memory.present().into_iter().filter(|effort| effort.status == EffortStatus::Merged);
        (memory.line.clone(), merged.cloned().collect())
    });
    let (mut missing, mut issues) = (Vec::new(), Vec::new());
    let mut tree = cx.read(|memory| memory.line_tree.clone());
    for effort in efforts.iter().filter(|effort| !effort.plan.acceptance.is_empty()) {
        let name = format!("look-{}", effort.plan.id);
        let seen = look(&cx, &name, &commit, std::slice::from_ref(&effort.plan.acceptance)).await?;
        tree = seen.tree.tree;
        missing.extend(seen.missing.into_iter().map(|what| format!("{}: {what}", effort.plan.id)));
        issues.extend(seen.failing.into_iter().map(|what| Issue {
            effort: effort.plan.id.clone(),
            kind: "acceptance".to_owned(),
            what,
        }));
    }
    if !issues.is_empty() {
        return Ok(Event::IssuesFound { issues });
    }
    let at = cx.now().0;
    Ok(cx.read(|memory| match architect::debt_exceeded(memory, at) {
        Some(assessment) => Event::DebtExceeded { assessment },
        None => Event::WaveApproved { assessment: architect::wave(memory, &commit, &tree, missing, at) },
    }))
}
