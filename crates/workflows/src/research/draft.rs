//! From a draft to a report: the answer, then each dimension, as far as the gate lets it through.

use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use super::skills::write::Draft;
use crate::citation::{Dropped, Facts, Gate, Line};

/// The part of a report about one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The dimension, counted from 0.
    pub dimension: usize,
    /// What is said of it.
    pub lines: Vec<Line>,
}

/// What is written, before anything is rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The answer, first.
    pub answer: Vec<Line>,
    /// Then each dimension.
    pub sections: Vec<Section>,
    /// What was not let through.
    pub dropped: Vec<Dropped>,
    /// Who wrote it.
    pub by: Answerer,
}

impl Report {
    /// Lets through what the facts carry.
    #[must_use]
    pub fn of(draft: &Draft, facts: &Facts<'_>, by: Answerer) -> Self {
        let mut gate = Gate::new(facts);
        let answer = draft.answer.iter().filter_map(|one| gate.pass(&one.text, &one.facts)).collect();
        let mut sections: Vec<Section> = Vec::new();
        for part in &draft.sections {
            let lines: Vec<Line> =
                part.sentences.iter().filter_map(|one| gate.pass(&one.text, &one.facts)).collect();
            if !lines.is_empty() {
                sections.push(Section { dimension: part.dimension, lines });
            }
        }
        Self { answer, sections, dropped: gate.dropped(), by }
    }

    /// Every sentence.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.answer.iter().chain(self.sections.iter().flat_map(|section| &section.lines))
    }
}
