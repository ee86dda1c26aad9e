//! IntroductionWriter: the opening: what the reader will learn.
//!
//! Given the draft and the facts it left; brings sentences. A model, if there is one, writes them; the gate reads them.

use baton_agents::skill::Answerer;

use super::writing::Composer;
use super::{Job, Trouble, WorkerResult, article_writer};
use crate::article::Memory;
use crate::article::draft::Sentence;
use crate::article::skills::write_part::{self, PartKind};

/// Writes.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let Some((rules, taken)) = job.read(by_rules) else {
        return Err(Trouble::Nothing("there is no article yet".to_owned()));
    };
    let written = write_part::ask(job, PartKind::Introduction, &taken).await?;
    let (sentences, by) = match written {
        Some((sentences, by)) if !sentences.is_empty() => (sentences, by),
        _ => (rules, Answerer::Rules),
    };
    Ok(WorkerResult::Part { sentences, by })
}

/// The opening by rules, and the facts that are said elsewhere.
fn by_rules(memory: &Memory) -> Option<(Vec<Sentence>, Vec<String>)> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let elsewhere =
        draft.sections.iter().flat_map(|section| &section.paragraphs).flat_map(|it| &it.sentences);
    let taken: Vec<String> =
        elsewhere.chain(&draft.conclusion).flat_map(|sentence| sentence.facts.iter().cloned()).collect();
    let headings: Vec<String> = draft.sections.iter().map(|section| section.heading.clone()).collect();
    let composer = Composer::new(&memory.assignment.brief, &facts, article_writer::derived(memory), 0.0);
    let keys: Vec<&str> = taken.iter().map(String::as_str).collect();
    Some((composer.introduction(&headings, &keys), taken))
}
