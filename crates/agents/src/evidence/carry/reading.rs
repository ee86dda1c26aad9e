//! From a text to its sentences: lines that are one broken in two, and what a sentence leaves unsaid.

use super::clause::Sentence;
use super::lexicon;
use super::token::{Kind, Token, tokens};
use crate::rules::sentences::sentences;

/// A line this long without a mark at its end is broken, not ended.
const BROKEN: usize = 45;

/// The lines of a text, with those put together that are one broken in two.
pub(super) fn lines(text: &str) -> Vec<String> {
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
pub(super) fn read_quote(text: &str) -> Vec<Sentence> {
    read(text)
        .into_iter()
        .flat_map(|sentence| {
            let said = gapped(&sentence);
            std::iter::once(sentence).chain(said)
        })
        .collect()
}

/// The sentences of a text.
pub(super) fn read(text: &str) -> Vec<Sentence> {
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

/// "Books can be borrowed for four weeks and films for one": what is left unsaid behind the "and", said.
pub(super) fn gapped(sentence: &Sentence) -> Option<Sentence> {
    let [clause] = &sentence.clauses[..] else { return None };
    let (verb, main) = (clause.verb?, clause.main?);
    let tokens = &sentence.tokens;
    let is = |at: usize, word: &str| tokens[at].is_word() && tokens[at].word == word;
    let preposition = clause
        .tokens
        .iter()
        .copied()
        .find(|at| *at > main && lexicon::is_preposition(&tokens[*at].word) && !tokens[*at].skip)?;
    let and = clause.tokens.iter().copied().find(|at| *at > preposition && is(*at, "and"))?;
    let again = (and + 2..tokens.len()).find(|at| tokens[*at].word == tokens[preposition].word)?;
    let subject = and + 1..again;
    let plain = tokens[subject.clone()].iter().all(|token| token.is_word())
        && tokens[subject.clone()].iter().any(Token::is_content);
    if !plain || tokens[again..].iter().any(|token| matches!(token.kind, Kind::Mark(',' | ';' | ':'))) {
        return None;
    }
    let said: Vec<Token> =
        tokens[subject].iter().chain(&tokens[verb..=main]).chain(&tokens[again..]).cloned().collect();
    Some(Sentence::of(said))
}
