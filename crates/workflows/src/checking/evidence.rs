//! Where quotes come from: given with the sentence, or the sentences of documents and pages that are nearest to it, each
//! with what stands before and above it.

mod nearest;
mod pages;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::ops::Range;
use std::rc::Rc;

use baton_agents::read::Format;
use baton_agents::rules::words::content_stems;
use baton_agents::search::local::{IndexError, LocalIndex, Near};
use serde::Serialize;

use nearest::{Said, Shelf, clauses, nearest};
pub use pages::{Page, Pages};

/// Words of a source, and where they stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quote {
    /// The words, each range on a line of its own.
    pub text: String,
    /// Where they stand; none if somebody gave them with the sentence.
    #[serde(flatten)]
    pub place: Option<Place>,
}

impl Quote {
    /// Whether a later document replaces the one it comes from.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.replaced)
    }
}

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The document, below its folder, or its address.
    pub path: String,
    /// Its title.
    pub title: String,
    /// The headings above it.
    pub heading: String,
    /// The line of the file, where the file is text.
    pub line: Option<usize>,
    /// The page, where there are pages.
    pub page: Option<usize>,
    /// In bytes of the text that was read.
    pub ranges: Vec<Range<usize>>,
    /// SHA-256 of that text.
    pub text_hash: String,
    /// The date of the document.
    pub date: Option<String>,
    /// Whether a later document replaces it.
    pub replaced: bool,
}

impl Place {
    /// `terms.md, line 12, 2025-03-01`.
    #[must_use]
    pub fn words(&self) -> String {
        let mut parts = vec![self.path.clone()];
        parts.extend(self.page.map(|page| format!("page {page}")));
        parts.extend(self.line.map(|line| format!("line {line}")));
        parts.extend(self.date.clone());
        if self.replaced {
            parts.push("replaced by a later document".to_owned());
        }
        parts.join(", ")
    }
}

/// Words a sentence may rest on, alone and with what they may need to be understood.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The words alone.
    pub quote: Quote,
    /// The same behind the sentence before them, and below their heading.
    pub wider: Vec<Quote>,
}

impl Candidate {
    /// Whether these words, or what stands around them, share a third of the words of what a sentence leans on. Without
    /// that "it" may be anything.
    pub(super) fn is_about(&self, before: &str) -> bool {
        let wanted = content_stems(before);
        let shares =
            |quote: &Quote| content_stems(&quote.text).intersection(&wanted).count() * 3 >= wanted.len();
        !wanted.is_empty() && std::iter::once(&self.quote).chain(&self.wider).any(shares)
    }
}

/// Somewhere to look for what carries a sentence.
pub trait Evidence {
    /// Why looking failed.
    type Error;
    /// Words near a sentence, nearest first.
    fn near(&self, sentence: &str) -> Result<Vec<Candidate>, Self::Error>;
}

impl<E: Evidence + ?Sized> Evidence for Box<E> {
    type Error = E::Error;

    fn near(&self, sentence: &str) -> Result<Vec<Candidate>, E::Error> {
        E::near(self, sentence)
    }
}

/// Several places, each asked.
impl<E: Evidence> Evidence for Vec<E> {
    type Error = E::Error;

    fn near(&self, sentence: &str) -> Result<Vec<Candidate>, E::Error> {
        let mut all = Vec::new();
        for place in self {
            all.extend(place.near(sentence)?);
        }
        Ok(all)
    }
}

/// Quotes that were given with the sentence.
#[derive(Clone, Debug)]
pub struct GivenQuotes(Vec<Candidate>);

impl GivenQuotes {
    /// These, and no others.
    #[must_use]
    pub fn new(quotes: &[String]) -> Self {
        let candidate =
            |text: &String| Candidate { quote: Quote { text: text.clone(), place: None }, wider: Vec::new() };
        Self(quotes.iter().map(candidate).collect())
    }
}

impl Evidence for GivenQuotes {
    type Error = Infallible;

    fn near(&self, _sentence: &str) -> Result<Vec<Candidate>, Infallible> {
        Ok(self.0.clone())
    }
}

/// Passages looked at for a sentence, and for each of its clauses.
const PASSAGES: usize = 60;
/// The nearest of these are also tried with what stands around them.
const WIDENED: usize = 12;

/// Words without the line breaks of their file: in a quote a line break parts two ranges.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The documents of a folder.
pub struct Documents<'a> {
    index: &'a LocalIndex,
    /// Where the lines of a text begin, by its hash.
    lines: RefCell<HashMap<String, Vec<usize>>>,
    /// Passages cut into sentences, by their text's hash and where they begin: neighbours in a draft meet the same.
    shelves: RefCell<HashMap<(String, usize), Rc<Shelf>>>,
}

