//! Fetching a page: within limits of size, time and redirects, obeying robots.txt, and never from a private address
//! that was not allowed. Every redirect is checked like the first address.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use robotxt::Robots;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use url::Url;

use super::guard::{Guard, GuardedResolver};
use super::{Format, ReadError, files};
use crate::clock::{Clock as _, RealClock, within};
use crate::retry_after::retry_after;

/// Robots files larger than this are cut.
const ROBOTS_BYTES: u64 = 512 << 10;

/// How far fetching may go.
#[derive(Debug, Clone)]
pub struct FetchSettings {
    /// Name we give ourselves, also in robots.txt.
    pub agent: String,
    /// Bytes on the wire.
    pub max_bytes: u64,
    /// Bytes after unpacking.
    pub max_unpacked: u64,
    /// Redirects followed.
    pub redirects: usize,
    /// No byte for this long ends it.
    pub idle: Duration,
    /// The whole of one fetch may take this long, with robots.txt and all redirects.
    pub total: Duration,
    /// `host:port` pairs that may be private.
    pub allowed_private: Vec<String>,
    /// Obey robots.txt.
    pub robots: bool,
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            agent: "baton".to_owned(),
            max_bytes: 16 << 20,
            max_unpacked: 64 << 20,
            redirects: 5,
            idle: Duration::from_secs(15),
            total: Duration::from_secs(60),
            allowed_private: Vec::new(),
            robots: true,
        }
    }
}

/// A page as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPage {
    /// The address it came from in the end.
    pub url: String,
    /// What format it is.
    pub format: Format,
    /// The encoding its server named.
    pub charset: Option<String>,
    /// Its bytes, unpacked.
    pub body: Vec<u8>,
    /// Addresses that redirected, in order.
    pub redirects: Vec<String>,
}

/// What a server gave to ask later whether a page has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
}

/// What asking for a page again brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// The page, and how to ask for it the next time.
    Page(FetchedPage, Validators),
    /// It has not changed since the validators were given.
    Unchanged,
}

/// Why a page was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Not an address.
    #[error("{0} is not a web address")]
    Address(String),
    /// Not allowed by our own rules.
    #[error("{url} was not fetched: {reason}")]
    Refused {
        /// Which address.
        url: String,
        /// Which rule.
        reason: String,
    },
    /// The site does not want it read by programs.
    #[error("{0} was not fetched: the site's robots.txt forbids it")]
    Robots(String),
    /// More redirects than allowed.
    #[error("{url} redirects more than {limit} times")]
    Redirects {
        /// The address asked for.
        url: String,
        /// What is allowed.
        limit: usize,
    },
    /// A status other than success.
    #[error("{url} answered {status}")]
    Status {
        /// Which address.
        url: String,
        /// The status.
        status: u16,
        /// Seconds to wait, if the server said so.
        retry_after: Option<u64>,
    },
    /// Took too long or stopped sending.
    #[error("{0} took too long")]
    Timeout(String),
    /// The connection failed.
    #[error("{url} could not be reached: {reason}")]
    Connection {
        /// Which address.
        url: String,
        /// What happened.
        reason: String,
    },
    /// Too large, a bomb, or of no known format.
    #[error("{url} {problem}")]
    Content {
        /// Which address.
        url: String,
        /// What is wrong with it.
        problem: ReadError,
    },
}

/// Fetches pages. Remembers the robots.txt of every site it has met.
#[derive(Debug, Clone)]
pub struct Fetcher {
    pub(super) client: Client,
    pub(super) guard: Guard,
    pub(super) settings: FetchSettings,
    robots: Arc<Mutex<HashMap<String, Arc<Robots>>>>,
}

impl Fetcher {
    /// A fetcher with its own connections; proxies of the environment are not used.
    pub fn new(settings: FetchSettings) -> Result<Self, FetchError> {
        // Fails only when a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guard = Guard::new(&settings.allowed_private);
        let client = Client::builder()
            .user_agent(&settings.agent)
            .redirect(Policy::none())
            .no_proxy()
            .read_timeout(settings.idle)
            .connect_timeout(settings.idle)
            .timeout(settings.total)
            .dns_resolver(GuardedResolver { guard: guard.clone() })
            .build()
            .map_err(|error| FetchError::Connection { url: "the web".to_owned(), reason: causes(&error) })?;
        Ok(Self { client, guard, settings, robots: Arc::default() })
    }

