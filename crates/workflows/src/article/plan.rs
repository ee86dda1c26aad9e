//! A plan as data: steps, who works in each, what it is estimated to cost, and the graph it becomes.

use std::collections::BTreeMap;

use baton_engine::dag::{Dag, DagError, Task};
use serde::{Deserialize, Serialize};

use super::brief::Assignment;
use super::workers::{Category, Worker};

/// Part of a plan, by what it is for.
pub type Stage = Category;

/// Whether the workers of a step wait for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// All at once, except where one needs what another brings.
    Parallel,
    /// One after the other.
    Sequential,
}

/// What a feature of the brief adds to the complexity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// The feature.
    pub what: String,
    /// What it adds.
    pub points: f64,
}

/// What the planner made of the brief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// 0 to 1.
    pub complexity_score: f64,
    /// Where it comes from.
    pub points: Vec<Points>,
    /// Whether what is found leads to further searches.
    pub requires_multi_hop: bool,
    /// What is searched for.
    pub sub_topics: Vec<String>,
    /// Who is wanted.
    pub recommended_workers: Vec<Worker>,
    /// Why, one line each.
    pub reasons: Vec<String>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanStep {
    /// `step_1`.
    pub step_id: String,
    /// What it is for.
    pub phase: Stage,
    /// In words.
    pub description: String,
    /// Who works in it.
    pub worker_ids: Vec<Worker>,
    /// Whether they wait for one another.
    pub execution_mode: Mode,
    /// Steps that come before.
    pub depends_on: Vec<String>,
    /// US dollars: the sum of its workers.
    pub estimated_cost: f64,
    /// Seconds: the longest of its workers, or their sum.
    pub estimated_time_seconds: f64,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// `plan_001`.
    pub plan_id: String,
    /// The iteration it is for.
    pub iteration: u32,
    /// 0 to 1.
    pub complexity: f64,
    /// The steps.
    pub steps: Vec<PlanStep>,
    /// What is searched for.
    pub queries: Vec<String>,
    /// How many times the usual number of sentences a search brings.
    pub reach: usize,
    /// US dollars.
    pub estimated_total_cost: f64,
    /// Seconds.
    pub estimated_total_time: f64,
    /// What was changed about it, and why.
    #[serde(default)]
    pub optimization_notes: Vec<String>,
}

impl Plan {
    /// Everybody who works in it, in order.
    pub fn workers(&self) -> impl Iterator<Item = Worker> {
        self.steps.iter().flat_map(|step| step.worker_ids.iter().copied())
    }

    /// Whether somebody works in it.
    #[must_use]
    pub fn has(&self, worker: Worker) -> bool {
        self.workers().any(|one| one == worker)
    }

    /// Computes all estimates again.
    pub fn estimate(&mut self, assignment: &Assignment) {
        for step in &mut self.steps {
            let costs = step.worker_ids.iter().map(|worker| worker.estimate(assignment));
            let (mut cost, mut longest, mut sum) = (0.0, 0.0_f64, 0.0);
            for estimate in costs {
                cost += estimate.usd;
                longest = longest.max(estimate.seconds);
                sum += estimate.seconds;
            }
            step.estimated_cost = cents(cost);
            step.estimated_time_seconds = if step.execution_mode == Mode::Parallel { longest } else { sum };
        }
        self.estimated_total_cost = cents(self.steps.iter().map(|step| step.estimated_cost).sum());
        self.estimated_total_time = self.steps.iter().map(|step| step.estimated_time_seconds).sum();
    }

    /// The graph it becomes: one task for each worker, waiting for the steps before it and for whom it needs.
    pub fn dag(&self) -> Result<Dag, DagError> {
        let of_step: BTreeMap<&str, &[Worker]> =
            self.steps.iter().map(|step| (step.step_id.as_str(), step.worker_ids.as_slice())).collect();
        let mut tasks = Vec::new();
        for step in &self.steps {
            for (at, worker) in step.worker_ids.iter().enumerate() {
                let before =
                    step.depends_on.iter().filter_map(|id| of_step.get(id.as_str())).flat_map(|it| it.iter());
                let inside =
                    step.worker_ids.iter().enumerate().filter(|(other, one)| match step.execution_mode {
                        Mode::Sequential => *other < at,
                        Mode::Parallel => worker.needs().contains(one),
                    });
                let names =
                    before.copied().chain(inside.map(|(_, one)| *one)).map(|one| one.name().to_owned());
                let task = Task::new(worker.name()).after(names.collect::<Vec<_>>());
                tasks.push(if worker.is_critical() { task } else { task.optional() });
            }
        }
        Dag::new(tasks)
    }

    /// Numbers the steps and lets each wait for the one before.
    pub fn number(&mut self) {
        self.steps.retain(|step| !step.worker_ids.is_empty());
        let mut before: Option<String> = None;
        for (at, step) in self.steps.iter_mut().enumerate() {
            step.step_id = format!("step_{}", at + 1);
            step.depends_on = before.take().into_iter().collect();
            before = Some(step.step_id.clone());
        }
    }
}

/// To the hundredth of a cent.
pub fn cents(usd: f64) -> f64 {
    (usd * 10_000.0).round() / 10_000.0
}
