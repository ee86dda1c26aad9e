//! Whether a word of a unit may be carried by a word that stands in another part of the quote.

use super::*;

impl<'a> Alignment<'a> {
    /// May a token of the unit be carried by a token there?
    pub(super) fn may_take(&self, at: usize, place: Place, zone: Zone) -> bool {
        match zone {
            Zone::Heading | Zone::Bracket => true,
            // What is said of a cause or a time must not become what is said of the thing, nor the other way round.
            Zone::Attached(role) => match self.role_in_unit(at) {
                Some(own) => {
                    let timed = |role: Role| matches!(role, Role::Time | Role::Condition);
                    own == role
                        || role == Role::Restrictive
                        || own == Role::Restrictive
                        || (timed(own) && timed(role) && self.is_then(at, place))
                }
                // "it" here and the name there: a subject may be said in either clause.
                None if matches!(role, Role::Cause | Role::Time) => self.is_in_phrase_of(at, role),
                None => {
                    let conditional = self.unit.attached.iter().any(|clause| clause.role == Role::Condition);
                    let subject = at < self.unit.clause.verb.unwrap_or(usize::MAX);
                    role == Role::Restrictive || (role == Role::Condition && (!conditional || subject))
                }
            },
            Zone::Own => match self.role_in_unit(at) {
                Some(Role::Cause) => self.has_cause(),
                // What came before must not become what came after.
                Some(Role::Time) => !self.attached.iter().any(|clause| clause.role == Role::Time),
                Some(Role::Condition) => {
                    let theirs = self.attached.iter().find(|clause| clause.role == Role::Condition);
                    theirs.is_none_or(|clause| self.has_pronoun(clause))
                }
                _ => true,
            },
            // What is said beside has its own verb; an amount there belongs to that.
            Zone::Side => !self.unit.token(at).is_amount(),
            Zone::Antecedent if self.has_other_subject(at, place) => false,
            Zone::Antecedent if self.unit.inherited.contains(&at) => true,
            Zone::Antecedent if self.passive_differs() && !self.anchor.subject => {
                !self.unit.token(at).is_amount()
            }
            Zone::Before => {
                let own = self.unit.token(at);
                !own.is_amount()
                    && self.unit.clause.main != Some(at)
                    && (own.preposition == "of" || own.preposition == "in" || self.is_owner(at))
            }
            Zone::Antecedent => {
                let verb = self.unit.clause.verb.unwrap_or(usize::MAX);
                let by = self.unit.token(at).preposition;
                let number = matches!(self.unit.token(at).kind, Kind::Number(_));
                let object = self.anchor.role == Role::Detail && self.anchor.subject;
                // What was said of the sentence before has its own time.
                let dated = place.0 != self.at && self.unit.token(at).is_amount();
                !dated
                    && (!number || self.counts_alike(at))
                    && (object
                        || at < verb
                        || matches!(by, "by" | "of" | "at" | "in" | "on" | "for" | "to")
                        || self.object_pronoun())
            }
        }
    }

    /// "once it is accepted" for "after it has been accepted".
    pub(super) fn is_then(&self, at: usize, place: Place) -> bool {
        let then = |tokens: &[Token], clauses: &[&Clause], at: usize| {
            let clause = clauses.iter().find(|clause| clause.tokens.contains(&at));
            let first = clause.and_then(|clause| clause.tokens.first());
            first
                .is_some_and(|first| matches!(tokens[*first].word.as_str(), "once" | "after" | "when" | "as"))
        };
        place.0 == self.at
            && then(&self.unit.sentence.tokens, &self.unit.attached, at)
            && then(&self.quote[self.at].tokens, &self.attached, place.1)
    }

    /// "because of the mild winter" for "because the winter was mild", "since the removal" for "since it was removed".
    pub(super) fn is_in_phrase_of(&self, at: usize, role: Role) -> bool {
        let tokens = &self.quote[self.at].tokens;
        let openers = self
            .attached
            .iter()
            .filter(|clause| clause.role == role)
            .filter_map(|clause| clause.tokens.first());
        openers.into_iter().any(|opener| {
            let opens = |own: &Token| {
                own.word == tokens[*opener].word
                    || (role == Role::Cause && own.operator == Some(Operator::Because))
            };
            let phrase = self.unit.sentence.tokens[..at].iter().rev().take_while(|own| !own.is_mark());
            phrase.into_iter().any(opens)
        })
    }

    /// "the choir's": does it own what follows?
    pub(super) fn is_owner(&self, at: usize) -> bool {
        self.unit.sentence.tokens.get(at + 1).is_some_and(|next| next.word == "s")
    }

    /// "46 members … most of whom": a number may be taken over with the very thing it counts.
    pub(super) fn counts_alike(&self, at: usize) -> bool {
        let next = |tokens: &'a [Token], at: usize| {
            tokens.get(at + 1).filter(|token| token.is_content() && token.is_word())
        };
        let Some(own) = next(&self.unit.sentence.tokens, at) else { return false };
        let number = self.unit.token(at);
        self.quote[self.at].tokens.iter().enumerate().any(|(place, token)| {
            relation(number, token) == Some(Relation::Same)
                && next(&self.quote[self.at].tokens, place)
                    .is_some_and(|other| relation(own, other) == Some(Relation::Same))
        })
    }

    /// The role of the clause of the unit a token stands in, if it is attached.
    pub(super) fn role_in_unit(&self, at: usize) -> Option<Role> {
        self.unit.attached.iter().find(|clause| clause.tokens.contains(&at)).map(|clause| clause.role)
    }

    /// "…, and the guide recommends it": behind the last joint before the verb stands another subject.
    fn has_other_subject(&self, at: usize, place: Place) -> bool {
        let (Some(own), Some(verb)) = (self.unit.clause.verb, self.anchor.main) else { return false };
        if at > own || place.0 != self.at || place.1 > verb || !self.unit.token(at).preposition.is_empty() {
            return false;
        }
        let tokens = &self.quote[self.at].tokens;
        let joint = (place.1..verb).rev().find(|at| {
            tokens[*at].kind == Kind::Mark(';')
                || (tokens[*at].is_word()
                    && matches!(tokens[*at].word.as_str(), "and" | "but" | "while" | "whereas"))
        });
        joint.is_some_and(|joint| {
            let determined =
                tokens.get(joint + 1).is_some_and(|token| matches!(token.word.as_str(), "the" | "a" | "an"));
            determined
                && tokens[joint..verb].iter().any(|token| token.is_content() && token.preposition.is_empty())
        })
    }

    pub(super) fn has_pronoun(&self, clause: &Clause) -> bool {
        clause.tokens.iter().any(|at| {
            matches!(
                self.quote[self.at].tokens[*at].word.as_str(),
                "it" | "they" | "them" | "its" | "their" | "he" | "she" | "this" | "these"
            )
        })
    }

    /// Does the clause itself name a cause?
    pub(super) fn has_cause(&self) -> bool {
        let tokens = &self.quote[self.at].tokens;
        self.anchor.role == Role::Cause
            || self.anchor.tokens.iter().any(|at| {
                tokens[*at].operator == Some(Operator::Because)
                    || matches!(tokens[*at].stem.as_str(), "caus" | "reason" | "lead to" | "result in")
            })
    }

    pub(super) fn object_pronoun(&self) -> bool {
        let verb = self.anchor.verb.unwrap_or(0);
        self.anchor.tokens.iter().any(|at| {
            *at > verb
                && matches!(self.quote[self.at].tokens[*at].word.as_str(), "it" | "them" | "its" | "their")
        })
    }
}
