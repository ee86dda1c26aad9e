//! A text as sentences: lines that belong together, and what a sentence leaves unsaid.

use super::super::lexicon::{self, Operator};
use super::super::simple::{gapped, unfold};
use super::super::token::{Kind, Token, tokens};
use super::Sentence;
use crate::rules::sentences::sentences;

/// A line this long without a mark at its end is broken, not ended.
const BROKEN: usize = 45;

/// The lines of a text, with those put together that are one broken in two.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut blank = true;
    for line in text.lines().map(str::trim) {
        let goes_on = !blank
            && lines.last().is_some_and(|last| {
                let ends = last.ends_with(['.', '!', '?', ':', '|', ';']);
                line.starts_with(char::is_lowercase) || (last.chars().count() >= BROKEN && !ends)
            });
        blank = line.is_empty();
        match lines.last_mut() {
            Some(last) if goes_on && !blank => {
                last.push(' ');
                last.push_str(line);
            }
            _ if !blank => lines.push(line.to_owned()),
            _ => {}
        }
    }
    lines
}

/// The sentences of a quote, with what they leave unsaid.
pub(in super::super) fn read_quote(text: &str) -> Vec<Sentence> {
    let mut read = read(text);
    let told: Vec<Sentence> = (0..read.len())
        .filter_map(|at| otherwise(&read, at))
        .chain(super::below_term(&read))
        .chain(super::with_names(&read))
        .collect();
    read.extend(told);
    read.into_iter()
        .flat_map(|sentence| {
            if let Some(said) = gapped(&sentence) {
                return said.into();
            }
            let plain = without_brackets(&sentence);
            let moved = aside_behind(&sentence);
            let said = existing(&sentence).or_else(|| said_of_kind(&sentence));
            let (whole, parts) = unfold(sentence);
            // The parts say all of it, and cannot be mixed up.
            let whole = whole.filter(|_| parts.is_empty());
            whole.into_iter().chain(parts).chain(plain).chain(moved).chain(said).collect::<Vec<_>>()
        })
        .collect()
}

/// "If A, B; otherwise C" as "if not A, C": the condition stands before, in the same sentence or the one before it.
fn otherwise(read: &[Sentence], at: usize) -> Option<Sentence> {
    let tokens = &read[at].tokens;
    let comma = |at: usize| usize::from(tokens.get(at).is_some_and(|token| token.kind == Kind::Mark(',')));
    let begins = |at: usize| {
        at == 0 || tokens[at - 1].is_mark() || matches!(tokens[at - 1].word.as_str(), "and" | "or")
    };
    let (turn, rest) = (0..tokens.len()).find_map(|at| {
        let next = tokens.get(at + 1).map_or("", |token| token.word.as_str());
        match tokens[at].word.as_str() {
            "otherwise" if begins(at) => Some((at, at + 1 + comma(at + 1))),
            "if" if next == "not" && comma(at + 2) == 1 => Some((at, at + 3)),
            _ => None,
        }
    })?;
    let before = if turn > 0 { &tokens[..turn] } else { &read.get(at.checked_sub(1)?)?.tokens };
    let opens =
        |token: &Token| token.operator == Some(Operator::If) && matches!(token.word.as_str(), "if" | "when");
    let first = before.iter().position(opens)?;
    let end = (first..before.len())
        .find(|at| matches!(before[*at].kind, Kind::Mark(',' | ';' | '.' | ':')))
        .unwrap_or(before.len());
    let condition = &before[first..end];
    // Two conditions, or one that is denied, are more than can be turned round.
    let plain = condition[1..]
        .iter()
        .all(|token| token.operator.is_none() && !matches!(token.word.as_str(), "and" | "or"));
    let helper =
        condition.iter().position(|token| lexicon::is_be(&token.word) || lexicon::is_modal(&token.word));
    let denied = helper.map_or(2, |at| at + 1).min(condition.len());
    if !plain || first > 0 && !before[first - 1].is_mark() || rest >= tokens.len() || condition.len() < 3 {
        return None;
    }
    let mut not = Token::new("not", Kind::Word);
    not.operator = Some(Operator::Not);
    let mark = Token::new(",", Kind::Mark(','));
    Some(Sentence::of(
        [&condition[..denied], &[not], &condition[denied..], &[mark], &tokens[rest..]].concat(),
    ))
}

