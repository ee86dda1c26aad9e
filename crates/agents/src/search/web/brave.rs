//! Brave Search: an index of the web, with a key.

use reqwest::header::HeaderName;
use serde::Deserialize;

use super::{Dialect, Item, ProviderCard, Query, Request, json};

pub(super) struct Brave;

#[derive(Deserialize)]
struct Reply {
    /// Absent when nothing was found.
    web: Option<Results>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Results {
    results: Vec<ResultEntry>,
}

#[derive(Deserialize)]
struct ResultEntry {
    url: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    description: String,
    /// When the page was published, or last seen to change.
    page_age: Option<String>,
}

impl Dialect for Brave {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        let limit = query.limit.clamp(1, 20).to_string();
        let mut parameters = vec![("q", query.text.as_str()), ("count", &limit), ("result_filter", "web")];
        if let Some(code) = &query.language {
            parameters.push(("search_lang", code));
        }
        // A range has two ends; an open one is closed far away.
        let range = (query.since.is_some() || query.until.is_some()).then(|| {
            let from = query.since.map_or("1970-01-01".to_owned(), |day| day.first_day());
            let to = query.until.map_or("2199-12-31".to_owned(), |day| day.last_day());
            format!("{from}to{to}")
        });
        if let Some(range) = &range {
            parameters.push(("freshness", range));
        }
        Request::get(&card.base_url, "/res/v1/web/search", &parameters)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let reply: Reply = json(body)?;
        if reply.kind != "search" {
            return Err(format!("it answered with {:?} where search results were due", reply.kind));
        }
        let item = |page: ResultEntry| Item {
            url: page.url,
            title: page.title,
            snippet: page.description,
            date: page.page_age,
            ..Item::default()
        };
        Ok(reply.web.map(|web| web.results).unwrap_or_default().into_iter().map(item).collect())
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-subscription-token"), key.to_owned())
    }
}
