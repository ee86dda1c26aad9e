//! The story: thesis, arc, order of the sections and places of the charts, in the shape of the seed's story.json. Rules tell
//! it from what the sections found; a model may word the thesis and the hook, through the gate.

use serde::{Deserialize, Serialize};

use super::memory::Memory;
use super::prose::Sentence;
use super::writing::{section_passages, strongest};
use crate::citation::Dropped;

/// Where a chart stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The chart.
    pub chart_id: String,
    /// The section it stands in.
    pub after_section: String,
    /// What to look at in it.
    pub callout: String,
}

/// A step of the development.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// The section's title.
    pub beat: String,
    /// Its first sentence.
    pub narrative: String,
    /// Figures and facts it rests on.
    pub evidence: Vec<String>,
    /// The scope item.
    pub sections: Vec<String>,
    /// Its charts.
    pub charts: Vec<String>,
}

/// The story.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// What the report is to answer.
    pub main_question: String,
    /// The answer, in a sentence; none if nothing answers it.
    pub core_answer: Option<Sentence>,
    /// `high`, `medium` or `low`.
    pub confidence: String,
    /// Why.
    pub confidence_reasoning: String,
    /// What catches the eye.
    pub hook: Option<Sentence>,
    /// Section by section.
    pub beats: Vec<Beat>,
    /// What stands out most.
    pub climax: Option<Sentence>,
    /// Scope items in the order a reader meets them.
    pub section_order: Vec<String>,
    /// Where the charts stand.
    pub chart_placements: Vec<Placement>,
    /// Sentences that were not let through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
}

/// The story by rules: the sections stand as the query has them, for that is how its author wants to read.
#[must_use]
pub fn by_rules(memory: &Memory) -> Story {
    let brief = memory.brief_or_rules();
    let coverage = memory.coverage();
    let mut beats = Vec::new();
    let mut first: Option<Sentence> = None;
    for item in &brief.scope_items {
        let passages = section_passages(memory, item);
        let lead = passages.iter().filter(|it| it.answered).flat_map(|it| it.sentences.first()).next();
        if first.is_none() {
            first = lead.cloned();
        }
        let charts = memory.charts().iter().filter(|it| it.scope == item.id).map(|it| it.chart.id.clone());
        let evidence = lead.map(|sentence| {
            let figures = sentence.figures().into_iter().map(str::to_owned);
            figures.chain(sentence.facts.iter().cloned()).collect()
        });
        beats.push(Beat {
            beat: item.topic.clone(),
            narrative: lead.map(Sentence::text).unwrap_or_default(),
            evidence: evidence.unwrap_or_default(),
            sections: vec![item.id.clone()],
            charts: charts.collect(),
        });
    }
    let strong = strongest(memory);
    let chart_placements = memory
        .charts()
        .iter()
        .map(|planned| Placement {
            chart_id: planned.chart.id.clone(),
            after_section: planned.scope.clone(),
            callout: planned.chart.title.clone(),
        })
        .collect();
    let overall = coverage.overall_coverage;
    let confidence = if overall >= 90.0 {
        "high"
    } else if overall >= 60.0 {
        "medium"
    } else {
        "low"
    };
    Story {
        main_question: brief.goal.clone(),
        core_answer: first,
        confidence: confidence.to_owned(),
        confidence_reasoning: coverage.reason,
        hook: strong.clone(),
        beats,
        climax: strong,
        section_order: brief.scope_items.iter().map(|item| item.id.clone()).collect(),
        chart_placements,
        dropped: Vec::new(),
    }
}
