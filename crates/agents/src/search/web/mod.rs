//! Web providers: one file each, holding only the provider's shapes (what to ask, how to read the answer). Sending
//! is in [`wire`](self), the same for all. A provider asks once and never retries; limits, pauses and merging are the
//! work of [`fan`](super::fan).
//!
//! A search sends words away, so nothing here can be built without a [`Consent`].

mod arxiv;
mod brave;
mod card;
mod crossref;
mod fault;
mod feed;
mod feeds;
mod openalex;
mod searxng;
mod tavily;
mod text;
mod wikipedia;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Client;
use reqwest::header::HeaderName;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

pub use card::{Kind, ProviderCard};
pub use fault::{WebFault, WebFaultKind};

use super::identity::{self, Identity};
use super::pace::Pace;
use super::{Hit, Location, Query};
use crate::clock::Clock;
use crate::model::secret::{Keys, Scrub};

/// A run's permission to send the words of its queries to others. Whoever starts the run decides and makes one; no
/// provider exists without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    given_by: String,
}

impl Consent {
    /// Consent, and what gave it: a flag, a setting, a person's answer.
    #[must_use]
    pub fn given_by(what: &str) -> Self {
        Self { given_by: what.to_owned() }
    }

    /// What gave it.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.given_by
    }
}

/// A hit, and every name its document is known by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The hit.
    pub hit: Hit,
    /// Names that tell when another hit is the same document.
    pub ids: Vec<Identity>,
}

/// Something a provider returned that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Who returned it.
    pub provider: String,
    /// Its title or address, without credentials.
    pub what: String,
    /// Why it is not used.
    pub why: String,
}

/// What a provider found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Hits, best first.
    pub found: Vec<Found>,
    /// Results that cannot be used.
    pub left_out: Vec<LeftOut>,
}

/// A place outside this machine that can be searched.
#[async_trait]
pub trait Finder: Send + Sync {
    /// Name shown beside its hits.
    fn name(&self) -> &str;

    /// The pace at which it may be asked, shared by everybody who asks it.
    fn pace(&self) -> &Pace;

    /// Asks once. Whoever calls has waited for a turn.
    async fn find(&self, query: &Query) -> Result<Answer, WebFault>;
}

/// One provider's shapes.
trait Dialect: Send + Sync {
    /// What to ask.
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String>;
    /// Reads a good answer; an error is a sentence.
    fn read(&self, body: &[u8], query: &Query) -> Result<Vec<Item>, String>;
    /// The header that carries the key, and the key as this provider wants it written.
    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (reqwest::header::AUTHORIZATION, format!("Bearer {key}"))
    }
}

fn dialect(kind: Kind) -> Box<dyn Dialect> {
    match kind {
        Kind::Wikipedia => Box::new(wikipedia::Wikipedia),
        Kind::Arxiv => Box::new(arxiv::Arxiv),
        Kind::Openalex => Box::new(openalex::Openalex),
        Kind::Crossref => Box::new(crossref::Crossref),
        Kind::Searxng => Box::new(searxng::Searxng),
        Kind::Brave => Box::new(brave::Brave),
        Kind::Tavily => Box::new(tavily::Tavily),
        Kind::Feed => Box::new(feeds::Feed),
    }
}

/// What a provider's answer is read as, without a connection: a door for the fuzz targets.
#[doc(hidden)]
pub fn read_answer(kind: Kind, body: &[u8], query: &Query) -> Result<Answer, String> {
    let items = dialect(kind).read(body, query)?;
    Ok(answer("web", items, query.limit, &Scrub::of(None)))
}

/// What to send.
struct Request {
    url: Url,
    /// Posted as JSON if there is one.
    body: Option<Value>,
}

impl Request {
    /// A path below a provider's address, with parameters.
    fn get(base: &str, path: &str, parameters: &[(&str, &str)]) -> Result<Self, String> {
        let mut url = below(base, path)?;
        url.query_pairs_mut().extend_pairs(parameters);
        Ok(Self { url, body: None })
    }

    /// JSON posted to a path below a provider's address.
    fn post(base: &str, path: &str, body: Value) -> Result<Self, String> {
        Ok(Self { url: below(base, path)?, body: Some(body) })
    }
}

fn below(base: &str, path: &str) -> Result<Url, String> {
    let address = format!("{}{path}", base.trim_end_matches('/'));
    Url::parse(&address).map_err(|_| "its base_url is no address".to_owned())
}

/// Reads JSON; what came instead is named, for a login page is the usual reason.
fn json<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| {
        let start = body.iter().find(|byte| !byte.is_ascii_whitespace());
        match start {
            Some(b'<') => "it answered with a page where JSON was due".to_owned(),
            None => "its answer is empty".to_owned(),
            Some(_) => format!("its answer is not of the documented shape: {error}"),
        }
    })
}

