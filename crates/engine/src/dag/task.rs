//! What a graph is made of: tasks, and how they end. Data only.

use std::collections::BTreeSet;
use std::fmt;

use baton_machine::{Word, words};
use serde::{Deserialize, Serialize};

/// A task's name. The names of its steps derive from it, so it may not be empty or contain `/`, `~` or `?`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub String);

impl From<&str> for TaskId {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl From<String> for TaskId {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

words! {
    /// Where a task stands.
    pub enum TaskStatus {
        /// Ready: everything it depends on allows it.
        Pending = "PENDING",
        /// Waits for its dependencies, or for the task it would stand in for.
        Blocked = "BLOCKED",
        /// Under way.
        InProgress = "IN_PROGRESS",
        /// Did what it was for.
        Completed = "COMPLETED",
        /// Did not.
        Failed = "FAILED",
        /// Was not tried, or was given up on purpose.
        Skipped = "SKIPPED",
        /// Was called off together with everything else.
        Cancelled = "CANCELLED",
    }
}

impl TaskStatus {
    /// Whether it never changes again.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Skipped | Self::Cancelled)
    }

    /// Whether the task has not begun and may still begin.
    pub(super) fn waits(self) -> bool {
        matches!(self, Self::Pending | Self::Blocked)
    }
}

impl fmt::Display for TaskStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One task of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// The tasks that must be final before it may begin.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub depends_on: BTreeSet<TaskId>,
    /// Where it stands; the graph keeps this.
    pub(super) status: TaskStatus,
    /// Whether its dependants are lost without it.
    pub critical: bool,
    /// How long it may take, in milliseconds from its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The task that stands in for it if it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<TaskId>,
    /// Why it was not completed; the graph keeps this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

impl Task {
    /// A critical task that depends on nothing, may take forever and has no fallback.
    pub fn new(id: impl Into<TaskId>) -> Self {
        Self {
            id: id.into(),
            depends_on: BTreeSet::new(),
            status: TaskStatus::Blocked,
            critical: true,
            timeout_ms: None,
            fallback: None,
            why: None,
        }
    }

    /// Must not begin before these are final.
    #[must_use]
    pub fn after<I: Into<TaskId>>(mut self, ids: impl IntoIterator<Item = I>) -> Self {
        self.depends_on.extend(ids.into_iter().map(Into::into));
        self
    }

    /// Its dependants can do without it.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.critical = false;
        self
    }

    /// Fails when it takes longer than this.
    #[must_use]
    pub fn within_ms(mut self, timeout: u64) -> Self {
        self.timeout_ms = Some(timeout);
        self
    }

    /// If it fails, this task stands in for it.
    #[must_use]
    pub fn or_else(mut self, fallback: impl Into<TaskId>) -> Self {
        self.fallback = Some(fallback.into());
        self
    }

    /// Where it stands.
    pub fn status(&self) -> TaskStatus {
        self.status
    }

    /// Why it was not completed.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEnding {
    /// It did what it was for.
    Completed,
    /// It did not.
    Failed {
        /// What went wrong.
        why: String,
    },
    /// It was given up on purpose.
    Skipped {
        /// The reason.
        why: String,
    },
}

/// One finished task and what follows from it: journaled inside an event of the workflow, folded by
/// [`Dag::apply`](super::Dag::apply).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskEnd {
    /// The task.
    pub id: TaskId,
    /// How it ended.
    pub ending: TaskEnding,
    /// Tasks that are added because of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<Task>,
    /// One of the added tasks, which stands in for this one if it failed: found only now, a fallback all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<TaskId>,
    /// Calls everything off that is not final, for this reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_rest: Option<String>,
}

impl TaskEnd {
    /// An end from which nothing else follows.
    pub fn new(id: impl Into<TaskId>, ending: TaskEnding) -> Self {
        Self { id: id.into(), ending, add: Vec::new(), fallback: None, cancel_rest: None }
    }
}
