//! What the run's folder shows: the report, its evidence, the task file, the logs. All of it rendered from
//! memory and journal; nothing is read back into the run.

mod limits;
mod log;
mod plan_md;
mod report;
mod story;
pub mod task_md;
mod thoughts;

#[cfg(test)]
pub(super) mod tests;

use baton_engine::{RunFile, View};

pub use report::{nearest_in, unanswered};

use super::Research;
use crate::citation;
use story::Story;

/// The files of a run as it stands.
pub fn files(view: &View<'_, Research>) -> Vec<RunFile> {
    let memory = view.memory;
    let story = Story::of(view);
    let facts = memory.facts_and_nearest();
    let mut files = vec![
        RunFile::history("logs/orchestrator.log", log::render(view, &story, &facts)),
        RunFile::history("logs/orchestrator.md", thoughts::render(&story, memory, &facts)),
    ];
    if let Some(plan) = &memory.plan {
        files.push(RunFile::text("plan.md", plan_md::render(memory, plan)));
    }
    // A plan that nobody approved, or that somebody refused, has no task file.
    if memory.approval.is_some() {
        let page = task_md::render(view, &story, &facts);
        files.extend(page.map(|page| RunFile::history("task.md", page)));
        let archive = task_md::archive(view, &story, &facts);
        files.extend(archive.map(|page| RunFile::history(task_md::ARCHIVE, page)));
    }
    if let Some(report) = report::cited(memory, &facts) {
        files.extend(citation::files(&report));
    }
    files.extend(citation::copies(&facts));
    files
}
