//! What is wrong with a table, and what its author should change.
//!
//! Works on the written-out table, so a stored one can be checked as well as a compiled one. Each defect
//! is reported where it begins: a state that only leads into a dead end is not reported beside it.

mod graph;
mod text;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::{Kind, RowText, TableText};
use graph::Graph;

/// One thing wrong with a table. Its text says what to change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "defect", rename_all = "snake_case")]
pub enum Defect {
    /// Two states, or two events, have the same name.
    NameTwice {
        /// `state` or `event`.
        what: String,
        /// The name.
        name: String,
    },
    /// A state is named by a word that rows use for something else.
    ReservedName {
        /// The name.
        state: String,
    },
    /// The start or a row names a state or an event that the table does not have.
    UnknownName {
        /// Where the name stands.
        place: String,
        /// The name.
        name: String,
    },
    /// Nothing leads to a state.
    Unreachable {
        /// The state.
        state: String,
    },
    /// No row leaves a state that is not final.
    NoWayOut {
        /// The state.
        state: String,
    },
    /// Rows leave a state, but none of them ever leads to a final one.
    NeverEnds {
        /// The state.
        state: String,
    },
    /// A row leaves a final state.
    FinalWithExit {
        /// The state.
        state: String,
        /// The row's place in the table.
        row: usize,
        /// The row as written.
        line: String,
    },
    /// Every row that takes an event in these states has a condition, so the event can be refused.
    NoOtherwise {
        /// The states.
        states: Vec<String>,
        /// The event.
        event: String,
        /// The last of the rows.
        row: usize,
        /// That row as written.
        line: String,
    },
    /// A row that no run can take.
    NeverFires {
        /// The row's place in the table.
        row: usize,
        /// The row as written.
        line: String,
        /// Why, and what to change.
        why: String,
    },
    /// A cycle without `at most` that passes through no waiting state.
    Endless {
        /// The states of the cycle, in order.
        states: Vec<String>,
        /// The rows that lead round it.
        rows: Vec<usize>,
        /// Those rows as written.
        lines: Vec<String>,
    },
    /// An event that no row takes.
    NotTaken {
        /// The event.
        event: String,
    },
}

/// Everything wrong with a table; empty for one that may run.
pub fn defects(table: &TableText) -> Vec<Defect> {
    let mut found = names(table);
    if found.iter().any(|defect| matches!(defect, Defect::UnknownName { .. })) {
        return found; // what is not declared leads nowhere; the rest would only repeat that
    }
    let graph = Graph::of(table);
    found.extend(unreachable(table, &graph));
    found.extend(dead_ends(table, &graph));
    found.extend(final_exits(table));
    found.extend(missing_otherwise(table));
    found.extend(never_fires(table, &graph));
    found.extend(endless(table, &graph));
    found.extend(not_taken(table));
    found
}

fn names(table: &TableText) -> Vec<Defect> {
    let states: Vec<&str> = table.states.iter().map(|state| state.name.as_str()).collect();
    let events: Vec<&str> = table.events.iter().map(String::as_str).collect();
    let mut found = twice("state", &states);
    found.extend(twice("event", &events));
    let reserved = states.iter().filter(|state| ["any", "same", "stay", "back"].contains(state));
    found.extend(reserved.map(|state| Defect::ReservedName { state: (*state).to_owned() }));
    if !states.contains(&table.start.as_str()) {
        found.push(Defect::UnknownName { place: "the start".to_owned(), name: table.start.clone() });
    }
    for (index, row) in table.rows.iter().enumerate() {
        let to = row.target().into_iter();
        let unknown_states =
            row.from.iter().map(String::as_str).chain(to).filter(|name| !states.contains(name));
        let unknown_event = Some(row.on.as_str()).filter(|on| !events.contains(on));
        found.extend(unknown_states.chain(unknown_event).map(|name| Defect::UnknownName {
            place: format!("row {index} ({})", row.line()),
            name: name.to_owned(),
        }));
    }
    found
}

fn twice(what: &str, names: &[&str]) -> Vec<Defect> {
    let second = |(place, name): &(usize, &&str)| {
        let before = names.iter().take(*place).filter(|other| other == name);
        before.count() == 1 // a third use adds nothing to what the second says
    };
    let twice = names.iter().enumerate().filter(second);
    twice.map(|(_, name)| Defect::NameTwice { what: what.to_owned(), name: (*name).to_owned() }).collect()
}

fn unreachable(table: &TableText, graph: &Graph) -> Vec<Defect> {
    let lost = table.states.iter().filter(|state| !graph.reachable(&state.name));
    lost.map(|state| Defect::Unreachable { state: state.name.clone() }).collect()
}

fn dead_ends(table: &TableText, graph: &Graph) -> Vec<Defect> {
    let working = table.states.iter().filter(|state| !state.is_final());
    let (stuck, leaving): (Vec<_>, Vec<_>) = working.partition(|state| !graph.leaves(&state.name));
    let stuck: Vec<&str> = stuck.iter().map(|state| state.name.as_str()).collect();
    let finals = table.states.iter().filter(|state| state.is_final()).map(|state| state.name.as_str());
    let ends: Vec<&str> = finals.chain(stuck.iter().copied()).collect();
    let never = leaving.iter().filter(|state| !graph.reaches_one_of(&state.name, &ends));
    let never = never.map(|state| Defect::NeverEnds { state: state.name.clone() });
    stuck.iter().map(|state| Defect::NoWayOut { state: (*state).to_owned() }).chain(never).collect()
}

fn final_exits(table: &TableText) -> Vec<Defect> {
    let mut found = Vec::new();
    for state in table.states.iter().filter(|state| state.is_final()) {
        for (row, text) in table.rows.iter().enumerate().filter(|(_, row)| row.from.contains(&state.name)) {
            found.push(Defect::FinalWithExit { state: state.name.clone(), row, line: text.line() });
        }
    }
    found
}

