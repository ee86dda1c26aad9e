//! What a quote says only in part ("not all") or as a belief set between commas (", it is believed,"), and a sentence says
//! flatly. Both stand outside the clause that carries the rest, so they are looked at by themselves.

use super::clause::Sentence;
use super::lexicon::Operator;
use super::token::{Kind, Token};

/// Why a sentence says more than the one sentence of its quote; none if it does not.
pub(super) fn more_than(sentence: &[Sentence], quote: &[Sentence]) -> Option<&'static str> {
    let [only] = quote else { return None };
    let own = || sentence.iter().flat_map(|one| &one.tokens);
    if denies_in_part(&only.tokens)
        && !sentence.iter().any(|one| denies_in_part(&one.tokens))
        && own().any(|token| token.operator == Some(Operator::Not))
    {
        return Some("the quote denies it only in part");
    }
    if has_belief_aside(&only.tokens) && !own().any(|token| token.operator == Some(Operator::Believed)) {
        return Some("the quote only says that it is believed");
    }
    None
}

/// "Not all functions are": the only denial is one of all of them.
fn denies_in_part(tokens: &[Token]) -> bool {
    let denials: Vec<usize> =
        (0..tokens.len()).filter(|at| tokens[*at].operator == Some(Operator::Not)).collect();
    let in_part = |at: &usize| {
        let next = tokens.get(at + 1);
        next.is_some_and(|next| next.operator == Some(Operator::All) || next.word == "necessarily")
    };
    !denials.is_empty() && denials.iter().all(in_part)
}

/// "…, it is believed, …": a belief between two commas.
fn has_belief_aside(tokens: &[Token]) -> bool {
    let marks: Vec<usize> =
        (0..tokens.len()).filter(|at| matches!(tokens[*at].kind, Kind::Mark(','))).collect();
    marks.windows(2).any(|pair| {
        let aside = &tokens[pair[0] + 1..pair[1]];
        aside.len() <= 4
            && aside.first().is_some_and(|token| token.word == "it")
            && aside.iter().any(|token| token.operator == Some(Operator::Believed))
    })
}
