//! The opening and the closing are written alike: from the facts that the rest of the article does not use.

use baton_agents::skill::Answerer;

use super::writing::Composer;
use super::{Job, Trouble, WorkerResult, article_writer};
use crate::article::Memory;
use crate::article::draft::Sentence;
use crate::article::skills::write_part::{self, PartKind};

/// Writes a part; a model, if there is one, and what the gate leaves of it, else rules.
pub async fn write(job: &Job<'_>, kind: PartKind) -> Result<WorkerResult, Trouble> {
    let Some((rules, taken)) = job.read(|memory| by_rules(memory, kind)) else {
        return Err(Trouble::Nothing("there is no article yet".to_owned()));
    };
    let (sentences, by) = match write_part::ask(job, kind, &taken).await? {
        Some((sentences, by)) if !sentences.is_empty() => (sentences, by),
        _ => (rules, Answerer::Rules),
    };
    Ok(WorkerResult::Part { sentences, by })
}

/// The part by rules, and the facts that are said elsewhere.
pub fn by_rules(memory: &Memory, kind: PartKind) -> Option<(Vec<Sentence>, Vec<String>)> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let edge = if kind == PartKind::Introduction { &draft.conclusion } else { &draft.introduction };
    let body = draft.sections.iter().flat_map(|section| &section.paragraphs).flat_map(|it| &it.sentences);
    let taken: Vec<String> = body.chain(edge).flat_map(|sentence| sentence.facts.iter().cloned()).collect();
    let keys: Vec<&str> = taken.iter().map(String::as_str).collect();
    let assignment = &memory.assignment;
    let composer =
        Composer::new(&assignment.brief, &facts, &assignment.today, article_writer::derived(memory));
    let sentences = if kind == PartKind::Introduction {
        let headings: Vec<String> = draft.sections.iter().map(|section| section.heading.clone()).collect();
        composer.introduction(&headings, &keys)
    } else {
        composer.conclusion(&keys)
    };
    Some((sentences, taken))
}
