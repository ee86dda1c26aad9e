//! A scripted model server for tests: real HTTP on a free port of 127.0.0.1, the shapes of OpenAI,
//! Anthropic and Gemini, streamed and whole, and every way a server can misbehave, on demand or at a
//! seeded rate. It counts what it was asked by step, so a test can say what was paid for twice.

mod act;
mod plan;
mod recording;
mod serve;
mod shape;
mod twist;

pub use act::{Act, Counts, Fault, Leak, Wait};
pub use plan::{Chance, Faults};
pub use recording::Recording;
pub use serve::{ModelServer, Served};
pub use shape::{Asked, Shape};
