//! What a quote says that narrows its claim, and a sentence leaves out.

use super::phrases::is_bare_plural;
use super::*;

impl<'a> Alignment<'a> {
    /// What the quote says that narrows the claim, and the unit leaves out.
    pub(super) fn dropped(&self) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        if self.unit.told {
            return Ok(());
        }
        for clause in &self.attached {
            self.dropped_clause(clause)?;
        }
        self.dropped_act(tokens)?;
        self.dropped_purpose(tokens)?;
        self.dropped_name(tokens)?;
        self.dropped_doubt(tokens)?;
        self.dropped_subject(tokens)?;
        self.dropped_phrases(tokens)?;
        self.dropped_kind(tokens)?;
        self.dropped_beside_amounts(tokens)
    }

    pub(super) fn dropped_clause(&self, clause: &Clause) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        let content: Vec<usize> =
            clause.tokens.iter().copied().filter(|at| tokens[*at].is_content()).collect();
        // A word of the unit that the clause itself takes keeps nothing of this one.
        let keeps = |at: usize| {
            let holding = |(_, places): &&(usize, Vec<(Place, Zone)>)| {
                places.iter().any(|(place, _)| *place == (self.at, at))
            };
            let words: Vec<_> = self.found.iter().filter(holding).collect();
            let mut taken: Vec<Place> = words
                .iter()
                .flat_map(|(_, places)| places)
                .filter(|(_, zone)| *zone == Zone::Own)
                .map(|(place, _)| *place)
                .collect();
            taken.sort_unstable();
            taken.dedup();
            words.len() > taken.len() || words.iter().any(|(own, _)| self.role_in_unit(*own).is_some())
        };
        let kept = content.iter().filter(|at| keeps(**at)).count();
        let amounts = content.iter().all(|at| !tokens[*at].is_amount() || self.is_taken((self.at, *at)));
        let in_subject = clause.tokens.first() < self.anchor.verb.as_ref();
        let narrows = match clause.role {
            Role::Condition => true,
            // "the limit from which credits are due": what stands behind a preposition only explains.
            Role::Restrictive => {
                let explains = clause
                    .tokens
                    .first()
                    .is_some_and(|first| *first > 0 && lexicon::is_preposition(&tokens[*first - 1].word));
                let opener = clause.tokens.first().copied().unwrap_or_default();
                // "liberal thinkers who …" is not all of them; "appropriate where …" is not everywhere.
                let general = self.anchor.tense != Tense::Past
                    && (tokens[opener].word == "where" || (opener > 0 && is_bare_plural(tokens, opener - 1)));
                // "any type that can be compared" is not any type.
                let any = tokens[opener.saturating_sub(4)..opener].iter().any(|token| token.word == "any");
                in_subject || any || ((self.is_sweeping() || general) && !explains)
            }
            _ => false,
        };
        // What is so if one or the other is, is so if the one is.
        let either = clause.role == Role::Condition
            && clause.tokens.first().is_some_and(|first| tokens[*first].word == "or")
            && self.unit.attached.iter().any(|own| own.role == Role::Condition);
        if either {
            return Ok(());
        }
        // "on both the senders and the receivers": of what is asked for together nothing may go.
        let halved = clause.role == Role::Condition
            && clause.tokens.iter().any(|at| {
                let behind = content.iter().find(|other| *other > at);
                let before = content.iter().rfind(|other| *other < at);
                tokens[*at].word == "and"
                    && before.is_some()
                    && [before, behind].into_iter().flatten().any(|at| !self.is_taken((self.at, *at)))
            });
        if !narrows || (kept * 5 >= content.len() * 3 && amounts && !halved) {
            return Ok(());
        }
        let what = if clause.role == Role::Condition { "the condition" } else { "what it is limited to" };
        let shown: Vec<Token> = clause.tokens.iter().map(|at| tokens[*at].clone()).collect();
        Err(self.miss(false, format!("it leaves out {what} (\"{}\")", written(&shown))))
    }

    pub(super) fn dropped_subject(&self, tokens: &[Token]) -> Checked {
        let Some(verb) = self.anchor.verb else { return Ok(()) };
        let unit_subject = self.unit.clause.verb.is_none_or(|own| {
            self.unit.all().iter().any(|at| *at < own && self.unit.token(*at).is_content())
        });
        let by_itself =
            self.unit.clause.main.is_some_and(|main| self.turns_by_itself(main)) && !self.anchor.passive;
        if !unit_subject
            || (self.passive_differs() && self.unit.clause.passive)
            || self.undergoes()
            || by_itself
        {
            return Ok(());
        }
        let before: Vec<usize> =
            self.anchor.tokens.iter().copied().filter(|at| *at < verb && tokens[*at].is_content()).collect();
        let taken = |at: usize| self.is_taken((self.at, at));
        let stretch = stretches(tokens);
        // "The mayor, in office since 2014, …": the head stands in the first stretch that has one.
        let plain: Vec<usize> = before
            .iter()
            .copied()
            .filter(|at| tokens[*at].preposition.is_empty() && !lexicon::is_adverb(&tokens[*at].word))
            .collect();
        let set_off = |at: &usize| {
            plain
                .first()
                .is_some_and(|first| tokens[*first..*at].iter().any(|token| token.kind == Kind::Mark(',')))
        };
        let head = plain.iter().copied().rfind(|at| !set_off(at));
        let Some(head) = head.or(before.last().copied()) else { return Ok(()) };
        // "aliases and mailboxes cannot": what is said of both is said of each, unless it counts them.
        let counts =
            self.unit.content().into_iter().any(|at| matches!(self.unit.token(at).kind, Kind::Number(_)));
        let beside = plain.iter().copied().rfind(|at| {
            taken(*at)
                && stretch[*at] + 1 == stretch[head]
                && tokens[*at..head].iter().any(|token| token.word == "and")
        });
        let head = beside.filter(|_| !taken(head) && !counts).unwrap_or(head);
        let any = before.iter().any(|at| taken(*at));
        for at in before.iter().copied().filter(|at| !taken(*at)) {
            let token = &tokens[at];
            let definite = (token.preposition == "of" || (token.preposition == "for" && !counts))
                && tokens[..at].iter().rev().take(4).any(|t| {
                    matches!(t.word.as_str(), "the" | "its" | "our" | "their" | "this" | "these" | "those")
                });
            let half = before
                .iter()
                .any(|other| stretch[*other] == stretch[at] && self.is_surely_taken(*other) && *other > at);
            let aside = stretch[at] != stretch[head] && !half && !matches!(token.kind, Kind::Number(_));
            // "In 2025 the plant": a phrase in front is looked at with the other phrases.
            let fronted = !token.preposition.is_empty()
                && self.anchor.tokens.iter().all(|other| {
                    *other >= at
                        || !tokens[*other].is_content()
                        || tokens[*other].preposition == token.preposition
                });
            // "the leak" for "the memory leak", "Redo" for "the Redo command", "the button" for "clicking on the button".
            let known = !counts
                && at != head
                && taken(head)
                && at + 1 == head
                && self.is_known_thing(head)
                && is_definite(tokens, at)
                && !is_quality(token);
            let class = at == head && at > 0 && tokens[at - 1].name && taken(at - 1);
            let act = self.act().is_some_and(|act| {
                act.start == at && act.skip(1).all(|other| !tokens[other].is_content() || taken(other))
            }) && ACTS.contains(&token.stem.as_str());
            // "Later, he worked on …": where in a row of events.
            let later = matches!(token.word.as_str(), "later" | "eventually" | "afterwards" | "next")
                && tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Mark(','));
            // "The configuration parameter SlurmdTimeout": what kind of thing the name behind it is.
            let name = (at + 1..verb).find(|other| tokens[*other].name || !tokens[*other].is_content());
            let kind = !token.name
                && !is_quality(token)
                && name.is_some_and(|name| tokens[name].name && name + 1 == verb && taken(name));
            if known || class || act || later || kind {
                continue;
            }
            let fine = at != head
                && any
                && ((token.name
                    && taken(head)
                    && (token.preposition.is_empty() || self.is_known_thing(head)))
                    || (definite && taken(head))
                    || aside
                    || token.word.ends_with("ly")
                    || fronted);
            if (is_restating(token) || lexicon::names_no_subset(&token.word)) && any {
                continue;
            }
            if !(fine || at == head && token.name && any) {
                return Err(self.miss(false, alone_spoken_of(tokens, at)));
            }
        }
        Ok(())
    }

    /// Does a word of the unit stand for this one, and not rather for another one that says the same?
    pub(super) fn is_kept(&self, at: usize) -> bool {
        let here = |places: &[(Place, Zone)]| places.iter().any(|(place, _)| *place == (self.at, at));
        let own: Vec<_> = self.found.iter().filter(|(_, places)| here(places)).collect();
        let alike = |(place, _): &&(Place, Zone)| {
            place.0 == self.at
                && self.anchor.tokens.contains(&place.1)
                && self.quoted(*place).stem == self.quote[self.at].tokens[at].stem
        };
        // "for that address": the one just named.
        let pointing = at > 0
            && matches!(
                self.quote[self.at].tokens[at - 1].word.as_str(),
                "that" | "this" | "these" | "those"
            );
        let all = own.iter().map(|(_, places)| places.iter().filter(alike).count()).max();
        all.is_some_and(|all| own.len() >= all || pointing)
            || self.denied.iter().chain(&self.opposite).any(|(_, place)| *place == (self.at, at))
    }

    /// Does a word of the unit stand for this one and for no other?
    fn is_surely_taken(&self, at: usize) -> bool {
        self.found
            .iter()
            .any(|(_, places)| matches!(places.as_slice(), [(place, _)] if *place == (self.at, at)))
    }

    /// "the shares": does the unit speak of something already named?
    fn is_known_thing(&self, head: usize) -> bool {
        let own =
            self.found.iter().find(|(_, places)| places.iter().any(|(place, _)| *place == (self.at, head)));
        own.is_some_and(|(at, _)| {
            *at > 0
                && matches!(
                    self.unit.sentence.tokens[*at - 1].word.as_str(),
                    "the" | "its" | "this" | "these" | "their" | "s"
                )
        })
    }

    /// Is it one event to come?
    pub(super) fn is_ahead(&self) -> bool {
        self.their_operators()
            .iter()
            .any(|(_, operator, _)| matches!(operator, Operator::Will | Operator::Planned))
            && !self.is_sweeping()
    }
}

