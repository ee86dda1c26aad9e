//! Streamable HTTP as the SDK wants it, with a bound on every answer. The SDK's own client reads JSON bodies of any
//! length; this one stops. It opens no stream for messages we did not ask for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;

use super::connect::Meter;
use crate::clock::Clock;
use crate::model::sse::Parser;
use crate::retry_after::retry_after;

/// Speaks HTTP for one connection and counts what comes back.
#[derive(Clone)]
pub(super) struct Bounded {
    pub client: Client,
    pub meter: Meter,
    pub refusal: Refusal,
    pub clock: Arc<dyn Clock>,
}

/// The last status that was no success, and the pause it asked for: the SDK hands on errors as words alone.
#[derive(Clone, Default)]
pub(super) struct Refusal(Arc<Mutex<Option<Refused>>>);

/// A status, and the pause that came with it.
pub(super) type Refused = (u16, Option<Duration>);

impl Refusal {
    fn note(&self, status: u16, pause: Option<Duration>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((status, pause));
    }

    /// What was refused since this was last asked.
    pub fn take(&self) -> Option<Refused> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

type Fault = StreamableHttpError<reqwest::Error>;

fn unexpected(what: impl Into<String>) -> Fault {
    StreamableHttpError::UnexpectedServerResponse(what.into().into())
}

impl Bounded {
    async fn piece(&self, response: &mut Response) -> Result<Option<Vec<u8>>, Fault> {
        let Some(piece) = response.chunk().await.map_err(StreamableHttpError::Client)? else {
            return Ok(None);
        };
        if self.meter.spend(piece.len()) {
            Ok(Some(piece.to_vec()))
        } else {
            Err(unexpected("too many bytes"))
        }
    }

    async fn whole(&self, mut response: Response) -> Result<ServerJsonRpcMessage, Fault> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece(&mut response).await? {
            body.extend_from_slice(&piece);
        }
        Ok(serde_json::from_slice(&body)?)
    }

    /// The answer in a stream of events; what else the server says meanwhile is not listened to.
    async fn streamed(&self, mut response: Response) -> Result<ServerJsonRpcMessage, Fault> {
        let mut parser = Parser::default();
        loop {
            let piece = self.piece(&mut response).await?;
            let events = match &piece {
                Some(bytes) => parser.feed(bytes),
                None => parser.finish().into_iter().collect(),
            };
            for event in events.iter().filter(|event| !event.data.trim().is_empty()) {
                let message: ServerJsonRpcMessage = serde_json::from_str(&event.data)?;
                if matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) {
                    return Ok(message);
                }
            }
            if piece.is_none() {
                return Err(StreamableHttpError::UnexpectedEndOfStream);
            }
        }
    }
}

impl StreamableHttpClient for Bounded {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Fault> {
        let mut request = self
            .client
            .post(uri.as_ref())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(&message)?);
        for (name, value) in custom_headers {
            request = request.header(name, value);
        }
        if let Some(session) = &session_id {
            request = request.header("mcp-session-id", session.as_ref());
        }
        if let Some(token) = auth_header {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(StreamableHttpError::Client)?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            self.refusal.note(status.as_u16(), retry_after(response.headers(), self.clock.now()));
            return Err(unexpected(format!("it answered {}", status.as_u16())));
        }
        let text = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
        let (session, kind) = (text("mcp-session-id"), text(CONTENT_TYPE.as_str()).unwrap_or_default());
        let message = if kind.starts_with("application/json") {
            self.whole(response).await?
        } else if kind.starts_with("text/event-stream") {
            self.streamed(response).await?
        } else {
            return Err(StreamableHttpError::UnexpectedContentType(Some(kind)));
        };
        Ok(StreamableHttpPostResponse::Json(message, session))
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        _session_id: Arc<str>,
        _auth_header: Option<String>,
        _custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Fault> {
        // Sessions end by themselves; a last request on the way out could hang where nobody waits for it.
        Err(StreamableHttpError::ServerDoesNotSupportDeleteSession)
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        _session_id: Option<Arc<str>>,
        _last_event_id: Option<String>,
        _auth_header: Option<String>,
        _custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Fault> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}
