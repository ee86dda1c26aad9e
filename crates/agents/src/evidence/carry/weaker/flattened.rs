//! Words around a statement that a sentence leaves out or changes: somebody only thinks it, it is one of several, somebody
//! else does it, it is so at another time.

use crate::evidence::carry::clause::is_participle;
use crate::evidence::carry::lexicon::Operator;
use crate::evidence::carry::token::Token;

/// Why a sentence says flatly, or of another, what a sentence of its quote says with such words.
pub(super) fn flattened(said: &[Token], quote: &[Token]) -> Option<&'static str> {
    if is_only_thought(quote, said) {
        return Some("the quote only says that it is thought to be so");
    }
    if is_one_of_the(quote) && !has(said, &["one", "among", "some"]) && shares_rank(quote, said) {
        return Some("the quote says it of one of several");
    }
    changes_doers(quote, said).then_some("the quote says that another does it")
}

fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.contains(&token.word.as_str()))
}

/// What people do who do not know.
const THOUGHT: &[&str] = &[
    "thought",
    "believed",
    "considered",
    "assumed",
    "supposed",
    "said",
    "reported",
    "reputed",
    "rumoured",
    "claimed",
    "alleged",
    "held",
];
/// Words between such a verb and what is thought.
const BETWEEN: usize = 5;

/// "was thought by most hackers to dominate": does the sentence say what is thought, and nothing of who thinks?
fn is_only_thought(quote: &[Token], said: &[Token]) -> bool {
    let believes =
        |token: &Token| token.operator == Some(Operator::Believed) || THOUGHT.contains(&token.word.as_str());
    let doubts = ["may", "might", "could", "perhaps", "probably", "seem", "seems", "seemed", "appears"];
    if said.iter().any(believes) || has(said, &doubts) {
        return false;
    }
    (1..quote.len()).any(|at| {
        let is_passive = THOUGHT.contains(&quote[at].word.as_str())
            && matches!(
                quote[at - 1].word.as_str(),
                "is" | "are" | "was" | "were" | "been" | "often" | "widely"
            );
        let behind = &quote[at + 1..(at + 2 + BETWEEN).min(quote.len())];
        let to = behind.iter().position(|token| token.word == "to").filter(|_| is_passive);
        let thought = to.and_then(|to| quote[at + 2 + to..].iter().find(|token| token.is_content()));
        thought.is_some_and(|thought| said.iter().any(|own| own.stem == thought.stem))
    })
}

/// "one of the first", "one of the most useful".
fn is_one_of_the(tokens: &[Token]) -> bool {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.word == word);
    (0..tokens.len()).any(|at| {
        let of = is(at, "one") && is(at + 1, "of") && is(at + 2, "the");
        of && tokens[at + 3..].iter().take(3).any(is_rank)
    })
}

fn is_rank(token: &Token) -> bool {
    let word = token.word.as_str();
    matches!(word, "most" | "least" | "first" | "last" | "best" | "worst" | "only" | "main" | "few")
        || word.len() > 5 && word.ends_with("est")
}

fn shares_rank(quote: &[Token], said: &[Token]) -> bool {
    let ranks = quote.iter().filter(|token| is_rank(token));
    ranks.into_iter().any(|rank| said.iter().any(|own| own.word == rank.word))
}

/// Who does what, as "calculated by the UPS" tells it.
fn doers(tokens: &[Token]) -> Vec<(&str, &str)> {
    let by = (1..tokens.len()).filter(|at| tokens[*at].word == "by");
    by.filter_map(|at| {
        let done = tokens[..at].iter().rfind(|token| token.is_content()).filter(|it| is_participle(it))?;
        let doer = tokens[at + 1..].iter().find(|token| token.is_content())?;
        Some((done.stem.as_str(), doer.stem.as_str()))
    })
    .collect()
}

/// "calculated by the UPS and monitored by apcupsd" told of the other one each.
fn changes_doers(quote: &[Token], said: &[Token]) -> bool {
    let theirs = doers(quote);
    doers(said).iter().any(|(done, doer)| {
        let another_does_it = theirs.iter().any(|(act, who)| act == done && who != doer);
        let does_another = theirs.iter().any(|(act, who)| act != done && who == doer);
        another_does_it && does_another && !theirs.contains(&(*done, *doer))
    })
}

/// Words of times, those of one line for one another.
const TIMES: &[&[&str]] =
    &[&["during", "while", "whilst"], &["after", "once", "following"], &["before", "until", "till"]];

/// "during brewing" told of when "brewing is over".
pub(super) fn is_at_another_time(quote: &[Token], said: &[Token]) -> bool {
    let times = |tokens: &[Token]| -> Vec<bool> { TIMES.iter().map(|words| has(tokens, words)).collect() };
    let (theirs, own) = (times(quote), times(said));
    let shared = theirs.iter().zip(&own).any(|(a, b)| *a && *b);
    theirs.contains(&true) && own.contains(&true) && !shared
}
