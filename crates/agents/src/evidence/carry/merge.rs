//! Where a sentence joins two statements, each with a subject and a verb of its own: they may come from two quotes, or from two
//! places of one.

use super::clause::{Clause, Role, Sentence};
use super::lexicon::Operator;
use super::token::{Kind, Token};

/// More places to cut at than a sentence has that people write.
const MOST: usize = 4;

/// The two statements a sentence joins, cut at each joint that can be one.
pub(super) fn halves(sentence: &Sentence) -> Vec<[Sentence; 2]> {
    let tokens = &sentence.tokens;
    let joints = (1..tokens.len()).filter(|at| is_joint(tokens, *at));
    let cut = |at: usize| {
        let comma = usize::from(tokens[at - 1].is_mark());
        let first = Sentence::of(tokens[..at - comma].to_vec());
        let second = Sentence::of(tokens[at + 1..].to_vec());
        (is_statement(&first) && is_statement(&second) && !points_back(&second)).then_some([first, second])
    };
    joints.filter_map(cut).take(MOST).collect()
}

fn is_joint(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    token.kind == Kind::Mark(';')
        || (token.is_word()
            && matches!(token.word.as_str(), "and" | "but" | "while" | "whereas" | "although" | "though"))
}

/// Has it a main clause with subject and verb, and nothing in front that holds for what follows, too?
fn is_statement(sentence: &Sentence) -> bool {
    let stated = |clause: &Clause| clause.role == Role::Main && clause.subject && clause.verb.is_some();
    sentence.clauses.iter().any(stated)
}

/// "…, and it is red": what a pronoun points to is not known by itself.
fn points_back(sentence: &Sentence) -> bool {
    let first = sentence.tokens.iter().find(|token| !token.is_mark());
    first.is_none_or(|token| {
        token.operator == Some(Operator::Because)
            || matches!(
                token.word.as_str(),
                "it" | "they"
                    | "this"
                    | "these"
                    | "that"
                    | "those"
                    | "he"
                    | "she"
                    | "its"
                    | "their"
                    | "which"
                    | "who"
                    | "not"
                    | "then"
            )
    })
}