/// States in which the same rows leave a gap are one defect: one new row mends them all.
fn missing_otherwise(table: &TableText) -> Vec<Defect> {
    let mut gaps: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    for state in table.states.iter().filter(|state| !state.is_final()) {
        for event in &table.events {
            let rows = table.rows_taking(&state.name, event);
            if rows.is_empty() || rows.iter().any(|row| table.certain(*row, &state.name)) {
                continue;
            }
            match gaps.iter_mut().find(|(same, _)| *same == rows) {
                Some((_, states)) => states.push(state.name.clone()),
                None => gaps.push((rows, vec![state.name.clone()])),
            }
        }
    }
    let defect = |(rows, states): (Vec<usize>, Vec<String>)| {
        let row = *rows.last()?;
        let text = table.rows.get(row)?;
        Some(Defect::NoOtherwise { states, event: text.on.clone(), row, line: text.line() })
    };
    gaps.into_iter().filter_map(defect).collect()
}

fn never_fires(table: &TableText, graph: &Graph) -> Vec<Defect> {
    let reason = |(row, text): (usize, &RowText)| {
        let why = why_never(table, graph, row, text)?;
        Some(Defect::NeverFires { row, line: text.line(), why })
    };
    table.rows.iter().enumerate().filter_map(reason).collect()
}

fn why_never(table: &TableText, graph: &Graph, row: usize, text: &RowText) -> Option<String> {
    if text.at_most == Some(0) {
        return Some("`at most 0` forbids it: raise the bound, or remove the row".to_owned());
    }
    if text.from.is_empty() {
        return Some("it covers no state: name one, or remove the row".to_owned());
    }
    let covered: Vec<&str> =
        text.from.iter().map(String::as_str).filter(|state| !table.ends(state)).collect();
    if covered.is_empty() {
        return None; // it leaves a final state, and that is reported as such
    }
    let visited: Vec<&str> = covered.into_iter().filter(|state| graph.reachable(state)).collect();
    if visited.is_empty() {
        return Some(
            "nothing leads to the states it covers: add a row into one, or remove this one".to_owned(),
        );
    }
    let mut before: Vec<usize> =
        visited.iter().map(|state| table.shadow(row, state)).collect::<Option<_>>()?;
    before.sort_unstable();
    before.dedup();
    let earlier: Vec<String> = before.iter().map(|earlier| table.place(*earlier)).collect();
    Some(format!("{} always comes first: move this row before it, or remove it", earlier.join(" or ")))
}

fn endless(table: &TableText, graph: &Graph) -> Vec<Defect> {
    let waits =
        |state: &str| table.states.iter().any(|other| other.name == state && other.kind == Kind::Waits);
    let cycles =
        graph.cycles(|edge| table.rows.get(edge.row).is_some_and(|row| row.at_most.is_none()), waits);
    let name = |cycle: Vec<&graph::Edge>| {
        let mut rows: Vec<usize> = cycle.iter().map(|edge| edge.row).collect();
        rows.sort_unstable();
        rows.dedup();
        let lines = rows.iter().filter_map(|row| table.rows.get(*row)).map(RowText::line).collect();
        Defect::Endless { states: cycle.iter().map(|edge| edge.from.to_owned()).collect(), rows, lines }
    };
    cycles.into_iter().map(name).collect()
}

fn not_taken(table: &TableText) -> Vec<Defect> {
    let lonely = table.events.iter().filter(|event| !table.rows.iter().any(|row| row.on == **event));
    lonely.map(|event| Defect::NotTaken { event: event.clone() }).collect()
}

/// The questions the checks put to the written-out table.
impl TableText {
    /// Whether a run is over in this state.
    pub(crate) fn ends(&self, state: &str) -> bool {
        self.states.iter().any(|other| other.name == state && other.is_final())
    }

    /// The row's place and text, for messages.
    fn place(&self, row: usize) -> String {
        self.rows.get(row).map_or_else(|| format!("row {row}"), |text| format!("row {row} ({})", text.line()))
    }

    fn rows_taking(&self, state: &str, event: &str) -> Vec<usize> {
        let takes = |row: &RowText| row.on == event && row.covers(state);
        self.rows.iter().enumerate().filter(|(_, row)| takes(row)).map(|(index, _)| index).collect()
    }

    /// Whether the row is always taken when its turn comes in this state.
    fn certain(&self, row: usize, state: &str) -> bool {
        self.rows.get(row).is_some_and(|row| row.guard.is_none() && self.unlimited(row, state))
    }

    /// `back` has nowhere to lead on the first visit of the start.
    fn unlimited(&self, row: &RowText, state: &str) -> bool {
        row.at_most.is_none() && !(row.to == "back" && state == self.start)
    }

    /// The earlier row that is always taken before this one in this state: an unconditional one, or one
    /// that asks the same guard.
    fn shadow(&self, row: usize, state: &str) -> Option<usize> {
        let later = self.rows.get(row)?;
        let shadows = |earlier: &RowText| {
            (earlier.guard.is_none() || earlier.guard == later.guard) && self.unlimited(earlier, state)
        };
        let before = self.rows_taking(state, &later.on).into_iter().take_while(|earlier| *earlier < row);
        before.into_iter().find(|earlier| self.rows.get(*earlier).is_some_and(shadows))
    }

    /// Whether a run can take this row in this state, guards willing.
    fn live(&self, row: usize, state: &str) -> bool {
        let allowed = self.rows.get(row).is_some_and(|row| row.at_most != Some(0) && row.covers(state));
        allowed && !self.ends(state) && self.shadow(row, state).is_none()
    }
}
