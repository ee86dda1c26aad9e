//! task.md: the plan, the knowledge graph and the scratchpad of a run in one file a person can read. It is
//! written from memory and never read back into its run; [`parse`] reads it when a person edits a plan or
//! starts another run from it.

mod line;
mod parse;
mod render;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{TaskId, TaskStatus};

use crate::research::plan::{Dimension, Duty, Plan, order};

pub use line::render as task_line;
pub use parse::parse;
pub use render::{QUALITY, archive, plan_form, render, source_requirements, time_scope};

/// The file that has what is over and done.
pub const ARCHIVE: &str = "logs/archive.md";

/// The headings of the six sections.
pub const SECTIONS: [&str; 6] = [
    "# 1. Research Objectives & Constraints (Directives)",
    "# 2. Execution Plan (DAG Scheduler)",
    "# 3. Knowledge Graph",
    "# 4. Source Registry",
    "# 5. Scratchpad",
    "# 6. Final Report",
];

/// What is wrong with a task file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for ParseError {}

/// The head of a task file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// `DR-YYYYMMDD-NNN`.
    pub mission: String,
    /// When the run began.
    pub created: String,
    /// The state it stood in.
    pub status: String,
    /// The question.
    pub topic: String,
    /// Tasks dispatched so far.
    pub iteration: u32,
    /// The safety limit.
    pub max_iterations: Option<u32>,
    /// The file that has what is over and done; older files have none.
    pub archive: String,
}

/// A task and where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLine {
    /// The task.
    pub duty: Duty,
    /// Where it stood.
    pub status: TaskStatus,
    /// Its line in the file.
    pub line: usize,
}

/// Where every task stood at one iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The iteration.
    pub iteration: u32,
    /// The tasks.
    pub statuses: BTreeMap<TaskId, TaskStatus>,
}

/// A task file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// Its head, if it has one: a plan to be edited has none.
    pub front: Option<Front>,
    /// The question in one sentence.
    pub core_question: String,
    /// The plan's revision.
    pub revision: u32,
    /// Who drafted it.
    pub by: String,
    /// What to find out.
    pub dimensions: Vec<Dimension>,
    /// What is left out on purpose.
    pub exclusions: Vec<String>,
    /// The tasks, in the order of a plan.
    pub tasks: Vec<TaskLine>,
    /// The checkpoints that could be read, oldest first.
    pub checkpoints: Vec<Checkpoint>,
}

impl TaskFile {
    /// The plan, with what was done of it by the newest consistent checkpoint.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let mut tasks: Vec<Duty> = self.tasks.iter().map(|task| task.duty.clone()).collect();
        tasks.sort_by_key(|duty| order(&duty.id.0));
        Plan {
            revision: self.revision,
            core_question: self.core_question.clone(),
            dimensions: self.dimensions.clone(),
            tasks,
            done: self.done(),
            exclusions: self.exclusions.clone(),
            by: self.by.clone(),
        }
    }

    /// What was completed; what was under way when the file was written counts as not begun.
    fn done(&self) -> BTreeSet<TaskId> {
        let boxes = Checkpoint {
            iteration: u32::MAX,
            statuses: self.tasks.iter().map(|task| (task.duty.id.clone(), task.status)).collect(),
        };
        let newest = self.checkpoints.iter().rev().find(|checkpoint| self.is_consistent(checkpoint));
        let chosen = newest.or_else(|| self.is_consistent(&boxes).then_some(&boxes));
        chosen.map(completed).unwrap_or_default()
    }

    /// Whether it speaks of tasks that exist, and nothing was completed before what it depends on.
    fn is_consistent(&self, checkpoint: &Checkpoint) -> bool {
        let done = completed(checkpoint);
        let known = |id: &TaskId| self.tasks.iter().any(|task| task.duty.id == *id);
        checkpoint.statuses.keys().all(known)
            && self
                .tasks
                .iter()
                .filter(|task| done.contains(&task.duty.id))
                .all(|task| task.duty.depends_on.is_subset(&done))
    }
}

fn completed(checkpoint: &Checkpoint) -> BTreeSet<TaskId> {
    let done = checkpoint.statuses.iter().filter(|(_, status)| **status == TaskStatus::Completed);
    done.map(|(id, _)| id.clone()).collect()
}
