//! The server itself: one listener, one task for each connection, a record of everything asked.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

use super::act::{Act, Fault, Leak, Wait};
use super::plan::{Faults, Plan};
use super::recording::Recording;
use super::shape::{self, Asked, End, Events};
use super::twist;

/// One request the server has answered, or failed to.
#[derive(Clone, Debug)]
pub struct Served {
    /// What was asked.
    pub asked: Asked,
    /// What the server did.
    pub act: Act,
    /// Headers whose names may hold a key, as received.
    pub key: String,
}

struct Inner {
    plan: Mutex<Plan>,
    served: Mutex<Vec<Served>>,
    drips: Semaphore,
    stop: Notify,
}

/// A running scripted server; it stops when dropped.
pub struct ModelServer {
    inner: Arc<Inner>,
    address: SocketAddr,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.inner.stop.notify_waiters();
        self.task.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ModelServer {
    /// Starts on a free port of 127.0.0.1.
    pub async fn start() -> std::io::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let inner = Arc::new(Inner {
            plan: Mutex::default(),
            served: Mutex::default(),
            drips: Semaphore::new(0),
            stop: Notify::new(),
        });
        let router = Router::new().fallback(handle).with_state(Arc::clone(&inner));
        let task = tokio::spawn(async move {
            use axum::serve::ListenerExt as _;
            // Without this, small writes wait for acknowledgements and every answer seems 40 ms slow.
            let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
            drop(axum::serve(listener, router).await);
        });
        Ok(Self { inner, address, task })
    }