/// One result as a provider wrote it: unchecked.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub title: String,
    pub url: String,
    pub snippet: String,
    pub date: Option<String>,
    pub doi: Option<String>,
    pub arxiv: Option<String>,
}

impl Item {
    /// The same without our keys: some servers write what they were sent into their addresses.
    fn scrubbed(self, scrub: &Scrub) -> Self {
        let clean = |text: Option<String>| text.map(|text| scrub.answer(&text));
        Self {
            title: scrub.answer(&self.title),
            url: scrub.answer(&self.url),
            snippet: scrub.answer(&self.snippet),
            date: clean(self.date),
            doi: clean(self.doi),
            arxiv: clean(self.arxiv),
        }
    }
}

/// A web provider, ready to be asked.
pub struct Web {
    card: ProviderCard,
    pace: Pace,
    dialect: Box<dyn Dialect>,
    client: Client,
    keys: Arc<dyn Keys>,
    clock: Arc<dyn Clock>,
}

impl Web {
    /// The provider a card describes, speaking through `client`. The consent is the run's.
    #[must_use]
    pub fn new(
        card: ProviderCard,
        client: Client,
        keys: Arc<dyn Keys>,
        clock: Arc<dyn Clock>,
        _consent: &Consent,
    ) -> Self {
        let (pace, dialect) = (Pace::new(card.per_minute), dialect(card.kind));
        Self { pace, card, dialect, client, keys, clock }
    }

    /// The same, asked at this pace.
    #[must_use]
    pub fn at(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// What it was made from.
    #[must_use]
    pub fn card(&self) -> &ProviderCard {
        &self.card
    }
}

#[async_trait]
impl Finder for Web {
    fn name(&self) -> &str {
        &self.card.name
    }

    fn pace(&self) -> &Pace {
        &self.pace
    }

    async fn find(&self, query: &Query) -> Result<Answer, WebFault> {
        let key = self.key()?;
        let scrub = Scrub::of(key.as_ref());
        let found = self.ask(query, key.as_ref(), &scrub).await;
        found.map_err(|fault| WebFault { detail: scrub.label(&fault.detail), ..fault })
    }
}

impl Web {
    async fn ask(
        &self,
        query: &Query,
        key: Option<&SecretString>,
        scrub: &Scrub,
    ) -> Result<Answer, WebFault> {
        let fault = |kind, detail| WebFault::new(&self.card.name, kind, detail);
        let request =
            self.dialect.request(&self.card, query).map_err(|why| fault(WebFaultKind::Rejected, why))?;
        let body = self.send(request, key, scrub).await?;
        let items = self.dialect.read(&body, query).map_err(|why| fault(WebFaultKind::Unreadable, why))?;
        Ok(answer(&self.card.name, items, query.limit, scrub))
    }
}

/// A server's own words, safe to show and short.
pub(super) fn plain_words(text: &str) -> String {
    text::plain(text, 300)
}

/// An address that may be fetched, or why not.
pub(super) fn fetchable(address: &str) -> Result<Url, String> {
    text::address(address)
}

/// Checks a provider's results: at most `limit`, addresses that can be fetched, text without keys, markup or escapes.
pub(super) fn answer(provider: &str, items: Vec<Item>, limit: usize, scrub: &Scrub) -> Answer {
    let mut answer = Answer::default();
    let surplus = items.len().saturating_sub(limit);
    for item in items.into_iter().take(limit) {
        match checked(provider, &item.scrubbed(scrub), answer.found.len() + 1) {
            Ok(found) => answer.found.push(found),
            Err(left_out) => answer.left_out.push(left_out),
        }
    }
    if surplus > 0 {
        answer.left_out.push(LeftOut {
            provider: provider.to_owned(),
            what: format!("{surplus} more results"),
            why: format!("only {limit} were asked for"),
        });
    }
    answer
}

fn checked(provider: &str, item: &Item, rank: usize) -> Result<Found, LeftOut> {
    let title = text::plain(&item.title, text::MOST_TITLE);
    let url = match text::address(&item.url) {
        Ok(url) => url,
        Err(why) => return Err(LeftOut { provider: provider.to_owned(), what: title, why }),
    };
    let snippet = text::plain(&item.snippet, text::MOST_SNIPPET);
    let ids = identity::of(&url, item.doi.as_deref(), item.arxiv.as_deref(), &snippet);
    let hit = Hit {
        title: if title.is_empty() { url.host_str().unwrap_or_default().to_owned() } else { title },
        location: Location::Url(url.to_string()),
        snippet,
        date: item.date.as_deref().and_then(text::date),
        provider: provider.to_owned(),
        rank,
        anchor: None,
    };
    Ok(Found { hit, ids })
}
