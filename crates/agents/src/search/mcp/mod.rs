//! Tools of MCP servers as places to search and to read from, through the official SDK. Only tools that the
//! configuration names are called. What a server says of itself and its tools is never asked for or looked at, so it
//! cannot reach a model as an instruction; what a tool returns is data like any other result.
//!
//! A server may ask for nothing: no model is lent, no folder shown, no question put to a person.

mod card;
mod connect;
mod http;
mod listing;
mod result;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::Client;
use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

pub use card::{McpCard, McpLimits, McpPlace};

use super::assemble::PATIENCE;
use super::pace::Pace;
use super::web::{Answer, Consent, Finder, WebFault, WebFaultKind};
use super::{Query, web};
use crate::clock::{Clock, within};
use crate::config::is_this_machine;
use crate::model::client_for;
use crate::model::secret::{Keys, Scrub};
use crate::read::Format;
use crate::read::fetch::FetchedPage;
use connect::Connection;

/// An MCP server, started or connected to when it is first asked.
pub struct McpServer {
    card: McpCard,
    pace: Pace,
    client: Client,
    keys: Arc<dyn Keys>,
    clock: Arc<dyn Clock>,
    /// One call at a time. Empty before the first call and after one that failed.
    connection: Mutex<Option<Connection>>,
}

impl McpServer {
    /// The server a card describes. The consent is the run's.
    #[must_use]
    pub fn new(
        card: McpCard,
        client: Client,
        keys: Arc<dyn Keys>,
        clock: Arc<dyn Clock>,
        _consent: &Consent,
    ) -> Self {
        let pace = Pace::new(card.limits.per_minute);
        Self { card, pace, client, keys, clock, connection: Mutex::new(None) }
    }