    /// The address to put before a path of the OpenAI and Anthropic shapes.
    #[must_use]
    pub fn v1(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The address to put before a path of the Gemini shape.
    #[must_use]
    pub fn v1beta(&self) -> String {
        format!("http://{}/v1beta", self.address)
    }

    /// These acts come next, in this order, whoever asks.
    pub fn script(&self, acts: impl IntoIterator<Item = Act>) {
        lock(&self.inner.plan).queue.extend(acts);
    }

    /// These acts answer the given step, in this order.
    pub fn script_step(&self, step: &str, acts: impl IntoIterator<Item = Act>) {
        lock(&self.inner.plan).by_step.entry(step.to_owned()).or_default().extend(acts);
    }

    /// What is not scripted is answered by this function.
    pub fn answer(&self, with: impl Fn(&Asked) -> String + Send + Sync + 'static) {
        lock(&self.inner.plan).answer = Box::new(move |asked| Act::Say(with(asked)));
    }

    /// What is not scripted is done by this function.
    pub fn act(&self, with: impl Fn(&Asked) -> Act + Send + Sync + 'static) {
        lock(&self.inner.plan).answer = Box::new(with);
    }

    /// What is not scripted is answered as it was recorded. A prompt the recording does not know is answered with 500, and
    /// that act stands in [`Self::served`].
    pub fn replay(&self, recording: Recording) {
        let recording = Mutex::new(recording);
        lock(&self.inner.plan).answer = Box::new(move |asked| match lock(&recording).answer(asked) {
            Some(text) => Act::Say(text),
            None => Fault::Internal.into(),
        });
    }

    /// What is not scripted goes wrong at this rate.
    pub fn faults(&self, faults: Faults) {
        lock(&self.inner.plan).faults = Some(faults);
    }

    /// Lets `words` more words of dripping answers go out.
    pub fn drip(&self, words: usize) {
        self.inner.drips.add_permits(words);
    }

    /// Everything asked so far, in order of arrival.
    #[must_use]
    pub fn served(&self) -> Vec<Served> {
        lock(&self.inner.served).clone()
    }

    /// How often each step was asked.
    #[must_use]
    pub fn calls_by_step(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for served in lock(&self.inner.served).iter() {
            *counts.entry(served.asked.step.clone()).or_default() += 1;
        }
        counts
    }
}

async fn handle(
    State(inner): State<Arc<Inner>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let header = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or("").to_owned();
    let key = ["authorization", "x-api-key", "x-goog-api-key"].map(header).concat();
    let parsed = serde_json::from_slice(&body).ok();
    let path = uri.path_and_query().map_or("", |p| p.as_str());
    let path = path.split('?').next().unwrap_or("");
    let Some(asked) = parsed.and_then(|v: Value| Asked::read(path, &header("x-baton-step"), v)) else {
        return refusal(StatusCode::NOT_FOUND, "unknown path or a body that is no JSON");
    };
    let act = lock(&inner.plan).next(&asked);
    lock(&inner.served).push(Served { asked: asked.clone(), act: act.clone(), key: key.clone() });
    perform(&inner, &asked, act, &key).await
}

async fn perform(inner: &Arc<Inner>, asked: &Asked, act: Act, key: &str) -> Response<Body> {
    match act {
        Act::Say(text) => say(asked, &text, End::Stop),
        Act::Count(text, counts) => {
            twisted(asked, &text, |value| twist::count(value, counts, asked.tokens_in()))
        }
        Act::Leak(text, leak) => leaking(asked, &text, leak, key.trim_start_matches("Bearer ")),
        Act::CutAtLimit(text) => say(asked, &text, End::Length),
        Act::Refuse => say(asked, "I'm sorry, but I can't help with that.", End::Refusal),
        Act::Echo => say(asked, &asked.texts.join("\n"), End::Stop),
        Act::Drip(text) => drip(inner, asked, &text),
        Act::Fail(fault) => fail(inner, asked, fault, key).await,
    }
}

fn say(asked: &Asked, text: &str, end: End) -> Response<Body> {
    said(asked, text, end, |_| {})
}

/// A good answer, changed by `twist` wherever it holds JSON.
fn twisted(asked: &Asked, text: &str, twist: impl Fn(&mut Value)) -> Response<Body> {
    said(asked, text, End::Stop, twist)
}

fn said(asked: &Asked, text: &str, end: End, twist: impl Fn(&mut Value)) -> Response<Body> {
    if !asked.stream {
        let mut whole = shape::whole(asked, &text.replace(shape::CUT, ""), end);
        twist(&mut whole);
        return json_answer(StatusCode::OK, whole.to_string());
    }
    let Events { before, pieces, after } = shape::events(asked, text, end);
    let all = before.into_iter().chain(pieces).chain(after);
    let all: Vec<String> = all.map(|event| twist::event(&event, &twist)).collect();
    event_stream(Body::from_stream(stream::iter(all.into_iter().map(Ok::<_, Infallible>))))
}

fn leaking(asked: &Asked, text: &str, leak: Leak, key: &str) -> Response<Body> {
    let error =
        || json!({"type": "error", "error": {"type": "api_error", "message": format!("not with {key}")}});
    match leak {
        Leak::Model | Leak::Id | Leak::Finish => twisted(asked, text, |value| twist::leak(value, leak, key)),
        Leak::Text => say(asked, &format!("{text} {key}"), End::Stop),
        Leak::SplitText => {
            let (first, second) = key.split_at(key.len() / 2);
            say(asked, &format!("{text} {first}{}{second}", shape::CUT), End::Stop)
        }
        Leak::Base64 => say(asked, &format!("{text} {}", twist::base64(&format!("me:{key}"))), End::Stop),
        Leak::ContentType => {
            let mut response = say(asked, text, End::Stop);
            if let Ok(kind) = axum::http::HeaderValue::from_str(&format!("text/{key}")) {
                response.headers_mut().insert("content-type", kind);
            }
            response
        }
        Leak::Error if asked.stream => event_stream(Body::from(format!("data: {}\n\n", error()))),
        Leak::Error => json_answer(StatusCode::OK, error().to_string()),
        // Long enough that the cut of what is kept falls into the key.
        Leak::Refusal => refusal(StatusCode::UNAUTHORIZED, &format!("{}{key}", "wrong ".repeat(98))),
        Leak::RefusalName => json_answer(StatusCode::BAD_REQUEST, json!({"no": {key: "known"}}).to_string()),
        Leak::Body => json_answer(StatusCode::OK, format!("{}{key}", "upstream ".repeat(8))),
    }
}

fn drip(inner: &Arc<Inner>, asked: &Asked, text: &str) -> Response<Body> {
    let Events { before, pieces, after } = shape::events(asked, text, End::Stop);
    let inner = Arc::clone(inner);
    let slow = stream::iter(pieces).then(move |piece| {
        let inner = Arc::clone(&inner);
        async move {
            // The semaphore is never closed; a failed wait would only end the drip early.
            if let Ok(permit) = inner.drips.acquire().await {
                permit.forget();
            }
            piece
        }
    });
    let all = stream::iter(before).chain(slow).chain(stream::iter(after));
    event_stream(Body::from_stream(all.map(Ok::<_, Infallible>)))
}

async fn fail(inner: &Arc<Inner>, asked: &Asked, fault: Fault, key: &str) -> Response<Body> {
    match fault {
        Fault::StallBeforeAnswer => {
            inner.stop.notified().await;
            refusal(StatusCode::SERVICE_UNAVAILABLE, "stopped")
        }
        Fault::StallInAnswer => begun(asked, stream::pending().boxed()),
        Fault::DripForever => {
            let inner = Arc::clone(inner);
            let alive = alive(asked);
            let drips = stream::unfold(inner, |inner| async move {
                // Never closed: who waits is served or dropped.
                inner.drips.acquire().await.ok()?.forget();
                Some(((), inner))
            });
            begun(asked, drips.map(move |()| Ok(alive.to_owned())).boxed())
        }
        Fault::Flood => {
            let alive = alive(asked).repeat(1000);
            begun(asked, stream::repeat(()).map(move |()| Ok(alive.clone())).boxed())
        }
        Fault::ErrorInAnswer => {
            let error =
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}});
            if asked.stream {
                let last = format!("data: {error}\n\n");
                begun(asked, stream::once(async { Ok(last) }).boxed())
            } else {
                twisted(asked, "begun and then", |value| value["error"] = error["error"].clone())
            }
        }
        Fault::Asks(wait) => asks(wait),
        Fault::CutConnection => {
            // A pause between the two keeps the first half from being dropped with the connection.
            let cut = stream::once(async {
                tokio::task::yield_now().await;
                Err(std::io::Error::other("cut"))
            });
            begun(asked, cut.boxed())
        }
        Fault::TooMany(after) => {
            let mut response = refusal(StatusCode::TOO_MANY_REQUESTS, "rate limit reached");
            if let Some(seconds) = after {
                response.headers_mut().insert("retry-after", seconds.into());
            }
            response
        }
        Fault::Internal => refusal(StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
        Fault::Unavailable => {
            answer(StatusCode::SERVICE_UNAVAILABLE, "text/html", Body::from("<h1>503 upstream</h1>"))
        }
        Fault::BadKeyEchoed => {
            refusal(StatusCode::UNAUTHORIZED, &format!("incorrect API key provided: {key}"))
        }
        Fault::SchemaRefused => refusal(StatusCode::BAD_REQUEST, "invalid schema for response_format"),
        Fault::ContextTooLong => refusal(StatusCode::BAD_REQUEST, "maximum context length is 8192 tokens"),
        Fault::NoSuchModel => {
            refusal(StatusCode::NOT_FOUND, &format!("model {} does not exist", asked.model))
        }
        Fault::WebPage => answer(StatusCode::OK, "text/html", Body::from("<title>Log in</title>")),
        Fault::NotJson => json_answer(StatusCode::OK, format!("upstream {}{key}", "error ".repeat(10))),
        Fault::BadEvent => event_stream(Body::from(format!("data: oops {}{key}\n\n", "again ".repeat(10)))),
        Fault::OtherShape => json_answer(StatusCode::OK, r#"{"status":"ok"}"#.to_owned()),
    }
}

