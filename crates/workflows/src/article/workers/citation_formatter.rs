//! CitationFormatter: whether every citation leads to the list and every entry of the list is cited, in one style.
//!
//! Given the draft; brings what does not fit. It counts, so it asks nobody.

use baton_agents::skill::Answerer;

use super::output::{Check, Place};
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::bibliography::References;

/// Formats.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let check = job.read(check).ok_or_else(|| Trouble::Nothing("there is no article yet".to_owned()))?;
    Ok(WorkerResult::Checked { check, by: Answerer::Rules })
}

/// What fits and what does not.
pub fn check(memory: &Memory) -> Option<Check> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let references = References::of(&draft, &facts, memory.assignment.brief.citation_style);
    let mut places = Vec::new();
    let (mut good, mut all) = (0, 0);
    for sentence in draft.sentences().filter(|sentence| sentence.is_claim()) {
        for key in &sentence.facts {
            all += 1;
            if references.place(key).is_some() {
                good += 1;
            } else {
                places.push(Place { text: sentence.claim.clone(), why: format!("{key} leads to no source") });
            }
        }
        if sentence.facts.is_empty() {
            all += 1;
            places.push(Place { text: sentence.claim.clone(), why: "it cites nothing".to_owned() });
        }
    }
    let score = if all == 0 { 0.0 } else { f64::from(good) / f64::from(all) };
    let check = Check::of(score)
        .with("citations", f64::from(all))
        .with("orphan_citations", f64::from(all - good))
        .with("references", references.len() as f64);
    Some(Check { places, ..check })
}
