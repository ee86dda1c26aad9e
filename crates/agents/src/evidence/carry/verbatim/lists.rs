//! One of several alike things, said without the others.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::gaps::{Gaps, has_condition, is_thing, listed};
use super::versions::is_helper;
use super::{is_free, is_past};

/// Words of which a part says less than the whole.
const TOGETHER: &str = "between both either neither together combination combined respectively same equal difference sum total pair two three four \
versus whether";

impl Gaps<'_> {
    /// "accepted but not generated" for one of the two, "A" for "A, B and C": the parts are alike, and nothing counts or
    /// limits them.
    pub(super) fn is_part_of_list(&self, from: usize, to: usize) -> bool {
        // "examples, recipes and other code"
        let other = usize::from(to > from && matches!(self.quote[to - 1].word.as_str(), "other" | "even"));
        let run = &self.quote[from..to - other];
        let word = |token: &Token| token.is_word() && matches!(token.word.as_str(), "and" | "or" | "but");
        let comma = |token: &Token| token.kind == Kind::Mark(',');
        let joins = |token: &Token| word(token) || comma(token);
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return false };
        // The words that join this list: in the stretch left out, right behind it, or before it.
        let behind = self.quote[to..].iter().take(8);
        let before = self.quote[from.saturating_sub(16)..from].iter().rev();
        let Some(joint) = run.iter().chain(behind).chain(before).find(|token| word(token)) else {
            return false;
        };
        let (first_goes, second_goes) = (joins(last), joins(first));
        let denied =
            run.iter().all(|token| token.operator.is_none() || token.operator == Some(Operator::Not));
        if !(first_goes || second_goes) || has_condition(run) || !denied {
            return false;
        }
        let part = |tokens: &[&Token]| {
            tokens.iter().all(|token| !lexicon::is_be(&token.word) && !lexicon::is_modal(&token.word))
        };
        let gone: Vec<&Token> =
            run.iter().copied().filter(|token| !joins(token) && token.word != "etc").collect();
        let counted = run.iter().filter(|token| joins(token)).count();
        let bare = gone.iter().filter(|token| !is_free(token)).count() <= 1;
        let (Some(head), Some(tail)) = (gone.first(), gone.last()) else { return false };
        let alike = if first_goes && !second_goes {
            let Some(left) = self.quote[to..].iter().find(|token| token.operator.is_none()) else {
                return false;
            };
            is_alike(head, left, bare) || other > 0 || self.is_first_of_list(from, to, tail)
        } else {
            let Some(before) = from.checked_sub(1).map(|at| self.quote[at]) else { return false };
            let closes = self
                .quote
                .get(to)
                .is_none_or(|next| !next.is_content() || next.operator.is_some() || is_past(next));
            let act = from == 1 && ending(before) == "ing";
            let noun = bare && ending(tail) == "ing";
            is_alike(tail, before, bare)
                || (closes && (is_thing(tail) || noun) && (is_thing(before) || act) && counted > 0)
        };
        let together = self.quote[..to].iter().any(|token| listed(TOGETHER, &token.word));
        alike
            && part(&gone)
            && !together
            && !self.is_in_condition(from, joint)
            && self.may_lose_part(joint, run)
    }

    /// "includes stack traces, heap statistics, …" for the second: what goes is a whole phrase, and another one of the same
    /// kind follows it.
    fn is_first_of_list(&self, from: usize, to: usize, tail: &Token) -> bool {
        let opens = from.checked_sub(1).is_none_or(|at| {
            let before = self.quote[at];
            !before.is_content() || lexicon::is_only_verb(&before.stem) || is_past(before)
        });
        let phrase = self.quote[to..].iter().take_while(|token| {
            token.is_word()
                && token.operator.is_none()
                && !lexicon::is_preposition(&token.word)
                && !is_helper(token)
        });
        let kept = phrase.take_while(|token| !matches!(token.word.as_str(), "and" | "or")).last();
        let plural = |token: &Token| ending(token) == "s";
        opens
            && kept.is_some_and(|kept| {
                is_thing(kept) && is_thing(tail) && (plural(kept) == plural(tail) || kept.name || tail.name)
            })
    }

    /// "if A and B": both are asked for. Of "A or B" one is enough.
    fn is_in_condition(&self, from: usize, joint: &Token) -> bool {
        let open = self.quote[..from].iter().rposition(|token| {
            matches!(token.operator, Some(Operator::If | Operator::Unless)) || token.word == "without"
        });
        let closed = |at: usize| self.quote[at..from].iter().any(|token| token.kind == Kind::Mark(','));
        joint.word != "or" && open.is_some_and(|at| !closed(at))
    }

    /// "after compressing or decompressing", "files that contain A or B": what is said holds for each.
    fn is_each_enough(&self, joint: &Token) -> bool {
        let at = self.quote.iter().position(|token| std::ptr::eq(*token, joint)).unwrap_or_default();
        let from = self.quote[..at].iter().rposition(|token| token.is_mark()).map_or(0, |mark| mark + 1);
        let open =
            |token: &Token| matches!(token.word.as_str(), "after" | "before" | "when" | "while" | "upon");
        let which = |token: &Token| matches!(token.word.as_str(), "that" | "which" | "who");
        let segment = &self.quote[from..at];
        segment.first().is_some_and(|first| open(first))
            || (from == 0
                && segment.iter().any(|token| which(token))
                && !segment.iter().any(|token| is_helper(token)))
    }

    pub(super) fn may_lose_part(&self, joint: &Token, run: &[&Token]) -> bool {
        let measured = self.is_measured();
        let alternative = joint.word == "or"
            && !self.has(&[Operator::Can, Operator::If, Operator::Not, Operator::All])
            && !self.is_each_enough(joint);
        let verb = run
            .iter()
            .any(|token| lexicon::is_be(&token.word) || lexicon::is_modal(&token.word) || is_past(token));
        // "If A or B, then so many": each is enough for the same amount.
        let enough = joint.word == "or" && self.has(&[Operator::If]);
        !(self.has(&[Operator::Only]) || alternative || (measured && !verb && !enough))
    }
}

/// Are two words of one kind? Words without an ending only where nothing else goes.
fn is_alike(one: &Token, other: &Token, bare: bool) -> bool {
    ending(one) == ending(other) && (!ending(one).is_empty() || bare)
}

/// How a word ends, for telling whether two are of one kind.
pub(super) fn ending(token: &Token) -> &'static str {
    let word = token.word.as_str();
    match word {
        _ if is_past(token) || lexicon::irregular(word).is_some() => "ed",
        _ if word.ends_with("ing") => "ing",
        _ if word.ends_with("ly") => "ly",
        _ if word.ends_with('s') && !word.ends_with("ss") => "s",
        _ => "",
    }
}
