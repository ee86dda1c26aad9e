//! Summarization: the article in a few sentences, one of each theme, the nearest to the topic first.
//!
//! Given the facts; brings sentences that facts carry. A model, if there is one, writes them; the gate reads them.

use baton_agents::skill::Answerer;

use super::writing::{Said, lines, passages};
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::draft::Sentence;
use crate::article::skills::write_part::{self, PartKind};

/// Sentences of a summary.
const MOST: usize = 4;

/// Summarises.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let rules = job.read(summary);
    if rules.is_empty() {
        return Err(Trouble::Nothing("there is nothing to summarise".to_owned()));
    }
    let written = write_part::ask(job, PartKind::Summary, &[]).await?;
    let (sentences, by) = match written {
        Some((sentences, by)) if !sentences.is_empty() => (sentences, by),
        _ => (rules, Answerer::Rules),
    };
    Ok(WorkerResult::Summary { sentences, by })
}

/// The nearest sentences that say different things, each from another source if there is one.
pub fn summary(memory: &Memory) -> Vec<Sentence> {
    let facts = memory.numbered();
    let brief = &memory.assignment.brief;
    let passages = passages(&lines(&facts, brief, &memory.assignment.today), &facts, brief);
    let mut said = Said::default();
    let mut sources: Vec<&str> = Vec::new();
    let mut chosen = Vec::new();
    for again in [false, true] {
        // The first line of a passage says what it is about.
        for line in passages.iter().filter_map(|passage| passage.lines.first()).filter(|line| !line.personal)
        {
            let fits = again || !sources.contains(&line.source.as_str());
            if chosen.len() < MOST && fits && said.is_new(&line.text) {
                said.say(&line.text);
                sources.push(&line.source);
                chosen.push(Sentence::plain(line.text.clone(), vec![line.key.clone()]));
            }
        }
    }
    chosen
}
