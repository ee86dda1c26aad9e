//! A text as the gate reads it: words with their stems and groups, numbers with unit and bound, dates, and the words that
//! change what is claimed.

use super::lexicon::{self, Operator};
use super::number::{self, Bound, Number};
use crate::rules::dates::{Date, dates};
use crate::rules::synonyms::{self, Group};
use crate::rules::words::{fold, stem};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Word,
    Number(Number),
    Date(Date),
    Mark(char),
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    /// As written.
    pub(super) shown: String,
    /// Lower case without marks.
    pub(super) word: String,
    pub(super) stem: String,
    pub(super) kind: Kind,
    pub(super) groups: Vec<Group>,
    pub(super) operator: Option<Operator>,
    /// Capitalised, and not because a sentence begins.
    pub(super) name: bool,
    /// "per kWh", "a day": what an amount is counted over.
    pub(super) rate: bool,
    /// Part of another token, or of nothing that is claimed.
    pub(super) skip: bool,
    /// The rest of a word with a hyphen.
    pub(super) joined: bool,
    /// The preposition it stands behind.
    pub(super) preposition: &'static str,
}

impl Token {
    fn new(shown: &str, kind: Kind) -> Self {
        let word = fold(shown);
        let base = lexicon::irregular(&word).map_or(word.as_str(), |(base, ..)| base);
        let stem = match base {
            word if lexicon::is_be(word) => "be".to_owned(),
            "has" => "have".to_owned(),
            "goes" => "go".to_owned(),
            "added" | "adding" | "adds" => "add".to_owned(),
            word => synonyms::base(word),
        };
        Self {
            shown: shown.to_owned(),
            word,
            stem,
            kind,
            groups: Vec::new(),
            operator: None,
            name: false,
            rate: false,
            skip: false,
            joined: false,
            preposition: "",
        }
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(super) fn is_mark(&self) -> bool {
        matches!(self.kind, Kind::Mark(_))
    }

    pub(super) fn is_amount(&self) -> bool {
        !self.skip && matches!(self.kind, Kind::Number(_) | Kind::Date(_))
    }

    /// Does it say something that must stand in the quote?
    pub(super) fn is_content(&self) -> bool {
        if self.skip || self.operator.is_some() {
            return false;
        }
        match self.kind {
            Kind::Word => self.rate || !lexicon::is_function(&self.word),
            Kind::Number(_) | Kind::Date(_) => true,
            Kind::Mark(_) => false,
        }
    }
}

/// The tokens of one sentence.
pub(super) fn tokens(sentence: &str) -> Vec<Token> {
    // What is written in capitals has no names in it.
    let capitals = !sentence.contains(char::is_lowercase) && sentence.split(' ').count() > 3;
    let mut tokens = if capitals { lex(&sentence.to_lowercase()) } else { lex(sentence) };
    join_numbers(&mut tokens);
    bounds(&mut tokens);
    rates(&mut tokens);
    operators(&mut tokens);
    group(&mut tokens);
    prepositions(&mut tokens);
    tokens
}

fn lex(text: &str) -> Vec<Token> {
    let dated = dates(text);
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        if let Some(date) = dated.iter().find(|date| date.range.start == at) {
            tokens.push(Token::new(&text[date.range.clone()], Kind::Date(date.date)));
            at = date.range.end;
            continue;
        }
        let length = letter.len_utf8();
        if letter.is_whitespace() {
            at += length;
        } else if text[at..].starts_with("(s)") {
            at += "(s)".len();
        } else if let Some((token, taken)) = amount(&text[at..], tokens.last(), &text[..at]) {
            tokens.push(token);
            at += taken;
        } else if letter.is_alphanumeric() {
            let word = word_length(&text[at..]);
            let before = tokens.len();
            push_word(&text[at..at + word], &mut tokens);
            if text[..at].ends_with('-') && at > 1 && text[..at - 1].ends_with(char::is_alphanumeric) {
                for token in &mut tokens[before..] {
                    token.joined = true;
                }
            }
            at += word;
        } else {
            push_mark(letter, &text[..at], &text[at + length..], &mut tokens);
            at += length;
        }
    }
    tokens
}

