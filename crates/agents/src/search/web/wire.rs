//! Sending one request and reading one body: within a time and a size, without redirects (a key goes to its own host
//! and no other), every failure told as a [`WebFault`].

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

use super::{Request, Web, WebFault, WebFaultKind, text};
use crate::clock::within;
use crate::model::secret::scrub;

/// The longest answer that is read.
const MOST_BYTES: usize = 8 << 20;
/// How much of a refusal's words is kept.
const MOST_WORDS: usize = 300;

impl Web {
    pub(super) async fn send(&self, request: Request) -> Result<Vec<u8>, WebFault> {
        let key = self.key()?;
        let limit = Duration::from_secs(self.card.timeout_seconds.max(1));
        match within(self.clock.as_ref(), limit, self.exchange(request, key.as_ref())).await {
            Some(done) => done,
            None => {
                let detail = format!("no answer within {} s", limit.as_secs());
                Err(self.fault(WebFaultKind::TimedOut, detail))
            }
        }
    }

    fn fault(&self, kind: WebFaultKind, detail: impl Into<String>) -> WebFault {
        WebFault::new(&self.card.name, kind, detail)
    }

    fn key(&self) -> Result<Option<SecretString>, WebFault> {
        let Some(name) = &self.card.key_env else {
            if self.card.kind.needs_key() {
                let detail =
                    format!("it needs a key; name its variable in key_env of [search.{}]", self.card.name);
                return Err(self.fault(WebFaultKind::KeyMissing, detail));
            }
            return Ok(None);
        };
        let missing = || self.fault(WebFaultKind::KeyMissing, format!("the variable {name} is not set"));
        self.keys.key(name).map(Some).ok_or_else(missing)
    }

    async fn exchange(&self, request: Request, key: Option<&SecretString>) -> Result<Vec<u8>, WebFault> {
        let mut sending = match request.body {
            None => self.client.get(request.url),
            Some(body) => {
                self.client.post(request.url).header(CONTENT_TYPE, "application/json").body(body.to_string())
            }
        };
        if let Some(key) = key {
            let (name, value) = self.dialect.key_header(key.expose_secret());
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                self.fault(WebFaultKind::Unauthorized, "the key holds characters no header can carry")
            })?;
            value.set_sensitive(true);
            sending = sending.header(name, value);
        }
        let response = sending.send().await.map_err(|error| self.broken(&error, key))?;
        if !response.status().is_success() {
            return Err(self.refused(response, key).await);
        }
        self.body(response, key).await
    }

    async fn body(&self, mut response: Response, key: Option<&SecretString>) -> Result<Vec<u8>, WebFault> {
        let mut bytes = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.broken(&error, key))? {
            bytes.extend_from_slice(&piece);
            if bytes.len() > MOST_BYTES {
                let detail = format!("its answer is longer than {MOST_BYTES} bytes");
                return Err(self.fault(WebFaultKind::Unreadable, detail));
            }
        }
        Ok(bytes)
    }

    async fn refused(&self, response: Response, key: Option<&SecretString>) -> WebFault {
        let status = response.status().as_u16();
        let kind = match status {
            300..=399 => WebFaultKind::Rejected,
            401..=403 | 407 => WebFaultKind::Unauthorized,
            408 | 504 => WebFaultKind::TimedOut,
            429 => WebFaultKind::RateLimited,
            500..=599 => WebFaultKind::ServerError,
            _ => WebFaultKind::Rejected,
        };
        let pause = crate::model::retry_after(response.headers());
        let words = match self.body(response, key).await {
            // The key goes first: a cut must not leave half of it.
            Ok(body) => text::plain(&scrub(&String::from_utf8_lossy(&body), key), MOST_WORDS),
            Err(fault) => format!("(its words were lost: {})", fault.detail),
        };
        let mut fault = self.fault(kind, format!("it answered {status}: {words}"));
        fault.retry_after_ms = pause.map(|p| u64::try_from(p.as_millis()).unwrap_or(u64::MAX));
        fault
    }

    fn broken(&self, error: &reqwest::Error, key: Option<&SecretString>) -> WebFault {
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        let words = scrub(&cause.to_string(), key);
        self.fault(WebFaultKind::Unreachable, format!("no answer from {}: {words}", self.card.host()))
    }
}
