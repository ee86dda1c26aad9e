//! PHASE_COMPLETE: the waves of a phase become one merge on the phase's ref.

use baton_engine::{Cx, Fault};

use super::{date, short, workshop};
use crate::factory::{Event, Factory};
use crate::git::{Advance, Candidate, Merged};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (folder, at) = (workshop(&cx), date(&cx));
    let (act, reference, old) = cx.read(|memory| {
        let number = memory.phase + 1;
        let name = memory.plan.phases.get(memory.phase).map_or("", |phase| phase.name.as_str());
        let reference = format!("refs/heads/phase-{number}-integration");
        let old = memory.refs.get(&reference).cloned().unwrap_or_default();
        let act = Candidate {
            workshop: folder.clone(),
            onto: memory.phase_base.clone(),
            onto_tree: String::new(),
            tip: memory.line.clone(),
            message: format!("Phase {number}: {name}\n"),
            at,
            committer: memory.order.committer.clone(),
        };
        (act, reference, old)
    });
    let commit = match cx.step(format!("merge-{at}"), &act).await? {
        Merged::Clean { commit, .. } => commit,
        // Nothing was merged in this phase.
        Merged::Contained => act.tip,
        Merged::Conflict { files } => {
            return Ok(Event::PhaseBroken {
                why: format!("the phase conflicts with its own base in {}", files.join(", ")),
            });
        }
    };
    let advance = Advance { workshop: folder, reference: reference.clone(), new: commit.clone(), old };
    cx.step(format!("advance-{}", short(&commit)), &advance).await?;
    Ok(Event::PhaseMerged { commit, reference })
}
