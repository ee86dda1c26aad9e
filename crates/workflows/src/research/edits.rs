//! A plan that a person edited, made whole: what they changed in one place follows in the others, so that every part is
//! still searched for in words that make sense.

#[cfg(test)]
mod tests;

use super::plan::{Dimension, Duty, Plan, TaskKind};
use super::skills::plan::rules_for;
use super::wishes::{cover, question_of};

/// The edited plan, as it is meant. `shown` is what the person had before them.
#[must_use]
pub fn settled(shown: &Plan, mut edited: Plan) -> Plan {
    let is_asked_anew = edited.core_question != shown.core_question;
    if is_asked_anew && edited.dimensions == shown.dimensions {
        return asked_anew(shown, edited);
    }
    let renamed = renamed(shown, &mut edited);
    for (old, at) in &renamed {
        follow(shown, &mut edited, *old, *at);
    }
    edited.tasks.retain(|duty| !is_orphan(shown, &edited.dimensions, duty));
    serve(shown, &mut edited);
    let known: Vec<_> = edited.tasks.iter().map(|duty| duty.id.clone()).collect();
    for duty in &mut edited.tasks {
        duty.depends_on.retain(|id| known.contains(id));
    }
    for at in 0..edited.dimensions.len() {
        let searches = |duty: &Duty| duty.kind() == TaskKind::Search && duty.dimension == Some(at);
        if !edited.tasks.iter().any(searches) {
            cover(&mut edited, at);
        }
    }
    edited
}

/// Another question has other parts. Tasks that somebody changed stay theirs.
fn asked_anew(shown: &Plan, edited: Plan) -> Plan {
    let dimensions = rules_for(&edited.core_question);
    if edited.tasks == shown.tasks {
        let fresh = Plan::of(&edited.core_question, dimensions, &edited.by);
        return Plan { revision: edited.revision, exclusions: edited.exclusions, ..fresh };
    }
    let mut plan = Plan { dimensions, ..edited };
    for duty in &mut plan.tasks {
        duty.dimension = duty.dimension.filter(|at| *at < plan.dimensions.len());
        let was = |known: &&Dimension| known.question == duty.query;
        if let (Some(at), Some(_)) = (duty.dimension, shown.dimensions.iter().find(was)) {
            duty.query.clone_from(&plan.dimensions[at].question);
        }
    }
    for at in 0..plan.dimensions.len() {
        if !plan.tasks.iter().any(|duty| duty.kind() == TaskKind::Search && duty.dimension == Some(at)) {
            cover(&mut plan, at);
        }
    }
    plan
}

/// Parts that got another name and kept their old question: the question follows. Their places before and now.
fn renamed(shown: &Plan, edited: &mut Plan) -> Vec<(usize, usize)> {
    let core = edited.core_question.clone();
    let mut found = Vec::new();
    for (at, dimension) in edited.dimensions.iter_mut().enumerate() {
        let known = shown.dimensions.iter().any(|old| old.name == dimension.name);
        let before = shown.dimensions.iter().position(|old| old.question == dimension.question);
        if let Some(before) = before.filter(|_| !known) {
            dimension.question = question_of(&dimension.name, &core);
            found.push((before, at));
        }
    }
    found
}

/// The tasks of a renamed part follow it where they still have its old name.
fn follow(shown: &Plan, edited: &mut Plan, before: usize, now: usize) {
    let (old, new) = (shown.dimensions[before].clone(), edited.dimensions[now].clone());
    for duty in &mut edited.tasks {
        let was = shown.tasks.iter().find(|known| known.id == duty.id);
        let served = was.is_some_and(|was| was.dimension == Some(before));
        let is_its = served || duty.dimension == Some(now) || duty.description.ends_with(&old.name);
        if !is_its || duty.dimension.is_some_and(|at| at != now) {
            continue;
        }
        duty.dimension = Some(now);
        if duty.query == old.question || duty.query == old.name {
            duty.query.clone_from(&new.question);
        }
        if let Some(kind) = duty.description.strip_suffix(&old.name).map(str::to_owned) {
            duty.description = format!("{kind}{}", new.name);
        }
    }
}

/// Whether a task serves only a part that is gone, and nobody gave it other words.
fn is_orphan(shown: &Plan, dimensions: &[Dimension], duty: &Duty) -> bool {
    let Some(was) = shown.tasks.iter().find(|known| known.id == duty.id) else { return false };
    let served = was.dimension.and_then(|at| shown.dimensions.get(at));
    duty.dimension.is_none()
        && was.description == duty.description
        && served.is_some_and(|old| !dimensions.iter().any(|new| new.name == old.name))
}

/// A task with other words still serves the part it served: its words are searched together with what the part is about.
fn serve(shown: &Plan, edited: &mut Plan) {
    let core = edited.core_question.clone();
    for duty in edited.tasks.iter_mut().filter(|duty| duty.dimension.is_none()) {
        let Some(was) = shown.tasks.iter().find(|known| known.id == duty.id) else { continue };
        let part = was.dimension.and_then(|at| shown.dimensions.get(at));
        let now = part.and_then(|old| edited.dimensions.iter().position(|new| new.name == old.name));
        if now.is_some() && was.description != duty.description {
            duty.dimension = now;
            duty.query = question_of(&duty.query, &core);
        }
    }
}
