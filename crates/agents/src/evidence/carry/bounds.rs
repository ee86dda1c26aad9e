//! "at least", "not more than", "about": what a number is said to be of the true amount. And what amounts are counted over.

use super::lexicon;
use super::number::Bound;
use super::token::{Kind, Token};
use crate::rules::words::stem;

const BOUNDS_BEFORE: &[(&str, Bound)] = &[
    ("at least", Bound::AtLeast),
    ("no less than", Bound::AtLeast),
    ("no fewer than", Bound::AtLeast),
    ("no lower than", Bound::AtLeast),
    ("minimum of", Bound::AtLeast),
    ("minimum", Bound::AtLeast),
    ("at most", Bound::AtMost),
    ("at the most", Bound::AtMost),
    ("up to", Bound::AtMost),
    ("no more than", Bound::AtMost),
    ("no greater than", Bound::AtMost),
    ("no higher than", Bound::AtMost),
    ("no longer than", Bound::AtMost),
    ("maximum of", Bound::AtMost),
    ("as much as", Bound::AtMost),
    ("as many as", Bound::AtMost),
    ("limited to", Bound::AtMost),
    ("more than", Bound::MoreThan),
    ("greater than", Bound::MoreThan),
    ("higher than", Bound::MoreThan),
    ("larger than", Bound::MoreThan),
    ("longer than", Bound::MoreThan),
    ("in excess of", Bound::MoreThan),
    ("upwards of", Bound::MoreThan),
    ("over", Bound::MoreThan),
    ("above", Bound::MoreThan),
    ("exceed", Bound::MoreThan),
    ("exceeds", Bound::MoreThan),
    ("exceeded", Bound::MoreThan),
    ("exceeding", Bound::MoreThan),
    ("less than", Bound::LessThan),
    ("fewer than", Bound::LessThan),
    ("lower than", Bound::LessThan),
    ("smaller than", Bound::LessThan),
    ("shorter than", Bound::LessThan),
    ("short of", Bound::LessThan),
    ("just under", Bound::LessThan),
    ("under", Bound::LessThan),
    ("below", Bound::LessThan),
    ("about", Bound::About),
    ("around", Bound::About),
    ("approximately", Bound::About),
    ("roughly", Bound::About),
    ("some", Bound::About),
    ("circa", Bound::About),
    ("ca", Bound::About),
    ("approx", Bound::About),
    ("an estimated", Bound::About),
    ("estimated", Bound::About),
    ("close to", Bound::About),
    ("in the region of", Bound::About),
    ("nearly", Bound::Nearly),
    ("almost", Bound::Nearly),
];

const BOUNDS_BEHIND: &[(&str, Bound)] = &[
    ("or more", Bound::AtLeast),
    ("or above", Bound::AtLeast),
    ("or higher", Bound::AtLeast),
    ("and above", Bound::AtLeast),
    ("or over", Bound::AtLeast),
    ("at least", Bound::AtLeast),
    ("and more", Bound::AtLeast),
    ("or less", Bound::AtMost),
    ("or fewer", Bound::AtMost),
    ("or below", Bound::AtMost),
    ("or under", Bound::AtMost),
    ("at most", Bound::AtMost),
    ("or so", Bound::About),
];

/// Words between a denial and the bound it turns round: "must not fall below", "is never less than".
const CARRIERS: &str = "be is are was fall falls fell drop drops dropped go goes get gets rise rises sink sinks come by to any ever a the of \
much far";

