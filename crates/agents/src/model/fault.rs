//! How a call fails, sorted by what can be done about it and by whom.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The environment variable that should hold the key is not set.
    KeyMissing,
    /// No model of that name is configured.
    UnknownModel,
    /// The call holds a person's documents and this model may not see them.
    DocumentsStay,
    /// The price is not known and money is limited.
    PriceUnknown,
    /// The question does not fit into what the model can read.
    TooLong,
    /// No connection.
    Unreachable,
    /// The connection could not be secured.
    Tls,
    /// Nothing came for longer than the idle limit.
    Stalled,
    /// The answer did not end within the time and size one call may take.
    Overran,
    /// The connection ended in the middle of the answer.
    Broken,
    /// The provider asks for a pause.
    RateLimited,
    /// The account has no money or quota left.
    QuotaSpent,
    /// The provider refuses the key.
    Unauthorized,
    /// The server does not know the model.
    NoSuchModel,
    /// The server cannot enforce this schema.
    SchemaRefused,
    /// The server refuses the request for another reason.
    Rejected,
    /// The server failed.
    ServerError,
    /// The server answered something that is not its documented shape.
    Unreadable,
    /// Nothing recorded answers this call.
    NotRecorded,
}

/// Who can do something about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Waiting or trying again may be enough.
    Nobody,
    /// The person who runs Baton: configuration, keys, consent, account.
    You,
    /// The provider or whoever runs the model server.
    Provider,
}

/// What a failed call has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// Nothing: no answer was begun.
    Nothing,
    /// Not known: an answer was begun. Whatever was reserved stays charged.
    Unknown,
}

impl FaultKind {
    /// Whether trying the same call again may help.
    #[must_use]
    pub fn retriable(self) -> bool {
        matches!(
            self,
            Self::Unreachable | Self::Stalled | Self::Broken | Self::RateLimited | Self::ServerError
        )
    }

    /// Who must act.
    #[must_use]
    pub fn who(self) -> Who {
        match self {
            Self::RateLimited | Self::Broken => Who::Nobody,
            Self::Stalled | Self::Overran | Self::ServerError | Self::Unreadable => Who::Provider,
            _ => Who::You,
        }
    }

    /// What it has cost.
    #[must_use]
    pub fn charge(self) -> Charge {
        match self {
            Self::Stalled | Self::Overran | Self::Broken | Self::Unreadable => Charge::Unknown,
            _ => Charge::Nothing,
        }
    }

    /// What to do next, as a sentence.
    #[must_use]
    pub fn next_step(self) -> &'static str {
        match self {
            Self::KeyMissing => "Set that variable, or take the model out of the role's chain.",
            Self::UnknownModel => "Name one of the configured models; `baton doctor` lists them.",
            Self::DocumentsStay => {
                "Use a model on this machine, or allow it with --send or [privacy] documents_to."
            }
            Self::PriceUnknown => "Give the model a price in its [models] section, or `local = true`.",
            Self::TooLong => "Use a model with a larger context, or give it less to read.",
            Self::Unreachable => "Check that the server runs and that base_url is right.",
            Self::Tls => "Check the certificate of the server and the clock of this machine.",
            Self::Stalled => "Check the server; a slow one needs a larger idle_seconds.",
            Self::Overran => {
                "Check the server; a slow one needs a larger total_seconds or max_bytes, in its limits or in [limits.ROLE]."
            }
            Self::Broken | Self::ServerError => "Try again later; it is the server's fault.",
            Self::RateLimited => "Wait, or lower per_minute in the model's section.",
            Self::QuotaSpent => "Add credit with the provider, or use another model.",
            Self::Unauthorized => "Check the key in that variable.",
            Self::NoSuchModel => "Check `model` in its section against the provider's list.",
            Self::SchemaRefused => "Set structured = \"instruction\" in the model's section.",
            Self::Rejected => "Read the provider's words above; the model's section may need a change.",
            Self::Unreadable => "Check base_url: another kind of server may be answering there.",
            Self::NotRecorded => "Record the call first, or use a live model.",
        }
    }
}

/// A call that failed: what, where, in whose words, and what to do. Holds no secret: texts are scrubbed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("model {model}: {detail} {}", kind.next_step())]
pub struct ModelFault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The model's name in the configuration.
    pub model: String,
    /// What happened, as one or more sentences, with the provider's words where there are any.
    pub detail: String,
    /// How long the provider asked to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl ModelFault {
    /// A fault without a wish to wait.
    #[must_use]
    pub fn new(kind: FaultKind, model: &str, detail: impl Into<String>) -> Self {
        Self { kind, model: model.to_owned(), detail: detail.into(), retry_after_ms: None }
    }

    /// The same, after which the provider wants a pause.
    #[must_use]
    pub fn after(mut self, pause: Option<Duration>) -> Self {
        self.retry_after_ms = pause.map(|p| u64::try_from(p.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// How long the provider asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after_ms.map(Duration::from_millis)
    }
}
