//! Defects as sentences that tell the author of a table what to change.

use std::fmt::{Display, Formatter, Result};

use super::Defect;

impl Display for Defect {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::NameTwice { what, name } => {
                write!(f, "two {what}s are named {name}: rename one, for {what}s are stored by name")
            }
            Self::ReservedName { state } => {
                write!(f, "a state is named `{state}`, which is a word of the table itself: rename it")
            }
            Self::UnknownName { place, name } => {
                write!(
                    f,
                    "{place} names {name}, which the table does not declare: declare it, or correct the name"
                )
            }
            Self::Unreachable { state } => {
                write!(f, "nothing leads to {state}: add a row that goes there, or remove the state")
            }
            Self::NoWayOut { state } => {
                write!(f, "no row leaves {state}: add one, or declare the state an end")
            }
            Self::NeverEnds { state } => {
                write!(f, "no way out of {state} leads to an end: add a row towards a final state")
            }
            Self::FinalWithExit { state, row, line } => {
                write!(
                    f,
                    "{state} is final, yet row {row} ({line}) applies there: remove the row, or declare that {state} works or waits"
                )
            }
            Self::NoOtherwise { states, event, row, line } => {
                write!(
                    f,
                    "{event} can be refused in {}, for every row that takes it there has a condition: after row {row} ({line}) add one without `if`, `at most` or `back`",
                    states.join(", ")
                )
            }
            Self::NeverFires { row, line, why } => write!(f, "row {row} ({line}) can never fire: {why}"),
            Self::Endless { states, rows, lines } => {
                let round: Vec<&str> = states.iter().chain(states.first()).map(String::as_str).collect();
                let rows = rows.iter().zip(lines).map(|(row, line)| format!("row {row} ({line})"));
                write!(
                    f,
                    "{} can go round for ever: add `at most N` to {}, or declare that one of the states waits",
                    round.join(" -> "),
                    rows.collect::<Vec<_>>().join(" or ")
                )
            }
            Self::NotTaken { event } => {
                write!(f, "no row takes {event}: add one, or remove the event")
            }
        }
    }
}
