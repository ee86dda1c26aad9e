//! Wikipedia, and any site that runs MediaWiki: full-text search. The date of a hit is its last edit.

use serde::Deserialize;

use super::{Dialect, Item, ProviderCard, Query, Request, json};

pub(super) struct Wikipedia;

#[derive(Deserialize)]
struct Reply {
    query: Option<Results>,
    error: Option<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    info: String,
}

/// `generator=search` answers with pages in no order; `index` is their rank.
#[derive(Deserialize)]
struct Results {
    #[serde(default)]
    pages: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    title: String,
    index: Option<u64>,
    fullurl: Option<String>,
    touched: Option<String>,
    #[serde(default)]
    extract: String,
}

impl Dialect for Wikipedia {
    fn request(&self, card: &ProviderCard, query: &Query) -> Result<Request, String> {
        // Extracts come for at most 20 pages of one request.
        let limit = query.limit.clamp(1, 20).to_string();
        let parameters = [
            ("action", "query"),
            ("format", "json"),
            ("formatversion", "2"),
            ("generator", "search"),
            ("gsrsearch", query.text.as_str()),
            // A site without Wikipedia's own search engine looks at nothing but titles unless told.
            ("gsrwhat", "text"),
            ("gsrlimit", &limit),
            ("prop", "info|extracts"),
            ("inprop", "url"),
            ("exintro", "1"),
            ("explaintext", "1"),
            ("exlimit", "max"),
        ];
        Request::get(&in_language(&card.base_url, query.language.as_deref()), "/w/api.php", &parameters)
    }

    fn read(&self, body: &[u8], _query: &Query) -> Result<Vec<Item>, String> {
        let reply: Reply = json(body)?;
        if let Some(Problem { code, info }) = reply.error {
            return Err(format!("it reported {code}: {info}"));
        }
        // No match is an answer without `query`.
        let mut pages = reply.query.map(|results| results.pages).unwrap_or_default();
        pages.sort_by_key(|page| page.index.unwrap_or(u64::MAX));
        let item = |page: Article| Item {
            title: page.title,
            url: page.fullurl.unwrap_or_default(),
            snippet: page.extract,
            date: page.touched,
            ..Item::default()
        };
        Ok(pages.into_iter().map(item).collect())
    }
}

/// Wikipedia has one host for each language; another site has only its own.
fn in_language(base: &str, language: Option<&str>) -> String {
    let is_code = |code: &&str| code.len() == 2 && code.bytes().all(|b| b.is_ascii_lowercase());
    match language.filter(is_code) {
        Some(code) if base.trim_end_matches('/') == "https://en.wikipedia.org" => {
            format!("https://{code}.wikipedia.org")
        }
        _ => base.to_owned(),
    }
}
