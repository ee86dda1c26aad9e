//! RECOVERY_VALIDATION: the efforts put together beside the project, gated, and held against what was missing.

use baton_engine::{Cx, Fault};

use super::looking::look;
use super::merging::{Line, Outcome, candidate};
use super::phase_review::wanted;
use crate::factory::{EffortState, EffortStatus, Event, Factory, MergedEffort, RecoveryOption};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (mut line, queue, is_complete): (Line, Vec<EffortState>, bool) = cx.read(|memory| {
        let queue = memory.recovery_efforts.iter().filter_map(|id| memory.efforts.get(id));
        let queue = queue.filter(|effort| effort.status == EffortStatus::Queued).cloned().collect();
        let line = Line { commit: memory.line.clone(), tree: String::new() };
        (line, queue, memory.chosen == Some(RecoveryOption::Complete))
    });
    if is_complete {
        let commit = cx.read(|memory| memory.phase_base.clone());
        return Ok(Event::ValidationPassed { commit, merged: Vec::new() });
    }
    let mut merged = Vec::new();
    for effort in queue {
        match candidate(&cx, &line, &effort).await? {
            Outcome::Bad(issue) => {
                return Ok(Event::RecoveryFailed { why: format!("{}: {}", issue.effort, issue.what) });
            }
            Outcome::Contained => {}
            Outcome::Good(next) => line = next,
        }
        let (commit, tree) = (line.commit.clone(), line.tree.clone());
        merged.push(MergedEffort { effort: effort.plan.id, commit, tree, reference: String::new() });
    }
    let wanted = cx.read(wanted);
    let seen = look(&cx, "look", &line.commit, &wanted).await?;
    let missing: Vec<String> = seen.missing.into_iter().chain(seen.failing).collect();
    Ok(if missing.is_empty() {
        Event::ValidationPassed { commit: line.commit, merged }
    } else {
        Event::RecoveryFailed { why: missing.join("; ") }
    })
}
