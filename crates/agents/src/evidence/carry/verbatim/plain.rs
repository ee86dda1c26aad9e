//! One form for what can be said in several: "the option's name" as "the name of the option", "affects neither" as "does not
//! affect". Both sides are put into it.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};

/// What something has is not longer.
const LONGEST_OWNED: usize = 3;
/// Who has it is not longer.
const LONGEST_OWNER: usize = 5;

pub(super) fn plain(tokens: &[Token]) -> Vec<Token> {
    owned(&denied_once(tokens))
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
