//! The records in an answer, as they were written: numbers keep every digit, because nothing here reads them. What is no
//! list of objects is refused with what stands there instead.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::At;
use super::card::{DataFormat, Paging};

/// The longest cursor or address of a next page.
const LONGEST_NEXT: usize = 4096;
/// How many names of what else stands there are told.
const NAMED: usize = 8;

/// Records, and where the page says to go on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// As they are kept: objects one a line, or CSV as it came.
    pub bytes: Vec<u8>,
    /// How many; none where only a reader of tables can tell.
    pub records: Option<u64>,
    /// What the page itself says of the next one.
    pub next: Option<At>,
}

/// Reads an answer. An error is a sentence about it.
pub(super) fn read(
    body: &[u8],
    format: DataFormat,
    path: &str,
    pages: Option<&Paging>,
) -> Result<Page, String> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    if body.trim_ascii().is_empty() {
        return Err("it sent nothing".to_owned());
    }
    if looks_like_a_page(body) {
        return Err("it answered with a web page or XML, not with data".to_owned());
    }
    match format {
        DataFormat::Csv if body.trim_ascii_start().starts_with(b"{") => {
            Err("it answered with JSON, and the configuration says csv".to_owned())
        }
        DataFormat::Csv => Ok(Page { bytes: body.to_vec(), records: None, next: None }),
        DataFormat::Jsonl => lines(body),
        DataFormat::Json => document(body, path, pages),
    }
}

fn looks_like_a_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

fn lines(body: &[u8]) -> Result<Page, String> {
    let text = utf8(body)?;
    let mut out = Vec::with_capacity(body.len() + 1);
    let mut records = 0;
    for (at, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let object: &RawValue = serde_json::from_str(line).map_err(|error| {
            format!("line {at} of its answer is no JSON ({})", broken(&error, text.len()))
        })?;
        keep(object, at, &mut out)?;
        records += 1;
    }
    Ok(Page { bytes: out, records: Some(records), next: None })
}

fn document(body: &[u8], path: &str, pages: Option<&Paging>) -> Result<Page, String> {
    let text = utf8(body)?;
    let whole: &RawValue = serde_json::from_str(text)
        .map_err(|error| format!("its answer is no JSON ({})", broken(&error, text.len())))?;
    let list = within(whole, path)?;
    let records: Vec<&RawValue> = serde_json::from_str(list.get()).map_err(|_| no_list(list, path))?;
    let mut out = Vec::with_capacity(list.get().len());
    for (number, record) in (1..).zip(&records) {
        keep(record, number, &mut out)?;
    }
    let at = match pages {
        Some(Paging::Cursor { at, .. } | Paging::Link { at: Some(at) }) => Some(at),
        Some(Paging::Number { .. } | Paging::Link { at: None }) | None => None,
    };
    let said = at.map(|at| next(whole, at)).transpose()?.flatten();
    let next = said.map(|said| match pages {
        Some(Paging::Cursor { .. }) => At::Cursor(said),
        _ => At::Link(said),
    });
    Ok(Page { bytes: out, records: Some(records.len() as u64), next })
}

fn utf8(body: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(body)
        .map_err(|error| format!("its answer is no UTF-8 from byte {} on", error.valid_up_to()))
}

/// What is wrong with JSON, and whether it looks as if its end were missing.
fn broken(error: &serde_json::Error, length: usize) -> String {
    if error.is_eof() {
        return format!("it ends in the middle, after {length} bytes");
    }
    error.to_string()
}

/// Writes a record on a line of its own. Line ends stand only between the tokens of JSON, never inside a text.
fn keep(record: &RawValue, number: u64, out: &mut Vec<u8>) -> Result<(), String> {
    if !record.get().starts_with('{') {
        return Err(format!("record {number} is {}, and only objects have named columns", kind(record)));
    }
    out.extend(record.get().bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    out.push(b'\n');
    Ok(())
}

/// What stands at a path such as `result.items`.
fn within<'a>(whole: &'a RawValue, path: &str) -> Result<&'a RawValue, String> {
    let mut here = whole;
    for part in path.split('.').filter(|part| !part.is_empty()) {
        here = inside(here, part).ok_or_else(|| {
            format!("there is no `{part}` on the way to `{path}`; there {}", what_stands(here))
        })?;
    }
    Ok(here)
}

fn inside<'a>(here: &'a RawValue, part: &str) -> Option<&'a RawValue> {
    if let Ok(object) = serde_json::from_str::<BTreeMap<String, &RawValue>>(here.get()) {
        return object.get(part).copied();
    }
    let items: Vec<&RawValue> = serde_json::from_str(here.get()).ok()?;
    items.get(part.parse::<usize>().ok()?).copied()
}

fn no_list(found: &RawValue, path: &str) -> String {
    let place = if path.is_empty() { "its answer".to_owned() } else { format!("`{path}`") };
    format!("{place} is no list of objects; there {}", what_stands(found))
}

fn what_stands(here: &RawValue) -> String {
    let Ok(object) = serde_json::from_str::<BTreeMap<String, &RawValue>>(here.get()) else {
        return format!("stands {}", kind(here));
    };
    let names: Vec<String> = object.keys().take(NAMED).map(|name| format!("`{}`", short(name))).collect();
    let more = if object.len() > NAMED { " and more" } else { "" };
    format!("stand {}{more}", if names.is_empty() { "no names".to_owned() } else { names.join(", ") })
}

fn short(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(40).collect()
}

fn kind(value: &RawValue) -> &'static str {
    match value.get().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a text",
        Some(b't' | b'f') => "a truth",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// What a page says of the next one; nothing, null, false and an empty text are its end.
fn next(whole: &RawValue, path: &str) -> Result<Option<String>, String> {
    let Ok(said) = within(whole, path) else { return Ok(None) };
    let said = match kind(said) {
        "a text" => serde_json::from_str::<String>(said.get()).map_err(|error| error.to_string())?,
        "a number" => said.get().to_owned(),
        "null" => return Ok(None),
        "a truth" if said.get() == "false" => return Ok(None),
        other => return Err(format!("`{path}` should say where the next page is, and there stands {other}")),
    };
    if said.len() > LONGEST_NEXT {
        return Err(format!("what `{path}` says of the next page is longer than {LONGEST_NEXT} bytes"));
    }
    Ok(Some(said).filter(|said| !said.is_empty()))
}

#[cfg(test)]
mod tests;
