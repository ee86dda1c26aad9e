//! What all providers share on the wire: sending, noticing silence and answers without end, reading answers whole
//! or streamed, and turning every way this can fail into a [`ModelFault`]. The shapes are in the providers' files.
//!
//! Keys leave here and do not come back: every string of a server is scrubbed before it is cut or handed on.

use std::sync::{Arc, Once};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use secrecy::SecretString;
use serde_json::Value;

use super::draft::Draft;
use super::limiter::Limiter;
use super::secret::{Keys, Scrub};
use super::sse::Parser;
use super::{Beat, FaultKind, Finish, Heartbeat, Model, ModelCall, ModelCard, ModelFault, ModelReply};
use super::{Provider, Usage, anthropic, charge, gemini, openai, refusal};
use crate::clock::{Clock, within};
use crate::retry_after::retry_after;

/// How much of a server's error text is kept.
const MOST_ERROR: usize = 600;
/// How much of an answer that cannot be read is shown.
const MOST_SHOWN: usize = 80;
/// The longest name or id of a server that is kept.
const MOST_NAME: usize = 200;

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

/// What holds for one call: its key, what must not come back, how large the answer may become.
struct Terms {
    key: Option<SecretString>,
    scrub: Scrub,
    most_bytes: usize,
}

impl Terms {
    /// The beginning of a server's text without keys. Keys go first: a cut must not leave half of one.
    fn excerpt(&self, text: &str, most: usize) -> String {
        let text = self.scrub.label(text);
        let text = text.trim();
        match text.char_indices().nth(most) {
            Some((cut, _)) => format!("{}…", &text[..cut]),
            None => text.to_owned(),
        }
    }
}

fn dialect(provider: Provider) -> Box<dyn Dialect> {
    match provider {
        Provider::OpenAi => Box::new(openai::OpenAi),
        Provider::Anthropic => Box::new(anthropic::Anthropic),
        Provider::Gemini => Box::new(gemini::Gemini),
    }
}

