//! Holding a text, whoever wrote it, against what documents say: each sentence that states something is carried by quotes,
//! contradicted by one, or not found. The gate is the one of every workflow; here stands how a text is cut ([`draft`]),
//! where quotes come from ([`evidence`]), and how the marks are shown.

pub mod draft;
pub mod evidence;
mod html;
mod markdown;

use std::ops::Range;

use baton_agents::evidence::{Verdict, judge};
use serde::Serialize;

pub use draft::{Draft, Piece, Skip};
pub use evidence::{Candidate, Documents, Evidence, GivenQuotes, Place, Quote};

use crate::markup::count;

/// What became of a piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Quotes carry it.
    Carried,
    /// A quote says something else of the very thing.
    Contradicted,
    /// Nothing that was looked at says it.
    NotFound,
    /// It states nothing.
    Skipped,
}

impl Ruling {
    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Carried => "carried",
            Self::Contradicted => "contradicted",
            Self::NotFound => "not found",
            Self::Skipped => "not judged",
        }
    }
}

/// A piece of a text and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// Its first line in the text, from 1.
    pub line: usize,
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
    /// What it says, without markup.
    pub sentence: String,
    /// What became of it.
    pub verdict: Ruling,
    /// What is missing or different, or why it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What carries it, or the quote that says something else.
    pub quotes: Vec<Quote>,
    /// Quotes that say something else of the same, although others carry it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputed_by: Vec<Quote>,
    /// What comes nearest to a sentence that was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Quote>,
}

impl Checked {
    fn new(piece: &Piece, verdict: Ruling) -> Self {
        Self {
            line: piece.line,
            range: piece.range.clone(),
            sentence: piece.words.clone(),
            verdict,
            why: None,
            quotes: Vec::new(),
            disputed_by: Vec::new(),
            nearest: None,
        }
    }

    /// Whether only documents that a later one replaces carry it.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.verdict == Ruling::Carried && self.quotes.iter().any(Quote::is_replaced)
    }
}

/// How many pieces came to which end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Carried.
    pub carried: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Not found.
    pub not_found: usize,
    /// Not judged.
    pub skipped: usize,
}

impl Tally {
    /// How many were judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.carried + self.contradicted + self.not_found
    }

    /// Whether everything that was judged is carried, and something was.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.carried > 0 && self.carried == self.judged()
    }

    /// `5 sentences: 3 carried, 1 contradicted, 1 not found (2 not judged)`.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { carried, contradicted, not_found, skipped } = self;
        let judged = count(self.judged(), "sentence");
        let aside = if *skipped > 0 { format!(" ({skipped} not judged)") } else { String::new() };
        format!("{judged}: {carried} carried, {contradicted} contradicted, {not_found} not found{aside}")
    }
}

/// A text with every sentence marked.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What it is called.
    pub name: String,
    /// What it was held against.
    pub against: String,
    /// The text.
    pub text: String,
    /// Its pieces, in order.
    pub sentences: Vec<Checked>,
}

impl Sheet {
    /// How many came to which end.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for checked in &self.sentences {
            match checked.verdict {
                Ruling::Carried => tally.carried += 1,
                Ruling::Contradicted => tally.contradicted += 1,
                Ruling::NotFound => tally.not_found += 1,
                Ruling::Skipped => tally.skipped += 1,
            }
        }
        tally
    }

    /// The text with its marks, as a page that loads nothing and runs nothing.
    #[must_use]
    pub fn html(&self) -> String {
        html::render(self)
    }

    /// The text with its marks, as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        markdown::render(self)
    }
}

/// Judges every piece of a text.
pub fn check<E: Evidence>(draft: &Draft, evidence: &E) -> Result<Vec<Checked>, E::Error> {
    draft.pieces.iter().map(|piece| check_piece(piece, evidence)).collect()
}

fn check_piece<E: Evidence>(piece: &Piece, evidence: &E) -> Result<Checked, E::Error> {
    if let Some(skip) = piece.skip {
        return Ok(Checked { why: Some(skip.words().to_owned()), ..Checked::new(piece, Ruling::Skipped) });
    }
    Ok(hold(piece, &evidence.near(&piece.words)?))
}

