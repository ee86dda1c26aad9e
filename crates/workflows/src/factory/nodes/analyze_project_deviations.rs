//! ANALYZE_PROJECT_DEVIATIONS: what was planned beside what is there: deliverables, efforts, findings, tests.

use baton_engine::{Cx, Fault};

use super::looking::look;
use super::phase_review::wanted;
use crate::factory::{Event, Factory, strategy};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (commit, wanted) = cx.read(|memory| (memory.line.clone(), wanted(memory)));
    let seen = look(&cx, "look", &commit, &wanted).await?;
    let missing: Vec<String> = seen.missing.into_iter().chain(seen.failing).collect();
    let analysis = cx.read(|memory| strategy::analyse(memory, missing, seen.asked, seen.tree.files));
    Ok(Event::DeviationsAnalyzed { analysis })
}
