//! A plan that was edited while its build goes on: what differs, whether it can be taken over, and the plan that comes of
//! it. What is done stays as it is; what has not begun may change.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{EffortPlan, Phase, Plan};
use crate::factory::efforts::{EffortState, EffortStatus};
use crate::factory::memory::Memory;

/// An edited plan that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanSeen {
    /// Names the content of its file.
    pub hash: String,
    /// The plan that is gone by from now on, if it was taken over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Box<Plan>>,
}

/// What an edited plan would change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Efforts it adds.
    pub added: Vec<String>,
    /// Efforts it changes.
    pub changed: Vec<String>,
    /// Efforts it leaves out.
    pub removed: Vec<String>,
    /// Parts of the plan beside its efforts that differ.
    pub terms: Vec<String>,
    /// Commands it would run that the plan of the build does not have.
    pub commands: Vec<String>,
}

impl Edit {
    /// Whether it changes nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// What it changes, in words.
    pub fn words(&self) -> String {
        let part = |what: &str, names: &[String]| {
            (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
        };
        let parts = [
            part("adds", &self.added),
            part("changes", &self.changed),
            part("leaves out", &self.removed),
            part("has other", &self.terms),
            part("would run", &self.commands),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// What an edited plan would change and the plan that comes of it, or why it cannot be taken over.
pub fn compare(memory: &Memory, new: &Plan) -> Result<(Edit, Plan), String> {
    keeps_what_is_done(memory, new)?;
    let merged = merged(memory, new);
    let known: BTreeSet<String> = memory.plan.commands().into_iter().map(|(_, line)| line).collect();
    let mut edit = Edit { terms: terms(&memory.plan, new), ..Edit::default() };
    for (_, _, effort) in merged.efforts() {
        match memory.efforts.get(&effort.id) {
            None => edit.added.push(effort.id.clone()),
            Some(state) if may_change(state) && state.plan != *effort => edit.changed.push(effort.id.clone()),
            Some(_) => {}
        }
    }
    let there: BTreeSet<&str> = merged.efforts().map(|(_, _, effort)| effort.id.as_str()).collect();
    let gone = memory.in_order().filter(|state| state.wave.is_some() && state.part_of.is_none());
    edit.removed =
        gone.map(|state| state.plan.id.clone()).filter(|id| !there.contains(id.as_str())).collect();
    let wanted = merged.commands().into_iter().map(|(_, line)| line);
    edit.commands =
        wanted.filter(|line| !known.contains(line)).collect::<BTreeSet<_>>().into_iter().collect();
    Ok((edit, merged))
}

/// Whether an effort may still be done otherwise.
pub fn may_change(state: &EffortState) -> bool {
    matches!(state.status, EffortStatus::Planned | EffortStatus::Failed)
}

/// Phases that are over, counted from the first.
fn done_phases(memory: &Memory) -> usize {
    memory.phase + usize::from(memory.wave >= memory.waves())
}

fn keeps_what_is_done(memory: &Memory, new: &Plan) -> Result<(), String> {
    let ids = |phase: &Phase, waves: usize| -> Vec<Vec<String>> {
        let waves = phase.waves.iter().take(waves);
        waves.map(|wave| wave.efforts.iter().map(|effort| effort.id.clone()).collect()).collect()
    };
    for (number, old) in memory.plan.phases.iter().enumerate().take(done_phases(memory)) {
        let planned = old.waves.len() - ours(memory, number);
        let same = new
            .phases
            .get(number)
            .is_some_and(|phase| phase.waves.len() == planned && ids(phase, planned) == ids(old, planned));
        if !same {
            return Err(format!("phase {} is done, and the edited plan has other efforts in it", number + 1));
        }
    }
    let begun = memory.in_order().filter(|state| state.part_of.is_none() && !may_change(state));
    for state in begun {
        let Some(wave) = state.wave else { continue };
        let planned = memory.plan.phases.get(state.phase).map_or(0, |phase| phase.waves.len());
        // Waves of adjustments are ours, and no file has them.
        if wave + ours(memory, state.phase) >= planned && ours(memory, state.phase) > 0 {
            continue;
        }
        let there = new.phases.get(state.phase).and_then(|phase| phase.waves.get(wave));
        if !there.is_some_and(|wave| wave.efforts.iter().any(|effort| effort.id == state.plan.id)) {
            let what = format!("`{}` is {}", state.plan.id, state.status.word());
            return Err(format!("{what}, and the edited plan does not have it where it was"));
        }
    }
    Ok(())
}

/// How many waves of a phase are adjustments that the build itself has added.
fn ours(memory: &Memory, phase: usize) -> usize {
    memory.adjustments.get(&phase).map_or(0, |many| *many as usize)
}

fn merged(memory: &Memory, new: &Plan) -> Plan {
    let mut plan = new.clone();
    for (number, phase) in plan.phases.iter_mut().enumerate() {
        let (Some(old), many) = (memory.plan.phases.get(number), ours(memory, number)) else { continue };
        let planned = old.waves.len() - many.min(old.waves.len());
        let at = planned.min(phase.waves.len());
        phase.waves.splice(at..at, old.waves.iter().skip(planned).cloned());
    }
    plan
}

fn terms(old: &Plan, new: &Plan) -> Vec<String> {
    let for_trouble = |plan: &Plan| -> Vec<(Vec<EffortPlan>, Vec<EffortPlan>)> {
        plan.phases.iter().map(|phase| (phase.adjustment.clone(), phase.recovery.clone())).collect()
    };
    let accepted = |plan: &Plan| plan.phases.iter().map(|it| it.acceptance.clone()).collect::<Vec<_>>();
    let differs = [
        ("agents", old.agents != new.agents),
        ("gates", old.gates != new.gates),
        ("integration gates", old.integration != new.integration),
        ("tests", old.tests != new.tests),
        ("protected files", old.protected != new.protected),
        ("limits of size", old.size != new.size),
        ("policy", old.policy != new.policy),
        ("budget", old.budget != new.budget),
        ("reviewers", old.review != new.review),
        ("acceptance of phases", accepted(old) != accepted(new)),
        ("efforts for trouble", for_trouble(old) != for_trouble(new)),
    ];
    differs.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what.to_owned()).collect()
}
