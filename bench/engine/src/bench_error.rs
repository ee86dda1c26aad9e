//! Why a figure could not be measured.

use baton_engine::engine::StartError;
use baton_engine::store::OpenError;
use baton_engine::{DriveError, RunsError};

/// A figure that could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file or a process.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// The bare database.
    #[error("the bare database: {0}")]
    Bare(#[from] rusqlite::Error),
    /// A home could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The journal.
    #[error(transparent)]
    Runs(#[from] RunsError),
    /// A run could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A run could not be driven.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// A task or a child process did not say what it should.
    #[error("unreadable: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// A task was cut off.
    #[error("a task ended early: {0}")]
    Task(#[from] tokio::task::JoinError),
    /// What was measured is not what should have happened.
    #[error("the measurement is void: {0}")]
    Void(String),
}
