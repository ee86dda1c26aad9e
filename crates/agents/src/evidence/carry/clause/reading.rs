//! A text as sentences: lines that belong together, and what a sentence leaves unsaid.

use super::super::lexicon::{self, Operator};
use super::super::simple::{gapped, unfold};
use super::super::token::{Kind, tokens};
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
    read(text)
        .into_iter()
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
