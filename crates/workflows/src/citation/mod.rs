//! Citing, for every workflow: facts are numbered, a [`Gate`] lets through what they carry, a [`CitedReport`] is rendered as
//! Markdown and as a page, and [`Evidence`] lets anybody check it offline with [`verification`]. A model
//! that a person names may refuse what the gate let through ([`second_judge()`]).
//!
//! What does not live here: where facts come from (`retrieval`), and what a workflow chooses to say.

pub(crate) mod bibliography;
mod evidence;
mod facts;
mod gate;
mod html;
mod markdown;
mod reference;
mod report;
mod second_judge;
pub mod skills;
pub mod verification;

use baton_agents::read::archive::Archive;
use baton_engine::RunFile;
use serde::Serialize;

use crate::retrieval::SourceCard;

pub use evidence::{Evidence, ShownFact, ShownSource};
pub use facts::{Confidence, Facts, NumberedFact, source_label};
pub use gate::{Dropped, Gate, Line};
pub use report::{Block, CitedReport, Setting, Statement};
pub use second_judge::{Opinion, SecondOpinion, second_judge, to_confirm};

/// The files of a report: the report itself as Markdown and as a page, its evidence, its sources for reference managers.
#[must_use]
pub fn files(report: &CitedReport<'_>) -> Vec<RunFile> {
    let text = markdown::render(report);
    vec![
        RunFile::text("report.html", html::render(report)),
        RunFile::text("sources.bib", bibliography::bib(report.facts)),
        RunFile::text("sources.json", json(&bibliography::csl(report.facts))),
        RunFile::text("evidence.json", json(&Evidence::of(report, &text))),
        RunFile::text("report.md", text),
    ]
}

/// The copies of all sources, as they were read. To be written last: a copy that cannot be made must not keep the rest
/// from being written.
#[must_use]
pub fn copies(facts: &Facts<'_>) -> Vec<RunFile> {
    facts.sources().iter().flat_map(|card| copies_of(card)).collect()
}

/// What was read, and its text where only that may be opened.
fn copies_of(card: &SourceCard) -> Vec<RunFile> {
    let copy = |path: String, hash: &str| RunFile::copy(path, Archive::place(hash));
    let mut files = vec![copy(card.original(), &card.source.raw_hash)];
    if card.copy() != card.original() {
        files.push(copy(card.copy(), &card.source.text_hash));
    }
    files
}

/// Plain data: writing it to memory cannot fail.
fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
