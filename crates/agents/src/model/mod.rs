//! Models: what is asked of one, what it answers, how it fails. A call and a reply are plain data, so that
//! whoever runs the call can write the call down before it and the reply after it.
//!
//! One file per provider holds that provider's wire shapes; [`http`] holds what all share. No file here
//! retries, keeps money, or knows what a skill is.

mod anthropic;
mod card;
mod charge;
mod draft;
mod fault;
mod gemini;
mod http;
mod limiter;
mod openai;
mod refusal;
mod registry;
mod replay;
mod schema;
pub mod secret;
#[doc(hidden)] // public for the fuzz targets alone
pub mod sse;

#[cfg(test)]
mod tests;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use card::{Bounds, Limits, ModelCard, Price, Provider, Structured};
pub use fault::{Charge, FaultKind, ModelFault, Who};
#[doc(hidden)] // public for the fuzz targets alone
pub use http::charged;
pub use http::{HttpModel, client_for, install_tls};
pub use limiter::{Limiter, Limiters};
pub use registry::Models;
pub use replay::{Recorder, Replay, ReplayError};

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// Instructions that frame the whole call.
    System,
    /// The question.
    User,
    /// An earlier reply of the model, sent back for a repair turn.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub speaker: Speaker,
    /// What is said.
    pub text: String,
}

/// The shape the answer must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputSchema {
    /// A short name, letters, digits and `_` only: some servers insist on one.
    pub name: String,
    /// The JSON schema.
    pub schema: Value,
}

/// Everything one paid call needs, as data. It never holds a key: the key is read when the call is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The model's name in the configuration.
    pub model: String,
    /// The role that asks, for accounting.
    pub role: String,
    /// The skill that is asked, for accounting.
    pub skill: String,
    /// The name of this attempt, for accounting: unique within its ask.
    pub step: String,
    /// Hash of the prompt file this call was rendered from.
    pub prompt_hash: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The shape of the answer, for servers that can enforce one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<OutputSchema>,
    /// The longest answer to pay for.
    pub max_tokens: u32,
    /// Sampling temperature; absent means the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Whether to stream the answer; a streamed one can be watched and its silence noticed sooner.
    pub stream: bool,
    /// Whether the messages hold text from a person's documents: such a call may not go everywhere.
    pub carries_documents: bool,
    /// How long and how large the answer may become, where its role or its model says so.
    #[serde(default, skip_serializing_if = "Bounds::are_usual")]
    pub bounds: Bounds,
}

impl ModelCall {
    /// An upper bound for the tokens of the question: a token is at least one byte, and every server adds
    /// a little of its own around messages and schemas.
    #[must_use]
    pub fn input_bound(&self) -> u64 {
        const PER_MESSAGE: usize = 16;
        const PER_CALL: usize = 512;
        let text: usize = self.messages.iter().map(|m| m.text.len() + PER_MESSAGE).sum();
        let schema = self.schema.as_ref().map_or(0, |s| s.schema.to_string().len());
        (text + schema + PER_CALL) as u64
    }
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// It had said all it wanted.
    Stop,
    /// It reached the token limit: the answer is cut.
    Length,
    /// It, or a filter of its provider, declined.
    Refused,
    /// The server gave no reason, or one unknown here.
    Unknown,
}

/// Tokens used, as the server counted them, or estimated where its count is missing or cannot be true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones included.
    pub input: u64,
    /// How many of the tokens read came from the provider's cache.
    #[serde(default)]
    pub cached: u64,
    /// Tokens written, hidden reasoning included.
    pub output: u64,
    /// True when one of the counts is our estimate.
    #[serde(default)]
    pub estimated: bool,
}

/// The answer to one call, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelReply {
    /// What the model said; for a structured answer, the JSON text.
    pub text: String,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens used.
    pub usage: Usage,
    /// What the call cost in millionths of a US dollar.
    pub cost_microusd: u64,
    /// The model the server says it used.
    pub served_by: String,
    /// The provider's own id of this reply, to argue with their support about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
}

/// A sign of life while an answer is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Pieces of text received so far; servers send about one token in each.
    pub pieces: u64,
    /// Bytes of text received so far.
    pub bytes: u64,
}

/// Something that wants to see signs of life, such as a progress view.
pub trait Heartbeat: Send + Sync {
    /// Called for each piece received.
    fn beat(&self, call: &ModelCall, beat: Beat);
}

/// Nobody is watching.
impl Heartbeat for () {
    fn beat(&self, _: &ModelCall, _: Beat) {}
}

/// Something that can answer a call.
#[async_trait]
pub trait Model: Send + Sync {
    /// What is known about it.
    fn card(&self) -> &ModelCard;
    /// Makes the call once. No retries: the caller decides, and writes each one down.
    async fn call(&self, call: &ModelCall, watch: &dyn Heartbeat) -> Result<ModelReply, ModelFault>;
}
