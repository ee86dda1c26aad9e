//! The plan a person approves: dimensions, and the tasks that cover them. Its hash binds an approval to it.

use std::collections::BTreeSet;

use baton_engine::Hash;
use baton_engine::dag::{Dag, DagError, Task, TaskId};
use serde::{Deserialize, Serialize};

/// What a task does; the first letter of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// `P`: planning, preparing the places to search.
    Plan,
    /// `S`: searching.
    Search,
    /// `R`: reading.
    Read,
    /// `C`: resolving a conflict.
    Conflict,
}

impl TaskKind {
    /// By the first letter of an id; `E` is an older name for searching.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        match id.chars().next()? {
            'P' => Some(Self::Plan),
            'S' | 'E' => Some(Self::Search),
            'R' => Some(Self::Read),
            'C' => Some(Self::Conflict),
            _ => None,
        }
    }

    /// The id of the task of this kind with this number.
    #[must_use]
    pub fn id(self, number: usize) -> TaskId {
        let letter = match self {
            Self::Plan => 'P',
            Self::Search => 'S',
            Self::Read => 'R',
            Self::Conflict => 'C',
        };
        TaskId(format!("{letter}{number}"))
    }

    /// As task.md writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "Plan",
            Self::Search => "Search",
            Self::Read => "Read",
            Self::Conflict => "Conflict",
        }
    }

    /// The agent it is dispatched to.
    #[must_use]
    pub fn agent(self) -> &'static str {
        match self {
            Self::Plan => "planner",
            Self::Search => "searcher",
            Self::Read => "reader",
            Self::Conflict => "resolver",
        }
    }
}

/// One thing to find out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// A short name, the title of its section.
    pub name: String,
    /// The question it answers.
    pub question: String,
    /// What to look for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<String>,
}

/// One task as the plan has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duty {
    /// `P1`, `S2`, `R2`, `C1`…
    pub id: TaskId,
    /// In a few words.
    pub description: String,
    /// Which dimension it serves, counted from 0; none for those that serve all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<usize>,
    /// What is searched for or read for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// What must be over before it begins.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub depends_on: BTreeSet<TaskId>,
    /// Whether a person is told when it is lost.
    #[serde(default)]
    pub critical: bool,
    /// The conflict it looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// The failed task it makes up for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub makes_up_for: Option<TaskId>,
}

impl Duty {
    /// What it does.
    #[must_use]
    pub fn kind(&self) -> TaskKind {
        TaskKind::of(&self.id.0).unwrap_or(TaskKind::Search)
    }

    /// As the scheduler has it. A search may fail without taking the report with it.
    #[must_use]
    pub fn task(&self) -> Task {
        let task = Task::new(self.id.clone()).after(self.depends_on.iter().cloned());
        if matches!(self.kind(), TaskKind::Plan | TaskKind::Search) { task } else { task.optional() }
    }
}

/// Where a task's id stands in the order of a plan: kinds in the order P, S, R, C, then by number.
#[must_use]
pub fn order(id: &str) -> (u8, u32) {
    let letter = id.chars().next().unwrap_or('~');
    let rank = "KPSERC".find(letter).unwrap_or(9);
    let number = id.get(1..).and_then(|rest| rest.parse().ok()).unwrap_or(u32::MAX);
    (u8::try_from(rank).unwrap_or(u8::MAX), number)
}

/// What is approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Counts up with every change.
    pub revision: u32,
    /// The question in one sentence.
    pub core_question: String,
    /// What to find out; the first is the question itself.
    pub dimensions: Vec<Dimension>,
    /// The tasks, in the order of [`order`].
    pub tasks: Vec<Duty>,
    /// Tasks that were finished in an earlier life of this plan (`--from`).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub done: BTreeSet<TaskId>,
    /// What is left out on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclusions: Vec<String>,
    /// Who drafted it: `rules` or a model's name.
    #[serde(default)]
    pub by: String,
}

impl Plan {
    /// A plan of the usual shape: one search and one reading for each dimension, after one preparation.
    #[must_use]
    pub fn of(core_question: &str, dimensions: Vec<Dimension>, by: &str) -> Self {
        let mut tasks = vec![Duty {
            id: TaskKind::Plan.id(1),
            description: "Prepare the places to search".to_owned(),
            dimension: None,
            query: String::new(),
            depends_on: BTreeSet::new(),
            critical: true,
            conflict: None,
            makes_up_for: None,
        }];
        for (index, dimension) in dimensions.iter().enumerate() {
            tasks.extend(covering(index, index + 1, dimension, [TaskKind::Plan.id(1)].into()));
        }
        tasks.sort_by_key(|duty| order(&duty.id.0));
        Self {
            revision: 1,
            core_question: core_question.to_owned(),
            dimensions,
            tasks,
            done: BTreeSet::new(),
            exclusions: Vec::new(),
            by: by.to_owned(),
        }
    }

    /// What an approval is bound to: everything a person sees of the plan.
    #[must_use]
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        Hash::of(text.as_bytes()).to_string().chars().take(16).collect()
    }

    /// The graph of its tasks; an error names the task that waits for itself or for nothing.
    pub fn dag(&self) -> Result<Dag, DagError> {
        let left = |duty: &&Duty| !self.done.contains(&duty.id);
        let task = |duty: &Duty| {
            let mut task = duty.task();
            task.depends_on.retain(|id| !self.done.contains(id));
            task
        };
        Dag::new(self.tasks.iter().filter(left).map(task).collect())
    }

    /// The iterations it takes if nothing goes wrong.
    #[must_use]
    pub fn estimate(&self) -> usize {
        self.tasks.len() - self.done.len()
    }
}

/// The search and the reading that cover a dimension, numbered `number`.
#[must_use]
pub fn covering(index: usize, number: usize, dimension: &Dimension, after: BTreeSet<TaskId>) -> [Duty; 2] {
    let search = TaskKind::Search.id(number);
    let query = dimension.question.clone();
    [
        Duty {
            id: search.clone(),
            description: format!("Search: {}", dimension.name),
            dimension: Some(index),
            query: query.clone(),
            depends_on: after,
            critical: true,
            conflict: None,
            makes_up_for: None,
        },
        Duty {
            id: TaskKind::Read.id(number),
            description: format!("Read: {}", dimension.name),
            dimension: Some(index),
            query,
            depends_on: [search].into(),
            critical: false,
            conflict: None,
            makes_up_for: None,
        },
    ]
}
