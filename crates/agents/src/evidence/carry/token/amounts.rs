//! Numbers in a row of words: spelled ones, their units, their bounds, and what they are counted over.

use super::super::lexicon;
use super::super::number::{self, Bound, Number};
use super::{Kind, Token};
use crate::rules::words::stem;

/// Spelled numbers with tens, scales, halves and units, and amounts given in two units.
pub(super) fn join_numbers(tokens: &mut Vec<Token>) {
    let mut index = 0;
    while index < tokens.len() {
        join_spelled(tokens, index);
        index += 1;
    }
    join_ranges(tokens);
    share_units(tokens);
    let mut index = 0;
    while index + 1 < tokens.len() {
        let next =
            if tokens[index + 1].word == "and" || tokens[index + 1].kind == Kind::Mark(',') { 2 } else { 1 };
        if let (Kind::Number(a), Some(Kind::Number(b))) =
            (&tokens[index].kind, tokens.get(index + next).map(|token| &token.kind))
            && ((a.dimension == "second" && b.dimension == "second")
                || (a.dimension == "month" && b.dimension == "month"))
            && b.value < a.value
            && b.value < 86_400.0
            && a.value % 60.0 == 0.0
            && is_larger_unit(&tokens[index].shown, &tokens[index + next].shown)
        {
            let value = a.value + b.value;
            let dimension = a.dimension;
            let shown = format!("{} {}", tokens[index].shown, tokens[index + next].shown);
            tokens[index] =
                Token::new(&shown, Kind::Number(Number { value, dimension, bound: Bound::Exact }));
            tokens.drain(index + 1..=index + next);
        }
        index += 1;
    }
}

pub(super) fn is_larger_unit(first: &str, second: &str) -> bool {
    let rank = |shown: &str| {
        ["second", "minute", "hour", "day", "week", "month", "year"]
            .iter()
            .position(|unit| shown.contains(unit))
            .or_else(|| [" s", "min", " h"].iter().position(|unit| shown.contains(unit)))
    };
    rank(first) > rank(second)
}

/// "twenty-two", "two hundred", "two and a half", "a third", "two thirds", "four out of five"; then the unit.
pub(super) fn join_spelled(tokens: &mut Vec<Token>, index: usize) {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let (mut value, mut end, mut dimension) = match &tokens[index].kind {
        Kind::Number(number) => (number.value, index + 1, number.dimension),
        Kind::Word if matches!(word(index), "a" | "one") && number::fraction(word(index + 1)).is_some() => {
            (1.0, index + 1, "")
        }
        Kind::Word if matches!(word(index), "a" | "one") && number::scale(word(index + 1)).is_some() => {
            (1.0, index + 1, "")
        }
        // "within a week"
        Kind::Word
            if matches!(word(index), "a" | "an")
                && index > 0
                && matches!(
                    word(index - 1),
                    "within" | "for" | "in" | "after" | "than" | "least" | "most" | "of"
                )
                && PERIODS.split(' ').any(|period| period == word(index + 1) && period != "second") =>
        {
            (1.0, index + 1, "")
        }
        Kind::Word if word(index) == "half" => (1.0, index, ""),
        Kind::Word if word(index) == "one" && matches!(word(index + 1), "and" | "out") => {
            (1.0, index + 1, "")
        }
        Kind::Word
            if word(index) == "one"
                && crate::rules::measures::unit(&format!("{} {}", word(index + 1), word(index + 2)))
                    .is_some_and(|(_, length)| length > 2) =>
        {
            (1.0, index + 1, "")
        }
        _ => return,
    };
    let start_end = end;
    if let Some(Kind::Number(next)) = tokens.get(end).map(|token| &token.kind)
        && dimension.is_empty()
        && value >= 20.0
        && value % 10.0 == 0.0
        && next.value < 10.0
        && next.dimension.is_empty()
        && tokens[index].word.starts_with(char::is_alphabetic)
        && tokens[end].word.starts_with(char::is_alphabetic)
    {
        value += next.value;
        end += 1;
    }
    while let Some(factor) = number::scale(word(end)).filter(|_| dimension.is_empty()) {
        value *= factor;
        end += 1;
    }
    if word(end) == "and" && word(end + 1) == "a" && word(end + 2) == "half" && dimension.is_empty() {
        value += 0.5;
        end += 3;
    } else if let Some(parts) = number::fraction(word(end))
        && dimension.is_empty()
        && value < 10.0
        && (word(end) != "second")
    {
        value /= parts;
        dimension = "fraction";
        end += 1;
    } else if word(end) == "out"
        && word(end + 1) == "of"
        && let Some(Kind::Number(whole)) = tokens.get(end + 2).map(|token| &token.kind)
        && whole.value > value
    {
        value /= whole.value;
        dimension = "fraction";
        end += 3;
    }
    if dimension.is_empty() {
        let rest: Vec<&str> =
            tokens[end.min(tokens.len())..].iter().take(3).map(|t| t.word.as_str()).collect();
        let text = rest.join(" ");
        if let Some((unit, length)) = crate::rules::measures::unit(&text)
            && length > 1
        {
            value *= unit.factor;
            dimension = unit.dimension;
            end += text[..length].split(' ').count();
        }
    }
    let unchanged = end == start_end && matches!(tokens[index].kind, Kind::Number(_));
    if unchanged || end <= index {
        return;
    }
    let shown: Vec<&str> = tokens[index..end].iter().map(|token| token.shown.as_str()).collect();
    let token = Token::new(&shown.join(" "), Kind::Number(Number { value, dimension, bound: Bound::Exact }));
    tokens.splice(index..end, [token]);
}

