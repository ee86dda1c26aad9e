//! A sentence in the words of its quote and in their order: what was left out is a stretch that can go without changing what
//! is said. It asks for no grammar beyond marks and small words, so it holds where clauses are cut wrongly.

mod gaps;
mod lists;
mod modifiers;
mod moves;
mod parted;
mod plain;
mod versions;

use self::gaps::{Gaps, is_pointing};
use super::lexicon::{self, Operator};
use super::matching::relation;
use super::token::{Kind, Token};
use crate::rules::synonyms::Relation;

/// A quote longer than this is not one sentence.
const LONGEST: usize = 90;
/// How many sentences with clauses moved are held against other ways of saying the quote.
const MOST_MOVES: usize = 12;

/// Are these the words of this sentence of a quote, in their order or in one that says the same?
pub(super) fn carried(own: &[Token], quote: &[Token]) -> bool {
    let content = own.iter().filter(|token| token.is_content()).count();
    let known = |token: &&Token| quote.iter().any(|other| token.stem == other.stem || is_same(token, other));
    if quote.len() > LONGEST || content < 2 || own.len() > LONGEST {
        return false;
    }
    if !own.iter().filter(|token| token.is_content() && !is_flag(token)).all(|token| known(&token)) {
        return false;
    }
    let (own, quote) = versions::without_floating(own, quote);
    let told = own.iter().any(|token| token.operator == Some(Operator::Will));
    let quote = if told { quote } else { versions::timeless(quote) };
    let (own, quote) = (&versions::plainly_denied(&own)[..], &versions::plainly_denied(&quote)[..]);
    if follows(own, quote, Small::Free) {
        return true;
    }
    let (shorter, theirs) = (versions::reduced(own), versions::reduced(quote));
    if (shorter.len() < own.len() || theirs.len() < quote.len()) && follows(&shorter, &theirs, Small::Free) {
        return true;
    }
    // In one form for both, and with whole clauses moved.
    let (own_plain, theirs) = (plain::plain(&shorter), plain::plain(&theirs));
    if is_moved(&own_plain, &theirs) {
        return true;
    }
    let mut versions = versions::turned(own);
    for active in versions::active(own) {
        versions.extend(versions::turned(&active));
        versions.push(active);
    }
    versions.extend(versions::equated(own));
    let quotes = std::iter::once(quote.to_vec()).chain(versions::active(quote)).collect::<Vec<_>>();
    quotes.iter().any(|quote| {
        follows(own, quote, Small::Said)
            || versions.iter().any(|version| follows(version, quote, Small::Said))
    })
}

/// Is the quote the sentence with whole clauses, alternatives or a name of its own at other places?
fn is_moved(own: &[Token], quote: &[Token]) -> bool {
    if follows(own, quote, Small::Free) {
        return true;
    }
    let swapped = moves::swapped(own);
    let mut versions = moves::moved(own);
    versions.extend(swapped.iter().flat_map(|own| moves::moved(own)));
    versions.extend(swapped);
    versions.extend(moves::conditional(own));
    versions.extend(moves::instructed(own));
    if versions.iter().any(|version| follows(version, quote, Small::Said)) {
        return true;
    }
    let related = moves::related(own).zip(moves::relating(quote));
    if related.is_some_and(|(own, quote)| follows(&own, &quote, Small::Free)) {
        return true;
    }
    // Who does it may stand elsewhere, too.
    versions.truncate(MOST_MOVES);
    versions::active(quote).iter().any(|quote| versions.iter().any(|own| follows(own, quote, Small::Said)))
        || versions::active(own)
            .iter()
            .any(|own| moves::moved(own).iter().any(|version| follows(version, quote, Small::Said)))
}

/// Whether "in", "of" and the like may stand for nothing. Not where something was moved: what stood behind such a word could
/// then stand anywhere.
#[derive(Clone, Copy, PartialEq)]
enum Small {
    Free,
    Said,
}

