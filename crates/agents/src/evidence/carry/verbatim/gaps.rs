//! What of a quote may be left out without changing the rest: an aside, an opening, a second statement, one of several alike
//! things.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::{is_free, is_past};

/// Words that open what may go at the beginning of a sentence, up to its comma.
const CONNECTING: &str = "however first note therefore thus hence also moreover furthermore additionally instead similarly finally clearly still yet but and \
so then firstly secondly lastly again nevertheless nonetheless meanwhile besides despite although though while whereas because indeed conversely \
likewise consequently accordingly naturally obviously interestingly unfortunately fortunately traditionally notably please";
/// Words that open what may go behind a comma.
const ASIDE: &str = "which who whose whom although though while whereas but and so thus because as including especially particularly a an the \
namely with making notably even though or since like";
/// Words that open what may go without a comma.
const TRAILING: &str = "although though while whereas because and but";
/// Words of which a part says less than the whole.
const TOGETHER: &str = "between both either neither together combination combined respectively same equal difference sum total pair two three four \
versus whether";

/// Verbs whose "to" says what happens rather than what for, by stem.
const CONTROL: &[&str] = &[
    "allow", "permit", "enabl", "requir", "need", "forc", "caus", "ask", "tell", "want", "try", "tri",
    "attempt", "us", "fail", "tend", "expect", "help", "advis", "seem", "appear", "begin", "start",
    "continu", "refus", "order", "let", "get", "abl", "possibl", "wai", "way", "abil", "right", "decis",
    "like", "lead", "set", "time", "chanc",
];

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

pub(super) struct Gaps<'a> {
    pub(super) quote: &'a [&'a Token],
    pub(super) own: &'a [&'a Token],
}

