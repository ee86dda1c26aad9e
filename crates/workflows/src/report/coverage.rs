//! What of the brief is answered, and whether to go on: the seed's coverage.json and questions_plan.json.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::memory::Memory;
use super::order::MAX_ITERATIONS;
use super::plan::{Plan, TaskKind};
use super::results::Outcome;

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// More tasks.
    Continue,
    /// Enough, or nothing more can be done.
    Done,
}

/// What of a scope item is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScopeCoverage {
    /// The scope item.
    pub topic: String,
    /// Per cent of its questions.
    pub coverage_percent: f64,
    /// Its questions that are answered.
    pub covered_aspects: Vec<String>,
    /// Those that are not.
    pub missing_aspects: Vec<String>,
}

/// What of the brief is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// The round, counted from 1.
    pub iteration: u32,
    /// Per cent of all questions.
    pub overall_coverage: f64,
    /// Per cent wanted.
    pub target: u32,
    /// Item by item.
    pub by_scope: BTreeMap<String, ScopeCoverage>,
    /// Whether to go on.
    pub decision: Decision,
    /// Why.
    pub reason: String,
}

/// A question that came up, and what is done about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    /// `q1`.
    pub id: String,
    /// The question.
    pub question: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
    /// `execute` or `skip`.
    pub action: String,
    /// Who is to answer it.
    pub task_type: TaskKind,
    /// Why.
    pub reason: String,
}

/// What is done about what is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionsPlan {
    /// The round it was made in.
    pub iteration: u32,
    /// How many questions are open.
    pub total_questions: usize,
    /// What is done about each.
    pub filtered: Vec<FollowUp>,
    /// The tasks that come of it.
    pub tasks_created: Vec<String>,
    /// In a sentence.
    pub summary: String,
}

/// A review of what the tasks brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// What is answered.
    pub coverage: Coverage,
    /// What is done about the rest, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub questions_plan: Option<QuestionsPlan>,
    /// The tasks of the next round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<Box<Plan>>,
}

/// Parts of a question that nothing was made of.
#[must_use]
pub fn left_of(memory: &Memory, scope: &str, question: &str) -> Vec<String> {
    memory.plan.iter().flat_map(|plan| plan.left_of(scope, question)).cloned().collect()
}

/// Whether a question of a scope item is answered: by a figure that was asked for, or by words that address it, and whole.
#[must_use]
pub fn is_answered(memory: &Memory, scope: &str, question: &str) -> bool {
    left_of(memory, scope, question).is_empty()
        && memory.results.values().any(|result| {
            result.scope == scope
                && result.question == question
                && result.kind != TaskKind::Overview
                && result.status == Outcome::Done
        })
}

/// What is answered now; the decision is made by whoever plans on.
#[must_use]
pub fn measure(memory: &Memory) -> Coverage {
    let mut by_scope = BTreeMap::new();
    let (mut all, mut answered, mut in_part) = (0, 0, 0);
    for item in memory.brief.iter().flat_map(|brief| &brief.scope_items) {
        let (covered, missing): (Vec<String>, Vec<String>) =
            item.questions.iter().cloned().partition(|question| is_answered(memory, &item.id, question));
        all += item.questions.len();
        answered += covered.len();
        let parts = missing.iter().filter(|question| is_partly_answered(memory, &item.id, question)).count();
        in_part += parts;
        by_scope.insert(
            item.id.clone(),
            ScopeCoverage {
                topic: item.topic.clone(),
                coverage_percent: percent(covered.len(), parts, item.questions.len()),
                covered_aspects: covered,
                missing_aspects: missing,
            },
        );
    }
    let overall = percent(answered, in_part, all);
    let target = memory.order.coverage_target;
    let is_enough = overall + 1e-9 >= f64::from(target);
    Coverage {
        iteration: memory.round,
        overall_coverage: overall,
        target,
        by_scope,
        decision: if is_enough { Decision::Done } else { Decision::Continue },
        reason: match in_part {
            0 => format!("{answered} of {all} questions are answered"),
            _ => format!("{answered} of {all} questions are answered, {in_part} in part"),
        },
    }
}

/// Whether there is an answer to a part of a question.
fn is_partly_answered(memory: &Memory, scope: &str, question: &str) -> bool {
    let done = |result: &&super::results::TaskResult| result.status == Outcome::Done;
    !left_of(memory, scope, question).is_empty()
        && memory.results_to(scope, question, TaskKind::Data).filter(done).count() > 0
}

/// What is answered in part counts half.
fn percent(answered: usize, in_part: usize, whole: usize) -> f64 {
    let done = answered as f64 + 0.5 * in_part as f64;
    if whole == 0 { 0.0 } else { (1000.0 * done / whole as f64).round() / 10.0 }
}

/// Rounds of tasks that a run may have, the first one included.
#[must_use]
pub fn most_rounds(memory: &Memory) -> u32 {
    (memory.depth().max_iterations() + 1).min(MAX_ITERATIONS)
}
