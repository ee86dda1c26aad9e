//! The editor: holds every number against its figure, every sentence against its evidence, every chart against the text. It
//! takes out what does not hold, adds what is missing, and logs both.

use baton_agents::skill::Answerer;

use super::aggregation::{Aggregation, Edited, EditorChange, Section};
use super::memory::Memory;
use super::naming::written;
use super::numbers::numbers;
use super::prose::{Piece, Sentence, is_named};
use super::writing::UNANSWERED;

/// The report after a look over it; none before there is one.
#[must_use]
pub fn edit(memory: &Memory) -> Option<Edited> {
    let draft = memory.draft.as_ref()?;
    let mut aggregation = draft.aggregation.clone();
    let mut changes = Vec::new();
    let sentences = aggregation.sentences().count();
    let written_numbers: usize =
        aggregation.sentences().map(|sentence| numbers(&sentence.text()).len()).sum();
    factual(memory, &mut aggregation, &mut changes);
    structural(&mut aggregation, &mut changes);
    visual(memory, &mut aggregation, &mut changes);
    let checks_performed = vec![
        format!("factual: {written_numbers} numbers in {sentences} sentences held against cells and quotes"),
        format!("structural: {} sections looked at for claims without evidence", aggregation.sections.len()),
        format!("visual: {} charts looked for in the text", draft.charts.len()),
        "language: repetitions looked for".to_owned(),
    ];
    let final_status = if changes.is_empty() { "clean" } else { "corrected" };
    Some(Edited {
        aggregation,
        checks_performed,
        changes_made: changes,
        dropped: Vec::new(),
        by: Answerer::Rules,
        final_status: final_status.to_owned(),
        notes: Vec::new(),
    })
}

/// Why a sentence does not hold.
#[must_use]
pub fn flaw(memory: &Memory, sentence: &Sentence) -> Option<String> {
    if sentence.remark {
        return None;
    }
    let figures: Vec<_> = sentence.figures().into_iter().filter_map(|id| memory.figure(id)).collect();
    if figures.is_empty() && sentence.facts.is_empty() {
        return Some("it rests on nothing".to_owned());
    }
    for piece in &sentence.pieces {
        if let Piece::Number { text, figure } = piece {
            let Some(figure) = memory.figure(figure) else { return Some(format!("{figure} does not exist")) };
            let unit = figure.unit.as_deref();
            let own = [written(figure.value, unit), written(figure.value.abs(), unit)];
            let is_same =
                own.contains(text) || numbers(text).first().is_some_and(|found| found.shows(figure));
            if !is_same {
                return Some(format!("{text} is not {}", own[0]));
            }
        }
    }
    let quotes: String = sentence
        .facts
        .iter()
        .filter_map(|key| memory.facts.get(key))
        .map(|it| format!("{} ", it.fact.quote))
        .collect();
    let words: String = sentence
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Words(words) => words.as_str(),
            Piece::Number { .. } => " ",
        })
        .collect();
    for found in numbers(&words) {
        let quoted = numbers(&quotes).iter().any(|other| other.value == found.value);
        let written = &words[found.range.clone()];
        let named = sentence.names.iter().any(|name| name.split(' ').any(|part| part == written));
        if !quoted && !named && !is_named(&found, &words, &figures) {
            return Some(format!("{} stands in no cell and no quote", &words[found.range]));
        }
    }
    None
}

fn factual(memory: &Memory, aggregation: &mut Aggregation, changes: &mut Vec<EditorChange>) {
    let mut keep = |place: &str, sentences: &mut Vec<Sentence>| {
        sentences.retain(|sentence| match flaw(memory, sentence) {
            None => true,
            Some(reason) => {
                changes.push(change("factual", place, &sentence.text(), "", &reason));
                false
            }
        });
    };
    keep("takeaways", &mut aggregation.takeaways);
    for section in &mut aggregation.sections {
        for passage in &mut section.passages {
            keep(&section.title, &mut passage.sentences);
        }
    }
}

/// A question without a word to it says so; what is said twice in a section is said once.
fn structural(aggregation: &mut Aggregation, changes: &mut Vec<EditorChange>) {
    for section in &mut aggregation.sections {
        let mut said: Vec<String> = Vec::new();
        let title = section.title.clone();
        for passage in &mut section.passages {
            passage.sentences.retain(|sentence| {
                let text = sentence.text();
                let is_new = sentence.remark || !said.contains(&text);
                if !is_new {
                    changes.push(change("language", &title, &text, "", "it was said before"));
                }
                said.push(text);
                is_new
            });
            if passage.sentences.is_empty() {
                let remark = if passage.answered { "See above." } else { UNANSWERED };
                passage.sentences.push(Sentence::remark(remark));
                changes.push(change("structural", &title, "", remark, "nothing was left that answers it"));
            }
        }
    }
}

/// Every chart is referred to: where no sentence speaks of it, one is added.
fn visual(memory: &Memory, aggregation: &mut Aggregation, changes: &mut Vec<EditorChange>) {
    for planned in memory.charts() {
        let Some(section) = aggregation.sections.iter_mut().find(|it| it.scope_item_id == planned.scope)
        else {
            continue;
        };
        if refers(section, &planned.figures) {
            continue;
        }
        let figures: Vec<_> = planned.figures.iter().filter_map(|id| memory.figure(id)).collect();
        let text = format!("{}.", planned.chart.title);
        if let (Some(sentence), Some(passage)) =
            (Sentence::over(&text, &figures), section.passages.last_mut())
        {
            let title = section.title.clone();
            changes.push(change("visual", &title, "", &text, "the chart was not referred to"));
            passage.sentences.push(sentence);
        }
    }
}

/// Whether a section speaks of a figure of a chart.
fn refers(section: &Section, figures: &[String]) -> bool {
    section
        .sentences()
        .any(|sentence| sentence.figures().iter().any(|id| figures.iter().any(|own| own == id)))
}

fn change(kind: &str, location: &str, original: &str, corrected: &str, reason: &str) -> EditorChange {
    EditorChange {
        kind: kind.to_owned(),
        location: location.to_owned(),
        original: original.to_owned(),
        corrected: corrected.to_owned(),
        reason: reason.to_owned(),
    }
}
