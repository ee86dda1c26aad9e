//! From configured cards to what can be asked: every web provider and every MCP server with a searching tool takes a
//! seat in a fan; servers with a reading tool read pages.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;

use super::fan::Fan;
use super::mcp::{McpCard, McpPlace, McpServer};
use super::web::{Consent, Finder, ProviderCard, Web, WebFault, WebFaultKind};
use crate::clock::Clock;
use crate::config::is_this_machine;
use crate::model::client_for;
use crate::model::secret::Keys;

/// How long a query waits for a provider's turn before it is reported instead: less than the pause after a timeout,
/// so that a provider that hangs does not hold up the others.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What is configured, ready to be asked.
pub struct Assembled {
    /// Everything that searches.
    pub fan: Fan,
    /// The MCP servers with a tool that reads pages.
    pub readers: Vec<Arc<McpServer>>,
}

/// Takes everything that is configured into use, in the order of the cards. Nobody is asked or started yet.
pub fn assemble<'a>(
    providers: impl IntoIterator<Item = &'a ProviderCard>,
    servers: impl IntoIterator<Item = &'a McpCard>,
    keys: &Arc<dyn Keys>,
    clock: &Arc<dyn Clock>,
    consent: &Consent,
) -> Result<Assembled, WebFault> {
    let made = |here| {
        client_for(here).map_err(|error| {
            let detail = format!("no HTTP client could be made: {error}");
            WebFault::new("the web", WebFaultKind::Unreachable, detail)
        })
    };
    let (here, elsewhere) = (made(true)?, made(false)?);
    let client =
        |address: &str| -> Client { if is_this_machine(address) { here.clone() } else { elsewhere.clone() } };
    let mut finders: Vec<Arc<dyn Finder>> = Vec::new();
    let mut readers = Vec::new();
    for card in providers {
        let client = client(&card.base_url);
        finders.push(Arc::new(Web::new(card.clone(), client, Arc::clone(keys), Arc::clone(clock), consent)));
    }
    for card in servers {
        let client = match &card.place {
            McpPlace::Url { url, .. } => client(url),
            McpPlace::Command { .. } => here.clone(),
        };
        let server =
            Arc::new(McpServer::new(card.clone(), client, Arc::clone(keys), Arc::clone(clock), consent));
        if card.search_tool.is_some() {
            finders.push(Arc::clone(&server) as Arc<dyn Finder>);
        }
        if card.read_tool.is_some() {
            readers.push(server);
        }
    }
    Ok(Assembled { fan: Fan::new(finders, Arc::clone(clock), PATIENCE, consent), readers })
}
