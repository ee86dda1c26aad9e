//! The reflector's five checks and its decision, computed from the knowledge graph. A model may add gaps; it
//! cannot take any away, and it does not decide.

use std::collections::BTreeSet;

use baton_agents::evidence::ConflictKind;
use baton_agents::evidence::source::freshness;
use baton_agents::rules::dates;
use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use super::dispute::{Dispute, Severity};
use super::memory::Memory;
use crate::citation::Facts;

/// Something that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The dimension, counted from 0.
    pub dimension: usize,
    /// How much it matters.
    pub severity: Severity,
    /// What is missing, in a sentence.
    pub what: String,
    /// Other words to search with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// Whether a model saw it: its words are then no finding, and a reader is told only where it lies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_model: bool,
}

/// What follows from a reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    /// More searching.
    ContinueResearch,
    /// A conflict gets its task.
    AddConflictTasks,
    /// Enough.
    ReadyForSynthesis,
}

/// One quality check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reflection {
    /// At which iteration.
    pub iteration: u32,
    /// Dimensions with facts, out of all: 0 to 10.
    pub completeness: f64,
    /// Mean authority of the sources: 0 to 10.
    pub authority: f64,
    /// Conflicts that are looked at, out of all: 0 to 10.
    pub conflicts: f64,
    /// Facts whose source and copy are known: 0 to 10.
    pub traceability: f64,
    /// Mean freshness of the sources: 0 to 10.
    pub recency: f64,
    /// 30 % completeness, 25 % authority, 20 % conflicts, 15 % traceability, 10 % recency.
    pub score: f64,
    /// Facts that lead to no source.
    pub untraced: Vec<String>,
    /// What is missing.
    pub gaps: Vec<Gap>,
    /// What cannot both hold.
    pub disputes: Vec<Dispute>,
    /// What follows.
    pub decision: Decision,
    /// Whether the report must say that it was cut short.
    pub caveats: bool,
    /// Who judged.
    pub by: Answerer,
}

/// From this score on research is enough.
pub const ENOUGH: f64 = 8.0;
/// Near the limit this is enough, with caveats.
const PASSABLE: f64 = 6.0;

/// Looks at what a run has found, by rules.
#[must_use]
pub fn reflect(memory: &Memory) -> Reflection {
    let facts = memory.facts();
    let untraced = untraced(memory);
    let gaps = gaps(memory);
    let disputes = disputes(memory, &facts);
    let dimensions = memory.plan.as_ref().map_or(1, |plan| plan.dimensions.len()).max(1);
    let covered: BTreeSet<usize> = memory.findings.values().map(|found| found.part).collect();
    let unresolved = disputes.iter().filter(|dispute| open(memory, dispute)).count();
    let today = dates::parse(&memory.brief.today);
    let mean = |values: Vec<f64>| {
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    let completeness = 10.0 * covered.len() as f64 / dimensions as f64;
    let authority = 10.0 * mean(facts.sources().iter().map(|card| card.authority().value()).collect());
    let fresh = |date: Option<&str>| today.map_or(0.3, |today| freshness(date, today));
    let recency =
        10.0 * mean(facts.sources().iter().map(|card| fresh(card.source.date.as_deref())).collect());
    let conflicts =
        if disputes.is_empty() { 10.0 } else { 10.0 * (1.0 - unresolved as f64 / disputes.len() as f64) };
    let all = memory.findings.len();
    let traceability = if all == 0 { 10.0 } else { 10.0 * (1.0 - untraced.len() as f64 / all as f64) };
    let score =
        round(0.3 * completeness + 0.25 * authority + 0.2 * conflicts + 0.15 * traceability + 0.1 * recency);
    let mut reflection = Reflection {
        iteration: memory.iteration,
        completeness: round(completeness),
        authority: round(authority),
        conflicts: round(conflicts),
        traceability: round(traceability),
        recency: round(recency),
        score,
        untraced,
        gaps,
        disputes,
        decision: Decision::ReadyForSynthesis,
        caveats: false,
        by: Answerer::Rules,
    };
    decide(&mut reflection, memory);
    reflection
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The decision order of the specification; an untraced fact is the caller's error.
pub fn decide(reflection: &mut Reflection, memory: &Memory) {
    let high_conflict =
        reflection.disputes.iter().any(|it| it.severity == Severity::High && open(memory, it));
    let high_gap = reflection.gaps.iter().any(|gap| gap.severity == Severity::High);
    let near_the_end = f64::from(memory.iteration) >= 0.8 * f64::from(memory.brief.max_iterations);
    (reflection.decision, reflection.caveats) = if high_conflict {
        (Decision::AddConflictTasks, false)
    } else if high_gap {
        (Decision::ContinueResearch, false)
    } else if reflection.score >= ENOUGH {
        (Decision::ReadyForSynthesis, false)
    } else if reflection.score >= PASSABLE && near_the_end {
        (Decision::ReadyForSynthesis, true)
    } else {
        (Decision::ContinueResearch, false)
    };
}

/// A dispute nobody has looked at yet.
#[must_use]
pub fn open(memory: &Memory, dispute: &Dispute) -> bool {
    let known = memory.disputes.get(&dispute.key);
    known.is_none_or(|known| known.resolution.is_none())
        && !memory.duties.values().any(|duty| duty.conflict.as_deref() == Some(&dispute.key))
}

fn untraced(memory: &Memory) -> Vec<String> {
    let traced = |source: &str| memory.sources.get(source).is_some_and(|card| !card.asset.is_empty());
    let facts = memory.findings.values().filter(|found| !traced(&found.fact.source));
    facts.map(|found| found.key().to_owned()).collect()
}

/// A dimension without facts is a gap. It matters only while there is something left to try: once a dimension
/// has been searched a second time, what is missing is for the report to say.
fn gaps(memory: &Memory) -> Vec<Gap> {
    let Some(plan) = &memory.plan else { return Vec::new() };
    let mut gaps = Vec::new();
    for (index, dimension) in plan.dimensions.iter().enumerate() {
        if memory.findings.values().any(|found| found.part == index) {
            continue;
        }
        let searches = memory
            .duties
            .values()
            .filter(|duty| duty.dimension == Some(index) && memory.searches.contains_key(&duty.id))
            .count();
        let severity = if searches < 2 { Severity::High } else { Severity::Medium };
        let what = format!("nothing was found on \"{}\"", dimension.name);
        gaps.push(Gap {
            dimension: index,
            severity,
            what,
            query: dimension.focus.join(" "),
            by_model: false,
        });
    }
    gaps
}

/// Different numbers and flat denials between current documents matter; a replaced one is only mentioned.
fn disputes(memory: &Memory, facts: &Facts<'_>) -> Vec<Dispute> {
    facts
        .conflicts()
        .into_iter()
        .map(|conflict| {
            let severity = match conflict.kind {
                ConflictKind::Numbers | ConflictKind::Negation => Severity::High,
                ConflictKind::Dates => Severity::Medium,
                ConflictKind::Superseded => Severity::Low,
            };
            let key = format!("{}~{}", conflict.left, conflict.right);
            let resolution = memory.disputes.get(&key).and_then(|known| known.resolution.clone());
            Dispute { key, conflict, severity, resolution }
        })
        .collect()
}
