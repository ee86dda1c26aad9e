//! A text as the gate reads it: words with their stems and groups, numbers with unit and bound, dates, and the words that
//! change what is claimed.

use super::bounds::{bounds, rates};
use super::lexicon::{self, Operator};
use super::number::{self, Bound, Number};
use super::spelled::join_numbers;
use crate::rules::dates::{Date, dates};
use crate::rules::synonyms::{self, Group};
use crate::rules::words::fold;

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
    pub(super) fn new(shown: &str, kind: Kind) -> Self {
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