/// Is it this sentence of a quote, word for word?
pub(super) fn is_whole(own: &[Token], quote: &[Token]) -> bool {
    let said = |token: &&Token| !is_nothing(token) && !token.is_mark();
    let (mut own, mut quote) = (own.iter().filter(said), quote.iter().filter(said));
    loop {
        match (own.next(), quote.next()) {
            (Some(one), Some(other)) if one.word == other.word && one.kind == other.kind => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// Articles, marks of quotation, the end: nothing is said by them.
fn is_nothing(token: &Token) -> bool {
    matches!(token.word.as_str(), "a" | "an" | "the") && token.is_word() && token.operator.is_none()
        || matches!(token.kind, Kind::Mark('"' | '.'))
        || (token.skip && token.is_word())
}

/// May a token of the sentence stand nowhere?
fn is_free(token: &Token) -> bool {
    token.is_mark()
        || (token.operator.is_none()
            && matches!(
                token.word.as_str(),
                "it" | "they"
                    | "there"
                    | "that"
                    | "which"
                    | "of"
                    | "in"
                    | "on"
                    | "at"
                    | "for"
                    | "with"
                    | "both"
                    | "also"
                    | "s"
                    | "and"
                    | "but"
                    | "you"
                    | "do"
                    | "does"
                    | "did"
                    | "one"
                    | "we"
                    | "etc"
            ))
}

fn is_same(own: &Token, other: &Token) -> bool {
    if own.operator.is_some() || other.operator.is_some() {
        // "only if" asks for more than "if".
        let limits = |token: &Token| token.operator == Some(Operator::If) && token.word == "only";
        // "so" brings what follows, "because" what it follows from.
        return own.operator == other.operator
            && limits(own) == limits(other)
            && plain::brings_result(own) == plain::brings_result(other);
    }
    match (&own.kind, &other.kind) {
        (Kind::Mark(_), _) | (_, Kind::Mark(_)) => false,
        (Kind::Number(a), Kind::Number(b)) => a.bound == b.bound && a.is_same_amount(b),
        (Kind::Word, Kind::Word) if own.is_content() && other.is_content() => {
            own.stem == other.stem && is_past(own) == is_past(other)
        }
        // "rounds" says what is done, "round" can be a small word.
        (Kind::Word, Kind::Word) if own.is_content() != other.is_content() => {
            own.stem == other.stem && own.stem.len() > 3 && is_past(own) == is_past(other)
        }
        (Kind::Word, Kind::Word) => own.word == other.word || number_free(own) == number_free(other),
        _ => own.is_content() && other.is_content() && relation(own, other) == Some(Relation::Same),
    }
}

/// A helper as it is for one: the number of the subject says nothing of its own.
fn number_free(token: &Token) -> &str {
    match token.word.as_str() {
        "are" => "is",
        "were" => "was",
        "have" => "has",
        "do" => "does",
        word => word,
    }
}

fn is_past(token: &Token) -> bool {
    token.word.ends_with("ed") || lexicon::irregular(&token.word).is_some_and(|(_, past, _)| past)
}

/// Is every token of the sentence found in order, with gaps that may be left out?
fn follows(own: &[Token], quote: &[Token], small: Small) -> bool {
    let quote: &[&Token] = &quote.iter().filter(|token| !is_nothing(token)).collect::<Vec<_>>();
    let free = |token: &Token| {
        is_free(token) && (small == Small::Free || token.is_mark() || !lexicon::is_preposition(&token.word))
    };
    let needed: Vec<&Token> =
        own.iter().filter(|token| !is_nothing(token) && !free(token) && !is_pointing(token)).collect();
    // Places of the quote at which the tokens so far can end; 0 before all of it.
    let gaps = Gaps { quote, own: &needed };
    let mut ends: Vec<usize> = vec![0];
    for (index, token) in needed.iter().enumerate() {
        let mut next: Vec<usize> = Vec::new();
        for (at, other) in quote.iter().enumerate() {
            let fits = is_same(token, other);
            if fits && ends.iter().any(|end| *end <= at && gaps.may_go(*end, at)) {
                next.push(at + 1);
            }
        }
        // A helper said once for two predicates: "are accepted but not generated".
        let again = lexicon::is_be(&token.word) || matches!(token.word.as_str(), "has" | "have" | "had");
        if again && index > 0 && quote.iter().any(|other| other.word == token.word) {
            let said = |end: &&usize| quote[..**end].iter().any(|other| other.word == token.word);
            let more: Vec<usize> = ends.iter().filter(said).copied().collect();
            next.extend(more);
        }
        // "the -f flag" where the quote has "-f" alone.
        if next.is_empty() && is_flag(token) && index > 0 && needed[index - 1].name {
            next.clone_from(&ends);
        }
        // "than the original file" for "than the original": what it is was said before.
        if index + 1 == needed.len() && is_repeated(&needed[..index], token) {
            let open = |end: &&usize| {
                quote.get(**end).is_none_or(|behind| !behind.is_content())
                    && **end > 0
                    && is_same(needed[index - 1], quote[**end - 1])
            };
            let more: Vec<usize> = ends.iter().filter(open).copied().collect();
            next.extend(more);
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return false;
        }
        ends = next;
    }
    ends.iter().any(|end| gaps.may_go(*end, quote.len()))
}

/// A word said again behind another one.
fn is_repeated(before: &[&Token], token: &Token) -> bool {
    token.is_content()
        && token.is_word()
        && before.last().is_some_and(|last| last.is_content())
        && before.iter().any(|other| other.stem == token.stem)
}

/// What an option is called beside its name.
fn is_flag(token: &Token) -> bool {
    matches!(token.stem.as_str(), "option" | "flag" | "switch")
}
