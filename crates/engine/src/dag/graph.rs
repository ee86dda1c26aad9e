//! The graph itself: what is ready, and what one task's end means for the others. Pure.

use serde::{Deserialize, Serialize};

use super::check::{DagError, Tasks, insert, principals, sound};
use super::task::{Task, TaskEnd, TaskEnding, TaskId, TaskStatus};

/// Tasks and what they wait for. A graph that exists is sound: reading a stored one checks it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Task>", try_from = "Vec<Task>")]
pub struct Dag {
    tasks: Tasks,
}

/// What a dependency says to those who wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Wait,
    Go,
    Never,
}

impl Dag {
    /// A graph of these tasks.
    pub fn new(tasks: Vec<Task>) -> Result<Self, DagError> {
        let mut dag = Self::default();
        dag.add(tasks)?;
        Ok(dag)
    }

    /// Adds tasks, also while others run. What they depend on must be there or come with them; a fallback
    /// comes together with the task it stands in for.
    pub fn add(&mut self, batch: Vec<Task>) -> Result<(), DagError> {
        self.tasks = self.grown(batch, None)?;
        self.settle();
        Ok(())
    }

    /// All tasks, by name.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.values()
    }

    /// The task with this name.
    pub fn get(&self, id: &TaskId) -> Option<&Task> {
        self.tasks.get(id)
    }

    /// The tasks that may begin now, by name.
    pub fn ready(&self) -> Vec<&Task> {
        self.tasks().filter(|task| task.status == TaskStatus::Pending).collect()
    }

    /// Whether every task is final.
    pub fn is_over(&self) -> bool {
        self.tasks().all(|task| task.status.is_final())
    }

    /// Whether something is left to do and nothing can be done about it. Never true; here so that it can be checked.
    pub fn stuck(&self) -> bool {
        let moves = |task: &Task| matches!(task.status, TaskStatus::Pending | TaskStatus::InProgress);
        !self.is_over() && !self.tasks().any(moves)
    }

    /// Critical tasks that failed and that nothing stood in for. If there are any, the graph has failed.
    /// A fallback is judged by the task it stands in for, so it is never lost itself.
    pub fn lost(&self) -> Vec<&Task> {
        let stands_in = |task: &Task| principals(&self.tasks, &task.id).next().is_some();
        let failed = self.tasks().filter(|task| task.status == TaskStatus::Failed);
        failed.filter(|task| self.says(task) == Says::Never && !stands_in(task)).collect()
    }

    /// A ready task begins. One that is under way may begin again: whoever was at it is gone.
    pub fn start(&mut self, id: &TaskId) -> Result<(), DagError> {
        let task = self.task(id)?;
        if !matches!(task.status, TaskStatus::Pending | TaskStatus::InProgress) {
            return Err(DagError::NotReady { id: id.clone(), status: task.status });
        }
        task.status = TaskStatus::InProgress;
        Ok(())
    }

    /// A task that is under way ends.
    pub fn finish(&mut self, id: &TaskId, ending: &TaskEnding) -> Result<(), DagError> {
        let task = self.task(id)?;
        if task.status != TaskStatus::InProgress {
            return Err(DagError::NotStarted { id: id.clone(), status: task.status });
        }
        (task.status, task.why) = match ending {
            TaskEnding::Completed => (TaskStatus::Completed, None),
            TaskEnding::Failed { why } => (TaskStatus::Failed, Some(why.clone())),
            TaskEnding::Skipped { why } => (TaskStatus::Skipped, Some(why.clone())),
        };
        self.settle();
        Ok(())
    }

    /// Goes on without a task, whether it is under way or not.
    pub fn skip(&mut self, id: &TaskId, why: &str) -> Result<(), DagError> {
        let task = self.task(id)?;
        if task.status.is_final() {
            return Err(DagError::NotStarted { id: id.clone(), status: task.status });
        }
        (task.status, task.why) = (TaskStatus::Skipped, Some(why.to_owned()));
        self.settle();
        Ok(())
    }

    /// Calls off everything that is not final, also what is under way.
    pub fn cancel_rest(&mut self, why: &str) {
        for task in self.tasks.values_mut().filter(|task| !task.status.is_final()) {
            (task.status, task.why) = (TaskStatus::Cancelled, Some(why.to_owned()));
        }
    }

    /// What failed, was skipped or called off may be tried again; what was completed stays so.
    pub fn reopen(&mut self) {
        for task in self.tasks.values_mut().filter(|task| task.status != TaskStatus::Completed) {
            (task.status, task.why) = (TaskStatus::Blocked, None);
        }
        self.settle();
    }

    /// Folds the end of a task, whether or not its beginning was folded: all of it or nothing.
    pub fn apply(&mut self, end: &TaskEnd) -> Result<(), DagError> {
        let fallback = end.fallback.as_ref().map(|fallback| (&end.id, fallback));
        let mut next = Self { tasks: self.grown(end.add.clone(), fallback)? };
        next.start(&end.id)?;
        next.finish(&end.id, &end.ending)?;
        if let Some(why) = &end.cancel_rest {
            next.cancel_rest(why);
        }
        *self = next;
        Ok(())
    }

    /// Tasks that were under way when their process ended are ready again.
    pub(super) fn begin_again(&mut self) {
        for task in self.tasks.values_mut().filter(|task| task.status == TaskStatus::InProgress) {
            task.status = TaskStatus::Pending;
        }
    }

    /// Starts up to `free` tasks that are ready, by name.
    pub(super) fn start_ready(&mut self, free: usize) -> Vec<Task> {
        let ready = self.tasks.values_mut().filter(|task| task.status == TaskStatus::Pending);
        let begin = |task: &mut Task| {
            task.status = TaskStatus::InProgress;
            task.clone()
        };
        ready.take(free).map(begin).collect()
    }

    /// The tasks with a batch added, and a fallback from it given to a task that had none.
    fn grown(&self, batch: Vec<Task>, fallback: Option<(&TaskId, &TaskId)>) -> Result<Tasks, DagError> {
        if let Some(task) = batch.iter().find(|task| !task.status.waits()) {
            return Err(DagError::NotNew { id: task.id.clone(), status: task.status });
        }
        let named = batch.iter().filter_map(|task| Some((&task.id, task.fallback.as_ref()?)));
        if let Some((id, fallback)) = named.chain(fallback).find(|(_, name)| self.tasks.contains_key(*name)) {
            return Err(DagError::FallbackNotNew { id: id.clone(), fallback: fallback.clone() });
        }
        let mut tasks = self.tasks.clone();
        insert(&mut tasks, batch)?;
        if let Some((id, fallback)) = fallback {
            let task = tasks.get_mut(id).ok_or_else(|| DagError::Unknown(id.clone()))?;
            if let Some(has) = task.fallback.replace(fallback.clone()) {
                return Err(DagError::HasFallback { id: id.clone(), fallback: has });
            }
        }
        sound(&tasks)?;
        Ok(tasks)
    }

    fn task(&mut self, id: &TaskId) -> Result<&mut Task, DagError> {
        self.tasks.get_mut(id).ok_or_else(|| DagError::Unknown(id.clone()))
    }

    /// Decides every waiting task anew, until nothing changes: skipping one may decide the next.
    fn settle(&mut self) {
        loop {
            let waiting = self.tasks().filter(|task| task.status.waits());
            let decided = waiting.map(|task| (task, self.decide(task)));
            let changed: Vec<_> = decided
                .filter(|(task, (status, _))| task.status != *status)
                .map(|(task, decision)| (task.id.clone(), decision))
                .collect();
            if changed.is_empty() {
                return;
            }
            for (id, decision) in changed {
                if let Some(task) = self.tasks.get_mut(&id) {
                    (task.status, task.why) = decision;
                }
            }
        }
    }

    /// Where a task that has not begun should stand, and why. Nothing is decided before everything it waits
    /// for is final, so neither depends on what was final first.
    fn decide(&self, task: &Task) -> (TaskStatus, Option<String>) {
        let mut principals = principals(&self.tasks, &task.id).peekable();
        if principals.peek().is_some() {
            let (mut called, mut all_final) = (false, true);
            for principal in principals {
                called |= principal.status == TaskStatus::Failed;
                all_final &= principal.status.is_final();
            }
            match (called, all_final) {
                (true, _) => {}
                (false, false) => return (TaskStatus::Blocked, None),
                (false, true) => return (TaskStatus::Skipped, Some("it was not needed".to_owned())),
            }
        }
        let dependencies = || task.depends_on.iter().filter_map(|id| self.tasks.get(id));
        if dependencies().any(|dependency| self.says(dependency) == Says::Wait) {
            return (TaskStatus::Blocked, None);
        }
        let missing: Vec<&str> = dependencies()
            .filter(|dependency| self.says(dependency) == Says::Never)
            .map(|dependency| dependency.id.0.as_str())
            .collect();
        if missing.is_empty() {
            return (TaskStatus::Pending, None);
        }
        (TaskStatus::Skipped, Some(format!("it needs {}", missing.join(", "))))
    }

    /// What a task says to its dependants. If it failed and has a fallback, that speaks for it.
    fn says(&self, task: &Task) -> Says {
        let mut speaker = task;
        while speaker.status == TaskStatus::Failed
            && let Some(fallback) = speaker.fallback.as_ref().and_then(|id| self.tasks.get(id))
        {
            speaker = fallback;
        }
        match speaker.status {
            TaskStatus::Completed => Says::Go,
            TaskStatus::Failed | TaskStatus::Skipped | TaskStatus::Cancelled if task.critical => Says::Never,
            TaskStatus::Failed | TaskStatus::Skipped | TaskStatus::Cancelled => Says::Go,
            TaskStatus::Pending | TaskStatus::Blocked | TaskStatus::InProgress => Says::Wait,
        }
    }
}

impl TryFrom<Vec<Task>> for Dag {
    type Error = DagError;

    fn try_from(list: Vec<Task>) -> Result<Self, DagError> {
        let mut tasks = Tasks::new();
        insert(&mut tasks, list)?;
        sound(&tasks)?;
        let mut dag = Self { tasks };
        dag.settle();
        Ok(dag)
    }
}

impl From<Dag> for Vec<Task> {
    fn from(dag: Dag) -> Self {
        dag.tasks.into_values().collect()
    }
}
