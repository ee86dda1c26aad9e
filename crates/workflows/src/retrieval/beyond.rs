//! What a run may ask beyond this machine. Frozen into its order: wherever the run goes on, it keeps the consent
//! it was given and gains no other.

use baton_agents::search::mcp::McpCard;
use baton_agents::search::merge::SourceRules;
use baton_agents::search::web::ProviderCard;
use serde::{Deserialize, Serialize};

/// The places beyond this machine, and what is wanted of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beyond {
    /// What gave the consent to send queries: a flag, a setting, a person's answer.
    pub consent: String,
    /// The providers of search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<ProviderCard>,
    /// The MCP servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<McpCard>,
    /// Which of what they find is wanted.
    #[serde(default)]
    pub rules: SourceRules,
    /// Two-letter code of the language wanted, for providers that know languages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// `host:port` pairs on private addresses whose pages may be fetched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow_private: Vec<String>,
}

impl Beyond {
    /// The names of all places, as a person knows them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let providers = self.providers.iter().map(|card| card.name.as_str());
        providers.chain(self.servers.iter().map(|card| card.name.as_str()))
    }
}