/// Why a word of the subject may not be left out. What is no thing was taken for one where the quote was cut wrongly: a reason
/// with its name would help nobody.
fn alone_spoken_of(tokens: &[Token], at: usize) -> String {
    let token = &tokens[at];
    let named = at > 0 && lexicon::is_determiner(&tokens[at - 1].word);
    let thing = named || !lexicon::is_verb(&token.word, &token.stem);
    if token.rate || !token.is_content() || !thing {
        return "it is not close enough to the words of its quote".to_owned();
    }
    format!("it leaves out \"{}\", of which alone the quote speaks", phrase(tokens, at, at))
}

/// What people do to a control, and manuals may leave unsaid, by stem.
const ACTS: &[&str] = &["click", "press", "select", "choos", "set", "call", "run", "invok", "push", "us"];

/// Does a phrase that begins here, or shortly before, name something definite?
pub(super) fn is_definite(tokens: &[Token], at: usize) -> bool {
    at > 0
        && matches!(
            tokens[at - 1].word.as_str(),
            "the" | "this" | "these" | "its" | "their" | "your" | "our" | "s"
        )
}

/// A word before a noun that tells one of several rather than what it is.
fn is_quality(token: &Token) -> bool {
    is_ranking(token)
        || token.word.ends_with("ed")
        || [
            "al", "ic", "ive", "ous", "ful", "less", "able", "ible", "ary", "ory", "ent", "ant", "er", "est",
            "ish", "y", "ing",
        ]
        .iter()
        .any(|ending| token.word.ends_with(ending) && token.word != "memory")
        || matches!(
            token.word.as_str(),
            "old"
                | "new"
                | "big"
                | "small"
                | "large"
                | "good"
                | "bad"
                | "long"
                | "short"
                | "high"
                | "low"
                | "other"
                | "same"
                | "current"
                | "private"
                | "public"
                | "late"
                | "free"
                | "open"
        )
}
