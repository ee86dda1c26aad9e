//! Sending one request and reading one body: within a time and a size, without redirects (a key goes to its own host
//! and no other), every failure told as a [`WebFault`].

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

use super::{Request, Web, WebFault, WebFaultKind, text};
use crate::clock::within;
use crate::model::secret::Scrub;
use crate::retry_after::retry_after;

/// The longest answer that is read.
const MOST_BYTES: usize = 8 << 20;
/// How much of a refusal's words is kept.
const MOST_WORDS: usize = 300;

impl Web {
    pub(super) async fn send(
        &self,
        request: Request,
        key: Option<&SecretString>,
        scrub: &Scrub,
    ) -> Result<Vec<u8>, WebFault> {
        let limit = Duration::from_secs(self.card.timeout_seconds.max(1));
        match within(self.clock.as_ref(), limit, self.exchange(request, key, scrub)).await {
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

    pub(super) fn key(&self) -> Result<Option<SecretString>, WebFault> {
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

    async fn exchange(
        &self,
        request: Request,
        key: Option<&SecretString>,
        scrub: &Scrub,
    ) -> Result<Vec<u8>, WebFault> {
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
        let response = sending.send().await.map_err(|error| self.broken(&error))?;
        if !response.status().is_success() {
            return Err(self.refused(response, scrub).await);
        }
        self.body(response).await
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, WebFault> {
        let mut bytes = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.broken(&error))? {
            bytes.extend_from_slice(&piece);
            if bytes.len() > MOST_BYTES {
                let detail = format!("its answer is longer than {MOST_BYTES} bytes");
                return Err(self.fault(WebFaultKind::Unreadable, detail));
            }
        }
        Ok(bytes)
    }

    async fn refused(&self, response: Response, scrub: &Scrub) -> WebFault {
        let status = response.status().as_u16();
        let pause = retry_after(response.headers(), self.clock.now());
        let words = match self.body(response).await {
            // The key goes first: a cut must not leave half of it.
            Ok(body) => text::plain(&scrub.label(&String::from_utf8_lossy(&body)), MOST_WORDS),
            Err(fault) => format!("(its words were lost: {})", fault.detail),
        };
        self.fault(WebFaultKind::of_status(status), format!("it answered {status}: {words}")).after(pause)
    }

    fn broken(&self, error: &reqwest::Error) -> WebFault {
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        self.fault(WebFaultKind::Unreachable, format!("no answer from {}: {cause}", self.card.host()))
    }
}
