//! WAVE_COMPLETE: reviewed efforts are merged to the wave's ref, smaller ones first, each only after its gates passed on
//! the merged tree. Who conflicts goes back; the others stay merged.

use baton_engine::{Cx, Fault};

use super::merging::{Line, Outcome, candidate};
use super::{short, workshop};
use crate::factory::{EffortState, EffortStatus, Event, Factory, MergedEffort};
use crate::git::{Advance, Tidy};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let queue: Vec<EffortState> = cx.read(|memory| {
        let mut queue: Vec<&EffortState> =
            memory.present().into_iter().filter(|effort| effort.status == EffortStatus::Queued).collect();
        // Parts of one effort have one place, and stay in order.
        queue.sort_by_key(|effort| {
            let whole = effort.part_of.as_ref().and_then(|whole| memory.efforts.get(whole));
            (whole.map_or(effort.lines, |whole| whole.lines), effort.part_of.clone())
        });
        queue.into_iter().cloned().collect()
    });
    let reference = cx.read(|memory| memory.wave_ref());
    let mut issues = Vec::new();
    for effort in queue {
        let line = cx.read(|memory| Line { commit: memory.line.clone(), tree: memory.line_tree.clone() });
        match candidate(&cx, &line, &effort).await? {
            Outcome::Bad(issue) => issues.push(issue),
            Outcome::Contained => {
                let merged = merged(&effort, line, &reference);
                cx.emit(Event::EffortMerged { merged }).await?;
            }
            Outcome::Good(next) => {
                let old = cx.read(|memory| memory.refs.get(&reference).cloned().unwrap_or_default());
                let act = Advance {
                    workshop: workshop(&cx),
                    reference: reference.clone(),
                    new: next.commit.clone(),
                    old,
                };
                cx.step(format!("advance-{}-{}", effort.plan.id, short(&next.commit)), &act).await?;
                cx.emit(Event::EffortMerged { merged: merged(&effort, next, &reference) }).await?;
            }
        }
    }
    if !issues.is_empty() {
        return Ok(Event::IssuesFound { issues });
    }
    let act = cx.read(|memory| {
        let here = memory.present().into_iter().filter(|effort| effort.status == EffortStatus::Merged);
        Tidy {
            workshop: std::path::PathBuf::new(),
            efforts: here.map(|effort| (effort.plan.id.clone(), effort.branch.clone())).collect(),
            safe_in: vec![reference.clone(), memory.line.clone()],
        }
    });
    let act = Tidy { workshop: workshop(&cx), ..act };
    let tidied = cx.step("tidy", &act).await?;
    for (effort, why) in tidied.kept {
        cx.emit(Event::Noticed { what: format!("the worktree of {effort} stays: {why}"), plan: None })
            .await?;
    }
    Ok(Event::WaveMerged)
}

fn merged(effort: &EffortState, line: Line, reference: &str) -> MergedEffort {
    let (commit, tree) = (line.commit, line.tree);
    MergedEffort { effort: effort.plan.id.clone(), commit, tree, reference: reference.to_owned() }
}
