//! ContentSynthesizer: themes of what was found, each with the sources that support it, in the order they are written
//! about: what was asked for as it was asked for, else the general before the particular and the old before the new.
//!
//! Given the facts; brings themes and the outline. A model, if there is one, names the themes.

use super::output::Theme;
use super::writing::Composer;
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::skills::name_themes;

/// Finds themes.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let found = job.read(find);
    if found.is_empty() {
        return Err(Trouble::Nothing("no fact was found that an article could be made of".to_owned()));
    }
    let (key_themes, by) = name_themes::ask(job, found).await?;
    Ok(WorkerResult::Themes { key_themes, by })
}

/// The themes of what was found, by rules.
#[must_use]
pub fn find(memory: &Memory) -> Vec<Theme> {
    let facts = memory.numbered();
    let composer = Composer::new(&memory.assignment.brief, &facts, &memory.assignment.today, Vec::new());
    let theme = |(theme, passages): (String, Vec<&super::writing::Passage>)| {
        let mut supporting_sources: Vec<String> = passages.iter().map(|it| it.source.clone()).collect();
        supporting_sources.sort();
        supporting_sources.dedup();
        let mut keys: Vec<String> =
            passages.iter().flat_map(|it| &it.lines).map(|it| it.key.clone()).collect();
        keys.dedup();
        Theme { theme, supporting_sources, facts: keys }
    };
    composer.sections().into_iter().map(theme).collect()
}
