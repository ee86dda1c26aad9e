//! When two hits are one document: the same DOI, the same arXiv number, the same address once its incidental parts are
//! gone, or the same text.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::hash::sha256_hex;
use crate::rules::words::{fold, word_ranges};

/// Shorter texts are the same by chance: "Sign in to continue".
const LEAST_WORDS: usize = 25;

/// A name that only one document has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// Lower case, without the resolver's address.
    Doi(String),
    /// Without its version.
    Arxiv(String),
    /// Without scheme, `www.`, tracking parameters, fragment and final slash.
    Url(String),
    /// Hash of its words, without case, marks and white space.
    Content(String),
}

/// All names of a hit, strongest first.
#[must_use]
pub fn of(url: &Url, named_doi: Option<&str>, named_arxiv: Option<&str>, text: &str) -> Vec<Identity> {
    let address = url.as_str();
    let dois = [named_doi.and_then(doi), doi(address)];
    let numbers = [
        named_arxiv.and_then(arxiv),
        arxiv(address),
        // arXiv registers a DOI for each preprint, made from its number.
        dois.iter().flatten().find_map(|doi| arxiv(doi.strip_prefix("10.48550/")?)),
    ];
    let mut ids: Vec<Identity> = dois.into_iter().flatten().map(Identity::Doi).collect();
    ids.extend(numbers.into_iter().flatten().map(Identity::Arxiv));
    ids.push(Identity::Url(canonical(url)));
    ids.extend(content(text));
    ids.sort();
    ids.dedup();
    ids
}

/// The DOI in a text that is one, or in the address of a resolver or a publisher's page.
#[must_use]
pub fn doi(text: &str) -> Option<String> {
    let text = text.trim();
    let start = text.find("10.")?;
    let before = &text[..start];
    // Within other text it must follow a slash, a colon or nothing: 10.5 % is no DOI.
    if !(before.is_empty() || before.ends_with(['/', ':', '='])) {
        return None;
    }
    let end = text[start..].find(['?', '#', '&', ' ', '"', '<']).map_or(text.len(), |at| start + at);
    let found =
        text[start..end].trim_end_matches(['.', ',', ';', '/']).replace("%2F", "/").replace("%2f", "/");
    let (prefix, suffix) = found.split_once('/')?;
    let digits = prefix.strip_prefix("10.")?;
    let registered =
        (4..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (registered && !suffix.is_empty()).then(|| found.to_lowercase())
}

/// The number of a preprint, from `arXiv:2301.00001v2`, `http://arxiv.org/abs/hep-th/9901001` and the like.
#[must_use]
pub fn arxiv(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    let after = |mark: &str| lower.find(mark).map(|at| &lower[at + mark.len()..]);
    let tail = ["arxiv.org/abs/", "arxiv.org/pdf/", "arxiv.org/html/", "arxiv:", "arxiv."]
        .iter()
        .find_map(|mark| after(mark))
        .unwrap_or(&lower);
    let tail = tail.split(['?', '#', ' ']).next().unwrap_or_default();
    let tail = tail.strip_suffix(".pdf").unwrap_or(tail).trim_end_matches('/');
    let number = without_version(tail);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let modern = number
        .split_once('.')
        .is_some_and(|(a, b)| a.len() == 4 && (4..=5).contains(&b.len()) && digits(a) && digits(b));
    let classic = number.split_once('/').is_some_and(|(archive, number)| {
        number.len() == 7
            && digits(number)
            && !archive.is_empty()
            && archive.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'.'))
    });
    (modern || classic).then(|| number.to_owned())
}

fn without_version(number: &str) -> &str {
    match number.rsplit_once('v') {
        Some((bare, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => bare,
        _ => number,
    }
}

/// An address without its incidental parts, to compare; not to fetch.
#[must_use]
pub fn canonical(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let mut kept: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    kept.sort();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{host}{port}{path}{query}")
}

/// Parameters that say how a reader came, not what is read.
fn is_tracking(name: &str) -> bool {
    name.starts_with("utm_")
        || matches!(name, "gclid" | "fbclid" | "msclkid" | "mc_cid" | "mc_eid" | "igshid" | "ref" | "ref_src")
}

/// The hash of a text's words, if there are enough of them to tell it from others.
#[must_use]
pub fn content(text: &str) -> Option<Identity> {
    let words: Vec<String> = word_ranges(text).map(|range| fold(&text[range])).collect();
    (words.len() >= LEAST_WORDS).then(|| Identity::Content(sha256_hex(words.join(" ").as_bytes())))
}
