//! What only the whole plan can show: names that lead nowhere, cycles, two efforts of a wave in one place.

use std::collections::{BTreeMap, BTreeSet};

use super::table::Notes;
use super::{EffortPlan, Plan, Wave};
use crate::coding::Work;
use crate::coding::paths::{any_covers, overlap};

/// Where things stand in the text, in the order they were read.
#[derive(Default)]
pub struct Places {
    pub efforts: Vec<EffortPlace>,
    pub kinds: Vec<(String, usize)>,
    pub integration: Vec<usize>,
    /// Agents that review, judge or plan a cut, by name.
    pub readers: Vec<(String, usize)>,
}

/// Where the parts of an effort stand.
pub struct EffortPlace {
    pub id: String,
    pub at: usize,
    pub paths_at: usize,
    /// How many of its paths are its own and not everybody's.
    pub own_paths: usize,
    pub agent_at: usize,
    pub depends_at: Vec<usize>,
    pub gates_at: Vec<usize>,
    pub steps_at: Vec<usize>,
}

pub fn check(notes: &mut Notes<'_>, plan: &Plan, places: &Places, kinds: &[&str]) {
    for (kind, at) in &places.kinds {
        if !kind.is_empty() && !kinds.contains(&kind.as_str()) {
            notes.wrong(
                *at,
                format!("there is no agent of the kind `{kind}`; there are {}", kinds.join(", ")),
            );
        }
    }
    for (name, at) in &places.readers {
        match plan.agents.iter().find(|agent| agent.name == *name) {
            None => notes.wrong(*at, format!("there is no agent `{name}`")),
            Some(agent) if matches!(agent.kind.as_str(), "recipe" | "person") => {
                let what =
                    format!("the agent `{name}` is a {} and cannot review, judge or plan a cut", agent.kind);
                notes.wrong(*at, what);
            }
            Some(_) => {}
        }
    }
    let gates: BTreeSet<&str> = plan.gates.iter().map(|gate| gate.name.as_str()).collect();
    for (name, at) in plan.integration.iter().zip(&places.integration) {
        missing_gate(notes, &gates, name, *at);
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for place in &places.efforts {
        let good = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if !place.id.is_empty()
            && (!place.id.chars().all(good) || place.id.contains("--") || place.id.starts_with('-'))
        {
            notes.wrong(place.at, format!("`{}` cannot be an id; use letters, digits, - and _", place.id));
        }
        if seen.insert(&place.id, place.at).is_some() && !place.id.is_empty() {
            notes.wrong(place.at, format!("two efforts have the id `{}`", place.id));
        }
    }
    // Of two with one id the first is looked at; that there is another has been told.
    let mut by_id: BTreeMap<&str, &EffortPlace> = BTreeMap::new();
    for place in &places.efforts {
        by_id.entry(&place.id).or_insert(place);
    }
    let mut looked_at = BTreeSet::new();
    for effort in plan.all_efforts().filter(|effort| looked_at.insert(effort.id.as_str())) {
        if let Some(place) = by_id.get(effort.id.as_str()) {
            one(notes, plan, effort, place, &gates);
        }
    }
    order(notes, plan, &by_id);
    overlaps(notes, plan, &by_id);
}

fn missing_gate(notes: &mut Notes<'_>, gates: &BTreeSet<&str>, name: &str, at: usize) {
    if !gates.contains(name) {
        let there: Vec<&str> = gates.iter().copied().collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        notes.wrong(at, format!("there is no gate `{name}`; there are {there}"));
    }
}

fn one(notes: &mut Notes<'_>, plan: &Plan, effort: &EffortPlan, place: &EffortPlace, gates: &BTreeSet<&str>) {
    if !plan.agents.iter().any(|agent| agent.name == effort.agent) {
        let known: Vec<&str> = plan.agents.iter().map(|agent| agent.name.as_str()).collect();
        notes.wrong(
            place.agent_at,
            format!("there is no agent `{}`; there are {}", effort.agent, known.join(", ")),
        );
    } else if plan.agent(&effort.agent).kind == "recipe" && effort.work.is_empty() {
        notes.wrong(place.at, format!("the effort `{}` is done by a recipe and has no `work`", effort.id));
    }
    for (name, at) in effort.gates.iter().zip(&place.gates_at) {
        missing_gate(notes, gates, name, *at);
    }
    for (work, at) in effort.work.iter().chain(&effort.fix).zip(&place.steps_at) {
        for path in Work::paths(work) {
            if path.starts_with('/') || path.split('/').any(|part| part == ".." || part == ".git") {
                notes.wrong(*at, format!("`{path}` does not stay in the project"));
            } else if !any_covers(&effort.paths, path) {
                notes.wrong(*at, format!("`{path}` is not among the paths of the effort `{}`", effort.id));
            }
        }
    }
}

/// Everything an effort waits for must exist and come in an earlier wave.
fn order(notes: &mut Notes<'_>, plan: &Plan, places: &BTreeMap<&str, &EffortPlace>) {
    let when: BTreeMap<&str, (usize, usize)> =
        plan.efforts().map(|(phase, wave, effort)| (effort.id.as_str(), (phase, wave))).collect();
    let cycle = in_cycles(plan);
    for effort in plan.all_efforts() {
        let Some(place) = places.get(effort.id.as_str()) else { continue };
        for (needed, at) in effort.depends_on.iter().zip(&place.depends_at) {
            let (mine, theirs) = (when.get(effort.id.as_str()), when.get(needed.as_str()));
            match (mine, theirs) {
                (_, None) => notes.wrong(*at, format!("there is no effort `{needed}` in a wave")),
                _ if needed == &effort.id => notes.wrong(*at, format!("`{needed}` waits for itself")),
                _ if cycle.contains(effort.id.as_str()) && cycle.contains(needed.as_str()) => {
                    notes.wrong(*at, format!("`{}` and `{needed}` wait for each other", effort.id));
                }
                (Some(mine), Some(theirs)) if theirs >= mine => {
                    notes.wrong(
                        *at,
                        format!("`{needed}` does not come in an earlier wave than `{}`", effort.id),
                    );
                }
                _ => {}
            }
        }
    }
}

/// The efforts that wait for themselves by way of others.
fn in_cycles(plan: &Plan) -> BTreeSet<&str> {
    let mut waits: BTreeMap<&str, BTreeSet<&str>> = plan
        .all_efforts()
        .map(|effort| (effort.id.as_str(), effort.depends_on.iter().map(String::as_str).collect()))
        .collect();
    // Whoever waits for nobody, and whoever nobody waits for, is in no cycle.
    loop {
        let wanted: BTreeSet<&str> = waits.values().flatten().copied().collect();
        let free: Vec<&str> = waits
            .iter()
            .filter(|(id, needs)| !wanted.contains(*id) || !needs.iter().any(|need| waits.contains_key(need)))
            .map(|(id, _)| *id)
            .collect();
        if free.is_empty() {
            return waits.into_keys().collect();
        }
        waits.retain(|id, _| !free.contains(id));
    }
}

/// Two efforts of a wave may not change the same place; what everybody may change is left to merging.
fn overlaps(notes: &mut Notes<'_>, plan: &Plan, places: &BTreeMap<&str, &EffortPlace>) {
    let own = |effort: &EffortPlan| {
        let many = places.get(effort.id.as_str()).map_or(0, |place| place.own_paths);
        effort.paths.iter().take(many).cloned().collect::<Vec<_>>()
    };
    for wave in plan.phases.iter().flat_map(|phase| &phase.waves) {
        for (number, effort) in wave.efforts.iter().enumerate() {
            for other in wave.efforts.iter().take(number) {
                let (mine, theirs) = (own(effort), own(other));
                let both = mine
                    .iter()
                    .find_map(|one| theirs.iter().find(|two| overlap(one, two)).map(|two| (one, two)));
                let place = places.get(effort.id.as_str());
                if let (Some((one, two)), Some(place)) = (both, place) {
                    let what = format!(
                        "`{}` and `{}` of the same wave may change the same files ({one} and {two}); put them in two waves, or name the files under `shared`",
                        other.id, effort.id
                    );
                    notes.wrong(place.paths_at, what);
                }
            }
        }
    }
}

/// Waves that follow from what waits for what; efforts in the same place come one after the other.
pub fn waves(mut left: Vec<EffortPlan>, before: usize, shared: &[String]) -> Vec<Wave> {
    let own = |effort: &EffortPlan| -> Vec<String> {
        effort.paths.iter().filter(|path| !shared.contains(path)).cloned().collect()
    };
    let mut waves: Vec<Wave> = Vec::new();
    while !left.is_empty() {
        let waiting: BTreeSet<String> = left.iter().map(|effort| effort.id.clone()).collect();
        let (mut now, mut later): (Vec<EffortPlan>, Vec<EffortPlan>) = (Vec::new(), Vec::new());
        for effort in left {
            let ready = effort.depends_on.iter().all(|need| !waiting.contains(need));
            let alone = now
                .iter()
                .all(|other| !own(&effort).iter().any(|one| own(other).iter().any(|two| overlap(one, two))));
            if ready && alone { now.push(effort) } else { later.push(effort) }
        }
        // A cycle: nobody can begin. It is told elsewhere; here everybody gets a place.
        if now.is_empty() {
            now = std::mem::take(&mut later);
        }
        let name = format!("Wave {}", before + waves.len() + 1);
        waves.push(Wave { name, efforts: now });
        left = later;
    }
    waves
}
