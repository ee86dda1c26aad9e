//! The port through which every paid attempt passes. Whoever runs an ask implements it: with a journal, so
//! that a crash repeats at most one attempt, or directly ([`super::DirectPort`]).

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::model::{ModelCall, ModelFault, ModelReply};

/// The most an attempt can use: set aside before the call, settled after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Millionths of a dollar; absent when the price is not known.
    pub microusd: Option<u64>,
}

/// One attempt, as data: the intent to write down before the call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The step key: made from the question's key, the skill, the model's place and the attempt's number,
    /// so that the same ask makes the same keys again.
    pub key: String,
    /// The most it can use.
    pub most: Reservation,
    /// The call.
    pub call: ModelCall,
}

/// Why an attempt brought no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum PortFault {
    /// The call failed, or must not be made.
    #[error(transparent)]
    Model(#[from] ModelFault),
    /// What it could use is more than what is left.
    #[error("{0}")]
    OverBudget(String),
    /// The run must not go on: it was cancelled, or its journal cannot be written.
    #[error("{0}")]
    Stop(String),
}

/// Where attempts go.
#[async_trait]
pub trait Port: Send + Sync {
    /// Randomness for the ask under `key`: not guessable from outside, the same again on replay.
    async fn seed(&self, key: &str) -> Result<[u8; 32], PortFault>;
    /// Makes one attempt, or returns what came of it when it was made before. Makes no retries.
    async fn attempt(&self, attempt: Attempt) -> Result<ModelReply, PortFault>;
    /// Waits, or returns at once when this wait is already over.
    async fn wait(&self, key: &str, how_long: Duration) -> Result<(), PortFault>;
}
