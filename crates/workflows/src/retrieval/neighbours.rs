//! What stands right behind a sentence: where the sentence opens an explanation, the next ones give it.

use std::ops::Range;

use baton_agents::rules::lines;
use baton_agents::rules::sentences::{LONGEST, sentences};

use super::source::Candidate;

/// Sentences behind one that are taken along.
const BEHIND: usize = 2;
/// What the score of a sentence is for the one behind it.
const FADES: f64 = 0.9;

/// The next sentences of the same paragraph, each a candidate of its own, and the list that the last of them announces.
#[must_use]
pub fn behind(text: &str, candidate: &Candidate) -> Vec<Candidate> {
    let Some(end) = candidate.ranges.last().map(|last| last.end) else { return Vec::new() };
    let Some(rest) = text.get(end..) else { return Vec::new() };
    let paragraph = &rest[..rest.find("\n\n").unwrap_or(rest.len())];
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut announced = announces(&candidate.text).then_some(end);
    for range in sentences(paragraph).into_iter().take(BEHIND) {
        let sentence = &paragraph[range.clone()];
        let opens_list = announces(sentence) && sentence.len() <= LONGEST;
        if !is_prose(sentence) && !opens_list {
            break;
        }
        places.push(end + range.start..end + range.end);
        announced = opens_list.then_some(end + range.end);
    }
    places.extend(announced.and_then(|end| list_at(text, end)));
    let mut score = candidate.score;
    let mut found = Vec::new();
    for at in places {
        score *= FADES;
        found.push(Candidate {
            text: text[at.clone()].to_owned(),
            ranges: vec![at],
            score,
            ..candidate.clone()
        });
    }
    found
}

/// Bytes of a list that are taken along.
const LISTED: usize = 400;

/// Whether a sentence says that a list follows.
fn announces(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let points = ["following", "below", "folgende", "suivant", "siguiente"];
    lower.trim_end().ends_with(':') || points.iter().any(|word| lower.contains(word))
}

/// The items that stand right behind a place, as many whole ones as there is room for; two at least.
fn list_at(text: &str, end: usize) -> Option<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut at = end;
    for line in text[end..].split_inclusive('\n') {
        let from = at + line.len() - line.trim_start().len();
        let to = at + line.trim_end().len();
        at += line.len();
        if line.trim().is_empty() {
            continue;
        }
        match items.last_mut() {
            _ if lines::bullet_len(line.trim_start()) > 0 => items.push(from..to),
            // A line that is no item goes on with the one above only right below it.
            Some(last) if !text[last.end..from].contains("\n\n") => last.end = to,
            _ => break,
        }
        if to - items[0].start > LISTED {
            items.pop();
            break;
        }
    }
    match items.as_slice() {
        [first, .., last] => Some(first.start..last.end),
        _ => None,
    }
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
    fn a_list_that_is_announced_is_taken_along_as_far_as_there_is_room() {
        let long = "- ".to_owned() + &"word ".repeat(90);
        let text = format!(
            "There are two kinds of them:\n\n- the first,\n  with a second line\n- the second\n{long}\n"
        );
        let end = text.find(':').unwrap() + 1;
        let candidate = Candidate {
            text: text[..end].to_owned(),
            heading: String::new(),
            page: None,
            ranges: std::iter::once(0..end).collect(),
            score: 1.0,
        };
        let found: Vec<String> = behind(&text, &candidate).into_iter().map(|it| it.text).collect();
        assert_eq!(found, ["- the first,\n  with a second line\n- the second"]);
        assert_eq!(list_at("No list here.\n\n- a single item\n\nMore.", 13), None);
    }

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