impl<'a> Documents<'a> {
    /// The documents of an index that is up to date.
    #[must_use]
    pub fn new(index: &'a LocalIndex) -> Self {
        Self { index, lines: RefCell::default(), shelves: RefCell::default() }
    }

    fn line(&self, text_hash: &str, offset: usize) -> Result<Option<usize>, IndexError> {
        if !self.lines.borrow().contains_key(text_hash) {
            let Some(text) = self.index.text(text_hash)? else { return Ok(None) };
            let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
            self.lines.borrow_mut().insert(text_hash.to_owned(), starts);
        }
        let lines = self.lines.borrow();
        Ok(lines.get(text_hash).map(|starts| starts.partition_point(|&start| start <= offset)))
    }

    fn place(&self, near: &Near, ranges: Vec<Range<usize>>) -> Result<Place, IndexError> {
        let offset = ranges.first().map_or(0, |range| range.start);
        // Elsewhere a line of the text is no line of the file.
        let as_written = matches!(Format::of_path(&near.path), Some(Format::Text | Format::Markdown));
        Ok(Place {
            path: near.path.display().to_string(),
            title: near.title.clone(),
            heading: near.heading.clone(),
            line: if as_written { self.line(&near.text_hash, offset)? } else { None },
            page: near.page(offset),
            ranges,
            text_hash: near.text_hash.clone(),
            date: near.date.clone(),
            replaced: near.replaced,
        })
    }
}

impl Evidence for Documents<'_> {
    type Error = IndexError;

    fn near(&self, sentence: &str) -> Result<Vec<Candidate>, IndexError> {
        let (mut passages, mut shelves): (Vec<Near>, Vec<Rc<Shelf>>) = (Vec::new(), Vec::new());
        let mut seen: BTreeSet<(String, usize)> = BTreeSet::new();
        let clauses = clauses(sentence);
        for query in std::iter::once(&sentence).chain(&clauses) {
            for near in self.index.near(query, PASSAGES)? {
                let start = near.ranges(&(0..near.text().len())).first().map_or(0, |range| range.start);
                let key = (near.text_hash.clone(), start);
                if seen.insert(key.clone()) {
                    let mut known = self.shelves.borrow_mut();
                    let shelf =
                        known.entry(key).or_insert_with(|| Rc::new(Shelf::of(near.text(), &near.heading)));
                    shelves.push(Rc::clone(shelf));
                    passages.push(near);
                }
            }
        }
        let found = nearest(&shelves, sentence, &clauses);
        let mut candidates = Vec::with_capacity(found.len());
        for (rank, said) in found.iter().enumerate() {
            let near = &passages[said.shelf];
            let quote = Quote {
                text: one_line(&near.text()[said.range.clone()]),
                place: Some(self.place(near, near.ranges(&said.range))?),
            };
            let wider = if rank < WIDENED { self.wider(near, said, &quote)? } else { Vec::new() };
            candidates.push(Candidate { quote, wider });
        }
        Ok(candidates)
    }
}

impl Documents<'_> {
    fn wider(&self, near: &Near, said: &Said, quote: &Quote) -> Result<Vec<Quote>, IndexError> {
        let mut wider = Vec::new();
        for other in [&said.before, &said.head, &said.term].into_iter().flatten() {
            let text = format!("{}\n{}", one_line(&near.text()[other.clone()]), quote.text);
            let ranges = [near.ranges(other), near.ranges(&said.range)].concat();
            wider.push(Quote { text, place: Some(self.place(near, ranges)?) });
        }
        // A manual speaks of the program it is about: "this command", an entry of the list of options.
        if let Some(title) = manual(&near.title) {
            let term = said.term.clone().map(|term| one_line(&near.text()[term]));
            let lines: Vec<&str> =
                [title.as_str()].into_iter().chain(term.as_deref()).chain([quote.text.as_str()]).collect();
            wider.push(Quote { text: lines.join("\n"), place: quote.place.clone() });
        }
        if !near.heading.is_empty() {
            let headings = near.heading.replace(" > ", "\n");
            wider.push(Quote { text: format!("{headings}\n{}", quote.text), place: quote.place.clone() });
        }
        Ok(wider)
    }
}

/// "file(1)" of "FILE(1) BSD General Commands Manual FILE(1)".
fn manual(title: &str) -> Option<String> {
    let first = title.split_whitespace().next()?;
    let (name, section) = first.strip_suffix(')')?.split_once('(')?;
    let named = !name.is_empty() && section.len() < 4 && section.starts_with(|c: char| c.is_ascii_digit());
    named.then(|| first.to_lowercase())
}
