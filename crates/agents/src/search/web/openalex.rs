//! OpenAlex: works of science. Abstracts come as an index from word to positions and are put together again.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Dialect, Item, ProviderCard, Query, Request, json};

/// Abstracts longer than this are not put together: positions are the provider's word.
const MOST_WORDS: usize = 5000;

pub(super) struct Openalex;

#[derive(Deserialize)]
struct Reply {
    results: Vec<Work>,
}

#[derive(Deserialize)]
struct Work {
    id: String,
    doi: Option<String>,
    display_name: Option<String>,
    publication_date: Option<String>,
    primary_location: Option<Place>,
    #[serde(default)]
    locations: Vec<Place>,
    abstract_inverted_index: Option<BTreeMap<String, Vec<usize>>>,
}

#[derive(Deserialize)]
struct Place {
    landing_page_url: Option<String>,
}

impl Dialect for Openalex {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        let mut filters = Vec::new();
        filters.extend(query.since.map(|day| format!("from_publication_date:{}", day.first_day())));
        filters.extend(query.until.map(|day| format!("to_publication_date:{}", day.last_day())));
        filters.extend(query.language.as_ref().map(|code| format!("language:{code}")));
        let (limit, filter) = (query.limit.clamp(1, 200).to_string(), filters.join(","));
        let mut parameters = vec![
            ("search", query.text.as_str()),
            ("per-page", &limit),
            (
                "select",
                "id,doi,display_name,publication_date,primary_location,locations,abstract_inverted_index",
            ),
        ];
        if !filter.is_empty() {
            parameters.push(("filter", &filter));
        }
        Request::get(&card.base_url, "/works", &parameters)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let reply: Reply = json(body)?;
        Ok(reply.results.into_iter().map(item).collect())
    }
}

fn item(work: Work) -> Item {
    let pages =
        || work.primary_location.iter().chain(&work.locations).filter_map(|p| p.landing_page_url.as_deref());
    let arxiv = pages().find(|url| url.contains("arxiv.org/")).map(str::to_owned);
    let page = pages().next().or(work.doi.as_deref()).unwrap_or(&work.id).to_owned();
    Item {
        url: page,
        arxiv,
        title: work.display_name.unwrap_or_default(),
        snippet: work.abstract_inverted_index.map(|index| in_order(&index)).unwrap_or_default(),
        date: work.publication_date,
        doi: work.doi,
    }
}

fn in_order(index: &BTreeMap<String, Vec<usize>>) -> String {
    let mut words: Vec<(usize, &str)> = index
        .iter()
        .flat_map(|(word, places)| places.iter().map(move |place| (*place, word.as_str())))
        .collect();
    words.sort_unstable();
    words.truncate(MOST_WORDS);
    words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}
