//! The table as states and the moves between them: who leads where, and round what.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::TableText;

/// A move a run can make, and the row that makes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge<'t> {
    pub from: &'t str,
    pub to: &'t str,
    pub row: usize,
}

/// Every move a run can make, and the states it can come to.
pub(super) struct Graph<'t> {
    states: Vec<&'t str>,
    edges: Vec<Edge<'t>>,
    reached: BTreeSet<&'t str>,
}

impl<'t> Graph<'t> {
    pub(super) fn of(table: &'t TableText) -> Self {
        let states: Vec<&str> = table.states.iter().map(|state| state.name.as_str()).collect();
        let edges = edges(table);
        let reached = closure(&edges, &table.start);
        Self { states, edges, reached }
    }

    /// Whether a run can come to this state.
    pub(super) fn reachable(&self, state: &str) -> bool {
        self.reached.contains(state)
    }

    /// Whether any row leads from this state to another.
    pub(super) fn leaves(&self, state: &str) -> bool {
        self.edges.iter().any(|edge| edge.from == state && edge.to != state)
    }

    /// Whether a way leads from this state to one of these.
    pub(super) fn reaches_one_of(&self, state: &'t str, ends: &[&str]) -> bool {
        let reached = closure(&self.edges, state);
        ends.iter().any(|end| reached.contains(end))
    }

    /// The shortest cycle through each state, over the edges that count and past the states that break one.
    /// A state that stands in a reported cycle is not reported again; a state's own loop always is.
    pub(super) fn cycles(
        &self,
        counts: impl Fn(&Edge) -> bool,
        breaks: impl Fn(&str) -> bool,
    ) -> Vec<Vec<&Edge<'t>>> {
        let counts = |edge: &&Edge| counts(edge) && !breaks(edge.from) && !breaks(edge.to);
        let (own, between): (Vec<_>, Vec<_>) =
            self.edges.iter().filter(counts).partition(|edge| edge.from == edge.to);
        let mut seen = BTreeSet::new();
        let mut cycles: Vec<Vec<&Edge>> = Vec::new();
        for state in &self.states {
            cycles.extend(own.iter().filter(|edge| edge.from == *state).map(|edge| vec![*edge]));
            if seen.contains(state) {
                continue;
            }
            if let Some(cycle) = shortest_cycle(&between, state) {
                seen.extend(cycle.iter().map(|edge| edge.from));
                cycles.push(cycle);
            }
        }
        cycles
    }
}

/// The moves of a table. `stay` makes none; `same` leads a state to itself.
fn edges(table: &TableText) -> Vec<Edge<'_>> {
    let mut edges = BTreeSet::new();
    let mut backs = Vec::new();
    for (row, text) in table.rows.iter().enumerate() {
        for from in text.from.iter().filter(|from| table.live(row, from)).map(String::as_str) {
            match text.to.as_str() {
                "stay" => {}
                "back" => backs.push((from, row)),
                "same" => drop(edges.insert(Edge { from, to: from, row })),
                to => drop(edges.insert(Edge { from, to, row })),
            }
        }
    }
    close_backs(&mut edges, &backs);
    edges.into_iter().collect()
}

/// `back` leads to wherever its state was entered from; a `back` can itself be such an entry, so this goes
/// on until nothing new appears.
fn close_backs<'t>(edges: &mut BTreeSet<Edge<'t>>, backs: &[(&'t str, usize)]) {
    loop {
        let before = edges.len();
        for (from, row) in backs {
            let origins = edges.iter().filter(|edge| edge.to == *from && edge.from != *from);
            let returns: Vec<Edge> = origins.map(|edge| Edge { from, to: edge.from, row: *row }).collect();
            edges.extend(returns);
        }
        if edges.len() == before {
            return;
        }
    }
}

/// The state and every state a way leads to from it.
fn closure<'t>(edges: &[Edge<'t>], start: &'t str) -> BTreeSet<&'t str> {
    let mut reached = BTreeSet::from([start]);
    let mut left = vec![start];
    while let Some(state) = left.pop() {
        let next = edges.iter().filter(|edge| edge.from == state).map(|edge| edge.to);
        left.extend(next.filter(|to| reached.insert(to)));
    }
    reached
}

fn shortest_cycle<'e, 't>(edges: &[&'e Edge<'t>], start: &str) -> Option<Vec<&'e Edge<'t>>> {
    let mut came_by: BTreeMap<&str, &Edge> = BTreeMap::new();
    let mut left = VecDeque::from([start]);
    while let Some(state) = left.pop_front() {
        for edge in edges.iter().filter(|edge| edge.from == state) {
            if came_by.contains_key(edge.to) {
                continue;
            }
            came_by.insert(edge.to, edge);
            if edge.to == start {
                return Some(way_to(&came_by, start));
            }
            left.push_back(edge.to);
        }
    }
    None
}

/// The edges that led round to `start`, first to last.
fn way_to<'e, 't>(came_by: &BTreeMap<&str, &'e Edge<'t>>, start: &str) -> Vec<&'e Edge<'t>> {
    let mut way = Vec::new();
    let mut state = start;
    while let Some(edge) = came_by.get(state) {
        way.push(*edge);
        state = edge.from;
        if state == start {
            break;
        }
    }
    way.reverse();
    way
}
