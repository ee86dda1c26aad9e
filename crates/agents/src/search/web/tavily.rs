//! Tavily: search made for programs, with a key.

use serde::Deserialize;
use serde_json::json as value;

use super::{Dialect, Item, ProviderCard, Query, Request, json};

pub(super) struct Tavily;

#[derive(Deserialize)]
struct Reply {
    results: Vec<ResultEntry>,
}

#[derive(Deserialize)]
struct ResultEntry {
    url: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    content: String,
    published_date: Option<String>,
}

impl Dialect for Tavily {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        let mut body = value!({
            "query": query.text,
            "max_results": query.limit.clamp(1, 20),
            "search_depth": "basic",
            "include_answer": false,
        });
        if let Some(day) = query.since {
            body["start_date"] = value!(day.first_day());
        }
        if let Some(day) = query.until {
            body["end_date"] = value!(day.last_day());
        }
        Request::post(&card.base_url, "/search", body)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let reply: Reply = json(body)?;
        let item = |page: ResultEntry| Item {
            url: page.url,
            title: page.title,
            snippet: page.content,
            date: page.published_date,
            ..Item::default()
        };
        Ok(reply.results.into_iter().map(item).collect())
    }
}
