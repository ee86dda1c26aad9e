//! The way a run went, read from its journal: what happened when, at which iteration, to which task, and
//! where every task stood after each iteration.

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{Ending, TaskId, TaskStatus};
use baton_engine::record::{Body, Happened, Payload};
use baton_engine::{Millis, Record};
use baton_machine::Workflow;

use crate::research::{Event, Memory, On, Research};

/// One thing that happened.
pub struct Moment {
    /// When.
    pub at: Millis,
    /// Tasks dispatched by then.
    pub iteration: u32,
    /// What.
    pub what: What,
}

/// What happened.
pub enum What {
    /// A row of the table was taken.
    Moved(Box<Moved>),
    /// Anything else the journal has.
    Other(Box<Body>),
}

/// A row that was taken.
pub struct Moved {
    /// The state it left.
    pub from: String,
    /// The state it led to.
    pub to: String,
    /// The event's name.
    pub on: On,
    /// The event. One that is kept apart because it is long is told from memory as far as memory has it.
    pub event: Option<Event>,
    /// The task it is about.
    pub task: Option<TaskId>,
}

/// Where every task stood after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The iteration.
    pub iteration: u32,
    /// The task that was dispatched.
    pub dispatched: Option<TaskId>,
    /// The tasks.
    pub statuses: BTreeMap<TaskId, TaskStatus>,
}

/// A journal as people follow it.
pub struct Story {
    /// When the run began.
    pub created: Millis,
    /// How many calls came back.
    pub calls: usize,
    /// What happened, in order.
    pub moments: Vec<Moment>,
}

impl Story {
    /// Reads a journal.
    pub fn of(records: Vec<Record>, memory: &Memory) -> Self {
        let mut story = Self {
            created: records.first().map_or(Millis(0), |first| first.at),
            calls: 0,
            moments: Vec::new(),
        };
        let mut iteration = 0;
        let mut last_task = None;
        let mut reflections = 0;
        for record in records {
            if let Body::Receipt(receipt) = &record.body {
                story.calls += 1;
                let name = receipt.key.name.split('/').next().map(TaskId::from);
                last_task = name.filter(|id| memory.duties.contains_key(id)).or(last_task);
            }
            let moved = match &record.body {
                Body::Event(happened) => moved(happened, last_task.as_ref(), memory, reflections),
                _ => None,
            };
            let what = match moved {
                Some(moved) => What::Moved(Box::new(moved)),
                None => What::Other(Box::new(record.body)),
            };
            if let What::Moved(moved) = &what {
                iteration += u32::from(moved.on == On::TaskDispatched);
                reflections += usize::from(matches!(moved.on, On::GapsFound | On::Complete));
            }
            story.moments.push(Moment { at: record.at, iteration, what });
        }
        story
    }

    /// The rows that were taken.
    pub fn moves(&self) -> impl Iterator<Item = (&Moment, &Moved)> {
        self.moments.iter().filter_map(|moment| match &moment.what {
            What::Moved(moved) => Some((moment, &**moved)),
            What::Other(_) => None,
        })
    }

    /// Where every task stood after each iteration, oldest first; the last one is the present.
    pub fn stands(&self, memory: &Memory) -> Vec<Stand> {
        let mut stands = Vec::new();
        let mut present = Stand { iteration: 0, dispatched: None, statuses: BTreeMap::new() };
        for (moment, moved) in self.moves() {
            if moved.on == On::TaskDispatched {
                stands.push(settled(&present, memory));
                present.iteration = moment.iteration;
                present.dispatched.clone_from(&moved.task);
            }
            follow(&mut present.statuses, moved, memory);
        }
        // What is not under way stands as memory has it.
        for task in memory.dag.tasks() {
            let under_way = present.statuses.get(&task.id) == Some(&TaskStatus::InProgress);
            if !under_way || task.status().is_final() {
                present.statuses.insert(task.id.clone(), task.status());
            }
        }
        stands.push(settled(&present, memory));
        stands
    }
}

fn moved(
    happened: &Happened,
    last_task: Option<&TaskId>,
    memory: &Memory,
    reflections: usize,
) -> Option<Moved> {
    let on = Research::TABLE.get(happened.row)?.on;
    let event = match &happened.event {
        Payload::Inline(value) => serde_json::from_value::<Event>(value.clone()).ok(),
        Payload::Blob(_) => remembered(on, memory, reflections),
    };
    let task = match (&event, on) {
        (Some(Event::TaskDispatched { id, .. }), _) => Some(TaskId(id.clone())),
        (Some(Event::TaskFinished { brought }), _) => Some(brought.end.id.clone()),
        // Kept apart: a task ends right after its last call came back.
        (None, On::TaskFinished) => last_task.cloned(),
        _ => None,
    };
    Some(Moved { from: happened.from.clone(), to: happened.to.clone(), on, event, task })
}

