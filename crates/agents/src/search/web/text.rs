//! What providers write, made safe to show and to compare: no markup, no control characters, bounded, dates that
//! exist, addresses that can be fetched.

use url::Url;

use crate::rules::dates;

/// Longest title kept, in characters.
pub(super) const MOST_TITLE: usize = 300;
/// Longest snippet kept, in characters.
pub(super) const MOST_SNIPPET: usize = 2000;

/// Text without tags, entities, control characters and doubled spaces, cut at `most` characters.
pub(super) fn plain(markup: &str, most: usize) -> String {
    let text = unescape(&without_tags(markup));
    let mut clean = String::with_capacity(text.len().min(most * 4));
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let length = word.chars().count() + usize::from(count > 0);
        if count + length > most {
            clean.push('…');
            break;
        }
        if count > 0 {
            clean.push(' ');
        }
        clean.push_str(word);
        count += length;
    }
    clean
}

/// Drops `<tag …>` and `</tag>`; a lone `<`, as in `a < b`, stays.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let opens = tail[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        match tail.find('>').filter(|_| opens) {
            Some(end) => {
                // Paragraphs and breaks part words; bold and highlights do not.
                let name = tail[1..end].trim_start_matches('/').to_ascii_lowercase();
                if ["p", "br", "div", "li", "jats:p", "jats:title"].iter().any(|tag| name.starts_with(tag)) {
                    out.push(' ');
                }
                rest = &tail[end + 1..];
            }
            None => {
                out.push('<');
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Decodes the entities that occur; anything else stays as it is written.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let entity =
            tail.find(';').filter(|end| *end <= 10).and_then(|end| Some((end, decoded(&tail[1..end])?)));
        match entity {
            Some((end, character)) => {
                out.push(character);
                rest = &tail[end + 1..];
            }
            None => {
                out.push('&');
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn decoded(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        "ndash" => Some('–'),
        "mdash" => Some('—'),
        "hellip" => Some('…'),
        "rsquo" => Some('’'),
        "lsquo" => Some('‘'),
        "ldquo" => Some('“'),
        "rdquo" => Some('”'),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// A date as far as it is given, if it is one: `0000-00-00`, `2024-13-45` and the year 20000 are none.
pub(super) fn date(text: &str) -> Option<String> {
    // The time of day says nothing here, and `T` after a day hides where the day ends.
    let day = text.trim().get(..10).filter(|_| text.trim().as_bytes().get(10) == Some(&b'T'));
    let date = dates::parse(day.unwrap_or(text))?;
    let exists = (1400..2200).contains(&date.year)
        && date.day <= dates::days_of(date.year, date.month)
        && (date.month > 0 || date.day == 0);
    exists.then(|| date.to_string())
}

/// An address that may be fetched; the reason why not never repeats credentials.
pub(super) fn address(text: &str) -> Result<Url, String> {
    let mut url = Url::parse(text.trim()).map_err(|_| "its address is none".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(format!("{} addresses are not fetched", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("its address holds a name or password".to_owned());
    }
    url.set_fragment(None);
    Ok(url)
}
