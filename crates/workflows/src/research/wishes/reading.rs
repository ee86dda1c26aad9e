//! From a sentence to the wishes in it.

use baton_agents::rules::words::{fold, word_ranges};

use crate::research::relevance::telling_stems;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// One more thing to find out.
    Add(String),
    /// Parts of the plan, by their places from 0; `usize::MAX` is the last.
    Drop(Vec<usize>),
    /// What is not wanted, wherever it stands.
    Without(String),
    /// Nothing but these.
    Only(String),
    /// A part, and what it becomes.
    Reword(usize, String),
}

const WITHOUT: &[&str] = &[
    "without",
    "drop",
    "remove",
    "leave out",
    "leave away",
    "exclude",
    "skip",
    "omit",
    "delete",
    "cut",
    "ignore",
    "forget about",
    "forget",
    "get rid of",
    "don't look at",
    "do not look at",
    "don't ask about",
    "do not ask about",
    "nothing about",
    "nothing on",
    "no more about",
    "everything except",
    "everything but",
    "except",
    "not",
    "no",
    "ohne",
    "lass weg",
    "sans",
    "enlève",
    "retire",
    "sin",
    "quita",
    "elimina",
];
const ADD: &[&str] = &[
    "add",
    "also",
    "include",
    "as well as",
    "plus",
    "look at",
    "look into",
    "look up",
    "find out",
    "ask about",
    "ask",
    "cover",
    "consider",
    "mention",
    "what about",
    "how about",
    "tell me about",
    "i want to know",
    "i also want to know",
    "auch",
    "zusätzlich",
    "außerdem",
    "ergänze",
    "aussi",
    "ajoute",
    "ajoutez",
    "también",
    "añade",
    "agrega",
];
const ONLY: &[&str] = &[
    "only",
    "just",
    "nothing but",
    "keep only",
    "restrict it to",
    "limit it to",
    "nur",
    "seulement",
    "solo",
];
const REWORD: &[(&str, &str)] = &[
    ("change", "to"),
    ("change", "into"),
    ("replace", "with"),
    ("replace", "by"),
    ("rename", "to"),
    ("reword", "to"),
    ("make", "about"),
];
/// What is said for the sake of politeness.
const POLITE: &[&str] = &[
    "please",
    "kindly",
    "could you",
    "can you",
    "would you",
    "you should",
    "you can",
    "i would like you to",
    "i would like to",
    "i'd like you to",
    "i'd like to",
    "i would like",
    "i'd like",
    "i want you to",
    "i want",
    "let us",
    "let's",
    "and",
    "but",
    "then",
    "bitte",
    "s'il te plaît",
    "s'il vous plaît",
    "por favor",
];
/// What stands between the verb and what is meant.
const LEADING: &[&str] = &[
    "another",
    "one more",
    "a new",
    "new",
    "a",
    "an",
    "the",
    "any",
    "all",
    "question about",
    "question on",
    "questions about",
    "questions on",
    "question",
    "part about",
    "part on",
    "part",
    "section about",
    "section on",
    "section",
    "dimension about",
    "dimension on",
    "dimension",
    "point about",
    "point",
    "something about",
    "something on",
    "anything about",
    "anything on",
    "everything about",
    "about",
    "on",
    "of",
    "die",
    "der",
    "das",
    "den",
    "eine",
    "einen",
    "la",
    "le",
    "les",
    "une",
    "un",
    "el",
    "los",
    "las",
    "una",
    "frage nach",
    "frage zu",
    "question sur",
    "pregunta sobre",
    "sobre",
];
/// Places in a list.
const PLACES: &[(&str, usize)] = &[
    ("first", 0),
    ("second", 1),
    ("third", 2),
    ("fourth", 3),
    ("fifth", 4),
    ("sixth", 5),
    ("seventh", 6),
    ("eighth", 7),
    ("ninth", 8),
    ("last", usize::MAX),
    ("one", 0),
    ("two", 1),
    ("three", 2),
    ("four", 3),
    ("five", 4),
    ("six", 5),
    ("seven", 6),
];
/// Words that may stand beside a place and mean nothing else.
const BESIDE: &[&str] = &[
    "the",
    "and",
    "or",
    "part",
    "parts",
    "question",
    "questions",
    "dimension",
    "dimensions",
    "point",
    "points",
    "number",
    "no",
    "nr",
    "one",
    "ones",
    "item",
    "of",
];
/// A sentence cut where another wish begins.
pub fn clauses(said: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, sign) in said
        .match_indices([';', ',', '.'])
        .chain(said.match_indices(" and "))
        .chain(said.match_indices(" but "))
    {
        let rest = &said[at + sign.len()..];
        if at > start && begins(rest) && said[start..at].split_whitespace().count() > 1 {
            found.push((start, at));
            start = at + sign.len();
        }
    }
    found.push((start, said.len()));
    found.into_iter().map(|(from, to)| said[from..to].trim()).filter(|clause| !clause.is_empty()).collect()
}

