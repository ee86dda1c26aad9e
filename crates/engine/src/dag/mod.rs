//! A scheduler any node can use: tasks, what they depend on, and what follows when one of them ends.
//!
//! [`Dag`] is the pure part: which tasks are ready, and what a task's end means for the others. [`run()`] is
//! the part for nodes: it runs what is ready under a limit and has every end journaled. What does not live
//! here: what a task does (the node's business), and the fold (the workflow's: [`Dag::apply`] in `learn`).
//!
//! The rules:
//!
//! * A task waits (BLOCKED) until everything it depends on is final, and is decided then: PENDING, which
//!   means ready, or SKIPPED. So the outcome of a graph depends on how its tasks end, never on when.
//! * A COMPLETED dependency lets its dependants go on. One that ended in any other way lets them go on if it
//!   is optional; if it is critical they are SKIPPED, and so on down the graph.
//! * A FAILED task with a fallback calls it, and whoever depends on the task waits for the fallback instead;
//!   a fallback may have a fallback of its own. A fallback that is never called is SKIPPED. Being skipped
//!   calls no fallback: what a task needed is missing, or somebody decided against it.
//! * A critical task that FAILED, and whose fallback did not complete, is lost ([`Dag::lost`]): the graph as
//!   a whole has failed. Branches that do not depend on it go on all the same, so that what they bring is
//!   not thrown away; a node that wants to stop at once says so with [`TaskEnd::cancel_rest`].
//! * Tasks may be added while others run. A graph in which a task would wait for itself, through
//!   dependencies or fallbacks, is refused; that is why a graph never gets [stuck](Dag::stuck).

mod check;
mod graph;
mod run;
mod task;

#[cfg(test)]
mod tests;

pub use check::DagError;
pub use graph::Dag;
pub use run::{Done, run};
pub use task::{Task, TaskEnd, TaskEnding, TaskId, TaskStatus};
