//! Configuration: which models may be used, by which roles, for how much money, and what may be sent where.
//! Flags stand over the environment, the environment over the project's `baton.toml`, that over the
//! person's own, that over the defaults. A project's file may say little before it is trusted, and its limits only
//! ever lower those of the person. Nothing here reads a key or opens a connection.
//!
//! A model is used only when it is named here or by a flag; a key in the environment names nothing.

mod authority;
mod build;
mod data;
pub mod doctor;
mod file;
mod overrides;
mod privacy;
mod sources;
mod trust;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::DataCard;
use crate::model::{Bounds, ModelCard};
use crate::search::mcp::McpCard;
use crate::search::web::ProviderCard;
use crate::skill::{Budget, Role};

pub use authority::Authorities;
pub use build::{build, held_back};
pub use file::{ConfigError, Layer};
pub use overrides::Overrides;
pub use privacy::{Privacy, is_this_machine, may_see_documents};
pub use trust::{TrustError, TrustStore, Wish, wishes};

/// The name in a role's chain that stands for the rules twin.
pub const RULES: &str = "rules";
/// The role whose chain serves every role that has none of its own.
pub const DEFAULT_ROLE: &str = "default";

/// Everything configured, checked, with defaults filled in. Plain data: a run freezes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The models that may be used, by name.
    pub models: BTreeMap<String, ModelCard>,
    /// For each role the names of its models in order; a last `rules` lets the rules twin answer.
    pub roles: BTreeMap<String, Vec<String>>,
    /// How long and how large the calls of a role may become, over what its models say.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, Bounds>,
    /// What a run may use.
    pub budget: Budget,
    /// What may be sent where.
    pub privacy: Privacy,
    /// The web providers that may be asked if the run consents, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub search: BTreeMap<String, ProviderCard>,
    /// The MCP servers that may be used if the run consents, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub mcp: BTreeMap<String, McpCard>,
    /// The sources of data that a run may draw from if it names them, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, DataCard>,
    /// Whom a person believes, over what sources say of themselves.
    #[serde(default, skip_serializing_if = "Authorities::is_empty")]
    pub authority: Authorities,
    /// Whether research asks every ten iterations if it shall go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check_in: bool,
}

impl Config {
    /// The role of that name: its own chain, else the default one, else rules alone.
    #[must_use]
    pub fn role(&self, name: &str) -> Role {
        let Some(chain) = self.roles.get(name).or_else(|| self.roles.get(DEFAULT_ROLE)) else {
            return Role::rules_only(name);
        };
        let cards = chain.iter().filter_map(|model| self.card(name, model)).collect();
        Role { name: name.to_owned(), chain: cards, rules: chain.last().is_some_and(|last| last == RULES) }
    }

    /// The card of a model in a role: the limits of the role, else of the default one, stand over the model's.
    #[must_use]
    pub fn card(&self, role: &str, model: &str) -> Option<ModelCard> {
        let mut card = self.models.get(model)?.clone();
        let of = |role: &str| self.limits.get(role).copied().unwrap_or_default();
        card.limits.whole = of(role).or(of(DEFAULT_ROLE)).or(card.limits.whole);
        Some(card)
    }
}

/// The commented file `baton init` writes. Everything in it is either the default or commented out.
#[must_use]
pub fn default_file() -> &'static str {
    include_str!("default.toml")
}
