//! SearXNG: a metasearch server of one's own. Its settings must allow the format `json`.

use serde::Deserialize;
use serde_json::Value;

use super::{Dialect, Item, ProviderCard, Query, Request, json};

pub(super) struct Searxng;

#[derive(Deserialize)]
struct Reply {
    results: Vec<ResultEntry>,
    /// Pairs of an engine and what ails it.
    #[serde(default)]
    unresponsive_engines: Vec<Value>,
}

#[derive(Deserialize)]
struct ResultEntry {
    /// Rows of a database have none.
    url: Option<String>,
    title: Option<String>,
    #[serde(default)]
    content: Option<String>,
    #[serde(rename = "publishedDate")]
    published: Option<String>,
}

impl Dialect for Searxng {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        let language = query.language.as_deref().unwrap_or("all");
        let parameters =
            [("q", query.text.as_str()), ("format", "json"), ("language", language), ("safesearch", "0")];
        Request::get(&card.base_url, "/search", &parameters)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let reply: Reply = json(body)?;
        if reply.results.is_empty() && !reply.unresponsive_engines.is_empty() {
            // Nothing found and nobody asked look the same but for this list.
            let ailing: Vec<String> = reply.unresponsive_engines.iter().take(5).map(words).collect();
            return Err(format!("none of its engines answered: {}", ailing.join("; ")));
        }
        let item = |page: ResultEntry| Item {
            url: page.url.unwrap_or_default(),
            title: page.title.unwrap_or_default(),
            snippet: page.content.unwrap_or_default(),
            date: page.published,
            ..Item::default()
        };
        let mut items: Vec<Item> = reply.results.into_iter().map(item).collect();
        // What cannot be read is named as left out, but takes the place of nothing that can.
        items.sort_by_key(|item| item.url.is_empty());
        Ok(items)
    }
}

fn words(ailing: &Value) -> String {
    let part = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match ailing {
        Value::Array(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" "),
        other => part(other),
    }
}