/// 429 with a wish, and a `Date` for it to count from.
fn asks(wait: Wait) -> Response<Body> {
    let mut response = refusal(StatusCode::TOO_MANY_REQUESTS, "rate limit reached");
    let headers = response.headers_mut();
    headers.insert("date", axum::http::HeaderValue::from_static(Wait::DATE));
    if let Ok(value) = axum::http::HeaderValue::from_str(&wait.header()) {
        headers.insert("retry-after", value);
    }
    response
}

/// A sign of life that is no part of an answer: a comment between events, a space between JSON tokens.
fn alive(asked: &Asked) -> &'static str {
    if asked.stream { ": alive\n\n" } else { " " }
}

type Rest = stream::BoxStream<'static, Result<String, std::io::Error>>;

/// The first half of an answer, then whatever `rest` does.
fn begun(asked: &Asked, rest: Rest) -> Response<Body> {
    let text = r#"{"begun": "and then "#;
    let (kind, first) = if asked.stream {
        let Events { before, pieces, .. } = shape::events(asked, text, End::Stop);
        ("text/event-stream", before.concat() + &pieces.concat())
    } else {
        let whole = shape::whole(asked, text, End::Stop).to_string();
        ("application/json", whole[..whole.len() / 2].to_owned())
    };
    answer(StatusCode::OK, kind, Body::from_stream(stream::once(async { Ok(first) }).chain(rest)))
}

fn refusal(status: StatusCode, words: &str) -> Response<Body> {
    json_answer(status, json!({"error": {"message": words}}).to_string())
}

fn json_answer(status: StatusCode, body: String) -> Response<Body> {
    answer(status, "application/json", Body::from(body))
}

fn event_stream(body: Body) -> Response<Body> {
    answer(StatusCode::OK, "text/event-stream", body)
}

fn answer(status: StatusCode, kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert("content-type", axum::http::HeaderValue::from_static(kind));
    response
}
