//! The same words in another order that says the same: what stands in front put behind, the passive made active, two things
//! that are one changed round.

use std::ops::Range;

use super::super::clause::is_participle;
use super::super::lexicon::{self, Operator};
use super::super::token::{Kind, Token};

/// How many turned-round versions of a sentence are tried.
const MOST_TURNS: usize = 48;

/// A sentence without the mark at its end.
fn unmarked(own: &[Token]) -> &[Token] {
    let marked = own.last().is_some_and(|token| token.kind == Kind::Mark('.'));
    &own[..own.len() - usize::from(marked)]
}

/// Does a phrase begin here that can stand elsewhere in its sentence?
fn opens(token: &Token) -> bool {
    (lexicon::is_preposition(&token.word) && token.word != "of" && !token.skip)
        || matches!(
            token.operator,
            Some(Operator::If | Operator::Unless | Operator::Because | Operator::EvenIf)
        )
        || (token.operator == Some(Operator::Not) && matches!(token.word.as_str(), "rather" | "instead"))
        || matches!(token.word.as_str(), "every" | "each")
}

/// The sentence with one of its phrases at another place: what stands in front put behind, and the other way round.
pub(super) fn turned(own: &[Token]) -> Vec<Vec<Token>> {
    let own = unmarked(own);
    let mut versions: Vec<Vec<Token>> = Vec::new();
    for at in 1..own.len() {
        let behind_comma = own[at - 1].kind == Kind::Mark(',') && opens(&own[0]);
        if behind_comma || opens(&own[at]) {
            versions.push([&own[at..], &own[..at]].concat());
        }
    }
    // "In version 4 a system appeared, …": in front without a comma.
    let begins = |token: &Token| {
        lexicon::is_determiner(&token.word) || matches!(token.word.as_str(), "it" | "you" | "they")
    };
    if own.first().is_some_and(opens)
        && let Some(end) = (2..own.len()).find(|at| begins(&own[*at]))
    {
        let comma = (end..own.len()).find(|at| own[*at].is_mark()).unwrap_or(own.len());
        versions.insert(0, [&own[end..comma], &own[..end], &own[comma..]].concat());
    }
    for phrase in phrases(own) {
        let rest = [&own[..phrase.start], &own[phrase.end..]].concat();
        let places = (0..=rest.len()).filter(|at| is_boundary(&rest, *at));
        versions.extend(places.map(|at| [&rest[..at], &own[phrase.clone()], &rest[at..]].concat()));
    }
    versions.truncate(MOST_TURNS);
    versions
}

/// The phrases of a sentence that can stand elsewhere.
fn phrases(own: &[Token]) -> Vec<Range<usize>> {
    let does = |token: &Token| token.word.ends_with("ing") && token.is_content() && !token.name;
    let closes = |at: usize| own[at].is_mark() || opens(&own[at]) || is_helper(&own[at]) || does(&own[at]);
    let phrase = |at: usize| {
        let token = &own[at];
        let first = at + 1 + own[at + 1..].iter().take_while(|token| token.skip).count();
        let clause = matches!(
            token.operator,
            Some(Operator::If | Operator::Unless | Operator::Because | Operator::EvenIf)
        );
        let end = if is_frequency(token) {
            first
        } else if clause {
            (first..own.len()).find(|at| own[*at].is_mark()).unwrap_or(own.len())
        } else if opens(token) || token.word == "of" {
            (at + 2..own.len()).find(|end| closes(*end)).unwrap_or(own.len())
        } else {
            return None;
        };
        (end <= own.len() && end - at < own.len()).then_some(at..end)
    };
    (0..own.len()).filter_map(phrase).collect()
}

/// May a phrase stand at this place: at either end, beside a mark, before another phrase or a helper?
fn is_boundary(tokens: &[Token], at: usize) -> bool {
    let Some(next) = tokens.get(at) else { return true };
    let before = at.checked_sub(1).map(|at| &tokens[at]);
    opens(next)
        || is_helper(next)
        || next.word == "to"
        || before.is_none_or(|before| before.is_mark() || before.word == "that" || is_helper(before))
        || next.is_mark()
}

/// "usually", "as a rule": how often it is so stands where it likes.
fn is_frequency(token: &Token) -> bool {
    matches!(token.operator, Some(Operator::Most | Operator::Now | Operator::Formerly))
}

pub(super) fn is_helper(token: &Token) -> bool {
    lexicon::is_be(&token.word)
        || lexicon::is_modal(&token.word)
        || matches!(token.word.as_str(), "has" | "have" | "had")
}

/// "A is read by B in C" as "B reads A in C", and "A can be read" as "can read A".
pub(super) fn active(own: &[Token]) -> Vec<Vec<Token>> {
    let own = unmarked(own);
    let told = told(own);
    let bys: Vec<usize> =
        (2..own.len()).filter(|at| own[*at].word == "by" && !own[*at].skip).take(MOST_DOERS).collect();
    if bys.is_empty() {
        // Each of them can be the one that tells what is done.
        let passives = (1..=own.len())
            .filter_map(|before| Passive::of(own, before).filter(|passive| passive.verb + 1 == before));
        return passives.map(|passive| passive.said(own, &[], &own[passive.verb + 1..])).collect();
    }
    bys.into_iter().flat_map(|by| active_by(own, by)).chain(told).collect()
}

