//! The sources for reference managers: BibTeX and CSL-JSON.

use std::fmt::Write;

use baton_agents::search::Location;
use serde_json::{Map, Value, json};

use super::facts::{Facts, source_label};
use crate::markup::{address, plain};
use crate::retrieval::SourceCard;

/// sources.bib.
pub fn bib(facts: &Facts<'_>) -> String {
    let all: Vec<&str> = facts.sources().iter().map(|card| card.key()).collect();
    bib_of(facts, &all)
}

/// The same of some of the sources, by key.
pub fn bib_of(facts: &Facts<'_>, keys: &[&str]) -> String {
    let mut text = String::new();
    for (index, card) in facts.sources().iter().enumerate().filter(|(_, card)| keys.contains(&card.key())) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "@misc{{{},", source_label(index + 1));
        for (name, value) in fields(card) {
            let _ = writeln!(text, "  {name} = {{{value}}},");
        }
        text.push_str("}\n\n");
    }
    text
}

fn fields(card: &SourceCard) -> Vec<(&'static str, String)> {
    // A second pair of braces keeps capitals, and a company's name in one piece.
    let mut fields = vec![("title", format!("{{{}}}", tex(&card.source.title)))];
    fields.extend(card.author.as_deref().map(|author| ("author", format!("{{{}}}", tex(author)))));
    let (year, month, day) = date(card.source.date.as_deref());
    fields.extend(year.map(|year| ("year", year)));
    fields.extend(month.map(|month| ("month", month)));
    fields.extend(day.map(|day| ("day", day)));
    match &card.source.location {
        Location::Url(url) => {
            let escaped = |url: String| url.replace('%', "\\%").replace('#', "\\#");
            fields.extend(address(url).map(|url| ("url", escaped(url))));
        }
        Location::Path(_) => fields.push(("howpublished", tex(&card.shown))),
    }
    fields.push(("urldate", tex(&card.accessed)));
    fields.push(("file", tex(&card.copy())));
    fields.push(("note", format!("SHA-256 {}", tex(&card.source.raw_hash))));
    fields
}

/// Words as TeX shows them: nothing in them is a command, and every brace has its partner.
fn tex(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in plain(text).chars() {
        match letter {
            '\\' => safe.push_str("\\textbackslash{}"),
            '{' => safe.push_str("\\textbraceleft{}"),
            '}' => safe.push_str("\\textbraceright{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' => {
                safe.push('\\');
                safe.push(letter);
            }
            letter => safe.push(letter),
        }
    }
    safe
}

fn date(date: Option<&str>) -> (Option<String>, Option<String>, Option<String>) {
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = date.unwrap_or_default().split('-').take_while(is_number).map(str::to_owned);
    (parts.next(), parts.next(), parts.next())
}

/// sources.json.
pub fn csl(facts: &Facts<'_>) -> Value {
    let all: Vec<&str> = facts.sources().iter().map(|card| card.key()).collect();
    csl_of(facts, &all)
}

/// The same of some of the sources, by key.
pub fn csl_of(facts: &Facts<'_>, keys: &[&str]) -> Value {
    let wanted = facts.sources().iter().enumerate().filter(|(_, card)| keys.contains(&card.key()));
    wanted.map(|(index, card)| entry(index + 1, card)).collect()
}

fn entry(number: usize, card: &SourceCard) -> Value {
    let mut entry = Map::new();
    let mut set = |name: &str, value: Value| entry.insert(name.to_owned(), value);
    let on_web = matches!(card.source.location, Location::Url(_));
    set("id", json!(source_label(number)));
    set("type", json!(if on_web { "webpage" } else { "document" }));
    set("title", json!(plain(&card.source.title)));
    if let Some(author) = &card.author {
        set("author", json!([{ "literal": plain(author) }]));
    }
    if let Some(issued) = date_parts(card.source.date.as_deref()) {
        set("issued", issued);
    }
    if let Some(accessed) = date_parts(Some(&card.accessed)) {
        set("accessed", accessed);
    }
    match &card.source.location {
        Location::Url(url) => set("URL", json!(plain(url))),
        Location::Path(_) => set("archive_location", json!(plain(&card.shown))),
    };
    set("note", json!(format!("local copy {}, SHA-256 {}", plain(&card.original()), card.source.raw_hash)));
    Value::Object(entry)
}

fn date_parts(text: Option<&str>) -> Option<Value> {
    let (year, month, day) = date(text);
    let number = |part: Option<String>| part.and_then(|part| part.parse::<u32>().ok());
    let parts: Vec<u32> =
        [number(year), number(month), number(day)].into_iter().map_while(|part| part).collect();
    (!parts.is_empty()).then(|| json!({ "date-parts": [parts] }))
}
