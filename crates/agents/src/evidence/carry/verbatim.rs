//! A sentence in the words of its quote and in their order: what was left out is a stretch that can go without changing what
//! is said. It asks for no grammar beyond marks and small words, so it holds where clauses are cut wrongly.

use super::lexicon::{self, Operator};
use super::matching::relation;
use super::token::{Kind, Token};
use crate::rules::synonyms::Relation;

/// A quote longer than this is not one sentence.
const LONGEST: usize = 90;
/// How many turned-round versions of a sentence are tried.
const MOST_TURNS: usize = 8;

/// Words that open what may go at the beginning of a sentence, up to its comma.
const CONNECTING: &str = "however note therefore thus hence also moreover furthermore additionally instead similarly finally clearly still yet but and \
so then firstly secondly lastly again nevertheless nonetheless meanwhile besides despite although though while whereas because indeed conversely \
likewise consequently accordingly naturally obviously interestingly unfortunately fortunately traditionally notably please";
/// Words that open what may go behind a comma.
const ASIDE: &str = "which who whose whom although though while whereas but and so thus because as including especially particularly a an the \
namely with making notably even though or since like";
/// Words that open what may go without a comma.
const TRAILING: &str = "although though while whereas because and but";
fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// Are these the words of this sentence of a quote, in their order?
pub(super) fn carried(own: &[&Token], quote: &[Token]) -> bool {
    let quote: Vec<&Token> = quote.iter().filter(|token| !is_nothing(token)).collect();
    let own: Vec<&Token> = own.iter().copied().filter(|token| !is_nothing(token)).collect();
    let content = own.iter().filter(|token| token.is_content()).count();
    let known = |token: &&&Token| quote.iter().any(|other| is_same(token, other));
    if quote.len() > LONGEST || content < 2 || own.len() > LONGEST {
        return false;
    }
    if !own.iter().filter(|token| token.is_content()).all(|token| known(&token)) {
        return false;
    }
    let mut versions = vec![own.clone()];
    versions.extend(turned(&own));
    versions.iter().any(|version| follows(version, &quote))
}

/// The sentence with what stands in front put behind, and the other way round.
fn turned<'a>(own: &[&'a Token]) -> Vec<Vec<&'a Token>> {
    let end = own.len() - usize::from(own.last().is_some_and(|token| token.kind == Kind::Mark('.')));
    let opens = |token: &Token| {
        (lexicon::is_preposition(&token.word) && token.word != "of" && !token.skip)
            || matches!(token.operator, Some(Operator::If | Operator::Unless | Operator::Because))
    };
    let mut versions = Vec::new();
    for at in 1..end {
        let behind_comma = own[at - 1].kind == Kind::Mark(',') && opens(own[0]);
        if (behind_comma || opens(own[at])) && versions.len() < MOST_TURNS {
            let mut version: Vec<&Token> = own[at..end].to_vec();
            version.extend(&own[..at]);
            versions.push(version);
        }
    }
    versions
}

/// Articles, marks of quotation, the end: nothing is said by them.
fn is_nothing(token: &Token) -> bool {
    matches!(token.word.as_str(), "a" | "an" | "the") && token.is_word()
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
            ))
}

fn is_same(own: &Token, other: &Token) -> bool {
    if own.operator.is_some() || other.operator.is_some() {
        return own.operator == other.operator;
    }
    match (&own.kind, &other.kind) {
        (Kind::Mark(_), _) | (_, Kind::Mark(_)) => false,
        (Kind::Number(a), Kind::Number(b)) => a.bound == b.bound && a.is_same_amount(b),
        (Kind::Word, Kind::Word) if own.is_content() && other.is_content() => {
            own.stem == other.stem && is_past(own) == is_past(other)
        }
        (Kind::Word, Kind::Word) => own.word == other.word,
        _ => own.is_content() && other.is_content() && relation(own, other) == Some(Relation::Same),
    }
}

fn is_past(token: &Token) -> bool {
    token.word.ends_with("ed") || lexicon::irregular(&token.word).is_some_and(|(_, past, _)| past)
}

/// Is every token of the sentence found in order, with gaps that may be left out?
fn follows(own: &[&Token], quote: &[&Token]) -> bool {
    let needed: Vec<&Token> = own.iter().copied().filter(|token| !is_free(token)).collect();
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
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return false;
        }
        ends = next;
    }
    ends.iter().any(|end| gaps.may_go(*end, quote.len()))
}

struct Gaps<'a> {
    quote: &'a [&'a Token],
    own: &'a [&'a Token],
}

