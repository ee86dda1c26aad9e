//! Editor: what is wrong with the language: doubled and misspelt words, long sentences, sentences that begin alike, the
//! share in the passive.
//!
//! Given the text; brings flaws with their places. A model, if there is one, may point at more; the score stays measured.

use baton_agents::rules::prose::prose;

use super::output::{Check, Place};
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::files::article_text;
use crate::article::score::MarkdownText;
use crate::article::skills::review;

/// Passive sentences beyond this share are worth a word.
const PASSIVE: f64 = 0.4;

/// Edits.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let check = job.read(check).ok_or_else(|| Trouble::Nothing("there is no article yet".to_owned()))?;
    let (check, by) = review::ask(job, "grammar, style and clarity", check).await?;
    Ok(WorkerResult::Checked { check, by })
}

/// What is wrong with the language.
pub fn check(memory: &Memory) -> Option<Check> {
    let text = MarkdownText::parse(&article_text(memory)?).all();
    let found = prose(&text);
    let place = |it: &baton_agents::rules::prose::ProseFinding| Place {
        text: text[it.range.clone()].chars().take(160).collect(),
        why: it.advice.clone(),
    };
    let mut check = Check::of(found.sound())
        .with("sentences", found.sentences as f64)
        .with("issues_found", found.findings.len() as f64)
        .with("passive_share", found.passive);
    check.places = found.findings.iter().map(place).collect();
    if found.passive > PASSIVE {
        let share = found.passive * 100.0;
        check
            .recommendations
            .push(format!("{share:.0} percent of the sentences are in the passive; say who does it"));
    }
    Some(check)
}