/// "It was shown by Curie that …" as "Curie showed that …".
fn told(own: &[Token]) -> Option<Vec<Token>> {
    let that = own.iter().position(|token| token.word == "that")?;
    let be = (1..that).find(|at| lexicon::is_be(&own[*at].word) && own[at - 1].word == "it")?;
    let by = be + 2;
    let passive = own.get(by).is_some_and(|token| token.word == "by") && is_participle(&own[be + 1]);
    (passive && by + 1 < that)
        .then(|| [&own[..be - 1], &own[by + 1..that], &own[be + 1..=be + 1], &own[that..]].concat())
}

/// How many "by"s of a sentence are tried.
const MOST_DOERS: usize = 3;

fn active_by(own: &[Token], by: usize) -> Vec<Vec<Token>> {
    let Some(passive) = Passive::of(own, by) else { return Vec::new() };
    let ends = |at: usize| {
        own[at].is_mark()
            || (lexicon::is_preposition(&own[at].word) && own[at].word != "of" && !own[at].skip)
            || matches!(own[at].operator, Some(Operator::If | Operator::Unless | Operator::Because))
            || matches!(own[at].word.as_str(), "that" | "which" | "who" | "but" | "when" | "while")
    };
    let first = (by + 1..own.len()).find(|at| ends(*at)).unwrap_or(own.len());
    let mark = (by + 1..own.len()).find(|at| own[*at].is_mark()).unwrap_or(own.len());
    let mut ends = vec![first, mark];
    ends.dedup();
    // An aside may stand in what something is done to.
    let mut fronts = vec![passive.front, 0];
    fronts.dedup();
    let does = |(end, front): (usize, usize)| {
        let doers = &own[by + 1..end];
        let told = doers.first().is_some_and(|first| !first.word.ends_with("ing"))
            && doers.iter().any(Token::is_word);
        let rest = [&own[passive.verb + 1..by], &own[end..]].concat();
        told.then(|| Passive { front, ..passive }.said(own, doers, &rest))
    };
    ends.into_iter().flat_map(|end| fronts.iter().map(move |front| (end, *front))).filter_map(does).collect()
}

/// "files that are read" as "files read", and "if you are using" as "if you use".
pub(super) fn reduced(tokens: &[Token]) -> Vec<Token> {
    let next = |at: usize| {
        (at..tokens.len()).find(|at| {
            let token = &tokens[*at];
            !(lexicon::is_adverb(&token.word) || matches!(token.word.as_str(), "already" | "also"))
        })
    };
    let present = |at: usize| matches!(tokens[at].word.as_str(), "is" | "are" | "was" | "were");
    let said = |at: usize| {
        next(at).is_some_and(|at| {
            let token = &tokens[at];
            token.operator.is_none() && (is_participle(token) || token.word.ends_with("ing"))
        })
    };
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    let mut condition = false;
    while at < tokens.len() {
        let token = &tokens[at];
        condition = (condition || token.operator == Some(Operator::If)) && !token.is_mark();
        let relative = matches!(token.word.as_str(), "that" | "which" | "who")
            && at > 0
            && (is_noun(&tokens[at - 1]) || tokens[at - 1].kind == Kind::Mark(','))
            && at + 1 < tokens.len()
            && present(at + 1)
            && said(at + 2);
        let going = condition
            && matches!(token.word.as_str(), "is" | "are")
            && next(at + 1).is_some_and(|at| tokens[at].word.ends_with("ing"));
        if relative {
            at += 2;
        } else if going {
            at += 1;
        } else {
            kept.push(token.clone());
            at += 1;
        }
    }
    kept
}

/// A word that can be a noun: also one that says little, such as "amount" or "way".
fn is_noun(token: &Token) -> bool {
    token.is_content()
        || matches!(
            token.word.as_str(),
            "amount"
                | "amounts"
                | "thing"
                | "things"
                | "way"
                | "ways"
                | "case"
                | "cases"
                | "those"
                | "one"
                | "ones"
        )
}

/// Where the parts of a passive stand.
#[derive(Clone, Copy)]
struct Passive {
    front: usize,
    helpers: usize,
    be: usize,
    verb: usize,
}

impl Passive {
    /// The last one before a place.
    fn of(own: &[Token], before: usize) -> Option<Self> {
        let between = |token: &Token| {
            token.operator.is_some() || token.skip || lexicon::is_adverb(&token.word) || token.word == "also"
        };
        let be = (0..before).rev().find(|at| {
            let verb = (at + 1..before).find(|next| !between(&own[*next]));
            lexicon::is_be(&own[*at].word) && verb.is_some_and(|verb| is_participle(&own[verb]))
        })?;
        let verb = (be + 1..before).find(|at| is_participle(&own[*at]))?;
        let helpers = (0..=be).rev().take_while(|at| is_helper(&own[*at]) || between(&own[*at])).last()?;
        // A comma right before the verb closes an aside.
        let front = own[..helpers].iter().rposition(Token::is_mark).map_or(0, |comma| comma + 1);
        let front = if front == helpers { 0 } else { front };
        own[front..helpers].iter().any(Token::is_content).then_some(Self { front, helpers, be, verb })
    }

