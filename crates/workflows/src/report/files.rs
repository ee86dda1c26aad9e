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

use super::brief::formats;
use super::context::file_name;
use super::naming::day_name;
use super::order::Format;
use super::{Memory, Report};
use crate::citation;
use crate::markup::count;

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

/// Of when a report is and what it rests on: "18 November 2026 · from sales.csv and 2 documents".
fn about(memory: &Memory) -> String {
    let tables = memory.context.iter().flat_map(|context| &context.profiles.tables);
    let names: Vec<String> = tables.map(|table| file_name(&table.reading.file)).collect();
    let documents = memory.cited(&memory.numbered()).len();
    let mut rests = Vec::new();
    if !names.is_empty() && names.len() <= 6 {
        rests.push(names.join(", "));
    } else if !names.is_empty() {
        rests.push(count(names.len(), "table"));
    }
    if documents > 0 {
        rests.push(count(documents, "document"));
    }
    format!("{} · from {}", day_name(&memory.order.today), rests.join(" and "))
}

/// How many of the questions nobody could answer, which a reader wants to know before the end.
fn left_open(memory: &Memory) -> Option<String> {
    let open = memory.open_questions().len();
    let asked: usize =
        memory.brief.iter().flat_map(|it| &it.scope_items).map(|item| item.questions.len()).sum();
    let (stay, them) = if open == 1 { ("stays", "it") } else { ("stay", "them") };
    (open > 0).then(|| {
        format!(
            "{open} of {} {stay} open: neither the data nor the documents answer {them}.",
            count(asked, "question")
        )
    })
}

/// Plain data: writing it to memory cannot fail.
fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Words beside a number, whose unit stays on its line: "EUR 5", "5 %", and a number among the words.
fn held_together(words: &str) -> String {
    let is_unit = |before: &str| {
        before.ends_with(|letter: char| letter.is_ascii_uppercase() || "€$£¥".contains(letter))
    };
    let mut text = String::new();
    for (at, letter) in words.char_indices() {
        let (before, behind) = (&words[..at], &words[at + letter.len_utf8()..]);
        let to_number = behind.is_empty() || behind.starts_with(|next: char| next.is_ascii_digit());
        let of_number = before.is_empty() || before.ends_with(|last: char| last.is_ascii_digit());
        let ties = letter == ' ' && (is_unit(before) && to_number || of_number && behind.starts_with('%'));
        text.push(if ties { '\u{a0}' } else { letter });
    }
    text
}