    /// Fetches a page.
    pub async fn fetch(&self, address: &str) -> Result<FetchedPage, FetchError> {
        match self.fetch_if_changed(address, None).await? {
            Fetched::Page(page, _) => Ok(page),
            // Only an answer to a question that was not asked.
            Fetched::Unchanged => {
                Err(FetchError::Status { url: address.to_owned(), status: 304, retry_after: None })
            }
        }
    }

    /// Fetches a page unless it is what it was. `known` is the address it came from in the end, and its validators.
    pub async fn fetch_if_changed(
        &self,
        address: &str,
        known: Option<(&str, &Validators)>,
    ) -> Result<Fetched, FetchError> {
        // Each request ends by itself; a chain of redirects, each as slow as allowed, must too.
        let fetching = self.follow(address, known);
        let done = within(&RealClock::new(), self.settings.total, fetching).await;
        done.unwrap_or_else(|| Err(FetchError::Timeout(address.to_owned())))
    }

    async fn follow(&self, address: &str, known: Option<(&str, &Validators)>) -> Result<Fetched, FetchError> {
        let mut url = Url::parse(address).map_err(|_| FetchError::Address(address.to_owned()))?;
        let mut redirects = Vec::new();
        loop {
            self.guard.check(&url)?;
            self.check_robots(&url).await?;
            let asked = known.filter(|(from, _)| *from == url.as_str()).map(|(_, validators)| validators);
            let response = self.get(&url, asked).await?;
            if asked.is_some() && response.status() == StatusCode::NOT_MODIFIED {
                return Ok(Fetched::Unchanged);
            }
            let Some(next) = redirect(&response, &url)? else {
                let validators = Validators {
                    etag: text_header(response.headers(), ETAG.as_str()),
                    last_modified: text_header(response.headers(), LAST_MODIFIED.as_str()),
                };
                return Ok(Fetched::Page(self.page(response, &url, redirects).await?, validators));
            };
            redirects.push(url.to_string());
            if redirects.len() > self.settings.redirects {
                return Err(FetchError::Redirects {
                    url: address.to_owned(),
                    limit: self.settings.redirects,
                });
            }
            url = next;
        }
    }

    /// How long the robots.txt of an address asks to wait between two requests, if it was read and says so.
    pub async fn crawl_delay(&self, url: &Url) -> Option<Duration> {
        self.robots.lock().await.get(&url.origin().ascii_serialization())?.crawl_delay()
    }

