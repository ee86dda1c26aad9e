//! Which graphs are refused, and why.

use std::collections::{BTreeMap, BTreeSet};

use super::task::{Task, TaskId, TaskStatus};

/// The tasks of a graph.
pub(super) type Tasks = BTreeMap<TaskId, Task>;

/// Why a graph does not take a change. It is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DagError {
    /// Names of steps derive from a task's name.
    #[error("`{0}` cannot name a task: names may not be empty or contain / ~ or ?")]
    BadId(TaskId),
    /// Two tasks with one name.
    #[error("there is already a task {0}")]
    Duplicate(TaskId),
    /// A task that is to be added is under way or final.
    #[error("task {id} cannot be added, it is {status}")]
    NotNew {
        /// The task.
        id: TaskId,
        /// Where it stands.
        status: TaskStatus,
    },
    /// A dependency is neither there nor added with it.
    #[error("task {id} depends on {on}, which does not exist")]
    UnknownDependency {
        /// The task.
        id: TaskId,
        /// What it depends on.
        on: TaskId,
    },
    /// A task depends on itself.
    #[error("task {0} depends on itself")]
    SelfDependency(TaskId),
    /// A fallback does not exist.
    #[error("task {id} falls back to {fallback}, which does not exist")]
    UnknownFallback {
        /// The task.
        id: TaskId,
        /// Its fallback.
        fallback: TaskId,
    },
    /// A fallback that may have begun already: whether it has would depend on timing.
    #[error("task {id} falls back to {fallback}, which was there before: a fallback comes with its task")]
    FallbackNotNew {
        /// The task.
        id: TaskId,
        /// Its fallback.
        fallback: TaskId,
    },
    /// A task cannot get a second fallback.
    #[error("task {id} already falls back to {fallback}")]
    HasFallback {
        /// The task.
        id: TaskId,
        /// The fallback it has.
        fallback: TaskId,
    },
    /// Tasks that would wait for each other. A task waits for its dependencies and their fallbacks; a fallback
    /// waits for the task it stands in for.
    #[error("these tasks would wait for each other: {}", arrows(.0))]
    Cycle(
        /// The tasks, each waiting for the next; the last is the first again.
        Vec<TaskId>,
    ),
    /// No such task.
    #[error("there is no task {0}")]
    Unknown(TaskId),
    /// A task that is not ready is started.
    #[error("task {id} cannot be started, it is {status}")]
    NotReady {
        /// The task.
        id: TaskId,
        /// Where it stands.
        status: TaskStatus,
    },
    /// A task that is not under way is finished.
    #[error("task {id} cannot be finished, it is {status}")]
    NotStarted {
        /// The task.
        id: TaskId,
        /// Where it stands.
        status: TaskStatus,
    },
}

fn arrows(path: &[TaskId]) -> String {
    path.iter().map(|id| id.0.as_str()).collect::<Vec<_>>().join(" → ")
}

/// Puts new tasks beside those that are there. Whether they fit together is for [`sound`] to say.
pub(super) fn insert(tasks: &mut Tasks, batch: impl IntoIterator<Item = Task>) -> Result<(), DagError> {
    for task in batch {
        if task.id.0.is_empty() || task.id.0.contains(['/', '~', '?']) {
            return Err(DagError::BadId(task.id));
        }
        if tasks.contains_key(&task.id) {
            return Err(DagError::Duplicate(task.id));
        }
        tasks.insert(task.id.clone(), task);
    }
    Ok(())
}

/// Whether every name leads to a task and no task waits for itself.
pub(super) fn sound(tasks: &Tasks) -> Result<(), DagError> {
    for task in tasks.values() {
        let id = task.id.clone();
        if task.depends_on.contains(&id) {
            return Err(DagError::SelfDependency(id));
        }
        if let Some(on) = task.depends_on.iter().find(|on| !tasks.contains_key(*on)) {
            return Err(DagError::UnknownDependency { id, on: on.clone() });
        }
        if let Some(fallback) = task.fallback.as_ref().filter(|fallback| !tasks.contains_key(*fallback)) {
            return Err(DagError::UnknownFallback { id, fallback: fallback.clone() });
        }
    }
    cycle(tasks).map_or(Ok(()), |path| Err(DagError::Cycle(path)))
}

/// The tasks this one is a fallback of.
pub(super) fn principals<'a>(tasks: &'a Tasks, id: &'a TaskId) -> impl Iterator<Item = &'a Task> {
    tasks.values().filter(move |task| task.fallback.as_ref() == Some(id))
}

/// Everything a task may have to wait for.
pub(super) fn waits_for<'a>(tasks: &'a Tasks, task: &'a Task) -> BTreeSet<&'a TaskId> {
    let fallback = |id: &TaskId| tasks.get(id).and_then(|task| task.fallback.as_ref());
    let mut on = BTreeSet::new();
    for dependency in &task.depends_on {
        // Fallbacks that lead back to themselves are not refused yet, so the chain is cut to length.
        on.extend(std::iter::successors(Some(dependency), |id| fallback(id)).take(tasks.len() + 1));
    }
    on.extend(principals(tasks, &task.id).map(|principal| &principal.id));
    on
}

/// Tasks that wait for each other, if there are any.
fn cycle(tasks: &Tasks) -> Option<Vec<TaskId>> {
    let mut waiting: BTreeMap<&TaskId, BTreeSet<&TaskId>> =
        tasks.values().map(|task| (&task.id, waits_for(tasks, task))).collect();
    let mut over: BTreeSet<&TaskId> = BTreeSet::new();
    loop {
        let before = over.len();
        waiting.retain(|id, on| {
            let free = on.is_subset(&over);
            if free {
                over.insert(id);
            }
            !free
        });
        if over.len() == before {
            break;
        }
    }
    // Whatever is left waits for something that is left, so following it must come round.
    let mut path: Vec<&TaskId> = vec![*waiting.keys().next()?];
    loop {
        let next = *waiting.get(path.last()?)?.iter().find(|id| waiting.contains_key(*id))?;
        let met = path.iter().position(|id| *id == next);
        path.push(next);
        if let Some(first) = met {
            return Some(path.into_iter().skip(first).cloned().collect());
        }
    }
}
