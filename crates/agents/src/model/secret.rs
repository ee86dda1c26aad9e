//! Keys: read when a call is made, wrapped so that no log can show them, scrubbed from every text that a
//! server sends back. Nothing here stores one.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, SecretString};

/// Where keys come from.
pub trait Keys: Send + Sync {
    /// The key in the variable `name`, if it is set and not empty.
    fn key(&self, name: &str) -> Option<SecretString>;
}

/// Keys from the environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnvKeys;

impl Keys for EnvKeys {
    fn key(&self, name: &str) -> Option<SecretString> {
        let value = std::env::var(name).ok()?;
        let value = value.trim();
        (!value.is_empty()).then(|| SecretString::from(value.to_owned()))
    }
}

/// Keys given by hand, for tests and for programs with a key store of their own.
#[derive(Clone, Default)]
pub struct GivenKeys(BTreeMap<String, SecretString>);

impl GivenKeys {
    /// Adds one key.
    #[must_use]
    pub fn with(mut self, name: &str, key: &str) -> Self {
        self.0.insert(name.to_owned(), SecretString::from(key.to_owned()));
        self
    }
}

impl std::fmt::Debug for GivenKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

impl Keys for GivenKeys {
    fn key(&self, name: &str) -> Option<SecretString> {
        self.0.get(name).cloned()
    }
}

/// `text` without the key, wherever and however often a server echoed it.
#[must_use]
pub fn scrub(text: &str, key: Option<&SecretString>) -> String {
    match key {
        Some(key) if !key.expose_secret().is_empty() => text.replace(key.expose_secret(), "[key]"),
        _ => text.to_owned(),
    }
}