impl Gaps<'_> {
    fn has(&self, wanted: &[Operator]) -> bool {
        self.own.iter().any(|token| token.operator.is_some_and(|operator| wanted.contains(&operator)))
    }

    /// May the tokens of the quote from one place up to another be left out?
    pub(super) fn may_go(&self, from: usize, to: usize) -> bool {
        // "…; we do": the subject is free, and hides the mark before it.
        let behind =
            self.quote[from..to].iter().rev().take_while(|token| is_free(token) && is_opener(token)).count();
        let to = to - behind;
        let run = &self.quote[from..to];
        let said: Vec<&Token> =
            run.iter().copied().filter(|token| !is_free(token) && !is_pointing(token)).collect();
        let Some(last) = said.last() else { return true };
        // ", as a rule": how surely or how often.
        if said.iter().all(|token| token.operator.is_some_and(|operator| operator != Operator::Will)) {
            return false;
        }
        let begins = from == 0;
        let ends = to == self.quote.len();
        if begins && self.is_statement_before(run) {
            return true;
        }
        // "… and no refrigerant escaped": what governs the next word goes with it.
        if last.operator.is_some() && !ends && run.last().is_some_and(|token| !token.is_mark()) {
            return false;
        }
        // What stands before a helper is who does it.
        let subject = self.quote[to..].iter().find(|token| !token.is_mark()).is_some_and(|next| {
            lexicon::is_be(&next.word)
                || lexicon::is_modal(&next.word)
                || next.operator == Some(Operator::Must)
        });
        if said.iter().all(|token| self.is_manner(token)) || (!subject && self.is_said_again(&said)) {
            return true;
        }
        self.is_bracket(run)
            || self.is_class(from, &said)
            || (begins && self.is_opening(run))
            || (ends && self.is_ending(run))
            || (!begins && !ends && self.is_between(run))
            || self.is_part_of_list(from, to)
    }

    /// "steadily", "actually": how, but under a denial it says what is denied.
    fn is_manner(&self, token: &Token) -> bool {
        token.operator.is_none()
            && (lexicon::is_adverb(&token.word)
                || matches!(token.word.as_str(), "also" | "however" | "then" | "too"))
            && token.is_word()
            && !self.has(&[Operator::Not, Operator::Only])
    }

    /// "the oldest packets rather than the newest": what is said once for both.
    fn is_said_again(&self, said: &[&Token]) -> bool {
        let same = |one: &Token, other: &Token| match (one.operator, other.operator) {
            (None, None) => one.is_content() && one.stem == other.stem,
            (one, other) => one == other,
        };
        said.iter().any(|token| token.is_content())
            && said.iter().all(|token| token.is_word() && self.own.iter().any(|own| same(own, token)))
    }

    /// "the Redo command", "-D option": what kind of thing a name is.
    fn is_class(&self, from: usize, said: &[&Token]) -> bool {
        let named = from > 0 && self.quote[from - 1].name;
        named
            && matches!(said, [class] if matches!(class.stem.as_str(), "command" | "option" | "flag" | "function" | "switch"))
    }

    fn is_bracket(&self, run: &[&Token]) -> bool {
        let inner = run.len() > 2
            && run.first().is_some_and(|token| token.kind == Kind::Mark('('))
            && run.last().is_some_and(|token| token.kind == Kind::Mark(')'));
        inner && !has_condition(run)
    }

    /// Is what was kept one event that happened? Then what came before it, or when, only adds to it.
    fn is_event(&self) -> bool {
        let sweeping = [
            Operator::Not,
            Operator::All,
            Operator::Only,
            Operator::Most,
            Operator::Can,
            Operator::Must,
            Operator::Should,
            Operator::If,
            Operator::Planned,
            Operator::Believed,
        ];
        let measured = self.own.iter().any(|token| matches!(&token.kind, Kind::Number(_)));
        let past = self.own.iter().any(|token| lexicon::is_past_auxiliary(&token.word));
        past && !measured && !self.has(&sweeping)
    }

    /// "This is so; …", "It is known that …": a statement before, and what only says that the rest is so.
    fn is_statement_before(&self, run: &[&Token]) -> bool {
        let first = run[0].word.as_str();
        let parted = run.last().is_some_and(|token| token.kind == Kind::Mark(';'));
        let sure = run.iter().all(|token| token.operator.is_none());
        let that = run.last().is_some_and(|token| token.word == "that")
            && matches!(first, "it" | "there" | "note" | "remember" | "this" | "be")
            && !run
                .iter()
                .any(|token| matches!(token.stem.as_str(), "mean" | "possibl" | "rumour" | "hope" | "argu"));
        let but = run.last().is_some_and(|token| token.is_word() && token.word == "but")
            && !has_condition(run)
            && !lexicon::is_preposition(first)
            && run.len() > 3;
        // "…, and the guide says": a statement of its own, with its own subject.
        let and = matches!(run, [.., comma, and] if comma.kind == Kind::Mark(',') && and.word == "and")
            && run.iter().any(|token| lexicon::is_be(&token.word) || is_do(token))
            && !run.iter().any(|token| {
                matches!(
                    token.operator,
                    Some(
                        Operator::If
                            | Operator::Unless
                            | Operator::Only
                            | Operator::Most
                            | Operator::Planned
                            | Operator::Believed
                    )
                )
            })
            && !lexicon::is_preposition(first);
        ((parted || but || and) && !self.starts_otherwise()) || (that && sure)
    }

    /// "otherwise …": what is so only without what was left out.
    fn starts_otherwise(&self) -> bool {
        self.own.iter().take(2).any(|token| {
            matches!(token.word.as_str(), "otherwise" | "else" | "this" | "that" | "it" | "they")
        })
    }

    /// "However, …", "Despite warnings, …", "Although …, …".
    fn is_opening(&self, run: &[&Token]) -> bool {
        let closed = run.last().is_some_and(|token| matches!(token.kind, Kind::Mark(',' | ':')));
        let first = run.first().is_some_and(|token| listed(CONNECTING, &token.word));
        let words = run.len() == 4 && run[0].word == "in" && run[1].word == "other" && run[2].word == "words";
        let when = closed && self.is_event() && run.iter().all(|token| token.operator.is_none());
        (closed && (first || words) && !has_condition(run)) || when
    }

    /// What goes on behind the sentence: another statement, or a remark on it.
    fn is_ending(&self, run: &[&Token]) -> bool {
        let pronouns = run.iter().take_while(|token| matches!(token.word.as_str(), "it" | "them")).count();
        let run = &run[pronouns..];
        if run.is_empty() {
            return true;
        }
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
        let after =
            marked && matches!(first.word.as_str(), "after" | "before" | "when" | "until") && self.is_dated();
        after || self.is_purpose(run) || (opens && !theirs && (!joins || self.may_lose_part(first, run)))
    }

    /// "crops an image to save space", "for better speed": what it is for, unless it is needed or limited for that.
    fn is_purpose(&self, run: &[&Token]) -> bool {
        let bound =
            self.has(&[Operator::Not, Operator::Must, Operator::Should, Operator::Only, Operator::If])
                || self.own.iter().any(|token| CONTROL.contains(&token.stem.as_str()));
        let kept = run.len() < self.quote.len() && is_thing(self.quote[self.quote.len() - run.len() - 1]);
        let verb = |at: usize| run.get(at).is_some_and(|token| lexicon::is_verb(&token.word, &token.stem));
        let to = run[0].word == "to" && run[0].operator.is_none() && verb(1) && !has_condition(run);
        let gain = run[0].word == "for"
            && run.len() <= 4
            && run.iter().any(|token| {
                listed("maximum better greater more extra improved increased best", &token.word)
            });
        !bound && kept && (to || gain)
    }

    /// "was released on 9 March 1999": one event, whatever came before it.
    fn is_dated(&self) -> bool {
        let date = self.own.iter().any(|token| matches!(token.kind, Kind::Date(_)));
        let past = self.own.iter().any(|token| lexicon::is_past_auxiliary(&token.word));
        past && date && !self.has(&[Operator::Not, Operator::All, Operator::Only, Operator::Can])
    }

    fn is_between(&self, run: &[&Token]) -> bool {
        let mark = |token: Option<&&Token>, marks: &[char]| {
            token.is_some_and(|token| matches!(token.kind, Kind::Mark(mark) if marks.contains(&mark)))
        };
        let closed = mark(run.first(), &[',', '—']) && mark(run.last(), &[',', '—']) && run.len() > 2;
        let aside = closed && (listed(ASIDE, &run[1].word) || run[1].word.ends_with("ing"));
        aside && !has_condition(run) && !matches!(run[1].word.as_str(), "and" | "or" | "but")
    }

    /// "accepted but not generated" for one of the two, "A" for "A, B and C": the parts are alike, and nothing counts or
    /// limits them.
    fn is_part_of_list(&self, from: usize, to: usize) -> bool {
        let run = &self.quote[from..to];
        let word = |token: &Token| token.is_word() && matches!(token.word.as_str(), "and" | "or" | "but");
        let comma = |token: &Token| token.kind == Kind::Mark(',');
        let joins = |token: &Token| word(token) || comma(token);
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return false };
        // The words that join this list: in the stretch left out, or right behind it.
        let joint = run
            .iter()
            .find(|token| word(token))
            .or_else(|| self.quote[to..].iter().take(8).find(|token| word(token)));
        let Some(joint) = joint else { return false };
        let (first_goes, second_goes) = (joins(last), joins(first));
        let denied =
            run.iter().all(|token| token.operator.is_none() || token.operator == Some(Operator::Not));
        if !(first_goes || second_goes) || has_condition(run) || !denied {
            return false;
        }
        let part = |tokens: &[&Token]| {
            tokens.iter().all(|token| !lexicon::is_be(&token.word) && !lexicon::is_modal(&token.word))
        };
        let gone: Vec<&Token> = run.iter().copied().filter(|token| !joins(token)).collect();
        let counted = run.iter().filter(|token| joins(token)).count();
        let bare = gone.iter().filter(|token| !is_free(token)).count() <= 1;
        let (Some(head), Some(tail)) = (gone.first(), gone.last()) else { return false };
        let alike = if first_goes && !second_goes {
            let Some(left) = self.quote[to..].iter().find(|token| token.operator.is_none()) else {
                return false;
            };
            is_alike(head, left, bare)
        } else {
            let Some(before) = from.checked_sub(1).map(|at| self.quote[at]) else { return false };
            let closes = self
                .quote
                .get(to)
                .is_none_or(|next| !next.is_content() || next.operator.is_some() || is_past(next));
            is_alike(tail, before, bare) || (closes && is_thing(tail) && is_thing(before) && counted > 0)
        };
        let together = self.quote[..to].iter().any(|token| listed(TOGETHER, &token.word));
        alike
            && part(&gone)
            && !together
            && !self.is_in_condition(from, joint)
            && self.may_lose_part(joint, run)
    }

    /// "if A and B": both are asked for. Of "A or B" one is enough.
    fn is_in_condition(&self, from: usize, joint: &Token) -> bool {
        let open = self.quote[..from].iter().rposition(|token| {
            matches!(token.operator, Some(Operator::If | Operator::Unless)) || token.word == "without"
        });
        let closed = |at: usize| self.quote[at..from].iter().any(|token| token.kind == Kind::Mark(','));
        joint.word != "or" && open.is_some_and(|at| !closed(at))
    }

    fn may_lose_part(&self, joint: &Token, run: &[&Token]) -> bool {
        let measured =
            self.own.iter().any(|token| matches!(&token.kind, Kind::Number(number) if number.value > 1.0));
        let alternative =
            joint.word == "or" && !self.has(&[Operator::Can, Operator::If, Operator::Not, Operator::All]);
        let verb = run
            .iter()
            .any(|token| lexicon::is_be(&token.word) || lexicon::is_modal(&token.word) || is_past(token));
        !(self.has(&[Operator::Only]) || alternative || (measured && !verb))
    }
}

fn is_do(token: &Token) -> bool {
    token.is_word() && matches!(token.word.as_str(), "do" | "does" | "did")
}

/// Words that may stand between a mark and the rest.
fn is_opener(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "it" | "they" | "there" | "you" | "one" | "we" | "in" | "on" | "at" | "for" | "with"
    )
}

/// "this", "its": what "the" says as well.
pub(super) fn is_pointing(token: &Token) -> bool {
    token.is_word()
        && token.operator.is_none()
        && matches!(token.word.as_str(), "this" | "these" | "its" | "their" | "your" | "our")
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

/// A noun, as far as its ending tells.
fn is_thing(token: &Token) -> bool {
    token.is_word() && token.is_content() && !matches!(ending(token), "ed" | "ing" | "ly")
}

/// Are two words of one kind? Words without an ending only where nothing else goes.
fn is_alike(one: &Token, other: &Token, bare: bool) -> bool {
    ending(one) == ending(other) && (!ending(one).is_empty() || bare)
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
