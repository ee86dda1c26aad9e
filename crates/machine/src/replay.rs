//! Following what was recorded. Nothing here asks a guard: a journal is never re-decided.

use crate::{Happening, Position, Row, Target, Word, Workflow};

/// One taken row as a journal holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded<W: Workflow> {
    /// Where the run stood.
    pub from: W::State,
    /// The row that was taken.
    pub row: usize,
    /// Where the run went.
    pub to: W::State,
    /// What happened.
    pub event: W::Event,
}

/// A record that does not fit the table it claims to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What does not fit.
    pub what: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Mismatch {}

/// Follows one recorded move.
pub fn follow<W: Workflow>(
    table: &[Row<W>],
    position: &mut Position<W>,
    memory: &mut W::Memory,
    recorded: &Recorded<W>,
) -> Result<(), Mismatch> {
    let mismatch = |what: String| Err(Mismatch { what });
    let (from, to) = (recorded.from, recorded.to);
    if from != position.state {
        return mismatch(format!(
            "the record leaves {}, but the run stands in {}",
            from.name(),
            position.state.name()
        ));
    }
    let Some(row) = table.get(recorded.row) else {
        return mismatch(format!(
            "the record names row {}, but the table has {} rows",
            recorded.row,
            table.len()
        ));
    };
    let lands = match row.to {
        Target::To(state) => state == to,
        Target::Same | Target::Stay => from == to,
        Target::Back => position.entered_from == Some(to),
    };
    if row.on != recorded.event.on() || !row.from.covers(from) || !lands {
        return mismatch(format!(
            "row {} does not lead from {} to {} on {}",
            recorded.row,
            from.name(),
            to.name(),
            recorded.event.on().name()
        ));
    }
    W::learn(memory, &recorded.event);
    position.take(recorded.row, row.at_most.is_some(), &row.to, to);
    Ok(())
}

/// Follows a whole history from the start.
pub fn replay<W: Workflow>(
    table: &[Row<W>],
    input: &W::Input,
    history: impl IntoIterator<Item = Recorded<W>>,
) -> Result<(Position<W>, W::Memory), Mismatch> {
    let mut position = Position::start();
    let mut memory = W::begin(input);
    for recorded in history {
        follow(table, &mut position, &mut memory, &recorded)?;
    }
    Ok((position, memory))
}
