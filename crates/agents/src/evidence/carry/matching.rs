//! Whether one token may stand for another.

use super::number::Bound;
use super::token::{Kind, Token};
use crate::rules::measures;
use crate::rules::synonyms::{self, Relation};

/// Endings that make another word of the same family: "decide" and "decision", "deliver" and "delivery".
const ENDINGS: &[&str] = &[
    "", "e", "ion", "ation", "ition", "ment", "al", "anc", "enc", "ance", "ence", "ive", "abl", "able",
    "ibl", "iz", "ize", "ise", "iti", "y", "i", "li", "ing", "s", "is", "ur", "at", "ate", "t", "d", "c",
    "es", "ed",
];
/// How much two words of a family share at the beginning.
const FAMILY: usize = 4;
const DENYING: &[&str] = &["un", "in", "im", "dis", "non", "ir", "il"];

/// How the first stands to the second; None when they have nothing to do with each other.
pub(super) fn relation(own: &Token, other: &Token) -> Option<Relation> {
    match (&own.kind, &other.kind) {
        (Kind::Number(a), Kind::Number(b)) => {
            let rounded =
                a.bound == Bound::About && matches!(b.bound, Bound::Exact | Bound::About) && a.rounds(b);
            (a.is_same_amount(b) || rounded).then_some(Relation::Same)
        }
        (Kind::Number(number), Kind::Date(date)) | (Kind::Date(date), Kind::Number(number)) => {
            let year = date.month == 0 && number.dimension.is_empty() && number.value == f64::from(date.year);
            year.then_some(Relation::Same)
        }
        (Kind::Date(a), Kind::Date(b)) => {
            let same =
                a.year == b.year && (a.month == 0 || a.month == b.month) && (a.day == 0 || a.day == b.day);
            same.then_some(Relation::Same)
        }
        (Kind::Word, Kind::Word) => words(own, other),
        _ => None,
    }
}

fn words(own: &Token, other: &Token) -> Option<Relation> {
    if own.rate || other.rate {
        let year = |token: &Token| token.stem == "/year" || token.stem == "annual";
        return (own.stem == other.stem || (year(own) && year(other))).then_some(Relation::Same);
    }
    if own.stem == other.stem || head(&own.stem) == head(&other.stem) {
        return Some(Relation::Same);
    }
    // A name stands for itself alone.
    if own.name && own.groups.is_empty() {
        return family(&own.stem, &other.stem).then_some(Relation::Same);
    }
    if let Some(relation) = synonyms::relation(&own.groups, &other.groups) {
        return Some(relation);
    }
    if denies(&own.word, &other.word)
        || denies(&other.word, &own.word)
        || denies(&own.stem, &other.stem)
        || denies(&other.stem, &own.stem)
    {
        return Some(Relation::Denies);
    }
    family(&own.stem, &other.stem).then_some(Relation::Same)
}

/// What the dictionary says of two words of which our own lists say nothing. It knows no context, so it is asked last, and
/// never of numbers, names, or words that say which, how often or how far.
pub(super) fn by_dictionary(own: &Token, other: &Token) -> Option<Relation> {
    let plain = |token: &Token| token.is_word() && token.is_content() && !token.rate && !token.name;
    if !plain(own) || !plain(other) {
        return None;
    }
    if is_fixed(own) || is_fixed(other) {
        return None;
    }
    let (own, other) = (own.entry(), other.entry());
    if own.is_opposed(other) {
        return Some(Relation::Opposite);
    }
    own.is_same(other).then_some(Relation::Same)
}

/// Words of closed rows, of which the dictionary takes some for each other: units, days, months.
fn is_fixed(token: &Token) -> bool {
    let whole = |word: &str| measures::unit(word).is_some_and(|(_, length)| length == word.len());
    whole(&token.word) || whole(token.word.trim_end_matches('s')) || is_row(token.word.trim_end_matches('s'))
}

fn is_row(word: &str) -> bool {
    const ROWS: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october \
november december spring summer autumn winter north south east west northern southern eastern western left right stack heap first second third fourth \
last morning noon afternoon evening night midnight red green blue yellow black white";
    ROWS.split_whitespace().any(|other| other == word)
}

/// What the dictionary says of two words in any of their usual meanings, as any part of speech; with `kinds` also what a
/// word of the quote is a kind of. Too wide to be asked but of words that stand in the same place of two sentences.
pub(super) fn by_place(own: &Token, other: &Token, kinds: bool) -> bool {
    let plain = |token: &Token| token.is_word() && token.is_content() && !token.rate && !token.name;
    if !plain(own) || !plain(other) {
        return false;
    }
    if is_fixed(own) || is_fixed(other) {
        return false;
    }
    let (own, other) = (own.entry(), other.entry());
    !own.is_opposed(other) && (own.is_near(other) || (kinds && own.is_wider(other)))
}

/// The first word of a phrase that goes on with a preposition only: "applied to" is "applied".
fn head(stem: &str) -> &str {
    match stem.split_once(' ') {
        Some((first, "to" | "with" | "of" | "for" | "by" | "from" | "at" | "on" | "in")) => first,
        _ => stem,
    }
}

fn denies(long: &str, short: &str) -> bool {
    short.len() > 3
        && DENYING.iter().any(|prefix| long.strip_prefix(prefix).is_some_and(|rest| rest == short))
}

fn family(a: &str, b: &str) -> bool {
    let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    if shared < FAMILY || !a.is_char_boundary(shared) || !b.is_char_boundary(shared) {
        return false;
    }
    let (rest_a, rest_b) = (&a[shared..], &b[shared..]);
    // A short beginning proves little: then only a change of the last letter, as in "decid" and "decis".
    let long = shared > FAMILY || (rest_a.len() <= 1 && rest_b.len() <= 1);
    let verb_noun = (rest_a, rest_b) == ("d", "s") || (rest_a, rest_b) == ("s", "d");
    long && (verb_noun
        || ((rest_a.is_empty() || rest_b.is_empty())
            && ENDINGS.contains(&rest_a)
            && ENDINGS.contains(&rest_b)))
}

/// Places of words in a row whose first letters are this acronym.
pub(super) fn spelled_out(acronym: &Token, tokens: &[Token]) -> Option<Vec<usize>> {
    let letters: Vec<char> = acronym.shown.chars().collect();
    if letters.len() < 2 || letters.len() > 6 || !letters.iter().all(|letter| letter.is_ascii_uppercase()) {
        return None;
    }
    let words: Vec<usize> = (0..tokens.len())
        .filter(|at| {
            tokens[*at].kind == Kind::Word
                && !matches!(tokens[*at].word.as_str(), "of" | "the" | "and" | "for")
        })
        .collect();
    words.windows(letters.len()).find_map(|run| {
        let fits = run.iter().zip(&letters).all(|(at, letter)| {
            tokens[*at].shown.chars().next().is_some_and(|first| first.to_ascii_uppercase() == *letter)
        });
        fits.then(|| run.to_vec())
    })
}
