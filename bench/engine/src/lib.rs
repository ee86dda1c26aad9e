//! Measures the engine: each figure beside a bare loop that makes the same promise, in the same run.
//!
//! The figures stand in [`figures`], one file each; what they are measured with beside it. Nothing here is
//! part of the program, and nothing here is faster than what a user gets: every figure goes through
//! [`baton_engine::Engine`].

mod acts;
pub mod args;
pub mod bare;
mod bench_error;
pub mod chains;
pub mod figures;
pub mod probe;
pub mod prose;
pub mod report;
mod rig;
pub mod ring;
mod rounds;
pub mod spread;

pub use acts::{Append, Hold, Holder, Nop, effects};
pub use bench_error::BenchError;
pub use rig::{Rig, runtime};
