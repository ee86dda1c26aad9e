//! The words that tell whose word something is: "under …", "according to …", "… says that", "… lets you".

use std::ops::Range;

use super::names::Mention;
use crate::rules::quantities::quantities;
use crate::rules::words::{fold, is_stop, word_ranges};

/// What leads to the name of a document from within a sentence.
const LEADING: [&str; 8] = ["according to", "as per", "pursuant to", "under", "in", "within", "per", "by"];
/// What documents do to facts.
const TELLING: &str = "says say states state gives give puts put counts count reports report lists list names name records record notes note \
shows show stipulates provides explains describes mentions confirms specifies adds writes";
/// What documents do to people, and what those may or must do then.
const PERMITTING: [&str; 4] = ["allows", "permits", "entitles", "enables"];
const REQUIRING: [&str; 3] = ["requires", "obliges", "obligates"];
/// Who is let do something without "to".
const LET: [&str; 9] =
    ["you", "anyone", "anybody", "everyone", "everybody", "users", "people", "recipients", "licensees"];

/// A sentence without the words that only tell whose it is; none if there are no such words.
pub(super) fn without_names(text: &str, mentions: &[Mention]) -> Option<String> {
    // From the last to the first: the places of those before stay.
    let mut bare = text.to_owned();
    for mention in mentions.iter().rev() {
        if let Some(shorter) = without(&bare, &mention.range) {
            bare = shorter;
        }
    }
    (bare != text).then_some(bare)
}

fn without(text: &str, name: &Range<usize>) -> Option<String> {
    let before = text[..name.start].trim_end();
    let before =
        ["the", "The", "this", "This"].iter().find_map(|word| word_off(before, word)).unwrap_or(before);
    let after = &text[name.end..];
    if let Some(lead) = LEADING.iter().find_map(|lead| word_off(before, lead)) {
        // "granted by the contract" tells who grants; "4,310 by the contract" who counts.
        let counted = lead.ends_with(|letter: char| letter.is_ascii_digit()) || lead.is_empty();
        let agent = before.to_lowercase().ends_with("by");
        let after = after.strip_prefix(',').unwrap_or(after);
        return (counted || !agent).then(|| joined(lead, after));
    }
    let opens = before.is_empty() || before.ends_with([',', ';', ':', '(']) || joint_before(before);
    opens.then(|| told(before, after.trim_start())).flatten()
}

/// A part that gives only another amount, as the part before it with that amount: "… had 4,310 houses by one, 4,180 by the
/// other". One way for each amount it may stand for.
pub(super) fn completed(part: &str, before: &str) -> Vec<String> {
    let own = quantities(part);
    let [amount] = own.as_slice() else { return Vec::new() };
    let known: Vec<String> = word_ranges(before).map(|range| fold(&before[range])).collect();
    let rest = [&part[..amount.range.start], &part[amount.range.end..]].concat();
    let mut words = word_ranges(&rest).map(|range| fold(&rest[range]));
    if !words.all(|word| is_stop(&word) || known.contains(&word)) {
        return Vec::new();
    }
    let amount = &part[amount.range.clone()];
    let places = quantities(before).into_iter().map(|other| other.range);
    places.map(|place| [&before[..place.start], amount, &before[place.end..]].concat()).collect()
}

/// What stands behind a name that is the subject, as what is told.
fn told(before: &str, after: &str) -> Option<String> {
    let (verb, rest) = after.split_once(' ')?;
    let was = match verb {
        "puts" => rest.rsplit_once(" at ").map(|(what, amount)| format!("{what} was {amount}")),
        "gives" => rest
            .split_once(" as ")
            .map(|(amount, what)| format!("{} was {amount}.", what.trim_end_matches('.'))),
        _ => None,
    };
    if let Some(was) = was {
        return Some(joined(before, &was));
    }
    if TELLING.split_whitespace().any(|other| other == verb) {
        return Some(joined(before, rest.strip_prefix("that ").unwrap_or(rest)));
    }
    let to = |modal: &str| {
        let (who, what) = rest.split_once(" to ")?;
        (!who.contains([',', ';'])).then(|| joined(before, &format!("{who} {modal} {what}")))
    };
    if PERMITTING.contains(&verb) {
        return to("may");
    }
    if REQUIRING.contains(&verb) {
        return to("must");
    }
    let (who, what) = rest.split_once(' ')?;
    (verb == "lets" && LET.contains(&who)).then(|| joined(before, &format!("{who} may {what}")))
}

/// What "it" says, where that is the document spoken of.
pub(super) fn said_by_it(text: &str) -> Option<String> {
    told("", text.strip_prefix("It ")?)
}

/// A text without the word or words at its end.
fn word_off<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let start = text.len().checked_sub(word.len())?;
    let end = text.get(start..)?;
    let rest = text.get(..start)?;
    let whole = rest.is_empty() || rest.ends_with(|letter: char| !letter.is_alphanumeric());
    (end.eq_ignore_ascii_case(word) && whole).then(|| rest.trim_end())
}

fn joined(before: &str, after: &str) -> String {
    let after = after.trim_start();
    if before.is_empty() || after.starts_with(['.', ',', ';', ':', ')']) {
        format!("{before}{after}")
    } else {
        format!("{before} {after}")
    }
}

/// Words between two statements.
const JOINTS: [&str; 6] = ["whereas", "while", "but", "and", "although", "yet"];

fn joint_before(text: &str) -> bool {
    JOINTS.iter().chain(&["that", "as", "because"]).any(|word| word_off(text, word).is_some())
}

/// Where a text between two names can be cut: before the word or the mark that begins another statement.
pub(super) fn joints(between: &str) -> Vec<usize> {
    let marks = between.match_indices([';', ',']).map(|(at, mark)| at + mark.len());
    let words = JOINTS.iter().flat_map(|word| {
        let at = between.match_indices(word);
        at.filter(|(at, word)| is_whole_word(between, *at, word.len())).map(|(at, _)| at).collect::<Vec<_>>()
    });
    let mut cuts: Vec<usize> = marks.chain(words).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn is_whole_word(text: &str, at: usize, length: usize) -> bool {
    let outside = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    outside(text[..at].chars().next_back()) && outside(text[at + length..].chars().next())
}

/// A part without the marks and words that joined it, and how much went in front.
pub(super) fn trimmed(part: &str) -> (&str, usize) {
    let is_loose = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
    let mut text = part.trim_start_matches(is_loose);
    for word in JOINTS {
        if let Some(rest) = text.strip_prefix(word).filter(|rest| rest.starts_with(' ')) {
            text = rest.trim_start_matches(is_loose);
            break;
        }
    }
    let from = part.len() - text.len();
    (text.trim_end_matches(is_loose), from)
}
