//! One event, one decision. The only place where a row is chosen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Happening, Kind, Row, Target, Verdict, Word, Workflow};

/// Where a run stands, and what the table needs to know of how it came there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Position<W: Workflow> {
    /// The state.
    pub state: W::State,
    /// How many stays in states there have been, this one included; a retry is the same stay.
    pub visit: u32,
    /// The other state from which this one was entered: where `back` leads.
    pub entered_from: Option<W::State>,
    /// How often each bounded row has fired.
    pub fired: BTreeMap<usize, u32>,
}

impl<W: Workflow> Position<W> {
    /// Where every run begins.
    pub fn start() -> Self {
        Self { state: W::START, visit: 1, entered_from: None, fired: BTreeMap::new() }
    }

    /// How often a row has fired, if its firing is bounded.
    pub fn times_fired(&self, row: usize) -> u32 {
        self.fired.get(&row).copied().unwrap_or(0)
    }

    /// Takes the row: the same bookkeeping whether it was decided now or recorded earlier.
    pub(crate) fn take(&mut self, index: usize, bounded: bool, target: &Target<W>, to: W::State) {
        if bounded {
            *self.fired.entry(index).or_insert(0) += 1;
        }
        if matches!(target, Target::Same | Target::Stay) {
            return;
        }
        // A state entered from itself keeps its origin: `back` out of an error that came twice still leads home.
        if to != self.state {
            self.entered_from = Some(self.state);
        }
        self.state = to;
        self.visit += 1;
    }
}

/// What one event did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<W: Workflow> {
    /// Where the run stood.
    pub from: W::State,
    /// Where it stands now.
    pub to: W::State,
    /// The row that was taken, counted from 0.
    pub row: usize,
    /// The guards that were asked on the way, the taken row's last.
    pub asked: Vec<Asked>,
}

/// A guard, its answer and what it looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The guard's name.
    pub guard: String,
    /// Its answer.
    pub holds: bool,
    /// The values it looked at.
    pub saw: Vec<(String, String)>,
}

impl Asked {
    pub(crate) fn new(guard: &str, verdict: Verdict) -> Self {
        let saw = verdict.saw.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { guard: guard.to_owned(), holds: verdict.holds, saw }
    }
}

impl std::fmt::Display for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}", self.guard, self.holds)?;
        let saw: Vec<String> = self.saw.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if saw.is_empty() { Ok(()) } else { write!(f, " ({})", saw.join(", ")) }
    }
}

/// An event that no row takes. A typed answer, never silence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The state the run stands in.
    pub state: String,
    /// The event that came.
    pub event: String,
    /// The events that rows out of this state do take.
    pub expected: Vec<String>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { state, event, expected } = self;
        if expected.contains(event) {
            return write!(f, "no row that takes {event} in {state} fits now");
        }
        if expected.is_empty() {
            return write!(f, "no row takes {event} in {state}; the run is over there");
        }
        write!(f, "no row takes {event} in {state}; rows there take {}", expected.join(", "))
    }
}

impl std::error::Error for Refused {}

/// The rows that could take `on` in `state`, with their places in the table. In a final state the run is
/// over, whatever the table says.
pub fn rows_for<W: Workflow>(
    table: &[Row<W>],
    state: W::State,
    on: W::On,
) -> impl Iterator<Item = (usize, &Row<W>)> {
    let over = matches!(W::kind(state), Kind::Ends(_));
    table.iter().enumerate().filter(move |(_, row)| !over && row.on == on && row.from.covers(state))
}

/// Takes one event: learns it, asks the guards in order, moves by the first row that fits.
///
/// Guards see what the event taught. A refused event leaves position and memory as they were.
pub fn advance<W: Workflow>(
    table: &[Row<W>],
    position: &mut Position<W>,
    memory: &mut W::Memory,
    event: &W::Event,
) -> Result<Move<W>, Refused> {
    let from = position.state;
    let on = event.on();
    if rows_for(table, from, on).next().is_none() {
        return Err(refused(table, from, on));
    }
    // Only a table with a defect can refuse what a row names, so a sound one never pays for this copy.
    let before = can_refuse(table, position, on).then(|| memory.clone());
    W::learn(memory, event);
    let mut asked = Vec::new();
    for (index, row) in rows_for(table, from, on) {
        let Some(to) = lands(row, index, position) else { continue };
        if !guard_holds(row, memory, &mut asked) {
            continue;
        }
        position.take(index, row.at_most.is_some(), &row.to, to);
        return Ok(Move { from, to, row: index, asked });
    }
    if let Some(before) = before {
        *memory = before;
    }
    Err(refused(table, from, on))
}

fn can_refuse<W: Workflow>(table: &[Row<W>], position: &Position<W>, on: W::On) -> bool {
    let mut rows = rows_for(table, position.state, on);
    !rows.any(|(index, row)| row.guard.is_none() && lands(row, index, position).is_some())
}

/// Where the row leads from here; none if its bound is used up or there is nowhere to go back to.
fn lands<W: Workflow>(row: &Row<W>, index: usize, position: &Position<W>) -> Option<W::State> {
    if row.at_most.is_some_and(|most| position.times_fired(index) >= most) {
        return None;
    }
    match row.to {
        Target::To(to) => Some(to),
        Target::Same | Target::Stay => Some(position.state),
        Target::Back => position.entered_from,
    }
}

fn guard_holds<W: Workflow>(row: &Row<W>, memory: &W::Memory, asked: &mut Vec<Asked>) -> bool {
    let Some(guard) = &row.guard else { return true };
    let verdict = (guard.ask)(memory);
    let holds = verdict.holds;
    asked.push(Asked::new(guard.name, verdict));
    holds
}

fn refused<W: Workflow>(table: &[Row<W>], state: W::State, on: W::On) -> Refused {
    let mut expected: Vec<String> = Vec::new();
    if !matches!(W::kind(state), Kind::Ends(_)) {
        for row in table.iter().filter(|row| row.from.covers(state)) {
            let name = row.on.name().to_owned();
            if !expected.contains(&name) {
                expected.push(name);
            }
        }
    }
    Refused { state: state.name().to_owned(), event: on.name().to_owned(), expected }
}
