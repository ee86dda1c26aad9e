//! Where quotes come from: given with the sentence, or the sentences of documents that are nearest to it, each with
//! what stands before and above it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::ops::Range;

use baton_agents::read::Format;
use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::content_stems;
use baton_agents::search::local::{IndexError, LocalIndex, Near};
use serde::Serialize;

/// Words of a source, and where they stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quote {
    /// The words; several ranges are joined by line breaks.
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

/// Somewhere to look for what carries a sentence.
pub trait Evidence {
    /// Why looking failed.
    type Error;
    /// Words near a sentence, nearest first.
    fn near(&self, sentence: &str) -> Result<Vec<Candidate>, Self::Error>;
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
const PASSAGES: usize = 12;
/// Sentences of them that are held against it.
const MOST: usize = 40;
/// The nearest of these are also tried with what stands around them.
const WIDENED: usize = 12;
/// The shortest clause that is looked for by itself, in words.
const CLAUSE_WORDS: usize = 4;

/// The documents of a folder.
pub struct Documents<'a> {
    index: &'a LocalIndex,
    /// Where the lines of a text begin, by its hash.
    lines: RefCell<HashMap<String, Vec<usize>>>,
}

impl<'a> Documents<'a> {
    /// The documents of an index that is up to date.
    #[must_use]
    pub fn new(index: &'a LocalIndex) -> Self {
        Self { index, lines: RefCell::default() }
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
        let mut passages: Vec<Near> = Vec::new();
        let mut seen: BTreeSet<(String, usize)> = BTreeSet::new();
        let clauses = clauses(sentence);
        for query in std::iter::once(&sentence).chain(&clauses) {
            for near in self.index.near(query, PASSAGES)? {
                let start = near.ranges(&(0..near.text().len())).first().map_or(0, |range| range.start);
                if seen.insert((near.text_hash.clone(), start)) {
                    passages.push(near);
                }
            }
        }
        let found = nearest(&passages, sentence, &clauses);
        let mut candidates = Vec::with_capacity(found.len());
        for (rank, said) in found.iter().enumerate() {
            let near = &passages[said.passage];
            let quote = Quote {
                text: near.text()[said.range.clone()].to_owned(),
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
        for other in [&said.before, &said.head].into_iter().flatten() {
            let text = format!("{}\n{}", &near.text()[other.clone()], quote.text);
            let ranges = [near.ranges(other), near.ranges(&said.range)].concat();
            wider.push(Quote { text, place: Some(self.place(near, ranges)?) });
        }
        if let Some(heading) = near.heading.rsplit(" > ").next().filter(|heading| !heading.is_empty()) {
            wider.push(Quote { text: format!("{heading}\n{}", quote.text), place: quote.place.clone() });
        }
        Ok(wider)
    }
}

/// A sentence of a passage.
struct Said {
    passage: usize,
    range: Range<usize>,
    /// The sentence before it.
    before: Option<Range<usize>>,
    /// The first row of its table.
    head: Option<Range<usize>>,
    score: f64,
}

/// The sentences that share most with what was said, or with a part of it.
fn nearest(passages: &[Near], sentence: &str, clauses: &[&str]) -> Vec<Said> {
    let wanted: Vec<HashSet<String>> =
        std::iter::once(&sentence).chain(clauses).map(|part| content_stems(part)).collect();
    let mut found = Vec::new();
    for (passage, near) in passages.iter().enumerate() {
        let above = content_stems(&near.heading);
        let ranges = sentences(near.text());
        let rows: Vec<bool> = ranges.iter().map(|range| near.text()[range.clone()].contains(" | ")).collect();
        for (at, range) in ranges.iter().enumerate() {
            let stems = content_stems(&near.text()[range.clone()]);
            let part = |wanted: &HashSet<String>| {
                let own = wanted.intersection(&stems).count() as f64;
                let theirs =
                    wanted.iter().filter(|stem| above.contains(*stem) && !stems.contains(*stem)).count()
                        as f64;
                if own == 0.0 { 0.0 } else { (own + 0.3 * theirs) / wanted.len().max(1) as f64 }
            };
            let score = wanted.iter().map(part).fold(0.0, f64::max);
            if score == 0.0 {
                continue;
            }
            let first_row = rows[..at].iter().rposition(|row| !row).map_or(0, |before| before + 1);
            found.push(Said {
                passage,
                range: range.clone(),
                before: at.checked_sub(1).map(|before| ranges[before].clone()),
                head: (rows[at] && first_row < at).then(|| ranges[first_row].clone()),
                score,
            });
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
    found.truncate(MOST);
    found
}

/// The parts of a sentence that may come from different places.
fn clauses(sentence: &str) -> Vec<&str> {
    const JOINTS: [&str; 14] = [
        "; ",
        ": ",
        ", and ",
        ", but ",
        ", while ",
        ", whereas ",
        " while ",
        " whereas ",
        " and ",
        " but ",
        ", which ",
        ", und ",
        " und ",
        " y ",
    ];
    let mut parts = vec![sentence];
    for joint in JOINTS {
        parts = parts.into_iter().flat_map(|part| part.split(joint)).collect();
    }
    if parts.len() < 2 {
        return Vec::new();
    }
    parts.into_iter().filter(|part| part.split_whitespace().count() >= CLAUSE_WORDS).collect()
}
