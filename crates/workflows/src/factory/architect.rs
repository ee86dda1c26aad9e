//! The architect by rules: compares what was planned with what is there. Somebody else may only judge worse.

use super::data::{Assessment, Health};
use super::memory::Memory;
use super::plan::EffortPlan;
use crate::coding::Work;
use crate::coding::order::Acceptance;
use crate::markup::count;

fn assessment(memory: &Memory, wave: bool, commit: &str, tree: &str, at: u64) -> Assessment {
    Assessment {
        phase: memory.phase + 1,
        wave: wave.then_some(memory.wave + 1),
        health: Health::OnTrack,
        commit: commit.to_owned(),
        tree: tree.to_owned(),
        missing: Vec::new(),
        debt: memory.debt(),
        grounds: Vec::new(),
        at,
        second: None,
        overruled: None,
    }
}

/// The assessment that stops everything, if the debt is above its threshold.
pub fn debt_exceeded(memory: &Memory, at: u64) -> Option<Assessment> {
    let (debt, most) = (memory.debt(), memory.plan.policy.debt);
    if debt <= most {
        return None;
    }
    let grounds = vec![format!("the debt is {debt}, more than {most}")];
    Some(Assessment {
        health: Health::OffTrack,
        grounds,
        ..assessment(memory, true, &memory.line, &memory.line_tree, at)
    })
}

/// What a wave brought.
pub fn wave(memory: &Memory, commit: &str, tree: &str, missing: Vec<String>, at: u64) -> Assessment {
    let mut it = assessment(memory, true, commit, tree, at);
    let efforts = count(memory.present().len(), "effort");
    it.grounds.push(format!("{efforts}, debt {} of {}", it.debt, memory.plan.policy.debt));
    if !missing.is_empty() {
        it.health = Health::NeedsAdjustment;
        it.grounds.push(format!("{} not there yet", missing.len()));
    }
    it.missing = missing;
    it
}

/// What a phase brought: commands that do not succeed, or most of it missing, mean that it is off its track.
pub fn phase(
    memory: &Memory,
    commit: &str,
    tree: &str,
    missing: Vec<String>,
    failing: Vec<String>,
    asked: usize,
    at: u64,
) -> Assessment {
    let mut it = assessment(memory, false, commit, tree, at);
    let (lost, most) = (missing.len() + failing.len(), memory.plan.policy.debt);
    it.grounds.push(match asked {
        0 => "the plan names no deliverables".to_owned(),
        _ => format!("{} of {asked} deliverables are there", asked - lost.min(asked)),
    });
    it.grounds.push(format!("debt {} of {most}", it.debt));
    it.health = if !failing.is_empty() || missing.len() * 2 > asked || it.debt > most {
        Health::OffTrack
    } else if !missing.is_empty() {
        Health::NeedsAdjustment
    } else {
        Health::OnTrack
    };
    it.grounds.extend(failing.iter().map(|said| first_line(said).to_owned()));
    it.missing = missing.into_iter().chain(failing).collect();
    it
}

/// What a failed command comes to, without what it printed.
pub fn first_line(said: &str) -> &str {
    said.lines().next().unwrap_or_default().trim_end_matches(':')
}

/// An effort for a person, where the plan has none.
pub fn for_a_person(memory: &Memory, id: String, name: &str, missing: &[String]) -> EffortPlan {
    let person = memory.plan.agents.iter().find(|agent| agent.kind == "person");
    EffortPlan {
        id,
        name: name.to_owned(),
        task: missing.iter().map(|what| format!("- {what}\n")).collect(),
        paths: vec!["**".to_owned()],
        depends_on: Vec::new(),
        agent: person.map_or_else(|| "person".to_owned(), |agent| agent.name.clone()),
        work: Vec::new(),
        fix: Vec::new(),
        gates: memory.plan.gates.iter().map(|gate| gate.name.clone()).collect(),
        acceptance: Acceptance::default(),
        changes_tests: false,
        size: None,
        reviewer: None,
        budget: None,
    }
}

/// Whether an effort has been cut at this place already.
pub fn has_part(memory: &Memory, id: &str, first: Option<&str>) -> bool {
    let parts = memory.efforts.values().filter(|effort| effort.part_of.as_deref() == Some(id));
    let picks = parts.flat_map(|effort| &effort.plan.work);
    let mut picks = picks.filter_map(|work| match work {
        Work::CherryPick { what } => Some(what.as_str()),
        _ => None,
    });
    picks.any(|what| Some(what) == first)
}
