//! What is set and what is missing, for every model, role, web provider, MCP server and source of data, and whether a model answers when tried.

use std::time::Duration;

use serde::Serialize;

use super::{Config, RULES};
use crate::clock::Clock;
use crate::hash::sha256_hex;
use crate::model::secret::Keys;
use crate::model::{Message, ModelCall, ModelCard, ModelFault, ModelReply, Models, Price, Speaker};
use crate::search::mcp::McpPlace;

/// Whether a key is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// The model wants none.
    NotNeeded,
    /// The variable is set.
    Set(String),
    /// The variable is not set.
    Missing(String),
}

/// One model as configured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelCheck {
    /// Its name.
    pub name: String,
    /// Where its calls go.
    pub host: String,
    /// The server's name for it.
    pub model: String,
    /// Its key.
    pub key: KeyState,
    /// Its price, if known.
    pub price: Option<Price>,
    /// Whether document text may be sent to it.
    pub may_see_documents: bool,
    /// The roles that ask it.
    pub roles: Vec<String>,
    /// What stands in the way of using it, as sentences.
    pub missing: Vec<String>,
}

/// One role as configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoleCheck {
    /// Its name.
    pub name: String,
    /// Its chain, rules included.
    pub chain: Vec<String>,
    /// The first of the chain that can answer now.
    pub first_ready: Option<String>,
}

/// Everything configured, examined.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examination {
    /// Every model.
    pub models: Vec<ModelCheck>,
    /// Every role with a chain of its own.
    pub roles: Vec<RoleCheck>,
    /// Every web provider.
    pub search: Vec<PlaceCheck>,
    /// Every MCP server.
    pub mcp: Vec<PlaceCheck>,
    /// Every source of data.
    pub data: Vec<PlaceCheck>,
}

/// One place beyond the disk as configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceCheck {
    /// Its name.
    pub name: String,
    /// Its host, or the command that starts it.
    pub place: String,
    /// Its key.
    pub key: KeyState,
    /// How often it may be asked in a minute.
    pub per_minute: u32,
    /// What stands in the way of using it, as sentences.
    pub missing: Vec<String>,
}

/// Looks at everything configured without calling anything.
#[must_use]
pub fn examine(config: &Config, keys: &dyn Keys) -> Examination {
    let models: Vec<ModelCheck> =
        config.models.values().map(|card| examine_model(config, card, keys)).collect();
    let ready =
        |name: &String| name == RULES || models.iter().any(|m| m.name == *name && m.missing.is_empty());
    let roles = config.roles.iter().map(|(name, chain)| RoleCheck {
        name: name.clone(),
        chain: chain.clone(),
        first_ready: chain.iter().find(|n| ready(n)).cloned(),
    });
    let search = config
        .search
        .values()
        .map(|card| examine_place(&card.name, card.host(), card.key_env.as_deref(), card.per_minute, keys));
    let mcp = config.mcp.values().map(|card| {
        let (place, key_env) = match &card.place {
            McpPlace::Command { command, .. } => (command.clone(), None),
            McpPlace::Url { url, key_env } => (url.clone(), key_env.as_deref()),
        };
        examine_place(&card.name, place, key_env, card.limits.per_minute, keys)
    });
    let data = config
        .data
        .values()
        .map(|card| examine_place(&card.name, card.shown(), card.key_env(), card.limits.per_minute, keys));
    Examination {
        roles: roles.collect(),
        search: search.collect(),
        mcp: mcp.collect(),
        data: data.collect(),
        models,
    }
}

fn key_state(key_env: Option<&str>, keys: &dyn Keys) -> KeyState {
    match key_env {
        None => KeyState::NotNeeded,
        Some(name) if keys.key(name).is_some() => KeyState::Set(name.to_owned()),
        Some(name) => KeyState::Missing(name.to_owned()),
    }
}

fn examine_place(
    name: &str,
    place: String,
    key_env: Option<&str>,
    per_minute: u32,
    keys: &dyn Keys,
) -> PlaceCheck {
    let key = key_state(key_env, keys);
    let missing = match &key {
        KeyState::Missing(name) => vec![format!("set {name} in the environment")],
        KeyState::NotNeeded | KeyState::Set(_) => Vec::new(),
    };
    PlaceCheck { name: name.to_owned(), place, key, per_minute, missing }
}

fn examine_model(config: &Config, card: &ModelCard, keys: &dyn Keys) -> ModelCheck {
    let key = key_state(card.key_env.as_deref(), keys);
    let mut missing = Vec::new();
    if let KeyState::Missing(name) = &key {
        missing.push(format!("set {name} in the environment"));
    }
    if card.price.is_none() && config.budget.microusd.is_some() {
        missing.push(format!("give it a price in [models.{}], for the budget is in money", card.name));
    }
    let roles: Vec<String> = config
        .roles
        .iter()
        .filter(|(_, chain)| chain.contains(&card.name))
        .map(|(role, _)| role.clone())
        .collect();
    if roles.is_empty() {
        missing.push("no role names it, so it is never asked".to_owned());
    }
    ModelCheck {
        name: card.name.clone(),
        host: card.host(),
        model: card.model.clone(),
        key,
        price: card.price,
        may_see_documents: card.may_see_documents,
        roles,
        missing,
    }
}

/// What a try of a model showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// How long the answer took.
    pub took: Duration,
    /// The answer, with its bill.
    pub reply: ModelReply,
}

/// Tries one model with the smallest question there is. It costs a few tokens.
pub async fn probe(models: &Models, card: &ModelCard, clock: &dyn Clock) -> Result<Probed, ModelFault> {
    let text = "Answer with the single word: ready";
    let call = ModelCall {
        model: card.name.clone(),
        role: "doctor".to_owned(),
        skill: "probe".to_owned(),
        step: format!("probe:{}", card.name),
        prompt_hash: sha256_hex(text.as_bytes()),
        messages: vec![Message { speaker: Speaker::User, text: text.to_owned() }],
        schema: None,
        max_tokens: card.max_output_tokens.min(64),
        temperature: card.temperature,
        stream: card.stream,
        carries_documents: false,
        bounds: card.limits.whole,
    };
    let began = clock.now();
    let reply = models.perform(&call, &()).await?;
    Ok(Probed { took: clock.now().saturating_sub(began), reply })
}
