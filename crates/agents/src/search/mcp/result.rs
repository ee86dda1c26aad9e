//! What tools return, read as results. There is no common shape, so the usual ones are understood: links to resources,
//! JSON lists of objects with an address, or lists written for a reader (`listing`).

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use super::listing;
use crate::search::web::Item;

/// Results of one call that are looked at; a flood is cut here and counted later.
const MOST_ITEMS: usize = 10_000;

/// All text of a result.
pub(super) fn text(result: &CallToolResult) -> String {
    let parts: Vec<&str> = result
        .content
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Text(text) => Some(text.text.as_str()),
            _ => None,
        })
        .collect();
    parts.join("\n\n")
}

/// The data in what a tool returned. Its text stands first: a structured copy of it may have lost digits.
pub(super) fn data(result: &CallToolResult) -> String {
    let text = text(result);
    match &result.structured_content {
        Some(structured) if !text.trim_start().starts_with(['{', '[']) => structured.to_string(),
        _ => text,
    }
}

/// The page in what a reading tool returned, without the line in which some say what follows.
pub(super) fn page(result: &CallToolResult, url: &str) -> String {
    let text = text(result);
    match text.strip_prefix(&format!("Contents of {url}:\n")) {
        Some(page) => page.to_owned(),
        None => text,
    }
}

/// The results in what a searching tool returned.
pub(super) fn items(result: &CallToolResult) -> Result<Vec<Item>, String> {
    if let Some(list) = result.structured_content.as_ref().and_then(list) {
        return Ok(of_list(list));
    }
    let mut items = Vec::new();
    for block in &result.content {
        match block {
            ContentBlock::ResourceLink(link) => items.push(Item {
                url: link.uri.clone(),
                title: link.title.clone().unwrap_or_else(|| link.name.clone()),
                snippet: link.description.clone().unwrap_or_default(),
                ..Item::default()
            }),
            ContentBlock::Text(text) => match serde_json::from_str::<Value>(&text.text) {
                Ok(value) => match list(&value) {
                    Some(list) => return Ok(of_list(list)),
                    None => items.extend(value.as_object().and_then(of_object)),
                },
                Err(_) => items.extend(listing::items(&text.text, MOST_ITEMS)),
            },
            _ => {}
        }
    }
    let words = text(result);
    if items.is_empty() && !words.trim().is_empty() && !listing::says_nothing_found(&words) {
        return Err("its tool returned text that names no address".to_owned());
    }
    Ok(items)
}

/// A list of results: bare, or under one of the usual names.
fn list(value: &Value) -> Option<&Vec<Value>> {
    let named =
        || ["results", "result", "items", "hits", "data"].iter().find_map(|name| value.get(name)?.as_array());
    value.as_array().or_else(named)
}

fn of_list(list: &[Value]) -> Vec<Item> {
    list.iter().take(MOST_ITEMS).filter_map(Value::as_object).filter_map(of_object).collect()
}

fn of_object(object: &Map<String, Value>) -> Option<Item> {
    let first = |names: &[&str]| names.iter().find_map(|name| object.get(*name)?.as_str()).map(str::to_owned);
    Some(Item {
        url: first(&["url", "link", "href", "uri"])?,
        title: first(&["title", "name"]).unwrap_or_default(),
        snippet: first(&["snippet", "text", "content", "description", "summary", "abstract"])
            .unwrap_or_default(),
        date: first(&["date", "published", "published_date", "publishedDate", "publication_date"]),
        doi: first(&["doi", "DOI"]),
        arxiv: first(&["arxiv", "arxiv_id"]),
    })
}
