//! What of a quote may be left out without changing the rest: an aside, an opening, a second statement, one of several alike
//! things.

use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};
use super::is_free;
use super::lists::ending;
use super::parted::{is_because, is_class_of_aside, is_finite, is_parted_by_dash, is_parted_otherwise};

/// Words that open what may go at the beginning of a sentence, up to its comma.
const CONNECTING: &str = "however first note therefore thus hence also moreover furthermore additionally instead similarly finally clearly still yet but and \
so then firstly secondly lastly again nevertheless nonetheless meanwhile besides despite although though while whereas because indeed conversely \
likewise consequently accordingly naturally obviously interestingly unfortunately fortunately traditionally notably please similar \
like unlike yes";
/// Words that open what may go behind a comma.
const ASIDE: &str = "which who whose whom although though while whereas but and so thus because as including especially particularly a an the \
namely with making notably even though or since like";
/// Words that open what may go without a comma.
const TRAILING: &str = "although though while whereas because and but";
pub(super) fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

pub(super) struct Gaps<'a> {
    pub(super) quote: &'a [&'a Token],
    pub(super) own: &'a [&'a Token],
}

impl Gaps<'_> {
    pub(super) fn has(&self, wanted: &[Operator]) -> bool {
        self.own.iter().any(|token| token.operator.is_some_and(|operator| wanted.contains(&operator)))
    }

    /// Does the sentence give an amount? "BIND 9" is a name.
    pub(super) fn is_measured(&self) -> bool {
        self.own.iter().enumerate().any(|(at, token)| {
            let named = at > 0 && self.own[at - 1].name;
            matches!(&token.kind, Kind::Number(number) if number.value > 1.0 && !(named && number.dimension.is_empty()))
        })
    }

    /// May the tokens of the quote from one place up to another be left out, at once or one stretch after the other?
    pub(super) fn may_go(&self, from: usize, to: usize) -> bool {
        let parted = |at: &usize| self.quote[*at].is_mark() && from < *at && *at + 1 < to;
        self.may_go_at_once(from, to)
            || (from..to).filter(parted).any(|at| {
                self.may_go_at_once(from, at) && self.may_go_at_once(at, to)
                    || self.may_go_at_once(from, at + 1) && self.may_go_at_once(at + 1, to)
            })
    }

    fn may_go_at_once(&self, from: usize, to: usize) -> bool {
        // "…; we do": the subject is free, and hides the mark before it.
        let ends = to == self.quote.len();
        let behind =
            self.quote[from..to].iter().rev().take_while(|token| is_free(token) && is_opener(token)).count();
        let to = to - behind;
        let run = &self.quote[from..to];
        let said: Vec<&Token> = run
            .iter()
            .copied()
            .filter(|token| !is_free(token) && !is_pointing(token) && !lexicon::names_no_subset(&token.word))
            .collect();
        let Some(last) = said.last() else { return true };
        // "Thus, …": what it follows from stands elsewhere.
        let follows = from == 0
            && matches!(run, [word, comma] if word.operator == Some(Operator::Because) && comma.kind == Kind::Mark(','));
        if follows {
            return true;
        }
        // "Because it rains, …": what is a cause is so.
        if from == 0 && is_because(run) && self.says_something_of_its_own() {
            return true;
        }
        // ", as a rule": how surely or how often.
        if said.iter().all(|token| token.operator.is_some_and(|operator| operator != Operator::Will)) {
            return false;
        }
        let begins = from == 0;
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
        if said.iter().all(|token| self.is_manner(from, token)) || (!subject && self.is_said_again(&said)) {
            return true;
        }
        self.is_bracket(run)
            || self.is_class(from, &said)
            || is_class_of_aside(run)
            || self.is_kind_of_name(from, to)
            || (begins && self.is_opening(run))
            || (ends && self.is_ending(run))
            || (!begins && !ends && self.is_between(run))
            || self.is_first_consequence(from, to)
            || self.is_part_of_list(from, to)
            || self.is_modifier_behind(from, to)
    }

    /// "steadily", "actually": how, but under a denial it says what is denied.
    fn is_manner(&self, from: usize, token: &Token) -> bool {
        let denied = self.quote[..from]
            .iter()
            .any(|before| matches!(before.operator, Some(Operator::Not | Operator::Only | Operator::Unless)));
        token.operator.is_none()
            && (lexicon::is_adverb(&token.word)
                || matches!(token.word.as_str(), "also" | "however" | "then" | "too"))
            && token.is_word()
            && !denied
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

    /// "The configuration parameter SlurmdTimeout": what kind of thing the name behind it is.
    fn is_kind_of_name(&self, from: usize, to: usize) -> bool {
        let opens = from == 0 || !self.quote[from - 1].is_content();
        let kind = self.quote[from..to].iter().all(|token| {
            is_thing(token) && token.operator.is_none() && !token.name && !lexicon::is_ranking(&token.word)
        });
        let named = self.quote.get(to).is_some_and(|name| name.name && name.is_word());
        let alone = self.quote.get(to + 1).is_none_or(|next| {
            !next.is_content() || (next.word.ends_with('s') && lexicon::is_only_verb(&next.stem))
        });
        opens && kind && named && alone
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
        let parted = run.last().is_some_and(|token| token.kind == Kind::Mark(';'))
            || ((is_parted_by_dash(run) || is_parted_otherwise(run)) && self.says_something_of_its_own());
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

    /// Has what was kept a verb of its own?
    fn says_something_of_its_own(&self) -> bool {
        let subject = self.own.iter().take_while(|token| !is_finite(token)).any(|token| token.is_content());
        subject && self.own.iter().any(|token| is_finite(token))
    }

    /// "otherwise …": what is so only without what was left out.
    fn starts_otherwise(&self) -> bool {
        self.own.iter().take(2).any(|token| {
            matches!(token.word.as_str(), "otherwise" | "else" | "this" | "that" | "it" | "they")
        })
    }

    /// "If A, B and C" for "if A, C": one of two statements under one condition.
    fn is_first_consequence(&self, from: usize, to: usize) -> bool {
        let run = &self.quote[from..to];
        let behind = from > 0 && self.quote[from - 1].kind == Kind::Mark(',')
            || run.first().is_some_and(|first| first.kind == Kind::Mark(','));
        let conditional = matches!(self.quote[0].operator, Some(Operator::If | Operator::Unless));
        let and = run.last().is_some_and(|token| token.is_word() && token.word == "and");
        let verb = |tokens: &[&Token]| {
            tokens.iter().any(|token| {
                lexicon::is_be(&token.word)
                    || lexicon::is_modal(&token.word)
                    || (token.word.ends_with('s') && lexicon::is_only_verb(&token.stem))
            })
        };
        behind && conditional && and && verb(run) && verb(&self.quote[to..]) && !has_condition(run)
    }

    /// "However, …", "Despite warnings, …", "Although …, …".
    fn is_opening(&self, run: &[&Token]) -> bool {
        let closed = run.last().is_some_and(|token| matches!(token.kind, Kind::Mark(',' | ':')));
        let first = run.first().is_some_and(|token| listed(CONNECTING, &token.word));
        let words = run.len() == 4 && run[0].word == "in" && run[1].word == "other" && run[2].word == "words";
        let when = closed && self.is_event() && run.iter().all(|token| token.operator.is_none());
        (closed && (first || words || is_label(run)) && !has_condition(run)) || when
    }

    /// What goes on behind the sentence: another statement, or a remark on it.
    fn is_ending(&self, run: &[&Token]) -> bool {
        let pronouns = run.iter().take_while(|token| matches!(token.word.as_str(), "it" | "them")).count();
        let run = &run[pronouns..];
        if run.is_empty() {
            return true;
        }
        // "…: this is so because …": it says more of what was said, unless that only points to it.
        let told = run[0].kind == Kind::Mark(':') && run.iter().any(|token| is_finite(token));
        if told && !has_condition(run) && !self.own.iter().any(|token| token.word == "following") {
            return true;
        }
        let marked = matches!(run[0].kind, Kind::Mark(',' | ';' | '—' | '('));
        let first = if marked { run.get(1) } else { run.first() };
        let Some(first) = first else { return true };
        // "…, even when it is null": it does not matter. "may …, depending on the system": on what says no more.
        let depending = marked && first.word == "depending" && self.has(&[Operator::Can]);
        if first.operator == Some(Operator::EvenIf) || depending {
            return true;
        }
        // "A rather than B": what it is not, or is not taken.
        let contrast = matches!(
            run.iter().take(2).map(|token| token.word.as_str()).collect::<Vec<_>>()[..],
            ["instead", "of"] | ["rather", "than"] | [",", "rather"] | ["as", "opposed"]
        );
        if contrast && !self.has(&[Operator::Not, Operator::If, Operator::Unless, Operator::Only]) {
            return true;
        }
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
        let limits = if joins { limits_all } else { has_condition };
        let theirs = own.filter(|at| *at <= 2).map_or(limits(run), |at| limits(&run[at + 1..]));
        let after =
            marked && matches!(first.word.as_str(), "after" | "before" | "when" | "until") && self.is_dated();
        after || self.is_purpose(run) || (opens && !theirs && (!joins || self.may_lose_part(first, run)))
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
}

/// "Attribution right: …": what the sentence is called.
fn is_label(run: &[&Token]) -> bool {
    const LABELS: &str = "note tip hint warning caution remark answer right rights duty duties obligation obligations clause definition";
    matches!(run, [words @ .., last, colon] if colon.kind == Kind::Mark(':')
        && listed(LABELS, &last.word)
        && words.len() < 4
        && words.iter().all(|token| token.is_word() && token.operator.is_none()))
}

pub(super) fn is_do(token: &Token) -> bool {
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

/// A stretch behind "and" that may limit what stands before it, too: a condition or an "only", not a doubt of its own.
fn limits_all(run: &[&Token]) -> bool {
    let sure: Vec<&Token> = run
        .iter()
        .copied()
        .filter(|token| !matches!(token.operator, Some(Operator::Believed | Operator::Planned)))
        .collect();
    has_condition(&sure)
}

/// A stretch whose loss would widen what is said.
pub(super) fn has_condition(run: &[&Token]) -> bool {
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
pub(super) fn is_thing(token: &Token) -> bool {
    token.is_word() && token.is_content() && !matches!(ending(token), "ed" | "ing" | "ly")
}
