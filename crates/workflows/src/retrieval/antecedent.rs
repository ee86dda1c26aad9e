//! A sentence together with what it leans on: "It must be paid back." says nothing without the sentence before it,
//! "In nine out of ten houses, yes." nothing without the heading above it. With neither, it is not quoted at all.

#[cfg(test)]
mod tests;

use std::ops::Range;

use baton_agents::rules::antecedent;
use baton_agents::rules::sentences::sentences;

use super::rows;
use super::source::Candidate;

/// How far back the sentence before may begin, in bytes.
const BACK: usize = 800;
/// Sentences before one that are taken along at most.
const DEEPEST: usize = 2;
/// An excerpt is no longer than this.
const LONGEST: usize = 600;

/// Pairs of words that point back from anywhere in a sentence: "half of the radiators in these buildings".
const POINTING_IN: [&str; 9] = ["in", "of", "for", "at", "with", "from", "by", "on", "to"];
const POINTED: [&str; 4] = ["these", "those", "this", "them"];

/// Whether a sentence says nothing without what stands before it.
#[must_use]
pub fn leans(sentence: &str) -> bool {
    antecedent::leans(sentence) || pairs(sentence).next() == Some(true)
}

/// Whether it points back from its middle: better with what stands before it, not lost without.
#[must_use]
pub fn points_back(sentence: &str) -> bool {
    let object = |word: &str| ["it", "them", "they"].contains(&word.trim_matches([',', '.', ';']));
    let mut words = sentence.split_whitespace();
    let last = words.next_back().is_some_and(object);
    last || pairs(sentence).any(|points| points) || words.skip(1).take(4).any(object)
}

/// For each two words that follow each other whether they point back.
fn pairs(sentence: &str) -> impl Iterator<Item = bool> {
    let bare = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let words: Vec<String> = sentence.split_whitespace().map(bare).collect();
    let points =
        |two: &[String]| POINTING_IN.contains(&two[0].as_str()) && POINTED.contains(&two[1].as_str());
    // "14 interruptions, 9 of them by damage to pipes": a share of what the sentence itself has just named.
    let comma = sentence.split_whitespace().position(|word| word.ends_with(',')).unwrap_or(usize::MAX);
    let shares = |(at, two): (usize, &[String])| two[0] == "of" && at > comma.saturating_add(1);
    let pairs = words.windows(2).enumerate();
    pairs.map(|(at, two)| points(two) && !shares((at, two))).collect::<Vec<_>>().into_iter()
}

/// A candidate with what it leans on; none if it leans on nothing that is there.
#[must_use]
pub fn complete(text: &str, mut candidate: Candidate) -> Option<Candidate> {
    let [own] = candidate.ranges.as_slice() else {
        // Across a page break nothing is taken along: what stands between may be furniture.
        return (!leans(&candidate.text)).then_some(candidate);
    };
    let own = own.clone();
    if text.get(own.clone()).is_none() {
        return Some(candidate);
    }
    // The bullet or the section number before a sentence is no part of what it says.
    let own = own.start + marker(&text[own.clone()])..own.end;
    candidate = with(text, candidate, std::slice::from_ref(&own), " ");
    if let Some(head) = rows::head_of(text, &own) {
        return Some(with(text, candidate, &[head, own], "\n"));
    }
    let mut first = own.clone();
    for _ in 0..DEEPEST {
        let must = leans(&text[first.clone()]) && !opens(text, &first);
        let better = points_back(&text[first.clone()]);
        if !must && !better {
            break;
        }
        match before(text, first.start).filter(|before| own.end - before.start <= LONGEST) {
            Some(before) => first = before,
            None if !must => break,
            None => {
                let head = heading_before(text, first.start, &candidate.heading)?;
                return Some(with(text, candidate, &[head, first.start..own.end], " "));
            }
        }
    }
    let start = first.start;
    if start < own.start {
        let whole = start..own.end;
        candidate = with(text, candidate, &[whole], " ");
    }
    (!leans(&candidate.text) || opens(text, &first)).then_some(candidate)
}

/// Whether a sentence that begins in lower case begins a paragraph or an item: it is no piece of another then, but a
/// command, a name or an item.
fn opens(text: &str, sentence: &Range<usize>) -> bool {
    let words = &text[sentence.clone()];
    let before = text[..sentence.start].trim_end_matches([' ', '\t', '-', '*', '•', '`', '"', '«']);
    let capital: String =
        words.chars().take(1).flat_map(char::to_uppercase).chain(words.chars().skip(1)).collect();
    words.starts_with(char::is_lowercase)
        && (before.is_empty() || before.ends_with("\n\n") || (before.ends_with('\n') && ended(before)))
        && !leans(&capital)
}

/// Whether what stands before a line is over.
fn ended(before: &str) -> bool {
    before.trim_end().ends_with(['.', ':', ';', '!', '?', '|'])
}

/// Length of a bullet or a section number in front.
fn marker(text: &str) -> usize {
    let Some((first, rest)) = text.split_once(' ') else { return 0 };
    let numbered = first.contains('.') && first.chars().all(|it| it.is_ascii_digit() || it == '.');
    let is_mark = numbered || ["-", "*", "+", "•", "–"].contains(&first);
    // A list of several items keeps its marks: they tell them apart.
    let is_list = rest.lines().any(|line| line.trim_start().starts_with(['-', '*', '•']));
    if is_mark && !is_list && rest.len() > 20 { text.len() - rest.trim_start().len() } else { 0 }
}

fn with(text: &str, candidate: Candidate, ranges: &[Range<usize>], between: &str) -> Candidate {
    let parts: Vec<&str> = ranges.iter().map(|range| &text[range.clone()]).collect();
    Candidate { text: parts.join(between), ranges: ranges.to_vec(), ..candidate }
}

/// The sentence before `start` in the same paragraph.
fn before(text: &str, start: usize) -> Option<Range<usize>> {
    let from = text.floor_char_boundary(start.saturating_sub(BACK));
    let near = &text[from..start];
    let paragraph = near.rfind("\n\n").map_or(0, |at| at + 2);
    let last = sentences(&near[paragraph..]).pop()?;
    let range = from + paragraph + last.start..from + paragraph + last.end;
    let words = &text[range.clone()];
    // A window that begins in the middle of a sentence, a heading or a row of a table is no antecedent.
    let whole = from + paragraph + last.start == 0 || last.start > 0 || text[..range.start].ends_with('\n');
    let says = words.ends_with(['.', '!', '?', ':']) && !words.starts_with(['#', '|']);
    (whole && says).then_some(range)
}

/// The innermost heading above `start`, where it stands in the text.
fn heading_before(text: &str, start: usize, heading: &str) -> Option<Range<usize>> {
    let name = heading.rsplit(['>', '›']).next()?.trim();
    if name.is_empty() || name.len() > 160 {
        return None;
    }
    let from = text.floor_char_boundary(start.saturating_sub(BACK));
    let at = from + text[from..start].rfind(name)?;
    Some(at..at + name.len())
}
