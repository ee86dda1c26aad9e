//! A second interpreter of tables, written from the rules and not from the code it checks.
//!
//! Everything is a string or a list of all that ever happened; nothing is kept up to date, everything is
//! looked up again. Slow and plain, so that it is easy to believe.

use baton_machine::{RowText, TableText};

/// A run as its whole past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<M> {
    /// Every state entered, the present one last.
    pub path: Vec<String>,
    /// Every row taken.
    pub taken: Vec<usize>,
    /// What the run has learnt.
    pub memory: M,
}

impl<M> Reference<M> {
    /// A run at the start of the table.
    pub fn start(table: &TableText, memory: M) -> Self {
        Self { path: vec![table.start.clone()], taken: Vec::new(), memory }
    }

    /// The state the run stands in.
    pub fn state(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// How many states were entered, the start included.
    pub fn visit(&self) -> usize {
        self.path.len()
    }

    /// Where `back` leads: the last state on the path that is not the present one.
    pub fn origin(&self) -> Option<&str> {
        self.path.iter().rev().map(String::as_str).find(|state| *state != self.state())
    }

    /// Takes an event. `learnt` is the memory with the event in it; `holds` answers a guard by its name.
    /// Returns the row taken; with none, nothing has changed.
    pub fn take(
        &mut self,
        table: &TableText,
        event: &str,
        learnt: M,
        holds: impl Fn(&str, &M) -> bool,
    ) -> Option<usize> {
        if table.states.iter().any(|state| state.name == self.state() && state.is_final()) {
            return None;
        }
        let fits = |(index, row): &(usize, &RowText)| {
            row.on == event
                && row.from.iter().any(|from| from == self.state())
                && row.at_most.is_none_or(|most| self.times(*index) < most as usize)
                && row.guard.as_ref().is_none_or(|guard| holds(guard, &learnt))
                && (row.to != "back" || self.origin().is_some())
        };
        let (index, row) = table.rows.iter().enumerate().find(fits)?;
        let entered = match row.to.as_str() {
            "same" | "stay" => None,
            "back" => self.origin().map(str::to_owned),
            state => Some(state.to_owned()),
        };
        self.path.extend(entered);
        self.taken.push(index);
        self.memory = learnt;
        Some(index)
    }

    /// How often a row was taken.
    pub fn times(&self, row: usize) -> usize {
        self.taken.iter().filter(|taken| **taken == row).count()
    }
}
