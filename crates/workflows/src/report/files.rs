//! What the run's folder shows: the seed's session, state, results and output. All of it rendered from memory and journal;
//! nothing is read back into the run.

mod method_md;
mod paper;
mod report_html;
mod results_json;
mod session_json;
mod state_json;
mod workbook;

use baton_agents::read::archive::Archive;
use baton_engine::{RunFile, View};
use serde::Serialize;

use super::Report;
use super::brief::formats;
use super::order::Format;
use crate::citation;

pub use paper::document;

/// The files of a run as it stands.
pub fn files(view: &View<'_, Report>) -> Vec<RunFile> {
    let memory = view.memory;
    let mut files = vec![RunFile::history("session.json", json(&session_json::render(view)))];
    files.extend(state_json::render(view));
    files.extend(results_json::render(view));
    if let Some(context) = memory.context.as_ref().filter(|it| !it.tables_toml.is_empty()) {
        files.push(RunFile::text("results/tables.toml", context.tables_toml.clone()));
    }
    for planned in memory.charts() {
        if let Ok(page) = baton_charts::page::write(&planned.chart) {
            let name = baton_charts::render::file_name(&planned.chart.id, &planned.chart.title);
            files.push(RunFile::text(format!("output/charts/{name}"), page));
        }
    }
    // A report that nobody finished is none.
    let Some(finished) = &memory.finished else { return files };
    files.extend(report_html::render(memory).map(|page| RunFile::text("output/report.html", page)));
    files.push(RunFile::history("output/method.md", method_md::render(view)));
    files.push(RunFile::text("evidence.json", json(&super::evidence::of(memory))));
    if formats(&memory.order).contains(&Format::Xlsx)
        && let Some(bytes) = workbook::render(memory)
    {
        files.push(RunFile { content: bytes, ..RunFile::text("output/data_pack.xlsx", "") });
    }
    if let Some(hash) = &finished.pdf {
        files.push(RunFile::copy("output/report.pdf", Archive::place(hash)));
    }
    files.extend(citation::copies(&memory.numbered()));
    files
}

/// Plain data: writing it to memory cannot fail.
fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