    async fn get(&self, url: &Url, known: Option<&Validators>) -> Result<Response, FetchError> {
        let mut request = self.client.get(url.clone()).header(ACCEPT_ENCODING, "gzip");
        if let Some(etag) = known.and_then(|validators| validators.etag.as_deref()) {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(date) = known.and_then(|validators| validators.last_modified.as_deref()) {
            request = request.header(IF_MODIFIED_SINCE, date);
        }
        request.send().await.map_err(|error| failed(url, &error))
    }

    async fn page(
        &self,
        response: Response,
        url: &Url,
        redirects: Vec<String>,
    ) -> Result<FetchedPage, FetchError> {
        let headers = response.headers().clone();
        let unknown = || FetchError::Content { url: url.to_string(), problem: ReadError::Unknown };
        // What is no success is told as that, whatever it is written in.
        let format = format_of(&headers, url).or((!response.status().is_success()).then_some(Format::Text));
        let format = format.ok_or_else(unknown)?;
        let body = self.bytes(response, url).await?;
        Ok(FetchedPage { url: url.to_string(), format, charset: charset(&headers), body, redirects })
    }

    /// The body of a success, unpacked.
    pub(super) async fn bytes(&self, response: Response, url: &Url) -> Result<Vec<u8>, FetchError> {
        let status = response.status();
        if !status.is_success() {
            let wish = retry_after(response.headers(), RealClock::new().now());
            let retry_after = wish.map(|wait| wait.as_secs());
            return Err(FetchError::Status { url: url.to_string(), status: status.as_u16(), retry_after });
        }
        let content = |problem| FetchError::Content { url: url.to_string(), problem };
        let packed = text_header(response.headers(), CONTENT_ENCODING.as_str());
        let raw = body(response, url, self.settings.max_bytes).await?;
        match packed.as_deref() {
            Some("gzip" | "x-gzip") => files::gunzip(&raw, self.settings.max_unpacked).map_err(content),
            None | Some("identity" | "") => Ok(raw),
            Some(other) => Err(content(ReadError::Malformed {
                format: "page".to_owned(),
                reason: format!("packed with {other}, which was not asked for"),
            })),
        }
    }

    async fn check_robots(&self, url: &Url) -> Result<(), FetchError> {
        if !self.settings.robots {
            return Ok(());
        }
        let origin = url.origin().ascii_serialization();
        let known = self.robots.lock().await.get(&origin).cloned();
        let robots = match known {
            Some(robots) => robots,
            None => {
                let robots = Arc::new(self.read_robots(&origin).await?);
                self.robots.lock().await.insert(origin, Arc::clone(&robots));
                robots
            }
        };
        if allows(&robots, url) { Ok(()) } else { Err(FetchError::Robots(url.to_string())) }
    }

    /// No robots.txt allows everything; a server in trouble allows nothing for now.
    async fn read_robots(&self, origin: &str) -> Result<Robots, FetchError> {
        let mut url = Url::parse(&format!("{origin}/robots.txt"))
            .map_err(|_| FetchError::Address(origin.to_owned()))?;
        for _ in 0..=self.settings.redirects {
            self.guard.check(&url)?;
            let response = self.get(&url, None).await?;
            if let Some(next) = redirect(&response, &url)? {
                url = next;
                continue;
            }
            let status = response.status();
            if status.is_server_error() {
                return Ok(Robots::disallow_all());
            }
            if !status.is_success() {
                return Ok(Robots::allow_all());
            }
            let text = body(response, &url, ROBOTS_BYTES).await?;
            return Ok(Robots::parse(&text, self.settings.agent.as_str()));
        }
        Ok(Robots::allow_all())
    }
}

fn allows(robots: &Robots, url: &Url) -> bool {
    robots.is_allowed(
        &(url.path().to_owned() + &url.query().map(|query| format!("?{query}")).unwrap_or_default()),
    )
}

/// What a robots.txt says of an address, and how long it asks to wait: a door for the fuzz targets.
#[doc(hidden)]
#[must_use]
pub fn robots_say(text: &[u8], agent: &str, url: &Url) -> (bool, Option<Duration>) {
    let robots = Robots::parse(text, agent);
    (allows(&robots, url), robots.crawl_delay())
}

/// Where a response redirects to.
pub(super) fn redirect(response: &Response, url: &Url) -> Result<Option<Url>, FetchError> {
    if !response.status().is_redirection() {
        return Ok(None);
    }
    let Some(to) = text_header(response.headers(), LOCATION.as_str()) else { return Ok(None) };
    url.join(&to).map(Some).map_err(|_| FetchError::Address(to))
}

/// Reads a body, counting as it comes; a false length in the header does not matter.
async fn body(mut response: Response, url: &Url, limit: u64) -> Result<Vec<u8>, FetchError> {
    let too_large =
        |size| FetchError::Content { url: url.to_string(), problem: ReadError::TooLarge { size, limit } };
    let declared =
        text_header(response.headers(), CONTENT_LENGTH.as_str()).and_then(|value| value.parse().ok());
    if let Some(size) = declared.filter(|size| *size > limit) {
        return Err(too_large(size));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(url, &error))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64));
        }
    }
    Ok(bytes)
}

pub(super) fn failed(url: &Url, error: &reqwest::Error) -> FetchError {
    if error.is_timeout() {
        return FetchError::Timeout(url.to_string());
    }
    let reason = causes(error);
    if reason.contains("a private or local address") {
        return FetchError::Refused { url: url.to_string(), reason };
    }
    FetchError::Connection { url: url.to_string(), reason }
}

/// The innermost cause says what happened; the outer ones repeat the address.
fn causes(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

pub(super) fn text_header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(|value| value.trim().to_owned())
}

fn charset(headers: &HeaderMap) -> Option<String> {
    let value = text_header(headers, CONTENT_TYPE.as_str())?.to_lowercase();
    let (_, after) = value.split_once("charset=")?;
    Some(after.split(';').next().unwrap_or_default().trim_matches(['"', ' ']).to_owned())
}

fn format_of(headers: &HeaderMap, url: &Url) -> Option<Format> {
    let kind = text_header(headers, CONTENT_TYPE.as_str()).unwrap_or_default().to_lowercase();
    match kind.split(';').next().unwrap_or_default().trim() {
        "text/html" | "application/xhtml+xml" => Some(Format::Html),
        "application/pdf" => Some(Format::Pdf),
        "text/markdown" => Some(Format::Markdown),
        "text/csv" | "text/tab-separated-values" => Some(Format::Csv),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => Some(Format::Docx),
        "text/plain" => Some(
            Format::of_path(std::path::Path::new(url.path()))
                .filter(|f| !f.is_foreign())
                .unwrap_or(Format::Text),
        ),
        "" | "application/octet-stream" => Format::of_path(std::path::Path::new(url.path())),
        _ => None,
    }
}
