//! What the tests of every crate share. Nothing here ships.
//!
//! [`reference`](mod@reference) is a second, naive interpreter of tables to hold the real one against;
//! [`random_table`] makes the tables; [`puppet`] is a workflow that
//! does what its input says; [`conformance`] holds any durability host to its promises; [`suite`] is what every workflow
//! has to show; [`crashes`] crashes a workflow and compares; [`golden`] keeps journals in files;
//! `disk` (on Linux) is a disk that loses what was not synchronised;
//! [`model_server`] answers models' calls as a script says;
//! [`http_server`] answers as a function or a list of pages says; [`mcp_server`] is a server of tools that misbehaves as told; [`snapshot`] compares text with a file kept beside a test;
//! [`fences`] tells what of a prompt is fenced.

#[cfg(feature = "engine")]
pub mod conformance;
#[cfg(feature = "engine")]
pub mod crashes;
#[cfg(all(feature = "engine", target_os = "linux"))]
pub mod disk;
pub mod fences;
#[cfg(feature = "engine")]
pub mod golden;
#[cfg(feature = "http")]
pub mod http_server;
#[cfg(feature = "http")]
pub mod mcp_server;
#[cfg(feature = "models")]
pub mod model_server;
#[cfg(feature = "engine")]
pub mod puppet;
pub mod random_table;
pub mod reference;
pub mod snapshot;
#[cfg(feature = "engine")]
pub mod suite;
#[cfg(feature = "http")]
mod tap;
#[cfg(feature = "engine")]
pub mod turns;