/// Holds a sentence against quotes: first those of documents that still count, then those of documents that were
/// replaced. What a replaced document says contradicts nothing.
fn hold(piece: &Piece, candidates: &[Candidate]) -> Checked {
    let (old, current): (Vec<&Candidate>, Vec<&Candidate>) =
        candidates.iter().partition(|candidate| candidate.quote.is_replaced());
    let verdict = rule(&piece.words, &current);
    if let Ruled::Carried(quotes) = verdict {
        let disputed_by = disputes(&piece.words, &current, &quotes);
        return Checked { quotes, disputed_by, ..Checked::new(piece, Ruling::Carried) };
    }
    if let Ruled::Contradicted(quote, why) = verdict {
        return Checked { why: Some(why), quotes: vec![quote], ..Checked::new(piece, Ruling::Contradicted) };
    }
    if let Ruled::Carried(quotes) = rule(&piece.words, &old) {
        let why = Some("only a document that a later one replaces says so".to_owned());
        return Checked { why, quotes, ..Checked::new(piece, Ruling::Carried) };
    }
    let Ruled::NotCarried(why) = verdict else { return Checked::new(piece, Ruling::NotFound) };
    let nearest = current.first().or(old.first()).map(|candidate| candidate.quote.clone());
    Checked { why: Some(why), nearest, ..Checked::new(piece, Ruling::NotFound) }
}

/// What quotes say of a sentence.
enum Ruled {
    Carried(Vec<Quote>),
    Contradicted(Quote, String),
    NotCarried(String),
}

/// One quote if one is enough; then a sentence with what stands before it; then several, for a sentence that merges.
fn rule(words: &str, candidates: &[&Candidate]) -> Ruled {
    let mut contradicted: Option<(Quote, String)> = None;
    let mut why: Option<String> = None;
    for candidate in candidates {
        match judge(words, &[&candidate.quote.text]) {
            Verdict::Carried { .. } => return Ruled::Carried(vec![candidate.quote.clone()]),
            Verdict::Contradicted { why, .. } if contradicted.is_none() => {
                contradicted = Some((candidate.quote.clone(), why));
            }
            Verdict::NotCarried { why: missing } if why.is_none() => why = Some(missing),
            Verdict::Contradicted { .. } | Verdict::NotCarried { .. } => {}
        }
    }
    for wider in candidates.iter().flat_map(|candidate| &candidate.wider) {
        if matches!(judge(words, &[&wider.text]), Verdict::Carried { .. }) {
            return Ruled::Carried(vec![wider.clone()]);
        }
    }
    let all: Vec<&str> = candidates.iter().map(|candidate| candidate.quote.text.as_str()).collect();
    if all.len() > 1 {
        match judge(words, &all) {
            Verdict::Carried { by } => {
                let quotes = by.iter().filter_map(|&at| candidates.get(at)).map(|one| one.quote.clone());
                return Ruled::Carried(quotes.collect());
            }
            Verdict::Contradicted { by, why } if contradicted.is_none() => {
                contradicted = candidates.get(by).map(|one| (one.quote.clone(), why));
            }
            Verdict::NotCarried { why: missing } => why = Some(missing),
            Verdict::Contradicted { .. } => {}
        }
    }
    match contradicted {
        Some((quote, why)) => Ruled::Contradicted(quote, why),
        None => Ruled::NotCarried(why.unwrap_or_else(|| "nothing says anything like it".to_owned())),
    }
}

/// Other quotes that say something else, at most two: a reader should know that the documents do not agree.
fn disputes(words: &str, candidates: &[&Candidate], carrying: &[Quote]) -> Vec<Quote> {
    let others =
        candidates.iter().map(|candidate| &candidate.quote).filter(|quote| !carrying.contains(quote));
    let against = others.filter(|quote| matches!(judge(words, &[&quote.text]), Verdict::Contradicted { .. }));
    against.take(2).cloned().collect()
}

#[cfg(test)]
mod tests;
