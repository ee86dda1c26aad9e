//! What all providers share on the wire: sending, noticing silence, reading answers whole or streamed, and
//! turning every way this can fail into a [`ModelFault`]. The shapes themselves are in the providers' files.

use std::sync::{Arc, Once};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use secrecy::SecretString;
use serde_json::Value;

use super::limiter::Limiter;
use super::secret::{Keys, scrub};
use super::sse::Parser;
use super::{Beat, FaultKind, Finish, Heartbeat, Model, ModelCall, ModelCard, ModelFault, ModelReply, Usage};
use super::{Provider, anthropic, gemini, openai, refusal};
use crate::clock::{Clock, within};

/// The longest body read from a server; an answer past it is a fault, not an allocation.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// How much of a server's error text is kept.
const MOST_ERROR: usize = 600;

/// One provider's shapes: what to send and how to read what comes back.
pub(super) trait Dialect: Send + Sync {
    /// Where to post.
    fn url(&self, card: &ModelCard, stream: bool) -> String;
    /// The header that carries the key, and the key as this provider wants it written.
    fn key_header(&self, key: &str) -> (HeaderName, String);
    /// Headers besides the key.
    fn headers(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// The request.
    fn body(&self, card: &ModelCard, call: &ModelCall) -> Value;
    /// Reads an answer that came in one piece.
    fn whole(&self, body: &Value, draft: &mut Draft);
    /// Reads one streamed event.
    fn event(&self, data: &Value, draft: &mut Draft);
}

/// An answer as far as it has arrived.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub text: String,
    pub finish: Option<Finish>,
    pub usage: Option<Usage>,
    pub cost_microusd: Option<u64>,
    pub served_by: Option<String>,
    pub id: Option<String>,
    /// An error the server reported inside an otherwise good answer.
    pub error: Option<Value>,
    /// Whether the server said that this is all.
    pub done: bool,
}

/// A model behind HTTP.
pub struct HttpModel {
    card: ModelCard,
    dialect: Box<dyn Dialect>,
    client: Client,
    keys: Arc<dyn Keys>,
    clock: Arc<dyn Clock>,
    limiter: Arc<Limiter>,
}

impl HttpModel {
    /// A model that speaks its provider's shapes through `client`.
    #[must_use]
    pub fn new(
        card: ModelCard,
        client: Client,
        keys: Arc<dyn Keys>,
        clock: Arc<dyn Clock>,
        limiter: Arc<Limiter>,
    ) -> Self {
        let dialect: Box<dyn Dialect> = match card.provider {
            Provider::OpenAi => Box::new(openai::OpenAi),
            Provider::Anthropic => Box::new(anthropic::Anthropic),
            Provider::Gemini => Box::new(gemini::Gemini),
        };
        Self { card, dialect, client, keys, clock, limiter }
    }

    fn fault(&self, kind: FaultKind, detail: impl Into<String>) -> ModelFault {
        ModelFault::new(kind, &self.card.name, detail)
    }

    fn idle(&self) -> Duration {
        Duration::from_secs(self.card.limits.idle_seconds.max(1))
    }

    fn key(&self) -> Result<Option<SecretString>, ModelFault> {
        let Some(name) = &self.card.key_env else { return Ok(None) };
        match self.keys.key(name) {
            Some(key) => Ok(Some(key)),
            None => Err(self.fault(FaultKind::KeyMissing, format!("the variable {name} is not set."))),
        }
    }

