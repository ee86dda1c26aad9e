//! Transition tables as plain data, and everything that can be said about them without acting.
//!
//! A [`Workflow`] names its states, its events, what a run remembers, and one table of [`Row`]s.
//! [`advance`] takes one event to the next state; [`replay`] follows what was recorded and never
//! re-decides; [`defects`] says what is wrong with a table, [`explain`] why a run stands where it
//! stands, and [`mermaid`] and [`svg`](svg()) draw it.
//!
//! What does not live here: clocks, files, randomness, async. This crate depends on serde alone, so
//! the compiler keeps decisions apart from the world.

mod advance;
mod defects;
mod describe;
mod diagram;
mod explain;
mod journey;
mod layout;
mod picture;
mod replay;
mod svg;
mod table;
mod words;

pub use advance::{Asked, Move, Position, Refused, advance, rows_for};
pub use defects::{Defect, defects};
pub use describe::{RowText, StateText, TableText, describe};
pub use diagram::mermaid;
pub use explain::{Explained, explain};
pub use journey::{Journey, Stay};
pub use replay::{Mismatch, Recorded, follow, replay};
pub use svg::{svg, svg_of};
pub use table::{Group, Guard, Kind, Outcome, Row, Source, Target, Verdict, Workflow};
pub use words::{Happening, Word};

#[cfg(test)]
mod tests;

/// For the macros of this crate; not part of its interface.
#[doc(hidden)]
pub use serde as __serde;

// Lets the macros name this crate the same way from inside and outside.
extern crate self as baton_machine;
