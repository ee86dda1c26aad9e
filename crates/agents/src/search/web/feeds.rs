//! One RSS or Atom feed as news: its items that share words with the query, those that share most first.

use super::feed::entries;
use super::{Dialect, Item, ProviderCard, Query, Request};
use crate::rules::words::content_stems;

pub(super) struct Feed;

impl Dialect for Feed {
    fn request(&self, card: &ProviderCard, _query: &Query) -> Result<Request, String> {
        // The words stay here: a feed is fetched whole.
        Request::get(&card.base_url, "", &[])
    }

    fn read(&self, body: &[u8], query: &Query) -> Result<Vec<Item>, String> {
        let wanted = content_stems(&query.text);
        let mut scored: Vec<(usize, Item)> = entries(body)?
            .into_iter()
            .map(|entry| {
                let words = content_stems(&format!("{} {}", entry.title, entry.summary));
                let shared = wanted.iter().filter(|stem| words.contains(*stem)).count();
                let url = if entry.link.is_empty() { entry.id } else { entry.link };
                let (title, snippet, date) = (entry.title, entry.summary, entry.date);
                (shared, Item { url, title, snippet, date, ..Item::default() })
            })
            .filter(|(shared, _)| *shared > 0)
            .collect();
        // Stable: the feed's own order, newest first as a rule, decides between equals.
        scored.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        // A feed holds what is new, not what was asked for; the rest of it is no surplus worth a line.
        scored.truncate(query.limit);
        Ok(scored.into_iter().map(|(_, item)| item).collect())
    }
}
