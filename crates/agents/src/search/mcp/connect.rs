//! Reaching a server: starting its command with a bare environment, or calling its address; and counting what it sends.

use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use reqwest::Client;
use rmcp::ServiceExt as _;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::{ClientInitializeError, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{Child, Command};

use super::http::{Bounded, Refusal};
use super::{McpCard, McpPlace};
use crate::clock::Clock;
use crate::model::secret::{Keys, Scrub};
use crate::search::web::{WebFault, WebFaultKind, plain_words};

/// An open connection. Dropping it ends the server that was started for it.
pub(super) struct Connection {
    pub service: RunningService<RoleClient, ClientConfig>,
    pub meter: Meter,
    pub refusal: Refusal,
    _child: Option<Child>,
}

impl Connection {
    pub(super) fn is_open(&self) -> bool {
        !self.service.is_closed()
    }
}

/// How many bytes a server may still send for the present call.
#[derive(Clone)]
pub(super) struct Meter {
    left: Arc<AtomicUsize>,
    most: usize,
}

impl Meter {
    fn new(most: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(most)), most }
    }

    pub(super) fn refill(&self) {
        self.left.store(self.most, Ordering::SeqCst);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.load(Ordering::SeqCst) == 0
    }

    /// Counts bytes; false once there were too many.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let before = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| Some(left.saturating_sub(bytes)));
        before.is_ok_and(|left| left > bytes)
    }
}

/// A reader that fails once its meter is spent.
struct Metered<R> {
    inner: R,
    meter: Meter,
}

impl<R: AsyncRead + Unpin> AsyncRead for Metered<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let read = buffer.filled().len() - before;
        if read > 0 && !self.meter.spend(read) {
            return Poll::Ready(Err(io::Error::other("too many bytes")));
        }
        polled
    }
}

/// The keys a server is given: its token, or those variables of its command that hold one by their name.
pub(super) fn keys_of(card: &McpCard, keys: &dyn Keys) -> Vec<SecretString> {
    const SECRET: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASS", "AUTH"];
    let secret = |name: &&String| SECRET.iter().any(|word| name.to_uppercase().contains(word));
    match &card.place {
        McpPlace::Command { env, .. } => {
            env.iter().filter(secret).filter_map(|name| keys.key(name)).collect()
        }
        McpPlace::Url { key_env, .. } => key_env.iter().filter_map(|name| keys.key(name)).collect(),
    }
}

/// Starts or calls the server and shakes hands.
pub(super) async fn open(
    card: &McpCard,
    client: &Client,
    keys: &dyn Keys,
    clock: &Arc<dyn Clock>,
    scrub: &Scrub,
) -> Result<Connection, WebFault> {
    let fault = |kind, detail: String| WebFault::new(&card.name, kind, detail);
    let (meter, refusal) = (Meter::new(card.limits.max_bytes.max(1)), Refusal::default());
    let failed = |error: &ClientInitializeError| match refusal.take() {
        Some((status, pause)) => refused(card, status, pause),
        None => greeting(card, &meter, &scrub.label(&error.to_string())),
    };
    match &card.place {
        McpPlace::Command { command, args, env } => {
            let (mut child, streams) = start(command, args, env).map_err(|error| {
                fault(WebFaultKind::Rejected, format!("{command} could not be started: {error}"))
            })?;
            let Some((stdin, stdout)) = streams else {
                // Both were asked for, so this is the system's failure.
                let _ = child.start_kill();
                return Err(fault(WebFaultKind::Unreachable, format!("{command} has no standard streams")));
            };
            let metered = Metered { inner: stdout, meter: meter.clone() };
            let transport = AsyncRwTransport::new(metered, stdin).with_max_line_length(card.limits.max_bytes);
            let service = ourselves().serve(transport).await.map_err(|error| failed(&error))?;
            Ok(Connection { service, meter, refusal, _child: Some(child) })
        }
        McpPlace::Url { url, key_env } => {
            let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            if let Some(name) = key_env {
                let Some(key) = keys.key(name) else {
                    return Err(fault(WebFaultKind::KeyMissing, format!("the variable {name} is not set")));
                };
                config = config.auth_header(key.expose_secret());
            }
            let bounded = Bounded {
                client: client.clone(),
                meter: meter.clone(),
                refusal: refusal.clone(),
                clock: Arc::clone(clock),
            };
            let transport = StreamableHttpClientTransport::with_client(bounded, config);
            let service = ourselves().serve(transport).await.map_err(|error| failed(&error))?;
            Ok(Connection { service, meter, refusal, _child: None })
        }
    }
}

/// What we tell a server of ourselves: a name, and that we can do nothing for it.
fn ourselves() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("baton", env!("CARGO_PKG_VERSION")))
}

type Streams = (tokio::process::ChildStdin, tokio::process::ChildStdout);

/// Starts a command that sees `PATH` and the variables named for it, no more: keys stay with us.
fn start(command: &str, args: &[String], env: &[String]) -> io::Result<(Child, Option<Streams>)> {
    let mut child = Command::new(command)
        .args(args)
        .env_clear()
        .envs(
            env.iter()
                .map(String::as_str)
                .chain(["PATH"])
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let streams = child.stdin.take().zip(child.stdout.take());
    Ok((child, streams))
}

/// A status that is no success, and the pause the server asks for.
pub(super) fn refused(card: &McpCard, status: u16, pause: Option<Duration>) -> WebFault {
    WebFault::new(&card.name, WebFaultKind::of_status(status), format!("it answered {status}")).after(pause)
}

fn greeting(card: &McpCard, meter: &Meter, words: &str) -> WebFault {
    if meter.is_spent() {
        let detail =
            format!("it sent more than {} bytes before it was asked anything", card.limits.max_bytes);
        return WebFault::new(&card.name, WebFaultKind::Unreadable, detail);
    }
    let detail = format!("it did not greet as an MCP server does: {}", plain_words(words));
    WebFault::new(&card.name, WebFaultKind::Unreachable, detail)
}
