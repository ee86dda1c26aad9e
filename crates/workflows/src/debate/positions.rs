//! Positions read from words: which option of a slot a text takes, and how two texts stand to each other.
//!
//! Words that are alike are no agreement: "fail open" and "fail closed" share every word but one. So a text is
//! read slot by slot: where it names an option, for it or against it, and with which decision words. It quotes
//! and counts; what a text implies without naming an option is not found.

use std::collections::BTreeMap;

use baton_agents::rules::quantities::{Dimension, quantities};
use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::stems;

use super::frame::{Frame, Slot};

/// How two texts stand to each other in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Every slot that either takes is taken the same way by both.
    Agree,
    /// They agree where they meet, but one of them leaves slots open.
    Partial,
    /// At least one slot is taken differently.
    Contradict,
    /// They take no slot in common.
    Unrelated,
}

/// How two sets of positions stand to each other.
#[must_use]
pub fn relation(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Relation {
    let common: Vec<_> = one.iter().filter_map(|(slot, value)| Some((value, other.get(slot)?))).collect();
    if common.is_empty() {
        return Relation::Unrelated;
    }
    if common.iter().any(|(a, b)| a != b) {
        return Relation::Contradict;
    }
    let all = one.len() == common.len() && other.len() == common.len();
    if all { Relation::Agree } else { Relation::Partial }
}

/// The positions a text takes.
#[must_use]
pub fn read(frame: &Frame, text: &str) -> BTreeMap<String, String> {
    let clauses = clauses(text);
    let taken =
        |slot: &Slot| Some((slot.slot.clone(), written(slot, text).or_else(|| argued(slot, &clauses))?));
    frame.slots.iter().filter_map(taken).collect()
}

/// A line of the form `slot: option` decides at once.
fn written(slot: &Slot, text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.trim_start_matches(['-', '*', ' ', '>']).split_once(':')?;
        let name = name.trim_matches(['*', '`', ' ']);
        let value = value.trim().trim_matches(['*', '`', '.', ' ']);
        name.eq_ignore_ascii_case(&slot.slot).then(|| slot.normal(value)).flatten()
    })
}

/// Whether words name a slot or one of its options, for it or against it.
#[must_use]
pub fn names(slot: &Slot, words: &str) -> bool {
    let said = tokens(words);
    let choices = slot.options.iter().flat_map(|choice| std::iter::once(&choice.option).chain(&choice.also));
    let phrases = choices.chain([&slot.slot]).map(|words| tokens(words)).filter(|phrase| !phrase.is_empty());
    phrases.into_iter().any(|phrase| said.windows(phrase.len()).any(|window| window == phrase))
}

/// How strongly a sentence speaks for an option of a slot; none if it does not name it, or speaks against it.
#[must_use]
pub fn argues_for(slot: &Slot, option: &str, sentence: &str) -> Option<i32> {
    const REASONS: [&str; 8] = ["becaus", "sinc", "so", "alreadi", "therefor", "mean", "surviv", "need"];
    let choice = slot.options.iter().find(|choice| choice.option == option);
    let also = choice.map(|choice| choice.also.clone()).unwrap_or_default();
    let phrases: Vec<(usize, Vec<String>)> = std::iter::once(option.to_owned())
        .chain(also)
        .map(|words| (0, tokens(&words)))
        .filter(|(_, phrase)| !phrase.is_empty())
        .collect();
    let mut weight = None;
    for clause in clauses(sentence) {
        for (_, at, len) in mentions(&phrases, &clause.words) {
            let speaks = if is_against(&clause.words, at, len) { -4 } else { 1 + clause.weight };
            weight = Some(weight.unwrap_or(0) + speaks);
        }
    }
    let has_reason = tokens(sentence).iter().any(|word| REASONS.contains(&word.as_str()));
    weight.filter(|weight| *weight > 0).map(|weight| weight.min(4) + 2 * i32::from(has_reason))
}

/// Words in one form: lower case, stems, numbers with units as one measure.
#[must_use]
pub fn plain(words: &str) -> String {
    tokens(words).join(" ")
}

fn tokens(text: &str) -> Vec<String> {
    let text = text.replace('’', "'").replace("n't", " not").replace("cannot", "can not");
    let mut measured = String::new();
    let mut from = 0;
    for quantity in quantities(&text) {
        let unit = match quantity.dimension {
            Dimension::Bytes => 'b',
            Dimension::Time => 's',
            Dimension::Percent => 'p',
            Dimension::Length => 'm',
            Dimension::Mass => 'g',
            Dimension::Temperature => 'c',
            Dimension::Money(_) => 'u',
            Dimension::Count(_) => continue,
        };
        let value = (quantity.value * 1000.0).round();
        measured.push_str(&text[from..quantity.range.start]);
        measured.push_str(&format!(" m{unit}{value:.0} "));
        from = quantity.range.end;
    }
    measured.push_str(&text[from..]);
    stems(&measured)
}

