//! One form for what can be said in several: "the option's name" as "the name of the option", "affects neither" as "does not
//! affect". Both sides are put into it.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};

/// What something has is not longer.
const LONGEST_OWNED: usize = 3;
/// Who has it is not longer.
const LONGEST_OWNER: usize = 5;

pub(super) fn plain(tokens: &[Token]) -> Vec<Token> {
    because(stated(owned(&denied_once(&said_once(tokens)))))
}

/// "may contain A, but it may not contain B" as "may contain A, but not B".
fn said_once(tokens: &[Token]) -> Vec<Token> {
    let mut said = tokens.to_vec();
    let joins = |token: &Token| token.is_word() && matches!(token.word.as_str(), "and" | "but" | "or");
    let Some(at) = (2..said.len().saturating_sub(2))
        .find(|at| joins(&said[*at - 1]) && matches!(said[*at].word.as_str(), "it" | "they" | "you"))
    else {
        return said;
    };
    let denies = |token: &Token| token.operator == Some(Operator::Not);
    let again = |token: &Token| tokens[..at].iter().any(|other| other.word == token.word && token.is_word());
    let run = said[at + 1..].iter().take_while(|token| denies(token) || again(token)).count();
    let verb = said[at + 1..=at + run]
        .iter()
        .position(|token| token.is_content() && lexicon::is_verb(&token.word, &token.stem));
    if let Some(verb) = verb {
        let kept: Vec<Token> =
            said[at + 1..=at + 1 + verb].iter().filter(|token| denies(token)).cloned().collect();
        said.splice(at..=at + 1 + verb, kept);
    }
    said
}

/// Words that bring what follows from the statement before.
const SO: &str = "so therefore thus hence consequently accordingly";

/// "so", "therefore": not "because".
pub(super) fn brings_result(token: &Token) -> bool {
    token.operator == Some(Operator::Because) && SO.split(' ').any(|word| word == token.word)
}

/// "A, so B" as "because A, B".
fn because(mut tokens: Vec<Token>) -> Vec<Token> {
    let follows = |at: &usize| {
        let token = &tokens[*at];
        let joined = |before: &Token| before.is_mark() || before.word == "and";
        brings_result(token) && joined(&tokens[at - 1])
    };
    let Some(so) = (1..tokens.len()).find(follows) else { return tokens };
    let parted = |token: &Token| matches!(token.kind, Kind::Mark(';' | '—' | '('));
    let joint = so - usize::from(!tokens[so - 1].is_mark());
    let from = tokens[..joint.saturating_sub(1)].iter().rposition(parted).map_or(0, |mark| mark + 1);
    let mut because = Token::new("because", Kind::Word);
    because.operator = Some(Operator::Because);
    tokens.remove(so);
    tokens.insert(from, because);
    tokens
}

/// ", the rest being left out" as ", the rest is left out".
fn stated(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 1..tokens.len() {
        let being = tokens[at].word == "being" && tokens[at].is_word();
        let named = tokens[..at].iter().rposition(Token::is_mark).is_some_and(|mark| {
            mark + 1 < at && tokens[mark].kind == Kind::Mark(',') && is_subject(&tokens[mark + 1..at])
        });
        if being && named {
            tokens[at] = Token::new("is", Kind::Word);
        }
    }
    tokens
}

/// "the rest of the list", "an entry".
fn is_subject(name: &[Token]) -> bool {
    name.first().is_some_and(|first| lexicon::is_determiner(&first.word))
        && name.iter().all(|token| {
            token.operator.is_none()
                && (token.is_content() || lexicon::is_determiner(&token.word) || token.word == "of")
        })
}

/// "the option's name" as "the name of the option".
fn owned(tokens: &[Token]) -> Vec<Token> {
    let mut said = tokens.to_vec();
    let mut at = 1;
    while at < said.len() {
        if said[at].word != "s" || !said[at].is_word() {
            at += 1;
            continue;
        }
        let owner = (0..at).rev().take(LONGEST_OWNER).take_while(|before| is_named(&said[*before])).last();
        let thing = said[at + 1..].iter().take(LONGEST_OWNED).take_while(|token| is_named(token)).count();
        let Some(owner) = owner.filter(|_| thing > 0) else {
            at += 1;
            continue;
        };
        let of = Token::new("of", Kind::Word);
        let turned = [&said[at + 1..=at + thing], &[of], &said[owner..at]].concat();
        said.splice(owner..=at + thing, turned);
        at += thing;
    }
    said
}

fn is_named(token: &Token) -> bool {
    token.is_content() && token.is_word() && !lexicon::is_adverb(&token.word)
}

/// "affects neither A nor B", "does not affect any A" and "affects no A" as "not affects A or B".
fn denied_once(tokens: &[Token]) -> Vec<Token> {
    let mut said: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut denied = false;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        denied = denied && !matches!(token.kind, Kind::Mark(';' | '.' | '—'));
        let denies = token.operator == Some(Operator::Not);
        let verb = said.last().is_some_and(|last| {
            last.is_content()
                && !last.name
                && lexicon::is_verb(&last.word, &last.stem)
                && (last.word.ends_with('s') || last.word.ends_with("ed"))
        });
        if denies && denied && token.word == "nor" {
            said.push(Token::new("or", Kind::Word));
            // "nor does it affect"
            if next.is_some_and(|next| matches!(next.word.as_str(), "does" | "do" | "did")) {
                at += 1;
            }
        } else if denies && matches!(token.word.as_str(), "no" | "neither") && verb {
            denied = true;
            let last = said.len() - 1;
            said.insert(last, not());
        } else if denies && matches!(token.word.as_str(), "neither" | "not") {
            denied = true;
            said.push(not());
        } else if denied && token.word == "any" {
            // Under a denial it adds nothing.
        } else {
            said.push(token.clone());
        }
        at += 1;
    }
    said
}

fn not() -> Token {
    let mut not = Token::new("not", Kind::Word);
    not.operator = Some(Operator::Not);
    not
}
