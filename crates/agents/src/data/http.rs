//! A page of data by its address, through the guarded fetching of pages: private addresses refused, redirects
//! checked, sizes and times limited.

use std::time::Duration;

use url::Url;

use super::card::{DataCard, DataKey, Paging};
use super::{At, Drawn, next_number, records};
use crate::model::secret::{Keys, Scrub};
use crate::read::data::KeyHeader;
use crate::read::fetch::{FetchError, FetchSettings, Fetcher};
use crate::search::web::{WebFault, WebFaultKind};

pub(super) async fn draw(
    card: &DataCard,
    address: &str,
    key: Option<&DataKey>,
    at: &At,
    private: &[String],
    keys: &dyn Keys,
) -> Result<Drawn, WebFault> {
    let fault = |kind, detail: String| WebFault::new(&card.name, kind, detail);
    let secret = match key {
        None => None,
        Some(key) => Some(keys.key(&key.env).ok_or_else(|| {
            fault(WebFaultKind::KeyMissing, format!("the variable {} is not set", key.env))
        })?),
    };
    let scrub = Scrub::of(&secret);
    let header = match secret.as_ref().zip(key) {
        None => None,
        Some((secret, key)) => Some(
            KeyHeader::new(key.header.as_deref(), secret)
                .map_err(|why| fault(WebFaultKind::Unauthorized, why.to_owned()))?,
        ),
    };
    let page = page(card, address, at).map_err(|why| fault(WebFaultKind::Rejected, why))?;
    let fetcher = Fetcher::new(settings(card, private)).map_err(|error| told(card, &error, &scrub))?;
    let fetched = match fetcher.data(page.as_str(), header.as_ref()).await {
        // Some servers answer so behind the last page.
        Err(FetchError::Status { status: 404, .. }) if matches!(at, At::Number(_)) => {
            return Ok(Drawn { bytes: Vec::new(), records: Some(0), next: None });
        }
        fetched => fetched.map_err(|error| told(card, &error, &scrub))?,
    };
    let words = String::from_utf8_lossy(&fetched.body);
    if scrub.label(&words) != words || fetched.next.as_ref().is_some_and(|next| scrub.label(next) != *next) {
        let detail = "its answer repeats the key it was given, so nothing of it was kept";
        return Err(fault(WebFaultKind::Unreadable, detail.to_owned()));
    }
    if fetched.is_page {
        let detail = "it answered with a web page (HTML), not with data";
        return Err(fault(WebFaultKind::Unreadable, detail.to_owned()));
    }
    let read = records::read(&fetched.body, card.format, &card.path, card.pages.as_ref())
        .map_err(|why| fault(WebFaultKind::Unreadable, why))?;
    let by_header = match &card.pages {
        Some(Paging::Link { at: None }) => fetched.next.map(At::Link),
        _ => None,
    };
    let next = read.next.or(by_header).or_else(|| next_number(card, at, read.records));
    Ok(Drawn { bytes: read.bytes, records: read.records, next })
}

fn settings(card: &DataCard, private: &[String]) -> FetchSettings {
    let usual = FetchSettings::default();
    FetchSettings {
        max_bytes: card.limits.max_bytes,
        max_unpacked: card.limits.max_bytes,
        total: Duration::from_secs(card.limits.timeout_seconds.max(1)),
        allowed_private: private.to_vec(),
        // The person named this very address; robots.txt speaks to those who follow links.
        robots: false,
        ..usual
    }
}

/// The address of a page. One that the source named itself must be of the source's own host.
fn page(card: &DataCard, address: &str, at: &At) -> Result<Url, String> {
    let mut url = Url::parse(address).map_err(|_| format!("{address} is not a web address"))?;
    match (at, &card.pages) {
        (At::Link(link), _) => {
            let next = url.join(link).map_err(|_| "the next page has no web address".to_owned())?;
            if next.origin() != url.origin() {
                return Err("it says that the next page is on another host, which is not asked".to_owned());
            }
            url = next;
        }
        (At::Number(number), Some(Paging::Number { parameter, .. })) => {
            set(&mut url, parameter, &number.to_string());
        }
        (At::First, Some(Paging::Number { parameter, first, .. })) => {
            set(&mut url, parameter, &first.to_string());
        }
        (At::Cursor(cursor), Some(Paging::Cursor { parameter, .. })) => set(&mut url, parameter, cursor),
        _ => {}
    }
    Ok(url)
}

fn set(url: &mut Url, parameter: &str, value: &str) {
    let others: Vec<(String, String)> =
        url.query_pairs().into_owned().filter(|(name, _)| name != parameter).collect();
    url.query_pairs_mut().clear().extend_pairs(others).append_pair(parameter, value);
}

/// Why nothing was fetched, sorted by what helps.
fn told(card: &DataCard, error: &FetchError, scrub: &Scrub) -> WebFault {
    let kind = match error {
        FetchError::Status { status, .. } => WebFaultKind::of_status(*status),
        FetchError::Timeout(_) => WebFaultKind::TimedOut,
        FetchError::Connection { .. } => WebFaultKind::Unreachable,
        FetchError::Content { .. } => WebFaultKind::Unreadable,
        FetchError::Address(_)
        | FetchError::Refused { .. }
        | FetchError::Robots(_)
        | FetchError::Redirects { .. } => WebFaultKind::Rejected,
    };
    let after = match error {
        FetchError::Status { retry_after, .. } => retry_after.map(Duration::from_secs),
        _ => None,
    };
    WebFault::new(&card.name, kind, scrub.label(&error.to_string())).after(after)
}
