//! Which phase may follow which, and why not, in the words of the seed. The table decides; this explains.

use std::collections::BTreeSet;

use baton_machine::{Word, Workflow, describe};

use super::{Article, State};

/// A change of phase that the table does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Cannot transition from {from} to {to}: {reason}")]
pub struct NotAllowed {
    /// From this phase.
    pub from: &'static str,
    /// To this one.
    pub to: &'static str,
    /// Why not.
    pub reason: &'static str,
}

/// The changes of phase that the table has.
#[must_use]
pub fn pairs() -> BTreeSet<(State, State)> {
    let table = describe(Article::TABLE);
    let known = |name: &str| State::ALL.iter().copied().find(|state| state.name() == name);
    let mut found = BTreeSet::new();
    for row in &table.rows {
        let Some(to) = known(&row.to) else { continue };
        found.extend(row.from.iter().filter_map(|from| known(from)).map(|from| (from, to)));
    }
    found
}

/// Whether one phase may follow another.
pub fn allowed(from: State, to: State) -> Result<(), NotAllowed> {
    if pairs().contains(&(from, to)) {
        return Ok(());
    }
    Err(NotAllowed { from: from.name(), to: to.name(), reason: reason(from, to) })
}

/// Why one phase may not follow another.
#[must_use]
pub fn reason(from: State, to: State) -> &'static str {
    use State::{
        Completed, Evaluating, Executing, Failed, Initialized, Merging, Planning, RePlanning, Strategy,
    };
    match (from, to) {
        (Completed, _) => "The workflow is completed; nothing follows",
        (Failed, _) => "The workflow has failed; nothing follows",
        (_, _) if from == to => "It is in this phase already",
        (_, Initialized) => "A workflow is initialized once, when it starts",
        (Initialized, Strategy) => "Must go through PLANNING",
        (Initialized, Executing) => "Must go through PLANNING and STRATEGY",
        (Initialized | Planning | Strategy, Evaluating) => "Nothing has been executed yet",
        (Planning, Executing) => "Must go through STRATEGY",
        (Executing, Completed | Merging) => "Must evaluate quality first",
        (Initialized | Planning | Strategy | RePlanning, Completed | Merging) => {
            "Must evaluate quality first"
        }
        (RePlanning, Strategy | Executing) => "Must go through PLANNING",
        (RePlanning, Evaluating) => "Nothing has been executed since the last evaluation",
        (Initialized | Planning | Strategy | Executing, RePlanning) => {
            "Only EVALUATING decides to plan again"
        }
        (Strategy | Executing | Evaluating, Planning) => "Can only go back via EVALUATING → RE_PLANNING",
        (Executing | Evaluating, Strategy) | (Evaluating, Executing) => {
            "Can only go back via EVALUATING → RE_PLANNING"
        }
        (Merging, _) => "The quality is decided; only the output is created now",
        _ => "The table has no such row",
    }
}
