//! What a drawing of a table shows, whatever it is drawn with: arrows between spots.
//!
//! A row from `any`, or from a group, is one arrow from one spot that stands for all its states.

use crate::{RowText, TableText};

/// Where an arrow begins or ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A state.
    State(String),
    /// Every state that is not final.
    Any,
    /// The states of a group.
    Group(String),
    /// Wherever the run came from.
    Back,
}

/// One row, or one row in one of its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub from: Spot,
    pub to: Spot,
    pub label: String,
    /// The row it was drawn for.
    pub row: usize,
}

/// The arrows of a table, in the order of its rows.
pub(crate) fn arrows(table: &TableText) -> Vec<Arrow> {
    table.rows.iter().enumerate().flat_map(|(index, row)| row_arrows(table, index, row)).collect()
}

/// The groups states are drawn in, with their states, in the order of declaration.
pub(crate) fn groups(table: &TableText) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for state in &table.states {
        let Some(group) = state.group.as_deref() else { continue };
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, states)) => states.push(&state.name),
            None => groups.push((group, vec![&state.name])),
        }
    }
    groups
}

/// States that the start or a row names and the table does not declare: a defect, and drawn as such.
pub(crate) fn undeclared(table: &TableText) -> Vec<&str> {
    let rows = table.rows.iter().flat_map(|row| row.from.iter().map(String::as_str).chain(row.target()));
    let mut names: Vec<&str> = Vec::new();
    for name in [table.start.as_str()].into_iter().chain(rows) {
        if !names.contains(&name) && !table.states.iter().any(|state| state.name == name) {
            names.push(name);
        }
    }
    names
}

fn row_arrows(table: &TableText, index: usize, row: &RowText) -> Vec<Arrow> {
    let arrow = |from: Spot| Arrow { to: lands(row, &from), label: label(row), from, row: index };
    match whole_source(table, row) {
        Some(spot) => vec![arrow(spot)],
        None => row.from.iter().map(|state| arrow(Spot::State(state.clone()))).collect(),
    }
}

fn lands(row: &RowText, from: &Spot) -> Spot {
    match row.to.as_str() {
        "same" | "stay" => from.clone(),
        "back" => Spot::Back,
        state => Spot::State(state.to_owned()),
    }
}

fn label(row: &RowText) -> String {
    let guard = row.guard.as_ref().map(|guard| format!(" [{guard}]")).unwrap_or_default();
    let most = row.at_most.map(|most| format!(" (at most {most})")).unwrap_or_default();
    let after = match row.to.as_str() {
        "same" => " / again",
        "stay" => " / goes on",
        _ => "",
    };
    format!("{}{guard}{most}{after}", row.on)
}

/// The spot that stands for exactly the states this row covers, if the row was written with one.
fn whole_source(table: &TableText, row: &RowText) -> Option<Spot> {
    let from: Vec<&str> = row.from.iter().map(String::as_str).collect();
    if row.source == "any" {
        let working: Vec<&str> =
            table.states.iter().filter(|s| !s.is_final()).map(|s| s.name.as_str()).collect();
        return (from == working).then_some(Spot::Any);
    }
    let name = row.source.strip_prefix("in ")?;
    let groups = groups(table);
    let (_, states) = groups.iter().find(|(group, _)| *group == name)?;
    (from == *states).then(|| Spot::Group(name.to_owned()))
}