    fn said(&self, own: &[Token], doers: &[Token], rest: &[Token]) -> Vec<Token> {
        let helpers = &own[self.helpers..=self.be];
        let past = helpers.iter().any(|token| matches!(token.word.as_str(), "was" | "were" | "had"));
        let mut verb = own[self.verb].clone();
        if !past {
            verb.word.clone_from(&verb.stem);
        }
        let kept: Vec<Token> = own[self.helpers..self.verb]
            .iter()
            .filter(|token| !lexicon::is_be(&token.word))
            .cloned()
            .collect();
        let subject = &own[self.front..self.helpers];
        [&own[..self.front], doers, &kept, &[verb], subject, rest].concat()
    }
}

/// "The last version was 4.1" as "4.1 was the last version": two names of one thing.
pub(super) fn equated(own: &[Token]) -> Option<Vec<Token>> {
    let own = unmarked(own);
    let be = own.iter().position(|token| matches!(token.word.as_str(), "is" | "are" | "was" | "were"))?;
    let (one, other) = (&own[..be], &own[be + 1..]);
    let plain = |tokens: &[Token]| {
        tokens.iter().all(|token| token.operator.is_none_or(|operator| operator == Operator::Only))
    };
    let named = |tokens: &[Token]| {
        tokens.first().is_some_and(|token| {
            token.name
                || token.is_amount()
                || matches!(token.word.as_str(), "the" | "this" | "its" | "their" | "our")
        }) || tokens
            .iter()
            .take(3)
            .any(|token| token.name || token.word.contains(|c: char| c.is_ascii_digit()))
    };
    let the = |tokens: &[Token]| {
        tokens.first().is_some_and(|token| matches!(token.word.as_str(), "the" | "its" | "their"))
    };
    let phrase = !other.iter().take(2).any(is_participle)
        && !own.iter().any(|token| token.is_mark() && token.kind != Kind::Mark(','));
    let defines = plain(one) && plain(other) && ((the(one) && named(other)) || (named(one) && the(other)));
    let verbs =
        own.iter().filter(|token| lexicon::is_be(&token.word) || lexicon::is_modal(&token.word)).count();
    (phrase && defines && verbs == 1).then(|| [other, &own[be..=be], one].concat())
}

/// "will be read" as "is read", of what happens whenever it comes to that: no date and nothing to come is named.
pub(super) fn timeless(tokens: Vec<Token>) -> Vec<Token> {
    const COMING: &str = "next soon future later tomorrow coming upcoming today until end planned";
    let coming = |token: &Token| {
        matches!(token.kind, Kind::Date(_))
            || lexicon::is_time(&token.word)
            || COMING.split(' ').any(|word| word == token.word)
    };
    if tokens.iter().any(coming) {
        return tokens;
    }
    let will = |token: &Token| token.operator == Some(Operator::Will) && token.word == "will";
    let mut said: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut open = false;
    for token in tokens {
        if will(&token) {
            open = true;
        } else if open && token.word == "be" {
            open = false;
            said.push(Token::new("is", Kind::Word));
        } else {
            open &= token.operator.is_some() || lexicon::is_adverb(&token.word) || token.word == "also";
            said.push(token);
        }
    }
    said
}

/// "No file is read" as "file is not read", "has no key" as "not has key": one way of denying.
pub(super) fn plainly_denied(tokens: &[Token]) -> Vec<Token> {
    let mut said = tokens.to_vec();
    let Some(no) = said.iter().position(|token| token.operator == Some(Operator::Not) && token.word == "no")
    else {
        return said;
    };
    let has = no > 0 && matches!(said[no - 1].word.as_str(), "has" | "have" | "had");
    let helper = (no + 1..said.len().min(no + 6)).find(|at| is_helper(&said[*at]) || said[*at].is_mark());
    if has {
        said.swap(no - 1, no);
    } else if let Some(helper) = helper.filter(|at| is_helper(&said[*at]) && *at > no + 1) {
        let denial = said.remove(no);
        said.insert(helper, denial);
    }
    said
}

/// Both without the adverbs each of them has once: these stand where they like.
pub(super) fn without_floating(own: &[Token], quote: &[Token]) -> (Vec<Token>, Vec<Token>) {
    let denied = [own, quote].concat().iter().any(|token| token.operator == Some(Operator::Not));
    let floats = |token: &Token| {
        token.is_word()
            && match token.operator {
                None => lexicon::is_adverb(&token.word) || token.word == "also",
                Some(Operator::Now) => true,
                Some(Operator::Most) => !denied,
                _ => false,
            }
    };
    let count = |tokens: &[Token], word: &str| tokens.iter().filter(|token| token.word == word).count();
    let both =
        |token: &Token| floats(token) && count(own, &token.word) == 1 && count(quote, &token.word) == 1;
    let kept = |tokens: &[Token]| tokens.iter().filter(|token| !both(token)).cloned().collect();
    (kept(own), kept(quote))
}
