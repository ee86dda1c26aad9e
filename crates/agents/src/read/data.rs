//! Fetching data as it comes: the guards, limits and redirects of pages, and a key for the host that was asked and no
//! other.

use reqwest::Url;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LINK,
};
use secrecy::{ExposeSecret as _, SecretString};

use super::fetch::{FetchError, Fetcher, failed, redirect, text_header};
use crate::clock::{RealClock, within};

/// What is asked for: data, and anything rather than nothing, for the answer says best what is wrong.
const WANTED: &str = "application/json, text/csv;q=0.9, */*;q=0.1";

/// A header that carries a key. It shows itself in no log.
#[derive(Debug)]
pub struct KeyHeader {
    name: HeaderName,
    value: HeaderValue,
}

impl KeyHeader {
    /// The key in a header of its own, or as `Authorization: Bearer`. An error is a sentence.
    ///
    /// # Errors
    /// When no header can carry it.
    pub fn new(header: Option<&str>, key: &SecretString) -> Result<Self, &'static str> {
        let (name, text) = match header {
            None => (AUTHORIZATION, format!("Bearer {}", key.expose_secret())),
            Some(name) => {
                let name = name.parse().map_err(|_| "key_header is not the name of a header")?;
                (name, key.expose_secret().to_owned())
            }
        };
        let mut value =
            HeaderValue::from_str(&text).map_err(|_| "the key holds characters no header can carry")?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }
}

/// Data as they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedData {
    /// The bytes, unpacked.
    pub body: Vec<u8>,
    /// Whether the server calls them a web page.
    pub is_page: bool,
    /// The address of the next page, by the header `Link`.
    pub next: Option<String>,
}

impl Fetcher {
    /// Fetches data. With a key, a redirect to another host ends it.
    ///
    /// # Errors
    /// When nothing was fetched.
    pub async fn data(&self, address: &str, key: Option<&KeyHeader>) -> Result<FetchedData, FetchError> {
        let fetching = self.follow_data(address, key);
        let done = within(&RealClock::new(), self.settings.total, fetching).await;
        done.unwrap_or_else(|| Err(FetchError::Timeout(address.to_owned())))
    }

    async fn follow_data(&self, address: &str, key: Option<&KeyHeader>) -> Result<FetchedData, FetchError> {
        let asked = Url::parse(address).map_err(|_| FetchError::Address(address.to_owned()))?;
        let mut url = asked.clone();
        for _ in 0..=self.settings.redirects {
            self.guard.check(&url)?;
            let mut request =
                self.client.get(url.clone()).header(ACCEPT_ENCODING, "gzip").header(ACCEPT, WANTED);
            if let Some(key) = key {
                request = request.header(key.name.clone(), key.value.clone());
            }
            let response = request.send().await.map_err(|error| failed(&url, &error))?;
            let Some(next) = redirect(&response, &url)? else {
                let headers = response.headers().clone();
                let body = self.bytes(response, &url).await?;
                let kind = text_header(&headers, CONTENT_TYPE.as_str()).unwrap_or_default().to_lowercase();
                let is_page = kind.starts_with("text/html") || kind.starts_with("application/xhtml");
                return Ok(FetchedData { body, is_page, next: next_link(&headers) });
            };
            if key.is_some() && next.origin() != asked.origin() {
                let reason = "it redirects to another host, and the key goes to its own alone".to_owned();
                return Err(FetchError::Refused { url: asked.to_string(), reason });
            }
            url = next;
        }
        Err(FetchError::Redirects { url: address.to_owned(), limit: self.settings.redirects })
    }
}

/// The address a header such as `<https://…?page=2>; rel="next"` names.
fn next_link(headers: &HeaderMap) -> Option<String> {
    let values = headers.get_all(LINK).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).find_map(|link| {
        let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = rest.split(';').any(|part| {
            let part = part.trim().to_ascii_lowercase();
            matches!(part.as_str(), "rel=next" | "rel=\"next\"")
        });
        is_next.then(|| address.to_owned())
    })
}
