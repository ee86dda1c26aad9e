//! Formats whose text is their bytes: plain text, Markdown, CSV.

use super::encoding::{decode, language, require_text};
use super::{Format, ReadError, Reading, head};

/// Reads plain text, Markdown, or CSV that becomes no more than `limit` bytes of text.
pub fn read(format: Format, bytes: &[u8], limit: u64) -> Result<Reading, ReadError> {
    require_text(bytes)?;
    let decoded = decode(bytes, None);
    if decoded.text.trim().is_empty() {
        return Err(ReadError::Empty("the file holds only white space".to_owned()));
    }
    let text = if format == Format::Csv { table(&decoded.text, limit)? } else { decoded.text };
    let named = |name: &str| if format == Format::Markdown { front_matter(&text, name) } else { None };
    let title = named("title").or_else(|| (format == Format::Text).then(|| head::title(&text)).flatten());
    let said = format != Format::Csv;
    let date = named("date")
        .map(|written| head::day(&written).unwrap_or(written))
        .or_else(|| said.then(|| head::date(&text)).flatten());
    let author = named("author").or_else(|| said.then(|| head::author(&text)).flatten());
    let language = language(&text);
    Ok(Reading {
        title,
        author,
        date,
        language,
        encoding: Some(decoded.encoding.to_owned()),
        text,
        pages: Vec::new(),
        contents: Vec::new(),
    })
}

/// A field of the block between `---` lines at the top of a Markdown file.
fn front_matter(text: &str, field: &str) -> Option<String> {
    let body = text.strip_prefix("---\n")?;
    let block = &body[..body.find("\n---")?];
    block.lines().find_map(|line| {
        let value = line.strip_prefix(field)?.trim_start().strip_prefix(':')?.trim();
        let value = value.trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| value.to_owned())
    })
}

/// A table as lines of `name: value` pairs, so that a row can be found and quoted on its own. Every row repeats the
/// names, so a long name over many rows is a bomb.
fn table(text: &str, limit: u64) -> Result<String, ReadError> {
    let first = text.lines().next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(|d| first.bytes().filter(|b| b == d).count());
    let malformed =
        |error: csv::Error| ReadError::Malformed { format: "CSV".to_owned(), reason: error.to_string() };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .flexible(true)
        .from_reader(text.as_bytes());
    let headers = reader.headers().map_err(malformed)?.clone();
    let mut out = format!("{}\n", headers.iter().collect::<Vec<_>>().join(" | "));
    for record in reader.records() {
        let record = record.map_err(malformed)?;
        let cells = record.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
        let pairs = cells.map(|(at, cell)| match headers.get(at).map(str::trim) {
            Some(name) if !name.is_empty() => format!("{name}: {}", cell.trim()),
            _ => cell.trim().to_owned(),
        });
        out.push_str(&pairs.collect::<Vec<_>>().join(" | ").replace('\n', " "));
        out.push('\n');
        if out.len() as u64 > limit {
            return Err(ReadError::Bomb { limit });
        }
    }
    Ok(out)
}
