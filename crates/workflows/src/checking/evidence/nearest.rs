//! Which sentences of texts are nearest to what was said.

use std::collections::HashSet;
use std::ops::Range;

use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::content_stems;

use super::super::draft::at_small_letters;

/// Sentences that are held against what was said.
const MOST: usize = 40;
/// The shortest clause that is looked for by itself, in words.
const CLAUSE_WORDS: usize = 4;
/// What a word in the heading above counts, beside one in the sentence itself.
const ABOVE: f64 = 0.3;

/// A text cut into sentences, with their stems.
#[derive(Clone, Debug)]
pub struct Shelf {
    above: HashSet<String>,
    sentences: Vec<(Range<usize>, HashSet<String>)>,
    /// Which of them are rows of a table.
    rows: Vec<bool>,
    /// The option each of them stands under, in a list of options.
    terms: Vec<Option<Range<usize>>>,
}

impl AsRef<Self> for Shelf {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Shelf {
    /// A text below a heading.
    pub fn of(text: &str, heading: &str) -> Self {
        let ranges: Vec<Range<usize>> =
            sentences(text).into_iter().flat_map(|range| at_small_letters(text, range)).collect();
        Self {
            above: content_stems(heading),
            rows: ranges.iter().map(|range| text[range.clone()].contains(" | ")).collect(),
            terms: ranges.iter().map(|range| term(text, range.start)).collect(),
            sentences: ranges.into_iter().map(|range| (range.clone(), content_stems(&text[range]))).collect(),
        }
    }

    /// The first row of the table a row belongs to.
    fn head(&self, at: usize) -> Option<Range<usize>> {
        let first = self.rows[..at].iter().rposition(|row| !row).map_or(0, |before| before + 1);
        (self.rows[at] && first < at).then(|| self.sentences[first].0.clone())
    }
}

/// How far above its description an option may stand, in lines.
const TERM_LINES: usize = 30;

/// "-i identity_file" above or before the words that stand here: the nearest line that begins with an option, and less far
/// to the right than this one.
fn term(text: &str, at: usize) -> Option<Range<usize>> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    let mut deepest = usize::MAX;
    for step in 0..TERM_LINES {
        let start = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &text[start..end];
        let own = line.trim_start();
        let begin = start + indent(line);
        if own.starts_with('-')
            && own[1..].starts_with(|c: char| c.is_alphanumeric() || c == '-')
            && begin < at
            && (step == 0 || indent(line) < deepest)
        {
            let long = own.find("  ").unwrap_or(own.len()).min(at - begin);
            return Some(begin..begin + own[..own.floor_char_boundary(long)].trim_end().len());
        }
        if !own.is_empty() {
            deepest = deepest.min(indent(line));
        }
        if start == 0 || (deepest == 0 && !own.is_empty()) {
            return None;
        }
        end = start - 1;
    }
    None
}

/// A sentence of a text.
#[derive(Clone, Debug)]
pub struct Said {
    /// Which text.
    pub shelf: usize,
    /// Where it stands there.
    pub range: Range<usize>,
    /// The sentence before it.
    pub before: Option<Range<usize>>,
    /// The first row of its table.
    pub head: Option<Range<usize>>,
    /// The option it stands under.
    pub term: Option<Range<usize>>,
    score: f64,
}

/// The sentences that share most with what was said, or with a part of it; nearest first.
pub fn nearest<S: AsRef<Shelf>>(shelves: &[S], sentence: &str, clauses: &[&str]) -> Vec<Said> {
    let wanted: Vec<HashSet<String>> =
        std::iter::once(&sentence).chain(clauses).map(|part| content_stems(part)).collect();
    let mut found = Vec::new();
    for (shelf, text) in shelves.iter().map(AsRef::as_ref).enumerate() {
        for (at, (range, stems)) in text.sentences.iter().enumerate() {
            let shared = |wanted: &HashSet<String>| share(wanted, stems, &text.above);
            let score = wanted.iter().map(shared).fold(0.0, f64::max);
            if score > 0.0 {
                found.push(Said {
                    shelf,
                    range: range.clone(),
                    before: at.checked_sub(1).map(|before| text.sentences[before].0.clone()),
                    head: text.head(at),
                    term: text.terms[at].clone(),
                    score,
                });
            }
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.shelf.cmp(&b.shelf)));
    found.truncate(MOST);
    found
}

/// How much of what is wanted a sentence has; nothing if all of it stands in the heading.
fn share(wanted: &HashSet<String>, stems: &HashSet<String>, above: &HashSet<String>) -> f64 {
    let own = wanted.intersection(stems).count();
    let theirs = wanted.intersection(above).filter(|stem| !stems.contains(*stem)).count();
    if own == 0 { 0.0 } else { (own as f64 + ABOVE * theirs as f64) / wanted.len().max(1) as f64 }
}

/// The parts of a sentence that may come from different places.
pub fn clauses(sentence: &str) -> Vec<&str> {
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