/// An event that is kept apart, as memory has it.
fn remembered(on: On, memory: &Memory, reflections: usize) -> Option<Event> {
    let reflection = || memory.reflections.get(reflections).cloned().map(Box::new);
    match on {
        On::PlanDrafted => {
            memory.plan.clone().map(|plan| Event::PlanDrafted { plan, why: "a long plan".to_owned() })
        }
        On::GapsFound => reflection().map(|reflection| Event::GapsFound { reflection, add: Vec::new() }),
        On::Complete => reflection().map(|reflection| Event::Complete { reflection }),
        On::NothingFound => Some(Event::NothingFound { tried: memory.tried.clone() }),
        On::Failed => memory.trouble.clone().map(|(trouble, _)| Event::Failed { trouble }),
        _ => None,
    }
}

/// Follows one row.
fn follow(statuses: &mut BTreeMap<TaskId, TaskStatus>, moved: &Moved, memory: &Memory) {
    let waits = TaskStatus::Blocked;
    match (moved.on, &moved.event, &moved.task) {
        (On::Approved, ..) => {
            let Some(plan) = &memory.plan else { return };
            for duty in &plan.tasks {
                let done = plan.done.contains(&duty.id);
                statuses.insert(duty.id.clone(), if done { TaskStatus::Completed } else { waits });
            }
        }
        (On::TaskDispatched, _, Some(id)) => {
            statuses.insert(id.clone(), TaskStatus::InProgress);
        }
        (On::TaskFinished, event, Some(id)) => {
            let status = match event {
                Some(Event::TaskFinished { brought }) => status_of(&brought.end.ending),
                _ => memory.dag.get(id).map_or(TaskStatus::Completed, |task| task.status()),
            };
            statuses.insert(id.clone(), status);
            let compensating = memory.duties.values().filter(|duty| duty.makes_up_for.as_ref() == Some(id));
            for duty in compensating.filter(|_| status == TaskStatus::Failed) {
                statuses.entry(duty.id.clone()).or_insert(waits);
            }
        }
        (On::GapsFound, Some(Event::GapsFound { add, .. }), _) => {
            for duty in add {
                statuses.entry(duty.id.clone()).or_insert(waits);
            }
        }
        (On::Resumed, ..) => {
            for status in statuses.values_mut().filter(|status| **status != TaskStatus::Completed) {
                *status = waits;
            }
        }
        _ => {}
    }
}

fn status_of(ending: &Ending) -> TaskStatus {
    match ending {
        Ending::Completed => TaskStatus::Completed,
        Ending::Failed { .. } => TaskStatus::Failed,
        Ending::Skipped { .. } => TaskStatus::Skipped,
    }
}

/// A task that has not begun is ready once everything it depends on is final.
fn settled(stand: &Stand, memory: &Memory) -> Stand {
    let mut settled = stand.clone();
    for (id, status) in &mut settled.statuses {
        if !matches!(status, TaskStatus::Pending | TaskStatus::Blocked) {
            continue;
        }
        let is_final = |on: &TaskId| stand.statuses.get(on).is_none_or(|status| status.is_final());
        let ready = memory
            .duties
            .get(id)
            .is_none_or(|duty| dependencies(duty, &stand.statuses, memory).iter().all(is_final));
        *status = if ready { TaskStatus::Pending } else { TaskStatus::Blocked };
    }
    settled
}

/// What a task depends on; a task that makes up for a failed one stands in its place.
pub fn dependencies(
    duty: &crate::research::Duty,
    statuses: &BTreeMap<TaskId, TaskStatus>,
    memory: &Memory,
) -> BTreeSet<TaskId> {
    let stands_in = |id: &TaskId| {
        let failed = statuses.get(id) == Some(&TaskStatus::Failed);
        let mut others = memory.duties.values().filter(|other| other.makes_up_for.as_ref() == Some(id));
        others.next().filter(|other| failed && other.id != duty.id).map(|other| other.id.clone())
    };
    duty.depends_on.iter().map(|id| stands_in(id).unwrap_or_else(|| id.clone())).collect()
}

/// What a task brought, counted in memory.
pub struct Yield {
    /// Facts that exist.
    pub facts: usize,
    /// Documents its search pointed at.
    pub leads: usize,
    /// Their sources.
    pub sources: usize,
    /// Facts that were refused.
    pub refused: usize,
}

/// What a task brought.
pub fn yielded(memory: &Memory, id: &TaskId) -> Yield {
    let own = |key: &str| key.split_once('.').is_some_and(|(task, _)| task == id.0);
    let findings: Vec<_> = memory.findings.values().filter(|finding| own(finding.key())).collect();
    let sources: BTreeSet<&str> = findings.iter().map(|finding| finding.fact.source.as_str()).collect();
    Yield {
        facts: findings.len(),
        leads: memory.leads.get(id).map_or(0, Vec::len),
        sources: sources.len(),
        refused: memory.refused.get(id).map_or(0, Vec::len),
    }
}
