//! What the run's folder shows: the report, its evidence, the task file, the logs. All of it rendered from
//! memory and journal; nothing is read back into the run.

mod bibliography;
mod evidence;
mod limits;
mod log;
mod page;
mod plan_md;
mod report_html;
mod report_md;
mod story;
pub mod task_md;
mod text;
mod thoughts;
pub mod verified;

#[cfg(test)]
mod tests;

use baton_engine::{RunFile, View};
use serde::Serialize;

use super::graph::Graph;
use super::{Research, SourceCard};

pub use evidence::{Evidence, ShownFact, ShownSource};
use page::Page;
use story::Story;

/// The files of a run as it stands.
pub fn files(view: &View<'_, Research>) -> Vec<RunFile> {
    let memory = view.memory;
    let story = Story::of(view);
    let graph = Graph::of(memory);
    let mut files = vec![
        RunFile::history("logs/orchestrator.log", log::render(view, &story, &graph)),
        RunFile::history("logs/orchestrator.md", thoughts::render(&story, memory)),
    ];
    if let Some(plan) = &memory.plan {
        files.push(RunFile::text("plan.md", plan_md::render(memory, plan)));
    }
    // A plan that nobody approved, or that somebody refused, has no task file.
    if memory.approval.is_some() {
        let page = task_md::render(view, &story, &graph);
        files.extend(page.map(|page| RunFile::history("task.md", page)));
    }
    if let Some(page) = Page::of(memory, &graph) {
        files.extend(report(&page));
    }
    // Last: a copy that cannot be made must not keep the rest from being written.
    files.extend(graph.sources().iter().flat_map(|card| copies(card)));
    files
}

/// The copies of a source: what was read, and its text where only that may be opened.
fn copies(card: &SourceCard) -> Vec<RunFile> {
    let copy = |path: String, hash: &str| {
        let folder = hash.get(..2).unwrap_or_default();
        RunFile::copy(path, format!("archive/{folder}/{hash}"))
    };
    let mut files = vec![copy(card.original(), &card.source.raw_hash)];
    if card.copy() != card.original() {
        files.push(copy(card.copy(), &card.source.text_hash));
    }
    files
}

fn report(page: &Page<'_, '_>) -> Vec<RunFile> {
    let report = report_md::render(page);
    vec![
        RunFile::text("report.html", report_html::render(page)),
        RunFile::text("sources.bib", bibliography::bib(page.graph)),
        RunFile::text("sources.json", json(&bibliography::csl(page.graph))),
        RunFile::text("evidence.json", json(&Evidence::of(page, &report))),
        RunFile::text("report.md", report),
    ]
}

/// Plain data: writing it to memory cannot fail.
fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