impl Gaps<'_> {
    fn has(&self, wanted: &[Operator]) -> bool {
        self.own.iter().any(|token| token.operator.is_some_and(|operator| wanted.contains(&operator)))
    }

    /// May the tokens of the quote from one place up to another be left out?
    fn may_go(&self, from: usize, to: usize) -> bool {
        let run = &self.quote[from..to];
        let said: Vec<&Token> = run.iter().copied().filter(|token| !is_free(token)).collect();
        let Some(last) = said.last() else { return true };
        // "… and no refrigerant escaped": what governs the next word goes with it.
        if last.operator.is_some()
            && to < self.quote.len()
            && run.last().is_some_and(|token| !token.is_mark())
        {
            return false;
        }
        if said.iter().all(|token| self.is_manner(token)) {
            return true;
        }
        let begins = from == 0;
        let ends = to == self.quote.len();
        self.is_bracket(run)
            || (begins && self.is_opening(run))
            || (ends && self.is_ending(run))
            || (!begins && !ends && (self.is_between(run) || self.is_one_of_two(from, to)))
    }

    /// "steadily", "actually": how, but under a denial it says what is denied.
    fn is_manner(&self, token: &Token) -> bool {
        token.operator.is_none()
            && lexicon::is_adverb(&token.word)
            && token.is_word()
            && !self.has(&[Operator::Not, Operator::Only])
    }

    fn is_bracket(&self, run: &[&Token]) -> bool {
        let inner = run.len() > 2
            && run.first().is_some_and(|token| token.kind == Kind::Mark('('))
            && run.last().is_some_and(|token| token.kind == Kind::Mark(')'));
        inner && !has_condition(run)
    }

    /// "However, …", "Despite warnings, …", "Although …, …".
    fn is_opening(&self, run: &[&Token]) -> bool {
        let closed = run.last().is_some_and(|token| matches!(token.kind, Kind::Mark(',' | ':')));
        let first = run.first().is_some_and(|token| listed(CONNECTING, &token.word));
        let words = run.len() == 4 && run[0].word == "in" && run[1].word == "other" && run[2].word == "words";
        closed && (first || words) && !has_condition(run)
    }

    /// What goes on behind the sentence: another statement, or a remark on it.
    fn is_ending(&self, run: &[&Token]) -> bool {
        let marked = matches!(run[0].kind, Kind::Mark(',' | ';' | '—' | '('));
        let first = if marked { run.get(1) } else { run.first() };
        let Some(first) = first else { return true };
        let opens = match run[0].kind {
            Kind::Mark(';' | '—') => true,
            Kind::Mark(_) => listed(ASIDE, &first.word) || first.word.ends_with("ing"),
            _ => listed(TRAILING, &first.word) || first.operator == Some(Operator::Because),
        };
        let joins = matches!(first.word.as_str(), "and" | "or" | "but");
        // What follows "and" may be one of several that only together are so many, or share a condition.
        // "…, and if you would rather have the others, …": a condition of the next statement.
        let own =
            if joins { run.iter().position(|token| token.operator == Some(Operator::If)) } else { None };
        let theirs = own.filter(|at| *at <= 2).map_or(has_condition(run), |at| has_condition(&run[at + 1..]));
        opens && !theirs && (!joins || self.may_lose_part(first, run))
    }

    fn is_between(&self, run: &[&Token]) -> bool {
        let mark = |token: Option<&&Token>, marks: &[char]| {
            token.is_some_and(|token| matches!(token.kind, Kind::Mark(mark) if marks.contains(&mark)))
        };
        let closed = mark(run.first(), &[',', '—']) && mark(run.last(), &[',', '—']) && run.len() > 2;
        let aside = closed && (listed(ASIDE, &run[1].word) || run[1].word.ends_with("ing"));
        aside && !has_condition(run) && !matches!(run[1].word.as_str(), "and" | "or" | "but")
    }

    /// "accepted but not generated" for one of the two: the parts are alike, and nothing counts or limits them.
    fn is_one_of_two(&self, from: usize, to: usize) -> bool {
        let run = &self.quote[from..to];
        let joins = |token: &Token| token.is_word() && matches!(token.word.as_str(), "and" | "or" | "but");
        let first_goes = run.last().is_some_and(|token| joins(token));
        let second_goes = run.first().is_some_and(|token| joins(token));
        if first_goes == second_goes || has_condition(run) {
            return false;
        }
        let (joint, gone, left) = if first_goes {
            (run[run.len() - 1], run.first(), self.quote[to..].iter().find(|token| token.operator.is_none()))
        } else {
            (run[0], run.get(1), from.checked_sub(1).map(|at| &self.quote[at]))
        };
        let (Some(gone), Some(left)) = (gone, left) else { return false };
        let bare = run.iter().filter(|token| !joins(token) && !is_free(token)).count() <= 1;
        let alike = ending(gone) == ending(left) && (!ending(gone).is_empty() || bare);
        alike && self.may_lose_part(joint, run)
    }

    fn may_lose_part(&self, joint: &Token, run: &[&Token]) -> bool {
        let measured =
            self.own.iter().any(|token| matches!(&token.kind, Kind::Number(number) if number.value > 1.0));
        let alternative = joint.word == "or" && !self.has(&[Operator::Can, Operator::If, Operator::Not]);
        let verb = run
            .iter()
            .any(|token| lexicon::is_be(&token.word) || lexicon::is_modal(&token.word) || is_past(token));
        !(self.has(&[Operator::Only]) || alternative || (measured && !verb))
    }
}

/// A stretch whose loss would widen what is said.
fn has_condition(run: &[&Token]) -> bool {
    run.iter().any(|token| {
        matches!(
            token.operator,
            Some(Operator::If | Operator::Unless | Operator::Only | Operator::Believed | Operator::Planned)
        ) || (token.is_word()
            && matches!(
                token.word.as_str(),
                "if" | "unless" | "until" | "where" | "when" | "before" | "after" | "than"
            ))
    })
}

/// How a word ends, for telling whether two are of one kind.
fn ending(token: &Token) -> &'static str {
    let word = token.word.as_str();
    match word {
        _ if is_past(token) || lexicon::irregular(word).is_some() => "ed",
        _ if word.ends_with("ing") => "ing",
        _ if word.ends_with("ly") => "ly",
        _ if word.ends_with('s') && !word.ends_with("ss") => "s",
        _ => "",
    }
}
