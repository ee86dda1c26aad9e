//! A text as the gate reads it: words with their stems and groups, numbers with unit and bound, dates, and the words that
//! change what is claimed.

mod amounts;
mod idioms;
mod operators;

use self::amounts::{bounds, join_numbers, rates};
use self::operators::operators;
use std::sync::OnceLock;

use super::lexicon::{self, Operator};
use super::number::{self, Bound, Number};
use crate::rules::dates::{Date, dates};
use crate::rules::synonyms::{self, Group};
use crate::rules::thesaurus::Entry;
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
    /// What the dictionary knows of it, looked up when it is first asked.
    entry: OnceLock<Entry>,
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
            entry: OnceLock::new(),
        }
    }

    /// What the dictionary has of it.
    pub(super) fn entry(&self) -> &Entry {
        self.entry.get_or_init(|| Entry::of(self.dictionary_form()))
    }

    /// As a dictionary has it, as far as our own lists know; the dictionary bends the regular ones itself.
    fn dictionary_form(&self) -> &str {
        lexicon::irregular(&self.word).map_or(self.word.as_str(), |(base, ..)| base)
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
    name_quoted(&mut tokens);
    reword(&mut tokens);
    idioms::idioms(&mut tokens);
    join_numbers(&mut tokens);
    bounds(&mut tokens);
    rates(&mut tokens);
    operators(&mut tokens);
    group(&mut tokens);
    prepositions(&mut tokens);
    tokens
}

/// "\"and\" goes before \"or\"": a small word in quotation marks is what is spoken of.
fn name_quoted(tokens: &mut [Token]) {
    for at in 1..tokens.len().saturating_sub(1) {
        let quoted = [at - 1, at + 1].iter().all(|mark| tokens[*mark].kind == Kind::Mark('"'));
        if quoted && tokens[at].is_word() && lexicon::is_function(&tokens[at].word) {
            let word = format!("\"{}\"", tokens[at].word);
            (tokens[at].stem, tokens[at].word, tokens[at].name) = (word.clone(), word, true);
        }
    }
}

/// Words that are others where they stand: "was up 12 percent", "following repairs", "a third came from exports".
fn reword(tokens: &mut Vec<Token>) {
    let is = |tokens: &[Token], at: usize, words: &[&str]| {
        tokens.get(at).is_some_and(|token| words.contains(&token.word.as_str()))
    };
    for index in 1..tokens.len() {
        let helped = lexicon::is_be(&tokens[index - 1].word) || tokens[index - 1].kind == Kind::Mark(',');
        let measured = tokens.get(index + 1).is_some_and(|next| {
            matches!(next.kind, Kind::Number(_))
                || matches!(
                    next.word.as_str(),
                    "by" | "from" | "to" | "on" | "about" | "almost" | "nearly" | "more" | "some" | "around"
                )
        });
        let instead = match tokens[index].word.as_str() {
            "up" if helped && measured && !is(tokens, index + 1, &["to"]) => "increased",
            "down" if helped && measured => "decreased",
            "following" if !lexicon::is_determiner(&tokens[index - 1].word) && !helped => "after",
            _ => continue,
        };
        let shown = tokens[index].shown.clone();
        tokens[index] = Token { shown, ..Token::new(instead, Kind::Word) };
    }
    // To be against something is to oppose it.
    for index in (1..tokens.len()).rev() {
        let helped = lexicon::is_be(&tokens[index - 1].word);
        let (verb, length) = match tokens[index].word.as_str() {
            "against" if helped => ("oppose", 1),
            "in" if helped
                && is(tokens, index + 1, &["favour", "favor"])
                && is(tokens, index + 2, &["of"]) =>
            {
                ("support", 3)
            }
            _ => continue,
        };
        let verb = match tokens[index - 1].word.as_str() {
            "is" => format!("{verb}s"),
            "are" | "be" | "am" => verb.to_owned(),
            _ => format!("{}ed", verb.trim_end_matches('e')),
        };
        tokens.splice(index - 1..index + length, [Token::new(&verb, Kind::Word)]);
    }
    // A share that comes from something is provided by it.
    let share = |token: &Token| {
        matches!(&token.kind, Kind::Number(number) if number.dimension == "percent")
            || token.word == "percent"
            || number::fraction(&token.word).is_some()
    };
    let from = (1..tokens.len())
        .find(|at| is(tokens, *at, &["come", "comes", "came"]) && is(tokens, at + 1, &["from"]));
    if let Some(at) = from.filter(|at| tokens[..*at].iter().any(share)) {
        let be = match tokens[at].word.as_str() {
            "came" => "was",
            _ => "is",
        };
        let words = [be, "provided", "by"].map(|word| Token::new(word, Kind::Word));
        tokens.splice(at..at + 2, words);
    }
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
        } else if let Some(option) = short_option(&text[at..], &text[..at]) {
            let mut token = Token::new(option, Kind::Word);
            // "-d" and "-D" are two, and "-a" is no article.
            (token.word, token.stem, token.name) = (option.to_owned(), option.to_owned(), true);
            tokens.push(token);
            at += option.len();
        } else if letter.is_alphanumeric() {
            let word = word_length(&text[at..]);
            let before = tokens.len();
            push_word(&text[at..at + word], &mut tokens);
            // "--best" is what an option is called.
            if text[..at].ends_with("--")
                && let Some(token) = tokens.last_mut()
            {
                token.name = true;
            }
            if text[..at].ends_with('-') && at > 1 && text[..at - 1].ends_with(char::is_alphanumeric) {
                for token in &mut tokens[before..] {
                    token.joined = true;
                }
            }
            at += word;
        } else {
            let (before, after) = (&text[..at], &text[at + length..]);
            push_mark(letter, before, after, &mut tokens);
            // The "t" of "isn't" is no word.
            at += length + usize::from(is_denial(letter, before, after));
        }
    }
    tokens
}

