//! From configured cards to what can be asked: every web provider and every MCP server with a searching tool takes a
//! seat in a fan; servers with a reading tool read pages.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;

use super::fan::Fan;
use super::mcp::{McpCard, McpPlace, McpServer};
use super::pace::Pace;
use super::web::{Consent, Finder, ProviderCard, Web, WebFault, WebFaultKind};
use crate::clock::Clock;
use crate::config::is_this_machine;
use crate::hash::sha256_hex;
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

/// Takes everything that is configured into use, in the order of the cards. Nobody is asked or started yet. The folder
/// `paces` lets processes keep the limits of providers together.
pub fn assemble<'a>(
    providers: impl IntoIterator<Item = &'a ProviderCard>,
    servers: impl IntoIterator<Item = &'a McpCard>,
    keys: &Arc<dyn Keys>,
    clock: &Arc<dyn Clock>,
    paces: Option<&Path>,
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
        let web = Web::new(card.clone(), client, Arc::clone(keys), Arc::clone(clock), consent);
        let kept = |folder: &Path| Pace::kept_in(&file(folder, &card.base_url), card.per_minute);
        finders.push(Arc::new(match paces.map(kept) {
            Some(pace) => web.at(pace),
            None => web,
        }));
    }
    for card in servers {
        let client = match &card.place {
            McpPlace::Url { url, .. } => client(url),
            McpPlace::Command { .. } => here.clone(),
        };
        let server = McpServer::new(card.clone(), client, Arc::clone(keys), Arc::clone(clock), consent);
        let kept = |folder: &Path| Pace::kept_in(&file(folder, &card.name), card.limits.per_minute);
        let server = Arc::new(match paces.map(kept) {
            Some(pace) => server.at(pace),
            None => server,
        });
        if card.search_tool.is_some() {
            finders.push(Arc::clone(&server) as Arc<dyn Finder>);
        }
        if card.read_tool.is_some() {
            readers.push(server);
        }
    }
    Ok(Assembled { fan: Fan::new(finders, Arc::clone(clock), PATIENCE, consent), readers })
}

fn file(folder: &Path, of: &str) -> PathBuf {
    folder.join(format!("{}.json", &sha256_hex(of.as_bytes())[..16]))
}
