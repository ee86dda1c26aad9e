//! Numbers in several words: "twenty-two", "two and a half", "4 hours and 20 minutes", "178 to 179 million".

use super::number::{self, Bound, Number};
use super::token::{Kind, Token};

/// "t" of "isn't", spelled numbers with tens, scales, halves and units, and amounts given in two units.
pub(super) fn join_numbers(tokens: &mut Vec<Token>) {
    // The rest of a denial that was already read.
    let mut index = 1;
    while index < tokens.len() {
        if tokens[index].word == "t" && tokens[index - 1].word == "not" {
            tokens.remove(index);
        }
        index += 1;
    }
    let mut index = 0;
    while index < tokens.len() {
        join_spelled(tokens, index);
        index += 1;
    }
    join_ranges(tokens);
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