/// "-x": an option of one letter.
fn short_option<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let letter = text.strip_prefix('-')?.chars().next().filter(char::is_ascii_alphabetic)?;
    let begins = before
        .chars()
        .next_back()
        .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '\'' | '`' | '‘' | '“'));
    let end = 1 + letter.len_utf8();
    let ends = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
    (begins && ends).then(|| &text[..end])
}

/// A number with the currency before it or the unit behind it.
fn amount(text: &str, last: Option<&Token>, before: &str) -> Option<(Token, usize)> {
    let first = text.chars().next()?;
    let money = crate::rules::measures::currency(first);
    let negative = matches!(first, '-' | '−')
        && before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(')
        && last.is_none_or(|token| !matches!(token.kind, Kind::Number(_)));
    let lead = if money.is_some() || negative { first.len_utf8() } else { 0 };
    // One space, whose kind may be longer than a byte.
    let gap = text[lead..].chars().next().filter(|c| matches!(c, ' ' | '\u{a0}')).map_or(0, char::len_utf8);
    let lead = if money.is_some() { lead + gap } else { lead };
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
            // "ups.start.auto", "ntp.conf", but not "e.g."
            || (letter == '.' && end > 1 && next.is_some_and(char::is_lowercase) && !text[..end].contains('('))
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

/// "isn't": the word before ends with the n of the denial.
fn is_denial(letter: char, before: &str, after: &str) -> bool {
    let ends = after.strip_prefix('t').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    matches!(letter, '\'' | '’') && before.ends_with('n') && ends
}

fn push_mark(letter: char, before: &str, after: &str, tokens: &mut Vec<Token>) {
    match letter {
        '\'' | '’' if is_denial(letter, before, after) => {
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
        '.' if before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric) => {}
        ',' | ';' | ':' | '(' | ')' | '.' | '!' | '?' | '|' => {
            tokens.push(Token::new(&letter.to_string(), Kind::Mark(letter)));
        }
        '~' | '≈' => tokens.push(Token::new("about", Kind::Word)),
        '≥' => tokens.extend(["at", "least"].map(|word| Token::new(word, Kind::Word))),
        '≤' => tokens.extend(["at", "most"].map(|word| Token::new(word, Kind::Word))),
        _ => {}
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
        "except", "among", "despite", "like", "unlike",
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
