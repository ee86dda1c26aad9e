//! The fence around foreign text: a line nobody outside can guess, so that text inside cannot pretend to
//! have ended. Made from a seed, so that a replay builds the same prompt.

use sha2::{Digest, Sha256};

use crate::hash::hex;

/// A fence for one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence(String);

impl Fence {
    /// The fence for the call `key`, one that stands in none of `texts`.
    #[must_use]
    pub fn new(seed: &[u8; 32], key: &str, texts: &[&str]) -> Self {
        // As they will be shown: what is filtered out must not have kept the word apart.
        let texts: Vec<String> = texts.iter().map(|text| without_controls(text)).collect();
        let mut count = 0_u32;
        loop {
            let mut hash = Sha256::new();
            hash.update(seed);
            hash.update(count.to_be_bytes());
            hash.update(key.as_bytes());
            let word = hex(&hash.finalize()[..8]);
            if texts.iter().all(|t| !t.contains(&word)) {
                return Self(word);
            }
            count += 1;
        }
    }

    /// `text` as data: fenced, named, without terminal escapes or other control characters.
    #[must_use]
    pub fn around(&self, name: &str, text: &str) -> String {
        let Self(word) = self;
        let name: String = name.chars().filter(|c| !c.is_control() && *c != '"').take(80).collect();
        format!("<<<DATA {word} \"{name}\">>>\n{}\n<<<END {word}>>>", without_controls(text))
    }

    /// The word that marks this fence.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.0
    }
}

/// Text on one line, for lists whose lines are told apart: a title or a claim cannot begin another entry.
#[must_use]
pub fn one_line(text: &str) -> String {
    let spaced = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    let plain: String = text.chars().map(spaced).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text without control characters except line ends and tabs: what a terminal would obey is gone.
pub(super) fn without_controls(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