/// The text of an answer without a connection, and what it is charged: a door for the fuzz targets.
#[doc(hidden)]
#[must_use]
pub fn charged(card: &ModelCard, call: &ModelCall, parts: &[Value]) -> (String, Usage, u64) {
    let (dialect, mut draft) = (dialect(card.provider), Draft::default());
    for part in parts {
        if call.stream { dialect.event(part, &mut draft) } else { dialect.whole(part, &mut draft) }
    }
    let usage = charge::usage(card, call, &draft);
    let cost = charge::cost(card, &usage, &draft);
    (draft.text, usage, cost)
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
        Self { dialect: dialect(card.provider), card, client, keys, clock, limiter }
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

    async fn send(&self, call: &ModelCall, terms: &Terms) -> Result<Response, ModelFault> {
        let url = self.dialect.url(&self.card, call.stream);
        let body = self.dialect.body(&self.card, call).to_string();
        let request = self.client.post(url).headers(self.headers(call, terms.key.as_ref())?).body(body);
        match within(self.clock.as_ref(), self.idle(), request.send()).await {
            None => Err(self.stalled(0)),
            Some(Err(error)) => Err(self.no_connection(&error)),
            Some(Ok(response)) => Ok(response),
        }
    }

    fn stalled(&self, bytes: usize) -> ModelFault {
        let so_far = if bytes == 0 { String::new() } else { format!(" after {bytes} bytes of answer") };
        let seconds = self.idle().as_secs();
        self.fault(FaultKind::Stalled, format!("nothing came for {seconds} s{so_far}; gave up waiting."))
    }

    fn no_connection(&self, error: &reqwest::Error) -> ModelFault {
        let cause = deepest(error);
        let words = cause.to_lowercase();
        let tls = ["certificate", "tls", "handshake", "corrupt message"].iter().any(|w| words.contains(w));
        let kind = match (error.is_connect(), tls) {
            (_, true) => FaultKind::Tls,
            (true, false) => FaultKind::Unreachable,
            (false, false) => FaultKind::Broken,
        };
        let host = self.card.host();
        self.fault(kind, format!("no answer from {host}: {cause}."))
    }

    async fn read(&self, mut response: Response, terms: &Terms) -> Result<Vec<u8>, ModelFault> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece(&mut response, body.len(), terms).await? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    async fn piece(
        &self,
        response: &mut Response,
        so_far: usize,
        terms: &Terms,
    ) -> Result<Option<impl std::ops::Deref<Target = [u8]>>, ModelFault> {
        let piece = match within(self.clock.as_ref(), self.idle(), response.chunk()).await {
            None => return Err(self.stalled(so_far)),
            Some(Ok(piece)) => piece,
            Some(Err(error)) => {
                let cause = deepest(&error);
                let detail = format!("the connection ended in the middle of the answer: {cause}.");
                return Err(self.fault(FaultKind::Broken, detail));
            }
        };
        let most = terms.most_bytes;
        if piece.as_ref().is_some_and(|piece| piece.len() > most.saturating_sub(so_far)) {
            return Err(self.fault(FaultKind::Overran, format!("the answer is larger than {most} bytes.")));
        }
        Ok(piece)
    }

    async fn read_refusal(&self, response: Response, terms: &Terms) -> ModelFault {
        let status = response.status().as_u16();
        let pause = retry_after(response.headers(), self.clock.now());
        let body = match self.read(response, terms).await {
            Ok(body) => body,
            Err(fault) => format!("(its words were lost: {})", fault.detail).into_bytes(),
        };
        let words = refusal::words(&String::from_utf8_lossy(&body));
        let words = terms.excerpt(&words, MOST_ERROR);
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
        terms: &Terms,
    ) -> Result<Draft, ModelFault> {
        let mut draft = Draft::default();
        let (mut parser, mut seen, mut pieces) = (Parser::default(), 0, 0);
        while !draft.done && draft.error.is_none() {
            let piece = self.piece(&mut response, seen, terms).await?;
            let events = match &piece {
                Some(bytes) => parser.feed(bytes),
                None => parser.finish().into_iter().collect(),
            };
            seen += piece.as_ref().map_or(0, |p| p.len());
            for event in events {
                let before = draft.text.len();
                self.take_event(&event.data, &mut draft, terms)?;
                if draft.text.len() > before {
                    pieces += 1;
                    watch.beat(call, Beat { pieces, bytes: draft.text.len() as u64 });
                }
            }
            if piece.is_none() {
                break;
            }
        }
        if draft.done || draft.finish.is_some() || draft.error.is_some() {
            return Ok(draft);
        }
        let got = draft.text.len();
        Err(self.fault(FaultKind::Broken, format!("the stream ended after {got} bytes without saying so.")))
    }

    fn take_event(&self, data: &str, draft: &mut Draft, terms: &Terms) -> Result<(), ModelFault> {
        if data.trim() == "[DONE]" {
            draft.done = true;
            return Ok(());
        }
        let value: Value = serde_json::from_str(data).map_err(|error| {
            let start = terms.excerpt(data, MOST_SHOWN);
            self.fault(FaultKind::Unreadable, format!("a streamed event is no JSON ({error}): {start}"))
        })?;
        self.dialect.event(&value, draft);
        Ok(())
    }

    fn read_whole(&self, body: &[u8], terms: &Terms) -> Result<Draft, ModelFault> {
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            let start = terms.excerpt(&String::from_utf8_lossy(body), MOST_SHOWN);
            self.fault(FaultKind::Unreadable, format!("the answer is no JSON ({error}): {start}"))
        })?;
        let mut draft = Draft { done: true, ..Draft::default() };
        self.dialect.whole(&value, &mut draft);
        if draft.finish.is_none() && draft.text.is_empty() && draft.error.is_none() {
            let start = terms.excerpt(&value.to_string(), MOST_SHOWN);
            return Err(self.fault(FaultKind::Unreadable, format!("the answer has no known shape: {start}")));
        }
        Ok(draft)
    }

    fn settle(&self, draft: Draft, call: &ModelCall, terms: &Terms) -> Result<ModelReply, ModelFault> {
        if let Some(error) = draft.error {
            let words = terms.excerpt(&refusal::words(&error.to_string()), MOST_ERROR);
            let kind = match draft.heard {
                0 => refusal::kind(refusal::status_within(&error), &words),
                // The answer was begun, so it may be billed.
                _ => FaultKind::Broken,
            };
            return Err(self.fault(kind, format!("the server reported: {words}")));
        }
        let usage = charge::usage(&self.card, call, &draft);
        let name = |text: String| terms.excerpt(&text, MOST_NAME);
        Ok(ModelReply {
            cost_microusd: charge::cost(&self.card, &usage, &draft),
            text: terms.scrub.answer(&draft.text),
            finish: draft.finish.unwrap_or(Finish::Unknown),
            usage,
            served_by: draft.served_by.map_or_else(|| self.card.model.clone(), name),
            provider_id: draft.id.map(name),
        })
    }

    /// One request and its answer, however long that takes.
    async fn exchange(
        &self,
        call: &ModelCall,
        watch: &dyn Heartbeat,
        terms: &Terms,
    ) -> Result<ModelReply, ModelFault> {
        let response = self.send(call, terms).await?;
        if !response.status().is_success() {
            return Err(self.read_refusal(response, terms).await);
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("").to_owned();
        let draft = if kind.starts_with("text/event-stream") {
            self.read_stream(response, call, watch, terms).await?
        } else if kind.contains("json") {
            self.read_whole(&self.read(response, terms).await?, terms)?
        } else {
            let kind = terms.excerpt(&kind, MOST_SHOWN);
            let detail = format!("the server answered {kind:?} where JSON or an event stream was due.");
            return Err(self.fault(FaultKind::Unreadable, detail));
        };
        self.settle(draft, call, terms)
    }
}

#[async_trait]
impl Model for HttpModel {
    fn card(&self) -> &ModelCard {
        &self.card
    }

    async fn call(&self, call: &ModelCall, watch: &dyn Heartbeat) -> Result<ModelReply, ModelFault> {
        let key = self.key()?;
        let terms = Terms { scrub: Scrub::of(key.as_ref()), key, most_bytes: call.bounds.bytes() };
        let _turn = self.limiter.enter().await.map_err(|wait| {
            let detail = format!("the provider asked for a pause; {} s of it are left.", wait.as_secs());
            self.fault(FaultKind::RateLimited, detail).after(Some(wait))
        })?;
        let total = call.bounds.total(self.card.on_this_machine);
        let came = within(self.clock.as_ref(), total, self.exchange(call, watch, &terms)).await;
        let came = came.unwrap_or_else(|| {
            let detail = format!("the answer had not ended after {} s; gave up.", total.as_secs());
            Err(self.fault(FaultKind::Overran, detail))
        });
        // Causes of broken connections and errors of parsers may repeat what they met.
        came.map_err(|fault| ModelFault { detail: terms.scrub.label(&fault.detail), ..fault })
    }
}

/// The innermost cause: the outer layers repeat the URL and say little.
fn deepest(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
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