    fn headers(&self, call: &ModelCall, key: Option<&SecretString>) -> Result<HeaderMap, ModelFault> {
        use secrecy::ExposeSecret as _;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in self.dialect.headers() {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Some(key) = key {
            let (name, value) = self.dialect.key_header(key.expose_secret());
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                self.fault(FaultKind::Unauthorized, "the key holds characters no header can carry.")
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        // Step names are nobody else's business: only a server on this machine hears them.
        if self.card.on_this_machine
            && let Ok(step) = HeaderValue::from_str(&call.step)
        {
            headers.insert("x-baton-step", step);
        }
        Ok(headers)
    }

    async fn send(&self, call: &ModelCall, key: Option<&SecretString>) -> Result<Response, ModelFault> {
        let url = self.dialect.url(&self.card, call.stream);
        let body = self.dialect.body(&self.card, call).to_string();
        let request = self.client.post(url).headers(self.headers(call, key)?).body(body);
        match within(self.clock.as_ref(), self.idle(), request.send()).await {
            None => Err(self.stalled(0)),
            Some(Err(error)) => Err(self.no_connection(&error, key)),
            Some(Ok(response)) => Ok(response),
        }
    }

    fn stalled(&self, bytes: usize) -> ModelFault {
        let so_far = if bytes == 0 { String::new() } else { format!(" after {bytes} bytes of answer") };
        let seconds = self.idle().as_secs();
        self.fault(FaultKind::Stalled, format!("nothing came for {seconds} s{so_far}; gave up waiting."))
    }

    fn no_connection(&self, error: &reqwest::Error, key: Option<&SecretString>) -> ModelFault {
        let cause = deepest(error);
        let words = cause.to_lowercase();
        let tls = ["certificate", "tls", "handshake", "corrupt message"].iter().any(|w| words.contains(w));
        let kind = match (error.is_connect(), tls) {
            (_, true) => FaultKind::Tls,
            (true, false) => FaultKind::Unreachable,
            (false, false) => FaultKind::Broken,
        };
        let host = self.card.host();
        self.fault(kind, scrub(&format!("no answer from {host}: {cause}."), key))
    }

    async fn read(&self, response: Response, key: Option<&SecretString>) -> Result<Vec<u8>, ModelFault> {
        let mut body = Vec::new();
        let mut response = response;
        while let Some(piece) = self.piece(&mut response, body.len(), key).await? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    async fn piece(
        &self,
        response: &mut Response,
        so_far: usize,
        key: Option<&SecretString>,
    ) -> Result<Option<impl std::ops::Deref<Target = [u8]>>, ModelFault> {
        if so_far > MOST_BYTES {
            return Err(self.fault(FaultKind::Unreadable, format!("the answer passes {MOST_BYTES} bytes.")));
        }
        match within(self.clock.as_ref(), self.idle(), response.chunk()).await {
            None => Err(self.stalled(so_far)),
            Some(Ok(piece)) => Ok(piece),
            Some(Err(error)) => {
                let cause = scrub(&deepest(&error), key);
                let detail = format!("the connection ended in the middle of the answer: {cause}.");
                Err(self.fault(FaultKind::Broken, detail))
            }
        }
    }

    async fn read_refusal(&self, response: Response, key: Option<&SecretString>) -> ModelFault {
        let status = response.status().as_u16();
        let pause = refusal::retry_after(response.headers());
        let body = match self.read(response, key).await {
            Ok(body) => body,
            Err(fault) => format!("(its words were lost: {})", fault.detail).into_bytes(),
        };
        let words = refusal::words(&String::from_utf8_lossy(&body));
        let words = excerpt(&words, MOST_ERROR, key);
        let kind = refusal::kind(status, &words);
        if kind == FaultKind::RateLimited {
            self.limiter.pause(pause.unwrap_or(Duration::from_secs(2)));
        }
        self.fault(kind, format!("the server answered {status}: {words}")).after(pause)
    }

    async fn read_stream(
        &self,
        mut response: Response,
        call: &ModelCall,
        watch: &dyn Heartbeat,
        key: Option<&SecretString>,
    ) -> Result<Draft, ModelFault> {
        let mut draft = Draft::default();
        let (mut parser, mut seen, mut pieces) = (Parser::default(), 0, 0);
        while !draft.done {
            let piece = self.piece(&mut response, seen, key).await?;
            let events = match &piece {
                Some(bytes) => parser.feed(bytes),
                None => parser.finish().into_iter().collect(),
            };
            seen += piece.as_ref().map_or(0, |p| p.len());
            for event in events {
                let before = draft.text.len();
                self.take_event(&event.data, &mut draft, key)?;
                if draft.text.len() > before {
                    pieces += 1;
                    watch.beat(call, Beat { pieces, bytes: draft.text.len() as u64 });
                }
            }
            if piece.is_none() {
                break;
            }
        }
        if draft.done || draft.finish.is_some() {
            return Ok(draft);
        }
        let got = draft.text.len();
        Err(self.fault(FaultKind::Broken, format!("the stream ended after {got} bytes without saying so.")))
    }

    fn take_event(
        &self,
        data: &str,
        draft: &mut Draft,
        key: Option<&SecretString>,
    ) -> Result<(), ModelFault> {
        if data.trim() == "[DONE]" {
            draft.done = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(data).map_err(|error| {
            let start = excerpt(data, 80, key);
            self.fault(FaultKind::Unreadable, format!("a streamed event is no JSON ({error}): {start}"))
        })?;
        self.dialect.event(&value, draft);
        Ok(())
    }

    fn read_whole(&self, body: &[u8], key: Option<&SecretString>) -> Result<Draft, ModelFault> {
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            let start = excerpt(&String::from_utf8_lossy(body), 80, key);
            self.fault(FaultKind::Unreadable, format!("the answer is no JSON ({error}): {start}"))
        })?;
        let mut draft = Draft { done: true, ..Draft::default() };
        self.dialect.whole(&value, &mut draft);
        if draft.finish.is_none() && draft.text.is_empty() && draft.error.is_none() {
            let start = excerpt(&value.to_string(), 80, key);
            return Err(self.fault(FaultKind::Unreadable, format!("the answer has no known shape: {start}")));
        }
        Ok(draft)
    }

    fn settle(
        &self,
        draft: Draft,
        call: &ModelCall,
        key: Option<&SecretString>,
    ) -> Result<ModelReply, ModelFault> {
        if let Some(error) = draft.error {
            let words = excerpt(&refusal::words(&error.to_string()), MOST_ERROR, key);
            let status = refusal::status_within(&error);
            return Err(self.fault(refusal::kind(status, &words), format!("the server reported: {words}")));
        }
        let usage = draft.usage.unwrap_or_else(|| estimate(call, &draft.text));
        let priced = self.card.price.as_ref().map_or(0, |p| p.cost(&usage));
        Ok(ModelReply {
            text: scrub(&draft.text, key),
            finish: draft.finish.unwrap_or(Finish::Unknown),
            usage,
            cost_microusd: draft.cost_microusd.unwrap_or(priced),
            served_by: draft.served_by.unwrap_or_else(|| self.card.model.clone()),
            provider_id: draft.id,
        })
    }
}

#[async_trait]
impl Model for HttpModel {
    fn card(&self) -> &ModelCard {
        &self.card
    }

    async fn call(&self, call: &ModelCall, watch: &dyn Heartbeat) -> Result<ModelReply, ModelFault> {
        let key = self.key()?;
        let key = key.as_ref();
        let _turn = self.limiter.enter().await.map_err(|wait| {
            let detail = format!("the provider asked for a pause; {} s of it are left.", wait.as_secs());
            self.fault(FaultKind::RateLimited, detail).after(Some(wait))
        })?;
        let response = self.send(call, key).await?;
        if !response.status().is_success() {
            return Err(self.read_refusal(response, key).await);
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("").to_owned();
        let draft = if kind.starts_with("text/event-stream") {
            self.read_stream(response, call, watch, key).await?
        } else if kind.contains("json") {
            self.read_whole(&self.read(response, key).await?, key)?
        } else {
            let detail = format!("the server answered {kind:?} where JSON or an event stream was due.");
            return Err(self.fault(FaultKind::Unreadable, detail));
        };
        self.settle(draft, call, key)
    }
}

/// Tokens when the server did not count: three bytes to one, which errs on the dear side.
fn estimate(call: &ModelCall, answer: &str) -> Usage {
    let asked: usize = call.messages.iter().map(|m| m.text.len()).sum();
    let tokens = |bytes: usize| bytes.div_ceil(3) as u64;
    Usage { input: tokens(asked), cached: 0, output: tokens(answer.len()), estimated: true }
}

/// The innermost cause: the outer layers repeat the URL and say little.
fn deepest(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// The beginning of a server's text without the key. The key goes first: a cut must not leave half of it.
fn excerpt(text: &str, most: usize, key: Option<&SecretString>) -> String {
    let text = scrub(text, key);
    let text = text.trim();
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// Makes ring the TLS provider of this process; later calls change nothing.
pub fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means that the program has already chosen one, which is its right.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// A client for servers on this machine (never through a proxy) or elsewhere. It follows no redirects: a
/// key goes to the host it was meant for and to no other. It keeps no idle connections: a paid call that
/// dies on a stale one could have been billed for all we know, and a handshake is cheap beside an answer.
pub fn client_for(this_machine: bool) -> Result<Client, reqwest::Error> {
    install_tls();
    let builder =
        Client::builder().redirect(reqwest::redirect::Policy::none()).http1_only().pool_max_idle_per_host(0);
    let builder = if this_machine { builder.no_proxy() } else { builder };
    builder.user_agent(concat!("baton/", env!("CARGO_PKG_VERSION"))).build()
}