/// Whether a text opens with a word of ours.
fn begins(text: &str) -> bool {
    let text = after_all(text, POLITE);
    let verbs = REWORD.iter().map(|(verb, _)| *verb);
    WITHOUT
        .iter()
        .chain(ADD)
        .chain(ONLY)
        .copied()
        .chain(verbs)
        .any(|opener| opener.len() > 2 && after(text, opener).is_some())
}

/// What one clause wants.
pub fn read(clause: &str) -> Option<Wish> {
    let text = clause.trim().trim_matches(['"', '\'', '“', '”']);
    let is_question = text.ends_with('?');
    let text = after_all(text, POLITE).trim_end_matches(['.', '!', '?']).trim();
    if is_question && word_ranges(text).count() > 1 {
        return Some(Wish::Add(format!("{text}?")));
    }
    if let Some(wish) = reworded(text) {
        return Some(wish);
    }
    if let Some(rest) = ONLY.iter().find_map(|opener| after(text, opener)) {
        return meant(rest).map(Wish::Only);
    }
    if let Some(rest) = WITHOUT.iter().find_map(|opener| after(text, opener)) {
        return places(rest).map(Wish::Drop).or_else(|| meant(rest).map(Wish::Without));
    }
    let rest = ADD.iter().find_map(|opener| after(text, opener))?;
    // "also without the costs", "and please also look at noise"
    let rest = after_all(rest, POLITE);
    if begins(rest) { read(rest) } else { meant(rest).map(Wish::Add) }
}

/// "change the second to …": a part, and what it becomes.
fn reworded(text: &str) -> Option<Wish> {
    REWORD.iter().find_map(|(verb, into)| {
        let rest = after(text, verb)?;
        let middle = format!(" {into} ");
        let at = rest.to_lowercase().find(&middle)?;
        let which = places(rest.get(..at)?)?;
        let what = meant(rest.get(at + middle.len()..)?)?;
        Some(Wish::Reword(*which.first()?, what))
    })
}

/// What is meant, without articles and "a question about"; none if no word of it tells anything.
fn meant(text: &str) -> Option<String> {
    let text = after_all(text.trim().trim_start_matches([':', '-', ',']).trim_start(), LEADING).trim();
    (!telling_stems(text).is_empty()).then(|| text.to_owned())
}

/// Places of a list, if nothing else is named.
fn places(text: &str) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for word in words(text) {
        let digits = word.trim_start_matches('d').trim_end_matches(|letter: char| letter.is_alphabetic());
        let number = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let named = PLACES.iter().find(|(name, _)| *name == word).map(|(_, at)| *at);
        match number.or(named) {
            // "the first one" names one place.
            Some(_) if word == "one" && !found.is_empty() => {}
            Some(at) => found.push(at),
            None if BESIDE.contains(&word.as_str()) => {}
            None => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// What follows an opener; none if the text does not begin with it.
fn after<'a>(text: &'a str, opener: &str) -> Option<&'a str> {
    let begins = text.get(..opener.len())?;
    let rest = &text[opener.len()..];
    (begins.to_lowercase() == opener && rest.starts_with(|letter: char| !letter.is_alphanumeric()))
        .then(|| rest.trim_start())
}

/// What follows any number of openers.
fn after_all<'a>(text: &'a str, openers: &[&str]) -> &'a str {
    let mut rest = text.trim();
    while let Some(next) =
        openers.iter().find_map(|opener| after(rest, opener)).filter(|next| !next.is_empty())
    {
        rest = next.trim_start_matches(',').trim_start();
    }
    rest
}

fn words(text: &str) -> Vec<String> {
    word_ranges(text).map(|range| fold(&text[range])).collect()
}
