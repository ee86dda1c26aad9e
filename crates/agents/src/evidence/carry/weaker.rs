//! What a quote says only in part ("not all") or as a belief set between commas (", it is believed,"), and a sentence says
//! flatly. Both stand outside the clause that carries the rest, so they are looked at by themselves.

mod flattened;

use super::clause::Sentence;
use super::lexicon::Operator;
use super::token::{Kind, Token};

/// Why a sentence says more than the one sentence of its quote; none if it does not.
pub(super) fn more_than(sentence: &[Sentence], quote: &[Sentence]) -> Option<&'static str> {
    let own = || sentence.iter().flat_map(|one| &one.tokens);
    let is_why = own().any(|token| token.operator == Some(Operator::Because));
    let may_be = |read: &[Sentence]| read.iter().any(|one| may_be_why(&one.tokens));
    if is_why && may_be(quote) && !may_be(sentence) {
        return Some("the quote only says that it may be why");
    }
    let said: Vec<Token> = own().cloned().collect();
    if let Some(why) = quote.iter().find_map(|one| doubted(&said, &one.tokens)) {
        return Some(why);
    }
    if let Some(why) = quote.iter().find_map(|one| flattened::flattened(&said, &one.tokens)) {
        return Some(why);
    }
    if quote.iter().any(|one| affirms_one_of_denied(&said, &one.tokens)) {
        return Some("the quote denies both");
    }
    let [only] = quote else { return None };
    if flattened::is_at_another_time(&only.tokens, &said) {
        return Some("the quote says it of another time");
    }
    if denies_in_part(&only.tokens)
        && !sentence.iter().any(|one| denies_in_part(&one.tokens))
        && own().any(|token| token.operator == Some(Operator::Not))
    {
        return Some("the quote denies it only in part");
    }
    if asks_for(&only.tokens, ALL) && asks_for(&said, ANY) && !asks_for(&only.tokens, ANY) {
        return Some("the quote asks for all of them, not for one");
    }
    if has_belief_aside(&only.tokens) && !own().any(|token| token.operator == Some(Operator::Believed)) {
        return Some("the quote only says that it is believed");
    }
    None
}

/// What a sentence of a quote doubts, and the sentence says flatly.
fn doubted(said: &[Token], quote: &[Token]) -> Option<&'static str> {
    if may_be_able(quote) && said.iter().any(is_able) && !may_be_able(said) {
        return Some("the quote only says that it may be able to");
    }
    is_doubted(quote, said).then_some("the quote says \"maybe\" of it")
}

/// "moves oil but not water" for "does not move water or oil": both are denied.
fn affirms_one_of_denied(said: &[Token], quote: &[Token]) -> bool {
    let denies = |token: &Token| token.operator == Some(Operator::Not);
    let Some(not) = said.iter().position(denies).filter(|not| *not > 1) else { return false };
    let joint = &said[not - 1];
    let contrast = joint.kind == Kind::Mark(',') || matches!(joint.word.as_str(), "but" | "and");
    let Some(kept) = said[..not].iter().rfind(|token| token.is_content()).filter(|_| contrast) else {
        return false;
    };
    let is_denied = |at: usize| {
        let Some(from) = quote[..at].iter().rposition(denies) else { return false };
        let between = &quote[from + 1..at];
        let joins = |token: &Token| matches!(token.word.as_str(), "or" | "nor");
        let turned = between.iter().any(|token| token.is_mark() || token.word == "but");
        !turned && (joins(&quote[from]) || between.iter().any(joins))
    };
    let same = |at: &usize| quote[*at].is_content() && quote[*at].stem == kept.stem;
    let mut places = (0..quote.len()).filter(same).peekable();
    places.peek().is_some() && places.all(is_denied)
}

const ALL: &[&str] = &["all", "every", "each", "both"];
const ANY: &[&str] = &["any", "some"];

/// "If all files are there, …": does the condition begin with one of these words?
fn asks_for(tokens: &[Token], words: &[&str]) -> bool {
    tokens
        .windows(2)
        .any(|pair| pair[0].operator == Some(Operator::If) && words.contains(&pair[1].word.as_str()))
}

/// "it could be because …": a cause that is only possible.
fn may_be_why(tokens: &[Token]) -> bool {
    tokens.windows(3).any(|three| {
        matches!(three[0].word.as_str(), "could" | "may" | "might" | "can")
            && three[1].word == "be"
            && three[2].operator == Some(Operator::Because)
    })
}

fn is_able(token: &Token) -> bool {
    token.word.starts_with("able")
}

/// "might even be able to": a power that is itself in doubt.
fn may_be_able(tokens: &[Token]) -> bool {
    let doubts = |token: &Token| matches!(token.word.as_str(), "may" | "might" | "could");
    let able = tokens.iter().position(is_able);
    able.is_some_and(|able| tokens[able.saturating_sub(4)..able].iter().any(doubts))
}

/// "and maybe to shorter times": does the sentence say what an adverb of doubt stands before, and doubt nothing?
fn is_doubted(quote: &[Token], said: &[Token]) -> bool {
    let doubts = |token: &Token| {
        matches!(
            token.word.as_str(),
            "maybe"
                | "perhaps"
                | "possibly"
                | "probably"
                | "allegedly"
                | "reportedly"
                | "supposedly"
                | "presumably"
                | "apparently"
        )
    };
    let open = |token: &Token| {
        doubts(token)
            || matches!(
                token.operator,
                Some(
                    Operator::Can
                        | Operator::Believed
                        | Operator::Planned
                        | Operator::Should
                        | Operator::Most
                )
            )
            || matches!(token.word.as_str(), "likely" | "may" | "might" | "could" | "can" | "seem" | "seems")
    };
    let Some(at) = quote.iter().position(doubts) else { return false };
    let mut behind = quote[at + 1..].iter().filter(|token| token.is_content()).take(2);
    !said.iter().any(open)
        && behind.all(|token| said.iter().any(|own| own.stem == token.stem))
        && quote[at + 1..].iter().any(Token::is_content)
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