/// "199 of these 396 months", "during 199 months and contracted during 197": a bare number takes the unit that is said with
/// the other.
fn share_units(tokens: &mut [Token]) {
    let measured = |token: &Token| match &token.kind {
        Kind::Number(number)
            if !number.dimension.is_empty() && !matches!(number.dimension, "percent" | "fraction") =>
        {
            let plain = number::digits(&token.shown).map(|(value, _)| value).filter(|value| *value != 0.0)?;
            Some((number.value / plain, number.dimension))
        }
        _ => None,
    };
    for index in 0..tokens.len() {
        let bare = matches!(&tokens[index].kind, Kind::Number(number) if number.dimension.is_empty());
        if !bare || tokens[index].shown.contains(char::is_alphabetic) {
            continue;
        }
        let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
        let whole = (word(index + 1) == "of"
            && matches!(word(index + 2), "the" | "these" | "those" | "its" | "their"))
        .then(|| tokens.get(index + 3).and_then(measured))
        .flatten();
        let ends =
            tokens.get(index + 1).is_none_or(|next| next.is_mark() || lexicon::is_conjunction(&next.word));
        let preposition = index.checked_sub(1).map(|at| tokens[at].word.clone()).unwrap_or_default();
        let before = || {
            (1..index)
                .rev()
                .find(|at| tokens[at - 1].word == preposition && measured(&tokens[*at]).is_some())
                .and_then(|at| measured(&tokens[at]))
        };
        let shared =
            whole.or_else(|| if ends && lexicon::is_preposition(&preposition) { before() } else { None });
        if let (Some((factor, dimension)), Kind::Number(number)) = (shared, &mut tokens[index].kind) {
            number.value *= factor;
            number.dimension = dimension;
        }
    }
}

/// "178 to 179 million euros": the first takes unit and scale of the second.
pub(super) fn join_ranges(tokens: &mut [Token]) {
    for index in 0..tokens.len().saturating_sub(2) {
        let between = tokens[index + 1].word == "to"
            || (tokens[index + 1].word == "and" && index > 0 && tokens[index - 1].word == "between");
        let (Kind::Number(a), Kind::Number(b)) = (&tokens[index].kind, &tokens[index + 2].kind) else {
            continue;
        };
        if !between || !a.dimension.is_empty() {
            continue;
        }
        let plain = number::digits(&tokens[index + 2].shown).map_or(b.value, |(value, _)| value);
        let factor = if plain == 0.0 { 1.0 } else { b.value / plain };
        let joined = Number { value: a.value * factor, dimension: b.dimension, bound: Bound::Exact };
        tokens[index].kind = Kind::Number(joined);
    }
}

pub(super) const BOUNDS_BEFORE: &[(&str, Bound)] = &[
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

pub(super) const BOUNDS_BEHIND: &[(&str, Bound)] = &[
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
pub(super) const CARRIERS: &str = "be is are was fall falls fell drop drops dropped go goes get gets rise rises sink sinks come by to any ever a the of \
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

pub(super) const PERIODS: &str = "second minute hour day week month quarter year night";

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
                    // "on 2 April, a day that traders call …": which day it was.
                    && !tokens.get(index + 2).is_some_and(|next| next.word == "that" || next.word == "when")
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
        let names_each = tokens.get(index + 1).is_some_and(|token| {
            token.is_word() && (token.word == "of" || !lexicon::is_function(&token.word))
        });
        match tokens[index].word.as_str() {
            "each" | "apiece"
                if index > 0
                    && (ends
                        || before == "they"
                        || before == "these"
                        || (before.ends_with('s') && before != "is" && before != "was" && !names_each)) =>
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
