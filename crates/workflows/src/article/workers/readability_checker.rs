//! ReadabilityChecker: Flesch reading ease and grade, against the band of the tone. Only English can be measured so.
//!
//! Given the text; brings the measures. It counts, so it asks nobody.

use baton_agents::read::encoding::language;
use baton_agents::rules::readability::readability;
use baton_agents::skill::Answerer;

use super::output::Check;
use super::{Job, Trouble, WorkerResult};
use crate::article::Memory;
use crate::article::files::article_text;
use crate::article::score::MarkdownText;

/// Measures.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let check = job.read(check).ok_or_else(|| Trouble::Nothing("there is no article yet".to_owned()))?;
    Ok(WorkerResult::Checked { check, by: Answerer::Rules })
}

/// The measures of the text.
pub fn check(memory: &Memory) -> Option<Check> {
    let text = MarkdownText::parse(&article_text(memory)?).all();
    if !is_english(&text) {
        let unmeasured = "reading ease is measured in English only; this text is not".to_owned();
        return Some(Check { recommendations: vec![unmeasured], ..Check::default() });
    }
    let measured = readability(&text)?;
    let (from, to) = memory.assignment.brief.tone.band();
    let beyond = (from - measured.reading_ease).max(measured.reading_ease - to).max(0.0);
    let mut check = Check::of(1.0 - beyond / 30.0)
        .with("flesch_reading_ease", measured.reading_ease)
        .with("grade_level", measured.grade)
        .with("avg_sentence_length", measured.words_per_sentence);
    if measured.reading_ease < from {
        check
            .recommendations
            .push("shorter sentences and shorter words would make it easier to read".to_owned());
    } else if measured.reading_ease > to {
        check.recommendations.push("it is plainer than the tone; sentences may say more at once".to_owned());
    }
    Some(check)
}

/// Whether a text is English, as far as that can be told; a short text is taken for it.
pub fn is_english(text: &str) -> bool {
    language(text).is_none_or(|language| language == "eng")
}
