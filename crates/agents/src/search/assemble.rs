//! From configured cards to a fan: every web provider and every MCP server with a searching tool takes a seat.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;

use super::fan::Fan;
use super::mcp::{McpCard, McpPlace, McpServer};
use super::web::{Consent, Finder, ProviderCard, Web};
use crate::clock::Clock;
use crate::config::is_this_machine;
use crate::model::client_for;
use crate::model::secret::Keys;

/// How long a query waits for a provider's turn before it is reported instead.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A fan over everything that is configured, in the order of the cards.
pub fn assemble<'a>(
    providers: impl IntoIterator<Item = &'a ProviderCard>,
    servers: impl IntoIterator<Item = &'a McpCard>,
    keys: &Arc<dyn Keys>,
    clock: &Arc<dyn Clock>,
    consent: &Consent,
) -> Result<Fan, reqwest::Error> {
    let (here, elsewhere) = (client_for(true)?, client_for(false)?);
    let client =
        |address: &str| -> Client { if is_this_machine(address) { here.clone() } else { elsewhere.clone() } };
    let mut finders: Vec<Box<dyn Finder>> = Vec::new();
    for card in providers {
        let client = client(&card.base_url);
        finders.push(Box::new(Web::new(card.clone(), client, Arc::clone(keys), Arc::clone(clock), consent)));
    }
    for card in servers.into_iter().filter(|card| card.search_tool.is_some()) {
        let client = match &card.place {
            McpPlace::Url { url, .. } => client(url),
            McpPlace::Command { .. } => here.clone(),
        };
        finders.push(Box::new(McpServer::new(
            card.clone(),
            client,
            Arc::clone(keys),
            Arc::clone(clock),
            consent,
        )));
    }
    Ok(Fan::new(finders, Arc::clone(clock), PATIENCE, consent))
}
