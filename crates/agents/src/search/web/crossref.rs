//! Crossref: works with a DOI, as their publishers registered them.

use serde::Deserialize;

use super::{Dialect, Item, ProviderCard, Query, Request, json};

pub(super) struct Crossref;

#[derive(Deserialize)]
struct Reply {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    items: Vec<Work>,
}

#[derive(Deserialize)]
struct Work {
    #[serde(rename = "DOI")]
    doi: String,
    #[serde(rename = "URL")]
    url: Option<String>,
    #[serde(default)]
    title: Vec<String>,
    #[serde(rename = "abstract")]
    summary: Option<String>,
    issued: Option<Issued>,
}

/// `[[2020, 3, 14]]`, with month and day left out where they are not known, and null for no date at all.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Issued {
    #[serde(default)]
    date_parts: Vec<Vec<Option<i64>>>,
}

impl Dialect for Crossref {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        let mut filters = Vec::new();
        filters.extend(query.since.map(|day| format!("from-pub-date:{day}")));
        filters.extend(query.until.map(|day| format!("until-pub-date:{day}")));
        let (limit, filter) = (query.limit.clamp(1, 1000).to_string(), filters.join(","));
        let mut parameters = vec![
            ("query.bibliographic", query.text.as_str()),
            ("rows", &limit),
            ("select", "DOI,URL,title,abstract,issued"),
        ];
        if !filter.is_empty() {
            parameters.push(("filter", &filter));
        }
        Request::get(&card.base_url, "/works", &parameters)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let reply: Reply = json(body)?;
        let item = |work: Work| Item {
            url: work.url.unwrap_or_else(|| format!("https://doi.org/{}", work.doi)),
            title: work.title.into_iter().next().unwrap_or_default(),
            snippet: work.summary.unwrap_or_default(),
            date: work.issued.and_then(|issued| written(&issued)),
            doi: Some(work.doi),
            ..Item::default()
        };
        Ok(reply.message.items.into_iter().map(item).collect())
    }
}

fn written(issued: &Issued) -> Option<String> {
    let parts: Vec<i64> = issued.date_parts.first()?.iter().copied().map_while(|part| part).collect();
    match parts[..] {
        [] => None,
        [year] => Some(format!("{year:04}")),
        [year, month] => Some(format!("{year:04}-{month:02}")),
        [year, month, day, ..] => Some(format!("{year:04}-{month:02}-{day:02}")),
    }
}