/// A number with the currency before it or the unit behind it.
fn amount(text: &str, last: Option<&Token>, before: &str) -> Option<(Token, usize)> {
    let first = text.chars().next()?;
    let money = crate::rules::measures::currency(first);
    let negative = matches!(first, '-' | '−')
        && before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(')
        && last.is_none_or(|token| !matches!(token.kind, Kind::Number(_)));
    let lead = if money.is_some() || negative { first.len_utf8() } else { 0 };
    let gap = text[lead..].len() - text[lead..].trim_start_matches([' ', '\u{a0}']).len();
    let lead = if money.is_some() { lead + gap.min(1) } else { lead };
    if before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let (value, length) = number::digits(&text[lead..])?;
    let mut value = if negative { -value } else { value };
    let mut end = lead + length;
    let mut dimension = money.unwrap_or_default();
    let scale_word = text[end..].trim_start_matches([' ', '\u{a0}', '\n']);
    let scaled = word_length(scale_word);
    if let Some(factor) = number::scale(&fold(&scale_word[..scaled]))
        && text[end..].len() - scale_word.len() <= 1
    {
        value *= factor;
        end = text.len() - scale_word.len() + scaled;
    }
    if let Some((unit, taken)) = number::unit_behind(&text[end..])
        && money.is_none()
    {
        value *= unit.factor;
        dimension = unit.dimension;
        end += taken;
    } else if text[end..].starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let shown = &text[..end];
    let digits = &text[lead..lead + length];
    let is_year = dimension.is_empty() && digits.len() == 4 && (1800.0..2100.0).contains(&value) && lead == 0;
    let kind = if is_year {
        Kind::Date(Date { year: value as i32, month: 0, day: 0 })
    } else {
        Kind::Number(Number { value, dimension, bound: Bound::Exact })
    };
    Some((Token::new(shown, kind), end))
}

/// How far a word goes: letters and digits, and inside it what joins digits or identifiers.
fn word_length(text: &str) -> usize {
    let mut end = 0;
    let mut characters = text.char_indices().peekable();
    let digit = text.starts_with(|c: char| c.is_ascii_digit());
    while let Some((at, letter)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let joins = (letter == '_' && end > 0)
            || (matches!(letter, '.' | ':' | '/') && digit && next.is_some_and(|c| c.is_ascii_digit()))
            || (letter == '-'
                && digit
                && text[..end].contains('.')
                && next.is_some_and(|c| c.is_ascii_digit()));
        if !(letter.is_alphanumeric() || joins) {
            break;
        }
        end = at + letter.len_utf8();
    }
    end
}

fn push_word(shown: &str, tokens: &mut Vec<Token>) {
    let opens = tokens
        .iter()
        .rev()
        .find(|token| !matches!(token.kind, Kind::Mark('"')))
        .is_none_or(|token| matches!(token.kind, Kind::Mark('.' | ':' | '!' | '?')));
    let word = fold(shown);
    if word == "cannot" {
        tokens.push(Token::new("can", Kind::Word));
        tokens.push(Token::new("not", Kind::Word));
        return;
    }
    if let Some(value) = number::spelled(&word)
        && word != "one"
    {
        tokens.push(Token::new(shown, Kind::Number(Number { value, dimension: "", bound: Bound::Exact })));
        return;
    }
    let mut token = Token::new(shown, Kind::Word);
    token.name = shown.starts_with(char::is_uppercase) && !opens
        || shown.chars().skip(1).any(char::is_uppercase)
        || (shown.contains(char::is_alphabetic) && shown.contains(|c: char| c.is_ascii_digit()));
    tokens.push(token);
}

fn push_mark(letter: char, before: &str, after: &str, tokens: &mut Vec<Token>) {
    match letter {
        '\'' | '’' if before.ends_with('n') && after.starts_with('t') => {
            // "isn't": the word before ends with the n of the denial.
            let Some(last) = tokens.pop() else { return };
            let base = match last.word.as_str() {
                "won" => "will",
                "can" => "can",
                "shan" => "shall",
                word => word.strip_suffix('n').unwrap_or(word),
            };
            tokens.push(Token::new(base, Kind::Word));
            tokens.push(Token::new("not", Kind::Word));
        }
        '-' | '–' | '—' => {
            let spaced = before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace);
            if spaced || letter == '—' {
                tokens.push(Token::new("—", Kind::Mark('—')));
            } else if letter == '–' || matches!(tokens.last(), Some(t) if matches!(t.kind, Kind::Number(_)))
            {
                tokens.push(Token::new("to", Kind::Word));
            }
        }
        '“' | '”' | '"' => tokens.push(Token::new("\"", Kind::Mark('"'))),
        ',' | ';' | ':' | '(' | ')' | '.' | '!' | '?' | '|' => {
            tokens.push(Token::new(&letter.to_string(), Kind::Mark(letter)));
        }
        '~' | '≈' => tokens.push(Token::new("about", Kind::Word)),
        '≥' => tokens.extend(["at", "least"].map(|word| Token::new(word, Kind::Word))),
        '≤' => tokens.extend(["at", "most"].map(|word| Token::new(word, Kind::Word))),
        _ => {}
    }
}