/// The sentence without what stands in brackets, where that only adds to it.
fn without_brackets(sentence: &Sentence) -> Option<Sentence> {
    let tokens = &sentence.tokens;
    let open = tokens.iter().position(|token| token.kind == Kind::Mark('('))?;
    let close = open + tokens[open..].iter().position(|token| token.kind == Kind::Mark(')'))?;
    let narrows = tokens[open..close].iter().any(|token| {
        matches!(token.operator, Some(Operator::If | Operator::Unless | Operator::Only | Operator::Not))
    });
    if narrows || open == 0 {
        return None;
    }
    Some(Sentence::of(tokens[..open].iter().chain(&tokens[close + 1..]).cloned().collect()))
}

/// "There are five formats that Apache recognizes" as "Apache recognizes five formats".
fn existing(sentence: &Sentence) -> Option<Sentence> {
    let tokens = &sentence.tokens;
    let be = tokens.get(1).filter(|be| lexicon::is_be(&be.word) && tokens[0].word == "there")?;
    let which = tokens.iter().position(|token| matches!(token.word.as_str(), "that" | "which" | "who"))?;
    let thing = tokens.get(2..which)?;
    let verb = sentence.clauses.iter().filter_map(|clause| clause.verb).find(|verb| *verb > which)?;
    let plain = thing.iter().all(|token| !token.is_mark() && token.operator != Some(Operator::Not));
    if !plain || thing.is_empty() || be.operator.is_some() {
        return None;
    }
    let parts: [&[_]; 3] = if verb == which + 1 {
        [thing, &tokens[which + 1..], &[]]
    } else {
        [&tokens[which + 1..=verb], thing, &tokens[verb + 1..]]
    };
    Some(Sentence::of(parts.concat()))
}

/// "The union is a body which refuses links" as "the union refuses links".
fn said_of_kind(sentence: &Sentence) -> Option<Sentence> {
    let [main, other, ..] = sentence.clauses.as_slice() else { return None };
    let tokens = &sentence.tokens;
    let verb = main.verb.filter(|verb| lexicon::is_be(&tokens[*verb].word) && main.main == Some(*verb))?;
    let first = *other.tokens.first()?;
    let article = tokens.get(verb + 1).is_some_and(|token| matches!(token.word.as_str(), "a" | "an"));
    let relative = matches!(tokens[first].word.as_str(), "which" | "that" | "who")
        && other.role == super::Role::Restrictive
        && other.verb == Some(first + 1);
    let plain = tokens[..first].iter().all(|token| token.operator.is_none());
    let subject = tokens.get(main.tokens.first().copied()?..verb)?;
    (article && relative && plain).then(|| Sentence::of([subject, &tokens[first + 1..]].concat()))
}

/// "can, depending on the setting, take long" as "can take long, depending on the setting".
fn aside_behind(sentence: &Sentence) -> Option<Sentence> {
    let tokens = &sentence.tokens;
    let comma = |from: usize| (from..tokens.len()).find(|at| tokens[*at].kind == Kind::Mark(','));
    let first = comma(1)?;
    let second = comma(first + 1)?;
    let helper = &tokens[first - 1].word;
    let helped = lexicon::is_be(helper) || lexicon::is_modal(helper);
    let end = tokens.len() - usize::from(tokens.last().is_some_and(|token| token.is_mark()));
    if !helped || second - first < 3 || second + 1 >= end {
        return None;
    }
    let parts = [&tokens[..first], &tokens[second + 1..end], &tokens[first..second], &tokens[end..]];
    Some(Sentence::of(parts.concat()))
}

/// The sentences of a text.
pub(in super::super) fn read(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for line in lines(text) {
        for range in sentences(&line) {
            let tokens = tokens(&line[range]);
            if !tokens.is_empty() {
                found.push(Sentence::of(tokens));
            }
        }
    }
    found
}
