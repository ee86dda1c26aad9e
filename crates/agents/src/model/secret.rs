//! Keys: read when a call is made, wrapped so that no log can show them, and scrubbed from every text that a
//! server sends back, whichever of our keys it is and however it is written.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use secrecy::{ExposeSecret, SecretString};

use crate::hash::hex;

/// What stands where a key stood.
const MARK: &str = "[key]";
/// A shorter key is a placeholder such as `none` or `ollama`: it protects nothing, and its letters stand in
/// ordinary words, so that scrubbing it from an answer would only spoil the answer.
const SHORTEST: usize = 8;

/// Every key this process has used: a server may know, and echo, the key meant for another.
static USED: Mutex<Vec<SecretString>> = Mutex::new(Vec::new());

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

/// Takes keys out of what comes in. Made when a call begins, used on every string before it is cut or kept.
pub struct Scrub {
    /// Everything a key may look like, longest first: one key may be the beginning of another.
    forms: Vec<SecretString>,
    /// Keys of this call that are too short to be told from ordinary words.
    short: Vec<SecretString>,
}

impl Scrub {
    /// Knows the keys of this call and every one that this process has used before.
    #[must_use]
    pub fn of<'a>(keys: impl IntoIterator<Item = &'a SecretString>) -> Self {
        let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
        let mut short = Vec::new();
        for key in keys {
            let text = key.expose_secret();
            if text.len() < SHORTEST {
                short.push(key.clone());
            } else if !used.iter().any(|known| known.expose_secret() == text) {
                used.push(key.clone());
            }
        }
        let mut forms: Vec<String> = used.iter().flat_map(|key| forms(key.expose_secret())).collect();
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self { forms: forms.into_iter().map(SecretString::from).collect(), short }
    }

    /// An answer without keys.
    #[must_use]
    pub fn answer(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for form in self.forms.iter().map(ExposeSecret::expose_secret).filter(|form| !form.is_empty()) {
            if text.contains(form) {
                text = text.replace(form, MARK);
            }
        }
        text
    }

    /// A name, an id, a header or an error without keys; here even a short one goes where it stands alone.
    #[must_use]
    pub fn label(&self, text: &str) -> String {
        let text = self.answer(text);
        self.short.iter().fold(text, |text, key| without_word(&text, key.expose_secret()))
    }
}

fn without_word(text: &str, word: &str) -> String {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, found) in text.match_indices(word).filter(|(_, found)| !found.is_empty()) {
        let end = at + found.len();
        let alone = !inside(text[..at].chars().next_back()) && !inside(text[end..].chars().next());
        if alone && at >= done {
            out.push_str(&text[done..at]);
            out.push_str(MARK);
            done = end;
        }
    }
    out + &text[done..]
}

/// A key as it is, and as JSON, addresses, headers and dumps write it.
fn forms(key: &str) -> Vec<String> {
    let quoted = serde_json::Value::from(key).to_string();
    let mut forms = vec![
        key.to_owned(),
        quoted[1..quoted.len() - 1].to_owned(),
        percent(key, |byte| format!("%{byte:02X}")),
        percent(key, |byte| format!("%{byte:02x}")),
        hex(key.as_bytes()),
    ];
    forms.extend((0..3).flat_map(|before| base64_within(key.as_bytes(), before)));
    forms
}

fn percent(key: &str, escaped: impl Fn(u8) -> String) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    key.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { escaped(byte) }).collect()
}

/// The digits that `bytes` fill in base64 when so many bytes stand before them: these are the same whatever
/// stands around them, in both alphabets.
fn base64_within(bytes: &[u8], before: usize) -> [String; 2] {
    let bits: Vec<u8> = std::iter::repeat_n(0, before)
        .chain(bytes.iter().copied())
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let skipped = (before * 8).div_ceil(6);
    let digits = bits.chunks_exact(6).skip(skipped).map(|six| six.iter().fold(0, |n, bit| n << 1 | bit));
    let digits: Vec<u8> = digits.collect();
    [*b"+/", *b"-_"].map(|last| digits.iter().map(|digit| base64_digit(*digit, last)).collect())
}

fn base64_digit(six: u8, last: [u8; 2]) -> char {
    char::from(match six {
        0..=25 => b'A' + six,
        26..=51 => b'a' + six - 26,
        52..=61 => b'0' + six - 52,
        62 => last[0],
        _ => last[1],
    })
}

#[cfg(test)]
mod tests;
