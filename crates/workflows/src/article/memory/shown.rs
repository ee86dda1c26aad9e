//! What the seed's state shows of tasks and results, computed from what the run has learnt.

use baton_engine::dag::TaskEnding;
use baton_machine::Word;
use serde_json::{Value, json};

use super::{Memory, TaskRecord, slot};
use crate::article::plan::Plan;
use crate::article::workers::{Category, WorkerOutput, WorkerResult};

impl Memory {
    /// The tasks of all iterations, as the seed's state shows them.
    #[must_use]
    pub fn tasks(&self) -> Vec<TaskRecord> {
        let done = self.outputs.values().map(|output| {
            let (status, error) = match &output.end.ending {
                TaskEnding::Completed => ("COMPLETED", None),
                TaskEnding::Failed { why } => ("FAILED", Some(why.clone())),
                TaskEnding::Skipped { why } => ("SKIPPED", Some(why.clone())),
            };
            TaskRecord {
                worker_id: output.worker,
                iteration: output.iteration,
                priority: output.worker.priority().to_owned(),
                status: status.to_owned(),
                attempts: output.attempts,
                kept: output.kept,
                error,
            }
        });
        let mut tasks: Vec<TaskRecord> = done.collect();
        let open = self.current_plan.iter().flat_map(Plan::workers);
        for worker in open.filter(|worker| !self.outputs.contains_key(&slot(self.iteration_count, *worker))) {
            let status = self.dag.get(&worker.name().into()).map_or("PENDING", |task| task.status().name());
            tasks.push(TaskRecord {
                worker_id: worker,
                iteration: self.iteration_count,
                priority: worker.priority().to_owned(),
                status: status.to_owned(),
                attempts: 0,
                kept: false,
                error: None,
            });
        }
        tasks
    }

    /// What the workers of one category brought, as the seed's state shows it.
    #[must_use]
    pub fn results(&self, category: Category) -> Vec<Value> {
        let own = self.outputs.values().filter(|output| output.worker.category() == category);
        let value = |output: &WorkerOutput| {
            let mut value = serde_json::to_value(&output.result).unwrap_or_default();
            if let Some(object) = value.as_object_mut() {
                object.shift_insert(0, "worker".to_owned(), json!(output.worker));
                object.shift_insert(1, "iteration".to_owned(), json!(output.iteration));
            }
            value
        };
        own.filter(|output| output.result != WorkerResult::Nothing).map(value).collect()
    }
}
