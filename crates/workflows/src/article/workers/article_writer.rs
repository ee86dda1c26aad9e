//! ArticleWriter: the article itself, with an opening and a closing unless others write them.
//!
//! Given the outline and the facts; brings the draft. A model, if there is one, writes it; whatever its facts do not carry is
//! dropped and a fact of the section, in its own words, stands there instead. Without this worker there is no article.

use baton_agents::evidence::Derived;
use baton_agents::rules::readability::readability;
use baton_agents::rules::words::{content_stems, overlap};
use baton_agents::skill::Answerer;

use super::writing::{Composer, Outline};
use super::{Job, Trouble, Worker, WorkerResult, content_synthesizer};
use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::draft::Draft;
use crate::article::skills::write_article;

/// How much more a short sentence counts, each time it is tried again.
const PLAINER: [f64; 6] = [0.0, 0.6, -0.7, 1.5, -0.9, -1.5];
/// What a text that says no word of its topic counts as, in points of reading ease.
const UNSAID: f64 = 25.0;

/// Writes.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let Some(rules) = job.read(by_rules) else {
        return Err(Trouble::Nothing("no fact was found that an article could be made of".to_owned()));
    };
    match write_article::ask(job, &rules).await? {
        Some((draft, by)) => Ok(WorkerResult::Written { draft: Box::new(draft), by }),
        None => Ok(WorkerResult::Written { draft: Box::new(rules), by: Answerer::Rules }),
    }
}

/// The outline: the themes that were found, else found here.
pub fn outline(memory: &Memory) -> Outline {
    let here = || content_synthesizer::find(memory);
    let themes = memory.themes().map(<[_]>::to_vec).unwrap_or_else(here);
    themes.into_iter().map(|theme| (theme.theme, theme.facts)).collect()
}

/// What was computed.
pub fn derived(memory: &Memory) -> Vec<Derived> {
    match memory.last(Worker::InsightExtractor).map(|output| &output.result) {
        Some(WorkerResult::Insights { derived, .. }) => derived.clone(),
        _ => Vec::new(),
    }
}

/// The article by rules: of a few selections the one that reads as the tone wants it.
pub fn by_rules(memory: &Memory) -> Option<Draft> {
    let brief = &memory.assignment.brief;
    let facts = memory.numbered();
    let outline = outline(memory);
    let (from, to) = brief.tone.band();
    let topic = content_stems(&brief.topic);
    let composer = Composer::new(brief, &facts, &memory.assignment.today, derived(memory));
    let mut best: Option<(f64, Draft)> = None;
    for plainer in PLAINER {
        let Some(draft) = composer.clone().with(plainer).article(&outline) else { continue };
        let references = References::of(&draft, &facts, brief.citation_style);
        let shown: Vec<String> = draft.sentences().map(|sentence| sentence.shown(&references)).collect();
        let text = shown.join(" ");
        let ease = readability(&text).map_or(0.0, |it| it.reading_ease);
        let words = text.split_whitespace().count() as f64;
        let short = (1.0 - words / brief.target_length.max(1) as f64).max(0.0) * 100.0;
        let spoken = overlap(&topic, &content_stems(&text));
        let off = (from - ease).max(ease - to).max(0.0) + short + UNSAID * (1.0 - spoken);
        if best.as_ref().is_none_or(|(known, _)| off < known - 1e-9) {
            best = Some((off, draft));
        }
        if best.as_ref().is_some_and(|(off, _)| *off < 4.0) {
            break;
        }
    }
    best.map(|(_, draft)| draft)
}
