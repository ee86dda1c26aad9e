//! What stands right behind a sentence: where the sentence opens an explanation, the next ones give it.

use std::ops::Range;

use baton_agents::rules::lines;
use baton_agents::rules::sentences::{LONGEST, sentences};

use super::source::Candidate;

/// Sentences behind one that are taken along.
const BEHIND: usize = 2;
/// What the score of a sentence is for the one behind it.
const FADES: f64 = 0.9;

/// The next sentences of the same paragraph, each a candidate of its own.
#[must_use]
pub fn behind(text: &str, candidate: &Candidate) -> Vec<Candidate> {
    let Some(end) = candidate.ranges.last().map(|last| last.end) else { return Vec::new() };
    let Some(rest) = text.get(end..) else { return Vec::new() };
    let paragraph = &rest[..rest.find("\n\n").unwrap_or(rest.len())];
    let mut score = candidate.score;
    let mut found = Vec::new();
    for range in sentences(paragraph).into_iter().take(BEHIND) {
        if !is_prose(&paragraph[range.clone()]) {
            break;
        }
        score *= FADES;
        let at: Range<usize> = end + range.start..end + range.end;
        found.push(Candidate {
            text: text[at.clone()].to_owned(),
            ranges: vec![at],
            score,
            ..candidate.clone()
        });
    }
    found
}

/// A whole sentence of prose: no row, item, heading, code or question.
fn is_prose(sentence: &str) -> bool {
    sentence.len() <= LONGEST
        && sentence.ends_with(['.', '!', ')', '”', '»', '"'])
        && sentence.contains(['.', '!'])
        && !sentence.starts_with(['#', '|', '$', '>', '%'])
        && lines::bullet_len(sentence) == 0
        && !lines::is_program(sentence)
        && sentence.split_whitespace().count() > 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_sentences_of_a_paragraph_are_found_and_nothing_beyond_it() {
        let text = "A profile has two modes. The former enforces the policy. The latter only logs what would have been denied. A third follows here too.\n\nAnother paragraph stands here.";
        let candidate = |from: &str| {
            let start = text.find(from).unwrap();
            let end = start + from.len();
            Candidate {
                text: from.to_owned(),
                heading: String::new(),
                page: None,
                ranges: std::iter::once(start..end).collect(),
                score: 1.0,
            }
        };
        let words = |from: &str| -> Vec<String> {
            behind(text, &candidate(from)).into_iter().map(|it| it.text).collect()
        };
        assert_eq!(
            words("A profile has two modes."),
            ["The former enforces the policy.", "The latter only logs what would have been denied."]
        );
        assert_eq!(words("A third follows here too."), Vec::<String>::new());
        assert!(
            behind(text, &candidate("A profile has two modes."))
                .iter()
                .all(|it| text[it.ranges[0].clone()] == it.text)
        );
    }
}
