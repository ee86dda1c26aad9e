//! What a person says of names that changed.

use std::collections::{BTreeMap, BTreeSet};

use baton_machine::TableText;
use serde::{Deserialize, Serialize};

/// States and events that have another name in the new table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// The workflow it is for; all, if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Old names of states, and what they are called now.
    #[serde(default)]
    pub states: BTreeMap<String, String>,
    /// Old names of events, and what they are called now.
    #[serde(default)]
    pub events: BTreeMap<String, String>,
}

/// A mapping that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMapping {
    /// A name leads back to itself.
    #[error("the mapping goes in a circle: {}; map each old name to its new one alone", path.join(" = "))]
    Cycle {
        /// The names, the first one again at the end.
        path: Vec<String>,
    },
    /// A name is both old and new.
    #[error(
        "the mapping of {kind}s uses `{name}` both as an old and as a new name; map each old name straight to what it is called now"
    )]
    Chain {
        /// State or event.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The new table has no such name.
    #[error("`{old}` cannot become the {kind} `{new}`: {workflow} has none of that name. It has: {}", known.join(", "))]
    Missing {
        /// State or event.
        kind: &'static str,
        /// The workflow.
        workflow: String,
        /// The old name.
        old: String,
        /// What it was to become.
        new: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The old table has no such name.
    #[error("there was no {kind} `{old}` in the table of {workflow} that run {run} is pinned to. It had: {}", known.join(", "))]
    Unknown {
        /// State or event.
        kind: &'static str,
        /// The workflow.
        workflow: String,
        /// The run.
        run: String,
        /// The old name.
        old: String,
        /// What there was.
        known: Vec<String>,
    },
    /// A run would be over, or no longer be over.
    #[error("`{old}` cannot become `{new}`: a run is over in one of them and not in the other")]
    Ends {
        /// The old name.
        old: String,
        /// What it was to become.
        new: String,
    },
}

impl Mapping {
    /// Whether it concerns runs of this workflow.
    pub fn is_for(&self, workflow: &str) -> bool {
        self.workflow.as_ref().is_none_or(|named| named == workflow)
    }

    /// What is wrong with it in itself, whichever tables it is for.
    pub fn check(&self) -> Result<(), BadMapping> {
        straight("state", &self.states)?;
        straight("event", &self.events)
    }

    /// What is wrong with it between these tables.
    pub fn fits(&self, run: &str, old: &TableText, new: &TableText) -> Result<(), BadMapping> {
        self.check()?;
        let names = |table: &TableText| table.states.iter().map(|state| state.name.clone()).collect();
        known("state", &self.states, run, (old, names(old)), (new, names(new)))?;
        known("event", &self.events, run, (old, old.events.clone()), (new, new.events.clone()))?;
        let ends = |table: &TableText, name: &str| {
            table
                .states
                .iter()
                .find(|state| state.name == name)
                .is_some_and(baton_machine::StateText::is_final)
        };
        match self.states.iter().find(|(was, is)| ends(old, was) != ends(new, is)) {
            Some((was, is)) => Err(BadMapping::Ends { old: was.clone(), new: is.clone() }),
            None => Ok(()),
        }
    }
}

/// Old names lead straight to new ones: applying a mapping twice then does what applying it once does.
fn straight(kind: &'static str, names: &BTreeMap<String, String>) -> Result<(), BadMapping> {
    for start in names.keys() {
        let mut path = vec![start.clone()];
        let mut seen = BTreeSet::from([start]);
        let mut at = start;
        while let Some(next) = names.get(at) {
            path.push(next.clone());
            if next == start {
                return Err(BadMapping::Cycle { path });
            }
            if !seen.insert(next) {
                break;
            }
            at = next;
        }
    }
    match names.values().find(|new| names.contains_key(*new)) {
        Some(name) => Err(BadMapping::Chain { kind, name: name.clone() }),
        None => Ok(()),
    }
}

fn known(
    kind: &'static str,
    names: &BTreeMap<String, String>,
    run: &str,
    (old, before): (&TableText, Vec<String>),
    (new, now): (&TableText, Vec<String>),
) -> Result<(), BadMapping> {
    for (was, is) in names {
        if !before.contains(was) {
            let (workflow, run) = (old.workflow.clone(), run.to_owned());
            return Err(BadMapping::Unknown { kind, workflow, run, old: was.clone(), known: before });
        }
        if !now.contains(is) {
            let workflow = new.workflow.clone();
            return Err(BadMapping::Missing {
                kind,
                workflow,
                old: was.clone(),
                new: is.clone(),
                known: now,
            });
        }
    }
    Ok(())
}