/// "t" of "isn't", spelled numbers with tens, scales, halves and units, and amounts given in two units.
fn join_numbers(tokens: &mut Vec<Token>) {
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

fn is_larger_unit(first: &str, second: &str) -> bool {
    let rank = |shown: &str| {
        ["second", "minute", "hour", "day", "week", "month", "year"]
            .iter()
            .position(|unit| shown.contains(unit))
            .or_else(|| [" s", "min", " h"].iter().position(|unit| shown.contains(unit)))
    };
    rank(first) > rank(second)
}

/// "twenty-two", "two hundred", "two and a half", "a third", "two thirds", "four out of five"; then the unit.
fn join_spelled(tokens: &mut Vec<Token>, index: usize) {
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
fn join_ranges(tokens: &mut [Token]) {
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

fn bounds(tokens: &mut [Token]) {
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

fn ends_with(tokens: &[Token], phrase: &str) -> bool {
    let words: Vec<&str> = phrase.split(' ').collect();
    tokens.len() >= words.len()
        && tokens[tokens.len() - words.len()..]
            .iter()
            .zip(&words)
            .all(|(token, word)| token.word == **word && !token.skip && token.is_word())
}

fn begins_with(tokens: &[Token], phrase: &str) -> bool {
    let mut words = phrase.split(' ');
    let mut own = tokens.iter();
    words.all(|word| own.next().is_some_and(|token| token.word == word))
}

const PERIODS: &str = "second minute hour day week month quarter year night";

/// "per kWh", "a day", "each year", "12 MW each", "yearly".
fn rates(tokens: &mut [Token]) {
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
                set_rate(&mut tokens[index], "each")
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

fn set_rate(token: &mut Token, counted: &str) {
    token.rate = true;
    token.stem = format!("/{}", stem(counted));
    token.word = format!("per {counted}");
}

/// Phrases that say nothing of the world, and two words that are one preposition.
fn asides(tokens: &mut [Token]) {
    for index in 0..tokens.len().saturating_sub(1) {
        let (first, second) = (tokens[index].word.as_str(), tokens[index + 1].word.as_str());
        let aside = matches!(
            (first, second),
            ("for", "example")
                | ("for", "instance")
                | ("of", "course")
                | ("in", "particular")
                | ("in", "addition")
                | ("in", "advance")
                | ("in", "fact")
                | ("that", "is")
                | ("ahead", "of")
        );
        let is_that = first == "that" && !(index > 0 && tokens[index - 1].kind == Kind::Mark(','));
        if aside && !is_that {
            tokens[index].skip = true;
            tokens[index + 1].skip = true;
        } else if (first, second) == ("prior", "to") {
            tokens[index] = Token::new("before", Kind::Word);
            tokens[index + 1].skip = true;
        }
    }
}

fn operators(tokens: &mut [Token]) {
    asides(tokens);
    let mut index = 0;
    while index < tokens.len() {
        let token = &tokens[index];
        if token.skip || token.rate || !token.is_word() {
            index += 1;
            continue;
        }
        let words: Vec<&str> = tokens[index..]
            .iter()
            .take(5)
            .take_while(|token| token.is_word() && !token.skip)
            .map(|token| token.word.as_str())
            .collect();
        let Some((operator, length)) = lexicon::operator(&words) else {
            index += 1;
            continue;
        };
        if is_no_operator(tokens, index, operator, length) {
            index += 1;
            continue;
        }
        tokens[index].operator = Some(operator);
        for token in &mut tokens[index + 1..index + length] {
            token.skip = true;
        }
        index += length;
    }
}

/// Words that look like an operator and are none where they stand.
fn is_no_operator(tokens: &[Token], index: usize, operator: Operator, length: usize) -> bool {
    let token = &tokens[index];
    let before = index.checked_sub(1).map(|at| &tokens[at]);
    let word_before = before.map_or("", |token| token.word.as_str());
    let behind = tokens.get(index + length);
    let word_behind = behind.map_or("", |token| token.word.as_str());
    let comma = before.is_some_and(|token| token.kind == Kind::Mark(','));
    match token.word.as_str() {
        "may" => token.name && token.shown == "May",
        "will" | "can" => lexicon::is_determiner(word_before),
        "no" => token.shown == "No" && behind.is_some_and(Token::is_amount),
        "most" => word_before == "the" && word_behind != "of",
        "when" | "where" => comma || (length == 1 && token.word == "where" && index > 0),
        "once" => !matches!(word_behind, "the" | "it" | "they" | "a" | "an" | "you" | "this" | "all"),
        "provided" => length == 1 && !matches!(word_behind, "the" | "it" | "they" | "you" | "a" | "an"),
        "little" => word_before == "a",
        "not" => matches!(word_behind, "only" | "just" | "merely"),
        "only" | "just" => matches!(word_before, "not" | "read"),
        "considered" | "consider" => operator == Operator::Believed && word_behind == "using",
        "due" => operator == Operator::Because && word_before == "are" && word_behind == "in",
        "say" => comma,
        // "…, so nobody came": the other uses of the word are no cause.
        "so" => {
            length == 1
                && (!(comma || word_before == "and")
                    || matches!(word_behind, "that" | "far" | "much" | "many"))
        }
        // Nouns as often as verbs.
        "claims" | "claim" | "claimed" | "estimates" | "estimate" | "promises" | "promise" | "doubts"
        | "doubt" | "aims" | "hopes" => {
            length == 1
                && !matches!(
                    word_behind,
                    "that" | "to" | "it" | "the" | "a" | "he" | "she" | "they" | "this" | "these" | "there"
                )
        }
        "well" => true,
        _ => false,
    }
}

/// Gives words their groups; a listed phrase becomes one token.
fn group(tokens: &mut [Token]) {
    let mut index = 0;
    while index < tokens.len() {
        let free = |token: &Token| token.is_word() && !token.skip && token.operator.is_none() && !token.rate;
        if !free(&tokens[index]) {
            index += 1;
            continue;
        }
        let stems: Vec<&str> =
            tokens[index..].iter().take(5).take_while(|token| free(token)).map(|t| t.stem.as_str()).collect();
        let (groups, length) = synonyms::groups(&stems);
        let function = lexicon::is_function(&tokens[index].word);
        if groups.is_empty() || (function && length == 1) {
            index += 1;
            continue;
        }
        if length > 1 {
            let shown: Vec<&str> = tokens[index..index + length].iter().map(|t| t.shown.as_str()).collect();
            let (shown, stem) = (shown.join(" "), stems[..length].join(" "));
            let name = tokens[index].name;
            let word = tokens[index].word.clone();
            let mut token = Token::new(&shown, Kind::Word);
            (token.stem, token.name) = (stem, name);
            if function {
                // "be located": the phrase is content although its first word is none.
                token.word = format!("{word} {}", tokens[index + 1].word);
            } else {
                token.word = word;
            }
            tokens[index] = token;
            for token in &mut tokens[index + 1..index + length] {
                token.skip = true;
            }
        }
        tokens[index].groups = groups;
        index += length.max(1);
    }
}

/// Which preposition governs a word or number: the nearest one before it without a verb or mark between.
fn prepositions(tokens: &mut [Token]) {
    const NAMES: &[&str] = &[
        "from", "to", "into", "by", "since", "until", "till", "before", "after", "for", "between", "against",
        "of", "in", "at", "on", "with", "without", "within", "during", "over", "under", "above", "below",
        "through", "than", "as", "per", "inside", "outside", "about", "towards", "toward", "onto", "up",
        "except", "among",
    ];
    let mut current = "";
    let mut distance = 0;
    let mut content = false;
    for token in tokens.iter_mut() {
        // A new noun phrase begins behind the one the preposition governs.
        let next_phrase = content && lexicon::is_determiner(&token.word) && token.is_word();
        if token.is_mark() || next_phrase {
            current = "";
        } else if let Some(name) =
            NAMES.iter().find(|name| token.is_word() && **name == token.word && !token.rate && !token.skip)
        {
            current = name;
            distance = 0;
            content = false;
        } else {
            distance += 1;
            token.preposition = if distance <= 5 { current } else { "" };
            content |= token.is_content();
            if matches!(token.kind, Kind::Date(_)) {
                current = "";
            }
            if lexicon::is_be(&token.word)
                || lexicon::is_modal(&token.word)
                || lexicon::is_conjunction(&token.word)
            {
                current = "";
            }
        }
    }
}
