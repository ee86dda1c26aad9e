//! Pages that were fetched for a text, held in memory: each sentence of each is at hand.

use baton_agents::search::local::IndexError;

use super::nearest::{Shelf, clauses, nearest};
use super::{Candidate, Evidence, Place, Quote, one_line};

/// A page as it was read.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its address.
    pub address: String,
    /// Its title.
    pub title: String,
    /// Its date, if it gives one.
    pub date: Option<String>,
    /// SHA-256 of its archived text.
    pub text_hash: String,
    /// Its text.
    pub text: String,
}

/// Pages.
pub struct Pages {
    pages: Vec<Page>,
    shelves: Vec<Shelf>,
}

impl Pages {
    /// These.
    #[must_use]
    pub fn new(pages: Vec<Page>) -> Self {
        let shelves = pages.iter().map(|page| Shelf::of(&page.text, &page.title)).collect();
        Self { pages, shelves }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pages.len()
    }
}

impl Evidence for Pages {
    /// Beside documents, which can fail; pages in memory do not.
    type Error = IndexError;

    fn near(&self, sentence: &str) -> Result<Vec<Candidate>, IndexError> {
        let candidate = |said: &super::Said| {
            let page = &self.pages[said.shelf];
            let quote = |ranges: Vec<std::ops::Range<usize>>| {
                let words: Vec<String> =
                    ranges.iter().map(|range| one_line(&page.text[range.clone()])).collect();
                Quote { text: words.join("\n"), place: Some(page.place(ranges)) }
            };
            let own = said.range.clone();
            let wider = [&said.before, &said.head].into_iter().flatten();
            let wider = wider.map(|other| quote(vec![other.clone(), own.clone()])).collect();
            Candidate { quote: quote(vec![own]), wider }
        };
        Ok(nearest(&self.shelves, sentence, &clauses(sentence)).iter().map(candidate).collect())
    }
}

impl Page {
    fn place(&self, ranges: Vec<std::ops::Range<usize>>) -> Place {
        Place {
            path: self.address.clone(),
            title: self.title.clone(),
            heading: String::new(),
            line: None,
            page: None,
            ranges,
            text_hash: self.text_hash.clone(),
            date: self.date.clone(),
            replaced: false,
        }
    }
}