    /// The same, asked at this pace.
    #[must_use]
    pub fn at(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// What it was made from.
    #[must_use]
    pub fn card(&self) -> &McpCard {
        &self.card
    }

    /// Reads an address through the server's reading tool, in its turn. The text is foreign: archive and fence it like
    /// any page.
    pub async fn read(&self, address: &str) -> Result<FetchedPage, WebFault> {
        let Some(tool) = &self.card.read_tool else {
            return Err(self.fault(WebFaultKind::Rejected, "the configuration names no tool that reads"));
        };
        let url = web::fetchable(address).map_err(|why| self.fault(WebFaultKind::Rejected, why))?;
        let turn = self.pace.enter(self.clock.as_ref(), PATIENCE).await;
        turn.map_err(|no_turn| self.fault(WebFaultKind::RateLimited, no_turn.to_string()))?;
        let arguments = with(&self.card.read_arguments, &self.card.address_argument, url.as_str());
        let scrub = self.scrub();
        let result = self.call(tool, arguments, &scrub).await?;
        let body = scrub.answer(&result::page(&result, url.as_str()));
        if body.trim().is_empty() {
            return Err(self.fault(WebFaultKind::Unreadable, "its tool returned no text"));
        }
        Ok(FetchedPage {
            url: url.to_string(),
            format: Format::Markdown,
            charset: Some("utf-8".to_owned()),
            body: body.into_bytes(),
            redirects: Vec::new(),
        })
    }

    /// The server a card describes, with a client of its own. The consent is the run's.
    pub fn reach(
        card: McpCard,
        keys: Arc<dyn Keys>,
        clock: Arc<dyn Clock>,
        consent: &Consent,
    ) -> Result<Self, WebFault> {
        let here = match &card.place {
            McpPlace::Url { url, .. } => is_this_machine(url),
            McpPlace::Command { .. } => true,
        };
        let client = client_for(here).map_err(|error| {
            let detail = format!("no HTTP client could be made: {error}");
            WebFault::new(&card.name, WebFaultKind::Unreachable, detail)
        })?;
        Ok(Self::new(card, client, keys, clock, consent))
    }

    /// What a tool returns as data, with every digit it sent. Whoever asks has waited for a turn.
    pub async fn data(&self, tool: &str, arguments: Map<String, Value>) -> Result<String, WebFault> {
        let scrub = self.scrub();
        let result = self.call(tool, arguments, &scrub).await?;
        let text = result::data(&result);
        if scrub.answer(&text) != text {
            let detail = "its tool returned a key it was given, so nothing of it was kept";
            return Err(self.fault(WebFaultKind::Unreadable, detail));
        }
        Ok(text)
    }

    /// Calls a tool. Any failure ends the connection: a server in doubt is started anew.
    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        scrub: &Scrub,
    ) -> Result<CallToolResult, WebFault> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let limit = Duration::from_secs(self.card.limits.timeout_seconds);
        let calling = async {
            let mut slot = self.connection.lock().await;
            // Taken out: a call that is given up on drops it, and with it the server.
            let connection = match slot.take().filter(Connection::is_open) {
                Some(open) => open,
                None => {
                    let (client, keys) = (&self.client, self.keys.as_ref());
                    connect::open(&self.card, client, keys, &self.clock, scrub).await?
                }
            };
            connection.meter.refill();
            // A refusal of something nobody waited for is not this call's.
            let _ = connection.refusal.take();
            let response = connection.service.peer().call_tool_once(params).await;
            let result = self.complete(response, &connection, scrub)?;
            *slot = Some(connection);
            Ok(result)
        };
        match within(self.clock.as_ref(), limit, calling).await {
            Some(result) => result,
            None => {
                let detail = format!("no answer within {} s", limit.as_secs());
                Err(self.fault(WebFaultKind::TimedOut, detail))
            }
        }
    }

    fn complete(
        &self,
        response: Result<CallToolResponse, ServiceError>,
        connection: &Connection,
        scrub: &Scrub,
    ) -> Result<CallToolResult, WebFault> {
        // Keys go first: a cut must not leave half of one.
        let words = |text: &str| web::plain_words(&scrub.label(text));
        let max = self.card.limits.max_bytes;
        match response {
            Ok(CallToolResponse::Complete(result)) if result.is_error == Some(true) => {
                let detail = format!("its tool failed: {}", words(&result::text(&result)));
                Err(self.fault(WebFaultKind::Rejected, detail))
            }
            Ok(CallToolResponse::Complete(result)) => Ok(result),
            Ok(_) => {
                Err(self.fault(WebFaultKind::Rejected, "it asks for more than a query, which nobody answers"))
            }
            Err(_) if connection.meter.is_spent() => {
                Err(self
                    .fault(WebFaultKind::Unreadable, format!("it sent more than {max} bytes for one call")))
            }
            Err(ServiceError::McpError(error)) => {
                Err(self.fault(WebFaultKind::Rejected, format!("it refused: {}", words(&error.message))))
            }
            Err(ServiceError::TransportClosed) => {
                Err(self.fault(WebFaultKind::Unreachable, "it ended in the middle of the call"))
            }
            Err(error) => Err(match connection.refusal.take() {
                Some((status, pause)) => connect::refused(&self.card, status, pause),
                None => self.fault(WebFaultKind::Unreachable, words(&error.to_string())),
            }),
        }
    }

    /// Knows what the server was given and might write into its results.
    fn scrub(&self) -> Scrub {
        Scrub::of(&connect::keys_of(&self.card, self.keys.as_ref()))
    }

    fn fault(&self, kind: WebFaultKind, detail: impl Into<String>) -> WebFault {
        WebFault::new(&self.card.name, kind, detail)
    }
}

/// The arguments that always go, and the one that matters.
fn with(always: &Map<String, Value>, argument: &str, value: &str) -> Map<String, Value> {
    let mut arguments = always.clone();
    arguments.insert(argument.to_owned(), Value::String(value.to_owned()));
    arguments
}

/// What a tool's result is read as, without a server: a door for the fuzz targets. None for what the protocol refuses.
#[doc(hidden)]
#[must_use]
pub fn read_result(json: &[u8], limit: usize) -> Option<Result<Answer, String>> {
    let result: CallToolResult = serde_json::from_slice(json).ok()?;
    let items = result::items(&result);
    Some(items.map(|items| web::answer("mcp", items, limit, &Scrub::of(None))))
}

#[async_trait]
impl Finder for McpServer {
    fn name(&self) -> &str {
        &self.card.name
    }

    fn pace(&self) -> &Pace {
        &self.pace
    }

    async fn find(&self, query: &Query) -> Result<Answer, WebFault> {
        let Some(tool) = &self.card.search_tool else {
            return Err(self.fault(WebFaultKind::Rejected, "the configuration names no tool that searches"));
        };
        let arguments = with(&self.card.search_arguments, &self.card.query_argument, &query.text);
        let scrub = self.scrub();
        let result = self.call(tool, arguments, &scrub).await?;
        let items = result::items(&result).map_err(|why| self.fault(WebFaultKind::Unreadable, why))?;
        Ok(web::answer(&self.card.name, items, query.limit, &scrub))
    }
}
