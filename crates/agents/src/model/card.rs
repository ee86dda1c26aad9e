//! What is known about a model before it is called: where it is, what it costs, how much it can read.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Usage;

/// The wire shape a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// OpenAI-compatible chat completions, at any base URL.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
    /// Gemini generateContent.
    Gemini,
}

impl Provider {
    /// The provider's own address.
    #[must_use]
    pub fn home(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }
}

/// How a server is asked for an answer of a given shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Structured {
    /// The server enforces a JSON schema.
    #[default]
    Schema,
    /// By instruction alone; the answer is parsed with tolerance.
    Instruction,
}

/// What a million tokens cost, in millionths of a US dollar; 2.50 USD is 2_500_000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Per million tokens read.
    pub input: u64,
    /// Per million tokens written.
    pub output: u64,
    /// Per million tokens read from the provider's cache; absent means the same as `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
}

impl Price {
    /// The price of a model that runs here.
    pub const FREE: Self = Self { input: 0, output: 0, cached: None };

    /// What `usage` costs in millionths of a dollar, rounded up so that a sum never falls short.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> u64 {
        let cached = usage.cached.min(usage.input);
        let plain = u128::from(usage.input - cached) * u128::from(self.input);
        let from_cache = u128::from(cached) * u128::from(self.cached.unwrap_or(self.input));
        let written = u128::from(usage.output) * u128::from(self.output);
        u64::try_from((plain + from_cache + written).div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

/// How long and how large one call may become, beside the silence that ends it. A server that sends a sign of
/// life for ever is no better than a silent one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Seconds for the whole call; absent means what is usual for where the model runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<u64>,
    /// Bytes of the whole answer as it is sent; absent means what is usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
}

impl Bounds {
    /// Whether nobody has said anything else than what is usual.
    #[must_use]
    pub fn are_usual(&self) -> bool {
        *self == Self::default()
    }

    /// These, and where they say nothing, those.
    #[must_use]
    pub fn or(self, those: Self) -> Self {
        Self {
            total_seconds: self.total_seconds.or(those.total_seconds),
            max_bytes: self.max_bytes.or(those.max_bytes),
        }
    }

    /// The longest a call may take: ten minutes, and half an hour for a model of one's own, which may be slow.
    #[must_use]
    pub fn total(self, on_this_machine: bool) -> Duration {
        let usual = if on_this_machine { 1800 } else { 600 };
        Duration::from_secs(self.total_seconds.unwrap_or(usual).max(1))
    }

    /// The largest answer, as bytes on the wire: streamed tokens are wrapped in hundreds of them.
    #[must_use]
    pub fn bytes(self) -> usize {
        usize::try_from(self.max_bytes.unwrap_or(16 << 20)).unwrap_or(usize::MAX)
    }
}

/// How hard a provider may be pressed, and how patient to be with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Calls that may start within a minute; absent means no limit of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_minute: Option<u32>,
    /// Calls in flight at once.
    pub at_once: u32,
    /// Seconds of silence after which a call is given up.
    pub idle_seconds: u64,
    /// How long and how large one call may become.
    #[serde(default, skip_serializing_if = "Bounds::are_usual")]
    pub whole: Bounds,
}

impl Default for Limits {
    fn default() -> Self {
        Self { per_minute: None, at_once: 8, idle_seconds: 60, whole: Bounds::default() }
    }
}

/// What is known about one configured model. Plain data without secrets: it can be frozen into a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Its name in the configuration.
    pub name: String,
    /// The wire shape of its server.
    pub provider: Provider,
    /// Where its server is.
    pub base_url: String,
    /// The server's name for it.
    pub model: String,
    /// The environment variable that holds its key, if it needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// What it costs; unknown means it is refused under a money budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// How many tokens it can read and write in one call.
    pub context_tokens: u64,
    /// The longest answer it is allowed, whatever a skill asks for.
    pub max_output_tokens: u32,
    /// Sampling temperature; absent means the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// How an answer of a given shape is asked for.
    #[serde(default)]
    pub structured: Structured,
    /// Whether answers are streamed.
    pub stream: bool,
    /// How hard its provider may be pressed.
    pub limits: Limits,
    /// Whether its server is on this machine: decided from the address, never from a claim.
    pub on_this_machine: bool,
    /// Whether text from a person's documents may be sent to it.
    pub may_see_documents: bool,
}

impl ModelCard {
    /// The most one call can cost: every byte a token, every allowed token written.
    #[must_use]
    pub fn most_it_can_cost(&self, input_bound: u64, max_tokens: u32) -> Option<u64> {
        let dearest = |p: &Price| Price { cached: None, input: p.input.max(p.cached.unwrap_or(0)), ..*p };
        let usage = Usage { input: input_bound, output: u64::from(max_tokens), ..Usage::default() };
        self.price.as_ref().map(|p| dearest(p).cost(&usage))
    }

    /// The host and port calls go to: providers share limits by it.
    #[must_use]
    pub fn host(&self) -> String {
        let url = reqwest::Url::parse(&self.base_url).ok();
        let host = url.as_ref().and_then(|u| u.host_str().map(str::to_owned));
        match (host, url.and_then(|u| u.port_or_known_default())) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            _ => self.base_url.clone(),
        }
    }
}
