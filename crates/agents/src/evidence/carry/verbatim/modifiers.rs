//! What stands behind a thing and says more of it, or what it is for. It may go where the thing is only said to be there: not
//! where something is denied, counted, limited, asked for or said of all.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::gaps::{Gaps, has_condition, is_thing, listed};
use super::is_past;

/// Verbs whose "to" says what happens rather than what for, by stem.
const CONTROL: &[&str] = &[
    "allow", "permit", "enabl", "requir", "need", "forc", "caus", "ask", "tell", "want", "try", "tri",
    "attempt", "us", "fail", "tend", "expect", "help", "advis", "seem", "appear", "begin", "start",
    "continu", "refus", "order", "let", "get", "abl", "possibl", "wai", "way", "abil", "right", "decis",
    "like", "lead", "set", "time", "chanc",
];

/// Ends of which one is glad in any case: without them what is asked for is asked for still.
const REASONS: &[&str] = &["avoid", "prevent", "ensur", "reduc", "save", "protect", "minim", "keep"];

/// Words that open what says more of the thing before.
const OPENERS: &str = "with of in on at from via through that which who whose";

impl Gaps<'_> {
    /// "crops an image to save space", "for better speed": what it is for, unless it is needed or limited for that.
    pub(super) fn is_purpose(&self, run: &[&Token]) -> bool {
        let limited = self.has(&[Operator::Not, Operator::Only]);
        let needed = self.has(&[Operator::Must, Operator::Should]);
        let controls = self.own.iter().any(|token| CONTROL.contains(&token.stem.as_str()));
        let last = (self.quote.len() - run.len()).checked_sub(1).map(|at| self.quote[at]);
        let kept = last.is_some_and(|last| is_thing(last) || (self.has(&[Operator::If]) && is_past(last)));
        let verb = run.get(1).filter(|token| lexicon::is_verb(&token.word, &token.stem));
        let to = run[0].word == "to" && run[0].operator.is_none() && !has_condition(run);
        let reason = verb.is_some_and(|verb| REASONS.contains(&verb.stem.as_str()));
        let gain = run[0].word == "for"
            && run.len() <= 4
            && run.iter().any(|token| {
                listed("maximum better greater more extra improved increased best", &token.word)
            });
        kept && !limited && ((to && reason) || (!needed && ((to && verb.is_some() && !controls) || gain)))
    }

    /// "objects containing conditions which branch …", "a table with the results of each run".
    pub(super) fn is_modifier_behind(&self, from: usize, to: usize) -> bool {
        let run = &self.quote[from..to];
        let phrase = run.first().is_some_and(|first| is_past(first) && first.is_content());
        let closes = self.quote.get(to).is_none_or(|next| {
            matches!(next.kind, Kind::Mark(',' | ';' | ')' | '—'))
                || (phrase && (lexicon::is_preposition(&next.word) || next.word == "instead"))
        });
        let Some((first, rest)) = run.split_first().filter(|_| closes && from > 1) else { return false };
        let participle =
            |token: &Token| token.is_content() && (token.word.ends_with("ing") || is_past(token));
        let adverb = lexicon::is_adverb(&first.word) && rest.first().is_some_and(|next| participle(next));
        let opens = listed(OPENERS, &first.word) || participle(first) || adverb;
        let marked = run.iter().any(|token| token.is_mark());
        let sure = run
            .iter()
            .all(|token| token.operator.is_none() && !token.is_amount() && !lexicon::is_time(&token.word));
        let told = rest.iter().any(|token| token.is_content());
        let asked = self.has(&[Operator::Must, Operator::Should])
            && !(first.word == "of" || lexicon::is_be(&self.verb_before(from)));
        opens
            && told
            && sure
            && !marked
            && !asked
            && !has_condition(run)
            && self.is_object(from)
            && !self.is_bounded()
    }

    /// The verb behind which a thing stands: "be" in "should be a line of text".
    fn verb_before(&self, from: usize) -> String {
        let noun =
            |token: &Token| token.is_content() && !is_past(token) || lexicon::is_preposition(&token.word);
        let verb = self.quote[..from].iter().rev().find(|token| !noun(token));
        verb.map(|token| token.word.clone()).unwrap_or_default()
    }

    /// Is the word before this place a thing that stands behind its verb?
    fn is_object(&self, from: usize) -> bool {
        let clause = self.quote[..from].iter().rposition(|token| token.is_mark()).map_or(0, |at| at + 1);
        let before = &self.quote[clause.min(from - 1)..from - 1];
        let verb = |token: &&Token| {
            lexicon::is_be(&token.word)
                || lexicon::is_modal(&token.word)
                || (token.word.ends_with('s') && lexicon::is_only_verb(&token.stem))
                || is_past(token)
        };
        is_thing(self.quote[from - 1]) && before.iter().any(verb)
    }

    /// Would a wider thing say more?
    fn is_bounded(&self) -> bool {
        let than = |token: &Token| matches!(token.word.as_str(), "than" | "as" | "same" | "any");
        self.has(&[
            Operator::Not,
            Operator::All,
            Operator::Only,
            Operator::Most,
            Operator::Many,
            Operator::Few,
            Operator::If,
            Operator::Unless,
        ]) || self.is_measured()
            || self.own.iter().any(|token| than(token) || lexicon::is_ranking(&token.word))
    }
}
