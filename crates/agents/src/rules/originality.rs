//! How much of a text is copied: runs of words that stand in a source too, outside quotation marks. Case, marks and
//! white space do not matter; words inside quotation marks are quoted, not copied.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::words::{fold, word_ranges};

/// Runs shorter than this are how people write; nobody owns them.
pub const RUN: usize = 8;

/// A run of words that stands in a source too.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Copied {
    /// The source, by its place.
    pub source: usize,
    /// How many words.
    pub words: usize,
    /// Where it stands in the text.
    pub range: Range<usize>,
}

/// What of a text is copied.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Originality {
    /// Words outside quotation marks.
    pub words: usize,
    /// Words of them that stand in a run of [`RUN`] or more in some source.
    pub verbatim: usize,
    /// The runs, in order, each as long as it gets.
    pub runs: Vec<Copied>,
    /// The share of the text's runs of four words that stand in each source, by its place.
    pub shared: Vec<f64>,
}

impl Originality {
    /// The longest run.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.runs.iter().map(|run| run.words).max().unwrap_or(0)
    }

    /// The share of words that are copied, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.words == 0 { 0.0 } else { self.verbatim as f64 / self.words as f64 }
    }
}

/// Holds a text against sources.
#[must_use]
pub fn originality(text: &str, sources: &[&str]) -> Originality {
    let quoted = quoted(text);
    let outside =
        |range: &Range<usize>| !quoted.iter().any(|it| it.start <= range.start && range.end <= it.end);
    let own: Vec<(String, Range<usize>, bool)> =
        word_ranges(text).map(|range| (fold(&text[range.clone()]), range.clone(), outside(&range))).collect();
    let words: Vec<Vec<String>> = sources
        .iter()
        .map(|source| word_ranges(source).map(|range| fold(&source[range])).collect())
        .collect();
    let mut runs: Vec<Copied> = Vec::new();
    let mut copied: HashSet<usize> = HashSet::new();
    for (source, theirs) in words.iter().enumerate() {
        for (start, length) in matches(&own, theirs) {
            copied.extend(start..start + length);
            let range = own[start].1.start..own[start + length - 1].1.end;
            runs.push(Copied { source, words: length, range });
        }
    }
    runs.sort_by_key(|run| (run.range.start, std::cmp::Reverse(run.words), run.source));
    let mut kept: Vec<Copied> = Vec::new();
    for run in runs {
        if !kept.iter().any(|other| other.range.start <= run.range.start && run.range.end <= other.range.end)
        {
            kept.push(run);
        }
    }
    Originality {
        words: own.iter().filter(|(_, _, outside)| *outside).count(),
        verbatim: copied.len(),
        runs: kept,
        shared: words.iter().map(|theirs| shared(&own, theirs)).collect(),
    }
}

/// Words between quotation marks, typographic or straight, within one line.
fn quoted(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, letter) in text.char_indices() {
        match (letter, open) {
            ('\n', _) => open = None,
            ('“', None) => open = Some((at, '”')),
            ('"', None) => open = Some((at, '"')),
            (letter, Some((start, close))) if letter == close => {
                found.push(start..at + letter.len_utf8());
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// Runs of the text that stand in a source: where they begin and how many words they have.
fn matches(own: &[(String, Range<usize>, bool)], theirs: &[String]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, word) in theirs.iter().enumerate() {
        places.entry(word).or_default().push(at);
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < own.len() {
        let begins = places.get(own[at].0.as_str()).filter(|_| own[at].2);
        let length = begins.into_iter().flatten().map(|&place| run(&own[at..], &theirs[place..])).max();
        match length.unwrap_or(0) {
            length if length >= RUN => {
                found.push((at, length));
                at += length;
            }
            _ => at += 1,
        }
    }
    found
}

fn run(own: &[(String, Range<usize>, bool)], theirs: &[String]) -> usize {
    own.iter().zip(theirs).take_while(|((word, _, outside), other)| *outside && word == *other).count()
}

fn shared(own: &[(String, Range<usize>, bool)], theirs: &[String]) -> f64 {
    const GRAM: usize = 4;
    let known: HashSet<&[String]> = theirs.windows(GRAM).collect();
    let words: Vec<String> = own.iter().filter(|it| it.2).map(|it| it.0.clone()).collect();
    let all = words.windows(GRAM).count();
    let shared = words.windows(GRAM).filter(|gram| known.contains(gram)).count();
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::originality;

    const SOURCE: &str =
        "The Northgate plant takes heat from treated wastewater and has two pumps of 12 MW each.";

    #[test]
    fn a_copied_run_is_found_and_a_quoted_one_is_not() {
        let copied = format!("Look: {SOURCE}");
        let found = originality(&copied, &["nothing here", SOURCE]);
        assert_eq!((found.longest(), found.runs[0].source), (16, 1));
        assert!(found.share() > 0.9 && found.shared[1] > 0.7 && found.shared[0] == 0.0, "{found:?}");
        for quoted in [format!("Look: “{SOURCE}”"), format!("Look: \"{SOURCE}\"")] {
            assert_eq!(originality(&quoted, &[SOURCE]).longest(), 0, "{quoted}");
        }
    }

    #[test]
    fn other_words_are_not_copied() {
        let other = "Wastewater warms Northgate: its plant runs two pumps, 12 MW apiece.";
        assert_eq!(originality(other, &[SOURCE]).verbatim, 0);
        assert_eq!(originality("", &[SOURCE]).share(), 0.0);
    }
}
