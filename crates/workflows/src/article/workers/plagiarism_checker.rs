//! PlagiarismChecker: words of the sources in the text, outside quotation marks: the longest run, the share, and how much
//! each source gave.
//!
//! Given the text and what was quoted of its sources; brings the share that is its own. It counts, so it asks nobody.

use baton_agents::rules::originality::originality;
use baton_agents::skill::Answerer;

use super::output::{Check, Place};
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::files::article_text;
use crate::article::nodes::evaluating::source_texts;
use crate::article::score::{LONGEST_RUN, MarkdownText};

/// Compares.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let check = job.read(check).ok_or_else(|| Trouble::Nothing("there is no article yet".to_owned()))?;
    Ok(WorkerResult::Checked { check, by: Answerer::Rules })
}

/// What is the text's own.
pub fn check(memory: &Memory) -> Option<Check> {
    let text = MarkdownText::parse(&article_text(memory)?).all();
    let sources = source_texts(memory)?;
    let texts: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
    let found = originality(&text, &texts);
    let long = found.runs.iter().filter(|run| run.words > LONGEST_RUN);
    let places: Vec<Place> = long
        .map(|run| Place {
            text: text[run.range.clone()].chars().take(160).collect(),
            why: format!("{} words in a row of {}", run.words, sources[run.source].name),
        })
        .collect();
    let mut check = Check::of(1.0 - found.share())
        .with("verbatim_share", found.share())
        .with("longest_run", found.longest() as f64)
        .with("long_runs", places.len() as f64);
    for (source, share) in sources.iter().zip(&found.shared).filter(|(_, share)| **share > 0.02) {
        check = check.with(&format!("shared with {}", source.name), *share);
    }
    check.places = places;
    Some(check)
}
