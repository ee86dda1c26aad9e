//! The way a run went, read from its journal: what happened when, at which iteration, to which task, and
//! where every task stood after each iteration.

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{TaskEnding, TaskId, TaskStatus};
use baton_engine::history::{Entry, EntryBody, Transition};
use baton_engine::record::Body;
use baton_engine::{Millis, View};

use crate::research::{Event, Memory, Research};

/// One thing that happened.
pub struct Moment {
    /// When.
    pub at: Millis,
    /// Tasks dispatched by then.
    pub iteration: u32,
    /// What.
    pub body: EntryBody<Research>,
}

/// Where every task stood after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSnapshot {
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
    /// The way a run went.
    pub fn of(view: &View<'_, Research>) -> Self {
        let mut story = Self { created: Millis(0), calls: 0, moments: Vec::new() };
        let mut iteration = 0;
        for Entry { n, at, body } in view.history() {
            if n == 1 {
                story.created = at;
            }
            match &body {
                EntryBody::Transition(moved) => {
                    iteration += u32::from(matches!(moved.event, Event::TaskDispatched { .. }));
                }
                EntryBody::Other(body) => story.calls += usize::from(matches!(**body, Body::Receipt(_))),
            }
            story.moments.push(Moment { at, iteration, body });
        }
        story
    }

    /// The rows that were taken.
    pub fn moves(&self) -> impl Iterator<Item = (&Moment, &Transition<Research>)> {
        self.moments.iter().filter_map(|moment| match &moment.body {
            EntryBody::Transition(moved) => Some((moment, &**moved)),
            EntryBody::Other(_) => None,
        })
    }

    /// Where every task stood after each iteration, oldest first; the last one is the present.
    pub fn stands(&self, memory: &Memory) -> Vec<TaskSnapshot> {
        let mut stands = Vec::new();
        let mut present = TaskSnapshot { iteration: 0, dispatched: None, statuses: BTreeMap::new() };
        for (moment, moved) in self.moves() {
            if let Event::TaskDispatched { id, .. } = &moved.event {
                stands.push(settled(&present, memory));
                present.iteration = moment.iteration;
                present.dispatched = Some(TaskId(id.clone()));
            }
            follow(&mut present.statuses, &moved.event, memory);
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

/// What an event does to where tasks stand.
fn follow(statuses: &mut BTreeMap<TaskId, TaskStatus>, event: &Event, memory: &Memory) {
    let waits = TaskStatus::Blocked;
    match event {
        Event::Approved { .. } => {
            let Some(plan) = &memory.plan else { return };
            for duty in &plan.tasks {
                let done = plan.done.contains(&duty.id);
                statuses.insert(duty.id.clone(), if done { TaskStatus::Completed } else { waits });
            }
        }
        Event::TaskDispatched { id, .. } => {
            statuses.insert(TaskId(id.clone()), TaskStatus::InProgress);
        }
        Event::TaskFinished { brought } => {
            let (id, status) = (&brought.end.id, status_of(&brought.end.ending));
            statuses.insert(id.clone(), status);
            let compensating = memory.duties.values().filter(|duty| duty.makes_up_for.as_ref() == Some(id));
            for duty in compensating.filter(|_| status == TaskStatus::Failed) {
                statuses.entry(duty.id.clone()).or_insert(waits);
            }
        }
        Event::GapsFound { add, .. } => {
            for duty in add {
                statuses.entry(duty.id.clone()).or_insert(waits);
            }
        }
        Event::Resumed => {
            for status in statuses.values_mut().filter(|status| **status != TaskStatus::Completed) {
                *status = waits;
            }
        }
        _ => {}
    }
}

fn status_of(ending: &TaskEnding) -> TaskStatus {
    match ending {
        TaskEnding::Completed => TaskStatus::Completed,
        TaskEnding::Failed { .. } => TaskStatus::Failed,
        TaskEnding::Skipped { .. } => TaskStatus::Skipped,
    }
}

/// A task that has not begun is ready once everything it depends on is final.
fn settled(stand: &TaskSnapshot, memory: &Memory) -> TaskSnapshot {
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
