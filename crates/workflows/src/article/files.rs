//! What the run's folder shows: the article, its quality, its plans, its state. All of it rendered from memory and journal;
//! nothing is read back into the run.

mod article_html;
mod article_md;
mod evidence_json;
mod output_json;
mod plan_md;
mod quality_md;
mod state_json;

use baton_engine::{RunFile, View};
use serde::Serialize;

use super::Article;
use crate::citation;

pub use article_md::{render as article_text, text as article_of};

/// The files of a run as it stands.
pub fn files(view: &View<'_, Article>) -> Vec<RunFile> {
    let memory = view.memory;
    let mut files = vec![RunFile::history("state.json", json(&state_json::render(view)))];
    if memory.current_plan.is_some() || !memory.plan_history.is_empty() {
        files.push(RunFile::text("plan.md", plan_md::render(memory)));
    }
    if let Some(output) = output_json::render(view) {
        files.push(RunFile::history("output.json", json(&output)));
    }
    if !memory.evaluations.is_empty() {
        files.push(RunFile::text("quality.md", quality_md::render(memory)));
    }
    // An article that nobody finished is none.
    if memory.final_output.is_some()
        && let Some(text) = article_text(memory)
    {
        let facts = memory.numbered();
        files.extend(evidence_json::render(memory, &facts, &text));
        files.extend(article_html::render(memory, &facts).map(|page| RunFile::text("article.html", page)));
        files.push(RunFile::text("article.md", text));
        files.extend(citation::copies(&facts));
    }
    files
}

/// Plain data: writing it to memory cannot fail.
fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
