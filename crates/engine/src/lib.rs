//! Drives workflows durably: journal, steps, budgets, questions, leases, and the proof that nothing is lost.
//!
//! A [`Work`] is a [`baton_machine::Workflow`] with a node for each of its states. [`driver`] runs it; what it
//! needs of the world is behind [`host::Host`], of which [`local::LocalHost`] keeps the journal in one SQLite
//! file. [`engine::Engine`] puts the pieces together: start, drive, answer, cancel. What a program does with runs
//! besides driving them is behind [`runs::Runs`].
//!
//! What does not live here: models, search, documents, and any particular workflow.

pub mod budget;
mod child;
pub mod clock;
pub mod crew;
mod cx;
pub mod dag;
pub mod driver;
pub mod effect;
pub mod engine;
pub mod family;
mod fault;
pub mod flow;
pub mod folder;
pub mod history;
pub mod host;
mod ids;
pub mod journey;
pub mod local;
pub mod migration;
mod notice;
pub mod parcel;
pub mod points;
pub mod question;
pub mod record;
pub mod runs;
pub mod sim;
pub mod store;
pub mod torture;
pub mod turns;
mod work;

pub use budget::{Limits, Purpose, Purse, Short, Spend};
pub use child::{Child, ChildEnd, ChildEnding, DEEPEST, Share};
pub use clock::{Clock, Dice, SeededDice, SystemClock, SystemDice};
pub use crew::Crew;
pub use cx::Cx;
pub use driver::{DriveError, End, Head};
pub use effect::{Act, AfterCrash, AnyPerform, Call, Effect, Effects, Failure, Found, Paid, Perform, Retry};
pub use engine::{Drive, Engine, Idle};
pub use fault::Fault;
pub use flow::{Catalogue, Flow, flow};
pub use host::{HostError, Status};
pub use ids::{BadHash, BadKey, BadRunId, Hash, Key, Millis, RunId};
pub use notice::stop_notice;
pub use question::{Answer, Question, Reads, WrongShape};
pub use record::{Record, Settings, StopReason};
pub use runs::{Filter, OpenQuestion, Removed, RunSummary, Runs, RunsError, Submitted};
pub use turns::{Fork, Turn, TurnError};
pub use work::{Changeable, Node, NodeFuture, RunFile, View, Work, node};
