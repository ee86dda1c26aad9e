//! Why a run stands where it stands: every row out of the state, and what each guard saw.

use serde::{Deserialize, Serialize};

use crate::{Asked, Kind, Position, Row, Target, Word, Workflow};

/// One row out of the present state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// The row's place in the table.
    pub row: usize,
    /// The event it takes.
    pub event: String,
    /// Where it leads now (`back` resolved).
    pub to: String,
    /// Whether it would be taken if the event came now with nothing new learnt.
    pub fires: bool,
    /// The guard as it answers now, if the row has one.
    pub guard: Option<Asked>,
    /// How often it has fired, and how often it may.
    pub fired: Option<(u32, u32)>,
    /// Why it would not be taken.
    pub why_not: Option<String>,
}

/// For every row out of the state: fires or not, and on what values.
pub fn explain<W: Workflow>(table: &[Row<W>], position: &Position<W>, memory: &W::Memory) -> Vec<Explained> {
    let mut settled: Vec<(W::On, usize)> = Vec::new();
    let mut out = Vec::new();
    if matches!(W::kind(position.state), Kind::Ends(_)) {
        return out;
    }
    for (index, row) in table.iter().enumerate().filter(|(_, row)| row.from.covers(position.state)) {
        let guard = row.guard.as_ref().map(|guard| Asked::new(guard.name, (guard.ask)(memory)));
        let fired = row.at_most.map(|most| (position.times_fired(index), most));
        let earlier = settled.iter().find(|(on, _)| *on == row.on).map(|(_, by)| *by);
        let why_not = why_not(row, position, earlier, fired, guard.as_ref());
        if why_not.is_none() {
            settled.push((row.on, index));
        }
        out.push(Explained {
            row: index,
            event: row.on.name().to_owned(),
            to: lands(row, position),
            fires: why_not.is_none(),
            guard,
            fired,
            why_not,
        });
    }
    out
}

fn lands<W: Workflow>(row: &Row<W>, position: &Position<W>) -> String {
    match row.to {
        Target::To(state) => state.name().to_owned(),
        Target::Same => format!("{} (again)", position.state.name()),
        Target::Stay => format!("{} (goes on)", position.state.name()),
        Target::Back => {
            position.entered_from.map_or("back".to_owned(), |state| format!("{} (back)", state.name()))
        }
    }
}

fn why_not<W: Workflow>(
    row: &Row<W>,
    position: &Position<W>,
    earlier: Option<usize>,
    fired: Option<(u32, u32)>,
    guard: Option<&Asked>,
) -> Option<String> {
    if let Some(earlier) = earlier {
        return Some(format!("row {earlier} comes first"));
    }
    if let Some((times, most)) = fired.filter(|(times, most)| times >= most) {
        return Some(format!("it has fired {times} of at most {most} times"));
    }
    if let Some(asked) = guard.filter(|asked| !asked.holds) {
        return Some(asked.to_string());
    }
    if matches!(row.to, Target::Back) && position.entered_from.is_none() {
        return Some("there is nowhere to go back to".to_owned());
    }
    None
}
