//! How asking a web provider fails, sorted by what helps: waiting, a person, or nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::search::assemble::PATIENCE;

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebFaultKind {
    /// The environment variable that should hold the key is not set.
    KeyMissing,
    /// The provider refuses the key, or wants one, or wants money.
    Unauthorized,
    /// It asks for a pause.
    RateLimited,
    /// Nothing came in time.
    TimedOut,
    /// No connection, or it broke.
    Unreachable,
    /// The server failed.
    ServerError,
    /// It refuses the request for another reason.
    Rejected,
    /// The answer is not of the documented shape, or too large.
    Unreadable,
}

impl WebFaultKind {
    /// The kind of a status that is no success.
    #[must_use]
    pub fn of_status(status: u16) -> Self {
        match status {
            401..=403 | 407 => Self::Unauthorized,
            408 | 504 => Self::TimedOut,
            429 => Self::RateLimited,
            500..=599 => Self::ServerError,
            _ => Self::Rejected,
        }
    }

    /// Whether asking again later may help.
    #[must_use]
    pub fn retriable(self) -> bool {
        matches!(self, Self::RateLimited | Self::TimedOut | Self::Unreachable | Self::ServerError)
    }

    /// Whether every later query would fail the same way until a person acts.
    #[must_use]
    pub fn is_lasting(self) -> bool {
        matches!(self, Self::KeyMissing | Self::Unauthorized)
    }

    /// How long to leave the provider alone when it does not say so itself.
    #[must_use]
    pub fn pause(self) -> Duration {
        match self {
            Self::RateLimited => Duration::from_secs(300),
            Self::TimedOut | Self::ServerError => Duration::from_secs(60),
            // Nobody is there to be spared, but a run must not wait for it: a moment longer than its patience.
            Self::Unreachable => PATIENCE + Duration::from_secs(1),
            Self::KeyMissing | Self::Unauthorized | Self::Rejected | Self::Unreadable => Duration::ZERO,
        }
    }
}

/// A provider that could not be searched. Holds no key: texts are scrubbed, and keys never stand in addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{provider} could not be searched: {detail}")]
pub struct WebFault {
    /// Which one.
    pub provider: String,
    /// What went wrong.
    pub kind: WebFaultKind,
    /// The same as a sentence, with the provider's words where there are any.
    pub detail: String,
    /// How long it asked to be left alone, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl WebFault {
    /// A fault after which the provider named no pause.
    #[must_use]
    pub fn new(provider: &str, kind: WebFaultKind, detail: impl Into<String>) -> Self {
        Self { provider: provider.to_owned(), kind, detail: detail.into(), retry_after_ms: None }
    }

    /// The same, after which the provider wants a pause.
    #[must_use]
    pub fn after(mut self, pause: Option<Duration>) -> Self {
        self.retry_after_ms = pause.map(|p| u64::try_from(p.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// How long to leave the provider alone: what it asked for, else what suits the kind.
    #[must_use]
    pub fn pause(&self) -> Duration {
        self.retry_after_ms.map_or(self.kind.pause(), Duration::from_millis)
    }
}
