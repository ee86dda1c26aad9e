//! Sources of data beyond the disk: addresses that answer with JSON or CSV, and tools of MCP servers. One page of one
//! source is drawn at a time; whoever draws keeps it, asks for the next, and decides when it is enough. Nothing here
//! reads what the records say.
//!
//! A key goes to the host of its own address and nowhere else, and an answer that repeats it is refused whole.

mod card;
mod http;
mod records;
mod tool;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

pub use card::{DataCard, DataFormat, DataKey, DataLimits, DataPlace, Paging};

use crate::clock::Clock;
use crate::hash::sha256_hex;
use crate::model::secret::Keys;
use crate::search::assemble::PATIENCE;
use crate::search::mcp::McpServer;
use crate::search::pace::Pace;
use crate::search::web::{Consent, WebFault, WebFaultKind};

/// Which page.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// The first.
    #[default]
    First,
    /// The one with this number.
    Number(u64),
    /// The one behind what the page before it said.
    Cursor(String),
    /// The one at this address.
    Link(String),
}

/// A page of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// Its records: JSON objects one a line, or CSV as it came.
    pub bytes: Vec<u8>,
    /// How many records; none where only a reader of tables can tell.
    pub records: Option<u64>,
    /// The page behind it, if there is one.
    pub next: Option<At>,
}

/// Draws pages, at the pace of each source.
pub struct Drawing {
    keys: Arc<dyn Keys>,
    clock: Arc<dyn Clock>,
    /// Where processes keep the paces of sources together.
    paces: PathBuf,
    /// Servers that were started; they serve until this is dropped.
    servers: Mutex<HashMap<String, Arc<McpServer>>>,
}

impl Drawing {
    /// Draws with these keys; the folder `paces` lets processes keep the limits of sources together.
    #[must_use]
    pub fn new(keys: Arc<dyn Keys>, clock: Arc<dyn Clock>, paces: &Path) -> Self {
        Self { keys, clock, paces: paces.to_owned(), servers: Mutex::default() }
    }

    /// Draws one page, in the source's turn. `private` are `host:port` pairs that may be private; the consent is the
    /// run's.
    ///
    /// # Errors
    /// When there is no answer, or none that can be used.
    pub async fn draw(
        &self,
        card: &DataCard,
        at: &At,
        private: &[String],
        consent: &Consent,
    ) -> Result<Drawn, WebFault> {
        let name = format!("{}.json", &sha256_hex(card.shown().as_bytes())[..16]);
        let pace = Pace::kept_in(&self.paces.join(name), card.limits.per_minute);
        let turn = pace.enter(self.clock.as_ref(), PATIENCE).await;
        turn.map_err(|no_turn| WebFault::new(&card.name, WebFaultKind::RateLimited, no_turn.to_string()))?;
        let drawn = match &card.place {
            DataPlace::Url { url, key } => {
                http::draw(card, url, key.as_ref(), at, private, self.keys.as_ref()).await
            }
            DataPlace::Tool { server, tool, arguments } => {
                let server = self.server(server, consent)?;
                tool::draw(card, &server, tool, arguments, at).await
            }
        };
        if let Err(fault) = drawn.as_ref()
            && fault.kind == WebFaultKind::RateLimited
        {
            pace.failed(fault, self.clock.now());
        }
        drawn
    }

    fn server(
        &self,
        card: &crate::search::mcp::McpCard,
        consent: &Consent,
    ) -> Result<Arc<McpServer>, WebFault> {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = servers.get(&card.name).filter(|known| known.card() == card) {
            return Ok(Arc::clone(known));
        }
        let (keys, clock) = (Arc::clone(&self.keys), Arc::clone(&self.clock));
        let server = Arc::new(McpServer::reach(card.clone(), keys, clock, consent)?);
        servers.insert(card.name.clone(), Arc::clone(&server));
        Ok(server)
    }
}

/// The page behind one whose own words do not lead on: by number, as long as there are records.
fn next_number(card: &DataCard, at: &At, records: Option<u64>) -> Option<At> {
    let Some(Paging::Number { first, step, .. }) = &card.pages else { return None };
    let here = if let At::Number(number) = at { *number } else { *first };
    records.is_some_and(|records| records > 0).then(|| At::Number(here.saturating_add(*step)))
}