pub(super) fn bounds(tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        if !matches!(tokens[index].kind, Kind::Number(_)) {
            continue;
        }
        let mut bound = Bound::Exact;
        let mut start = index;
        for (phrase, found) in BOUNDS_BEFORE {
            let length = phrase.split(' ').count();
            // An article may stand between: "below the 45".
            if start == index && ends_with(&tokens[..index], phrase) {
                bound = *found;
                start = index - length;
            }
        }
        if start < index {
            let mut behind = start;
            while behind > 0 && CARRIERS.split_whitespace().any(|word| word == tokens[behind - 1].word) {
                behind -= 1;
            }
            let denied = behind > 0 && matches!(tokens[behind - 1].word.as_str(), "not" | "never");
            if denied && matches!(bound, Bound::MoreThan | Bound::LessThan) {
                bound = bound.denied();
                start = behind - 1;
            }
            if start > 0
                && matches!(tokens[start - 1].word.as_str(), "just" | "little" | "well" | "slightly")
                && matches!(bound, Bound::MoreThan | Bound::LessThan)
            {
                start -= 1;
                if tokens[start].word == "little" && start > 0 && tokens[start - 1].word == "a" {
                    start -= 1;
                }
            }
            for token in &mut tokens[start..index] {
                token.skip = !matches!(token.word.as_str(), "is" | "are" | "was" | "were");
            }
        } else {
            // Right behind the number, or behind what is counted: "5 members or fewer".
            let behind = (index + 1..(index + 4).min(tokens.len()))
                .take_while(|at| *at == index + 1 || tokens[at - 1].is_word());
            let found = behind
                .flat_map(|at| BOUNDS_BEHIND.iter().map(move |(phrase, found)| (at, *phrase, *found)))
                .find(|(at, phrase, _)| begins_with(&tokens[*at..], phrase));
            if let Some((at, phrase, found)) = found {
                bound = found;
                for token in &mut tokens[at..at + phrase.split(' ').count()] {
                    token.skip = true;
                }
            }
        }
        if let Kind::Number(number) = &mut tokens[index].kind {
            number.bound = bound;
        }
    }
}

pub(super) fn ends_with(tokens: &[Token], phrase: &str) -> bool {
    let words: Vec<&str> = phrase.split(' ').collect();
    tokens.len() >= words.len()
        && tokens[tokens.len() - words.len()..]
            .iter()
            .zip(&words)
            .all(|(token, word)| token.word == **word && !token.skip && token.is_word())
}

pub(super) fn begins_with(tokens: &[Token], phrase: &str) -> bool {
    let mut words = phrase.split(' ');
    let mut own = tokens.iter();
    words.all(|word| own.next().is_some_and(|token| token.word == word))
}

const PERIODS: &str = "second minute hour day week month quarter year night";

/// "per kWh", "a day", "each year", "12 MW each", "yearly".
pub(super) fn rates(tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        if !tokens[index].is_word() || tokens[index].skip {
            continue;
        }
        let next = tokens.get(index + 1).filter(|token| token.is_word()).map(|token| token.word.clone());
        let period = next.as_deref().is_some_and(|word| PERIODS.split(' ').any(|period| period == word));
        let before = index.checked_sub(1).map_or("", |at| tokens[at].word.as_str()).to_owned();
        let counted = match (tokens[index].word.as_str(), next) {
            ("per", Some(next)) if next != "cent" => Some(next),
            ("each" | "every", Some(next)) if period => Some(next),
            ("a" | "an", Some(next))
                if period
                    && !lexicon::is_preposition(&before)
                    && !matches!(tokens.get(index + 2), Some(token) if token.is_word() && !lexicon::is_function(&token.word) && token.operator.is_none())
                    && (index > 0 || matches!(tokens.get(2), Some(token) if token.is_mark())) =>
            {
                Some(next)
            }
            _ => None,
        };
        if let Some(counted) = counted {
            tokens[index + 1].skip = true;
            set_rate(&mut tokens[index], &counted);
            continue;
        }
        let ends =
            tokens.get(index + 1).is_none_or(|token| token.is_mark() || lexicon::is_conjunction(&token.word));
        match tokens[index].word.as_str() {
            "each" | "apiece"
                if index > 0
                    && (ends
                        || before == "they"
                        || before == "these"
                        || (before.ends_with('s') && !period && before != "is" && before != "was")) =>
            {
                set_rate(&mut tokens[index], "each");
            }
            "daily" => set_rate(&mut tokens[index], "day"),
            "weekly" => set_rate(&mut tokens[index], "week"),
            "monthly" => set_rate(&mut tokens[index], "month"),
            "yearly" | "annually" => set_rate(&mut tokens[index], "year"),
            "hourly" => set_rate(&mut tokens[index], "hour"),
            _ => {}
        }
    }
}

pub(super) fn set_rate(token: &mut Token, counted: &str) {
    token.rate = true;
    token.stem = format!("/{}", stem(counted));
    token.word = format!("per {counted}");
}
