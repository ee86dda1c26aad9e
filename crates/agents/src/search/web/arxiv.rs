//! arXiv: preprints, as an Atom feed.

use super::feed::entries;
use super::{Dialect, Item, ProviderCard, Query, Request};
use crate::rules::words;

pub(super) struct Arxiv;

impl Dialect for Arxiv {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        let mut search = terms(&query.text)?;
        if query.since.is_some() || query.until.is_some() {
            let compact = |day: String| day.replace('-', "");
            let from = query.since.map_or("19910101".to_owned(), |day| compact(day.first_day()));
            let to = query.until.map_or("21991231".to_owned(), |day| compact(day.last_day()));
            search = format!("({search}) AND submittedDate:[{from}0000 TO {to}2359]");
        }
        let limit = query.limit.clamp(1, 200).to_string();
        let parameters =
            [("search_query", search.as_str()), ("max_results", &limit), ("sortBy", "relevance")];
        Request::get(&card.base_url, "/api/query", &parameters)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let entries = entries(body)?;
        if let Some(error) = entries.iter().find(|entry| entry.id.contains("/api/errors")) {
            return Err(format!("it reported: {}", error.summary));
        }
        let item = |entry: super::feed::Entry| Item {
            url: if entry.link.is_empty() { entry.id.clone() } else { entry.link },
            title: entry.title,
            snippet: entry.summary,
            date: entry.date,
            doi: entry.doi,
            arxiv: Some(entry.id),
        };
        Ok(entries.into_iter().map(item).collect())
    }
}

/// A question as words that must occur; stop words and the signs of its query language are left out.
fn terms(text: &str) -> Result<String, String> {
    let words: Vec<String> = words::word_ranges(text)
        .map(|range| &text[range])
        .filter(|word| !words::is_stop(&word.to_lowercase()))
        .map(|word| format!("all:{}", word.replace(|c: char| !c.is_alphanumeric(), "")))
        .filter(|term| term.len() > "all:".len())
        .collect();
    if words.is_empty() {
        Err("the query holds no word to search for".to_owned())
    } else {
        Ok(words.join(" AND "))
    }
}