/// Words as they are kept where a slot has no options: lower case, times and sizes in one unit, nothing else changed.
#[must_use]
pub fn kept(words: &str) -> String {
    let words = words.trim().to_lowercase();
    let mut text = String::new();
    let mut from = 0;
    for quantity in quantities(&words) {
        let (value, unit) = match quantity.dimension {
            Dimension::Time if quantity.value >= 86_400.0 => (quantity.value / 86_400.0, " days"),
            Dimension::Time => (quantity.value, " seconds"),
            Dimension::Bytes => (quantity.value, " bytes"),
            Dimension::Percent => (quantity.value, "%"),
            _ => continue,
        };
        text.push_str(&words[from..quantity.range.start]);
        text.push_str(&format!("{}{unit}", (value * 1000.0).round() / 1000.0));
        from = quantity.range.end;
    }
    text.push_str(&words[from..]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A piece of a sentence in which a "not" holds, and how much a mention in it weighs.
struct Clause {
    words: Vec<String>,
    weight: i32,
}

const BREAKS: [&str; 6] = [" but ", " while ", " whereas ", " although ", " though ", " however "];
const DECIDES: [&str; 24] = [
    "us",
    "choos",
    "pick",
    "adopt",
    "should",
    "must",
    "will",
    "recommend",
    "prefer",
    "go",
    "keep",
    "stai",
    "want",
    "propos",
    "need",
    "make",
    "let",
    "default",
    "decid",
    "best",
    "set",
    "ought",
    "shall",
    "answer",
];
const HEDGES: [&str; 10] =
    ["later", "might", "could", "unless", "altern", "eventu", "somedai", "tempt", "popular", "mai"];

fn clauses(text: &str) -> Vec<Clause> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let mut rest = text[sentence].replace('\n', " ");
        for word in BREAKS {
            rest = rest.replace(word, "\u{1}");
        }
        for (part, piece) in rest.split('\u{1}').enumerate() {
            for clause in piece.split([';', ',', ':', '(', ')', '—']) {
                let words = tokens(clause);
                let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
                let decided = if has(&DECIDES) { 2 } else { 1 };
                // What follows a "but" is what is meant.
                let weight = if has(&HEDGES) { 0 } else { decided + i32::from(part > 0) };
                found.push(Clause { words, weight });
            }
        }
    }
    found
}

/// The option the clauses argue for.
fn argued(slot: &Slot, clauses: &[Clause]) -> Option<String> {
    let phrases: Vec<(usize, Vec<String>)> = slot
        .options
        .iter()
        .enumerate()
        .flat_map(|(n, choice)| {
            std::iter::once(&choice.option).chain(&choice.also).map(move |words| (n, tokens(words)))
        })
        .filter(|(_, phrase)| !phrase.is_empty())
        .collect();
    let mut scores = vec![(0, 0); slot.options.len()];
    for clause in clauses {
        for (option, at, len) in mentions(&phrases, &clause.words) {
            if is_against(&clause.words, at, len) {
                scores[option].1 += 1;
            } else {
                scores[option].0 += clause.weight;
            }
        }
    }
    best(&scores).map(|option| slot.options[option].option.clone())
}

/// The option with the most for it; of two options, the one that is left when only the other is spoken against.
fn best(scores: &[(i32, i32)]) -> Option<usize> {
    let net = |(for_it, against): &(i32, i32)| if *for_it > 0 { for_it - 2 * against } else { 0 };
    let most = scores.iter().map(net).max().filter(|most| *most > 0);
    if let Some(most) = most {
        let mut winners = (0..scores.len()).filter(|at| net(&scores[*at]) == most);
        return winners.next().filter(|_| winners.next().is_none());
    }
    match scores {
        [(0, 0), (_, against)] if *against > 0 => Some(0),
        [(_, against), (0, 0)] if *against > 0 => Some(1),
        _ => None,
    }
}

/// Where options are named: the longest phrase wins where several overlap.
fn mentions(phrases: &[(usize, Vec<String>)], words: &[String]) -> Vec<(usize, usize, usize)> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let fits = phrases.iter().filter(|(_, phrase)| words[at..].starts_with(phrase));
        match fits.max_by_key(|(_, phrase)| phrase.len()) {
            Some((option, phrase)) => {
                found.push((*option, at, phrase.len()));
                at += phrase.len();
            }
            None => at += 1,
        }
    }
    found
}

const AGAINST: [&str; 18] = [
    "not", "no", "never", "avoid", "without", "against", "reject", "drop", "abandon", "forbid", "instead",
    "rather", "over", "than", "awai", "replac", "nor", "stop",
];
const MODAL: [&str; 8] = ["should", "must", "shall", "will", "would", "can", "mai", "ought"];
const DISMISSES: [&str; 8] = ["wrong", "mistak", "overkil", "reject", "unaccept", "unsuit", "unsaf", "rule"];

/// Whether a mention is spoken against in its clause.
fn is_against(words: &[String], at: usize, len: usize) -> bool {
    let before = &words[at.saturating_sub(5)..at];
    let after = words.get(at + len..).unwrap_or_default();
    let negated = before.iter().enumerate().any(|(n, word)| {
        let next = before.get(n + 1).map(String::as_str);
        let only = matches!(next, Some("onli" | "just" | "mere"));
        // "replace A with B" and "away from A to B" speak against A alone.
        let turned = matches!(word.as_str(), "replac" | "awai")
            && before[n..].iter().any(|w| w == "with" || w == "to");
        AGAINST.contains(&word.as_str()) && !only && !turned
    });
    let from = before.iter().rev().take(2).any(|word| word == "from");
    let modal = |word: Option<&String>| word.is_some_and(|word| MODAL.contains(&word.as_str()));
    let refused = modal(after.first()) && after.get(1).is_some_and(|word| word == "not" || word == "never");
    let is_not = after.first().is_some_and(|word| matches!(word.as_str(), "is" | "ar"))
        && after.get(1).is_some_and(|word| word == "not");
    let dismissed = after.iter().take(4).any(|word| DISMISSES.contains(&word.as_str()));
    negated || from || refused || is_not || dismissed
}
