//! The words that change what is claimed: each must govern the same on both sides.

use super::*;

impl<'a> Alignment<'a> {
    /// Operators of the unit.
    pub(super) fn own_operators(&self) -> Vec<(usize, Operator)> {
        self.unit
            .all()
            .into_iter()
            .filter_map(|at| {
                let token = self.unit.token(at);
                token.operator.filter(|_| !token.skip).map(|operator| (at, operator))
            })
            .collect()
    }

    /// Operators of the clause and what is attached to it, and whether what they govern is said by the unit.
    pub(super) fn their_operators(&self) -> Vec<(usize, Operator, bool)> {
        let tokens = &self.quote[self.at].tokens;
        let verb = self.anchor.main.or(self.anchor.verb).unwrap_or(0);
        let mut found = Vec::new();
        let attached = self.attached.iter().flat_map(|clause| clause.tokens.iter().copied());
        for at in self.anchor.tokens.iter().copied().chain(attached) {
            let Some(operator) = tokens[at].operator.filter(|_| !tokens[at].skip) else { continue };
            let head = self.head(at);
            let governs = head.is_some_and(|head| self.is_taken((self.at, head)));
            if !self.anchor.tokens.contains(&at) {
                found.push((at, operator, governs));
                continue;
            }
            let subject_drops = self.passive_differs() && at < self.anchor.verb.unwrap_or(0) && !governs;
            let always = matches!(operator, Operator::If | Operator::Unless);
            found.push((at, operator, always || ((governs || at <= verb) && !subject_drops)));
        }
        found
    }

    /// What an operator governs: the next thing said, or the last one before.
    pub(super) fn head(&self, at: usize) -> Option<usize> {
        let tokens = &self.quote[self.at].tokens;
        let content = |other: &usize| tokens[*other].is_content();
        let clause = self
            .attached
            .iter()
            .find(|clause| clause.tokens.contains(&at))
            .map_or(self.anchor, |clause| clause);
        let behind = clause.tokens.iter().copied().find(|other| *other > at && content(other));
        behind.or_else(|| clause.tokens.iter().copied().rev().find(|other| *other < at && content(other)))
    }

    pub(super) fn polarity(&self) -> Checked {
        let own = self.own_operators().iter().filter(|(_, operator)| *operator == Operator::Not).count();
        let theirs: Vec<(usize, Operator, bool)> = self
            .their_operators()
            .into_iter()
            .filter(|(_, operator, active)| *operator == Operator::Not && *active)
            .collect();
        let flips = own + theirs.len() + self.denied.len();
        if flips.is_multiple_of(2) {
            return Ok(());
        }
        let why = match self.denied.first() {
            Some((at, place)) => format!(
                "it says \"{}\" where the quote says \"{}\"",
                self.unit.token(*at).shown,
                self.quoted(*place).shown
            ),
            None if own > theirs.len() => "it denies what the quote says".to_owned(),
            None => "the quote denies what it says".to_owned(),
        };
        Err(self.miss(true, why))
    }

    pub(super) fn operators(&self) -> Checked {
        let own = self.own_operators();
        let theirs = self.their_operators();
        let has = |wanted: &[Operator]| own.iter().any(|(_, operator)| wanted.contains(operator));
        let before = |wanted: &[Operator]| {
            self.zones.iter().any(|(place, zone)| {
                *zone == Zone::Antecedent
                    && self.quoted(*place).operator.is_some_and(|operator| wanted.contains(&operator))
            })
        };
        let quoted = |wanted: &[Operator]| {
            theirs.iter().any(|(_, operator, _)| wanted.contains(operator)) || before(wanted)
        };
        use Operator as O;
        let reported = self.anchor.role == Role::Reported;
        let condition = self.attached.iter().any(|clause| clause.role == Role::Condition);
        let cause = quoted(&[O::Because])
            || self.quote[self.at].clauses.iter().any(|clause| clause.role == Role::Cause)
            || self.quote[self.at].tokens.iter().any(|token| {
                token.operator == Some(O::Because)
                    || matches!(
                        token.stem.as_str(),
                        "caus" | "reason" | "lead" | "result" | "lead to" | "result in"
                    )
            });
        // What the sentence adds.
        for (at, operator) in &own {
            let fine = match operator {
                O::Not | O::Will if *operator == O::Not || quoted(&[O::Will]) => true,
                O::Will => false,
                O::Can => {
                    let able =
                        matches!(self.unit.token(*at).word.as_str(), "can" | "able" | "capable" | "could");
                    quoted(&[O::Can])
                        || self.has_stem(CAN)
                        || (has(&[O::Not]) && quoted(&[O::Not]))
                        || self.is_bounded()
                        || (able && self.does())
                }
                O::Must => quoted(&[O::Must]) || self.has_stem(MUST),
                O::Should => quoted(&[O::Should]) || self.is_due(),
                O::Planned => {
                    quoted(&[O::Planned, O::Will])
                        || self.has_stem(&["plan", "goal", "target", "propos", "schedul"])
                }
                O::Believed => quoted(&[O::Believed]) || reported,
                O::If => quoted(&[O::If]) || condition || self.is_said_which() || self.is_said_as_act(),
                O::Because => cause,
                O::All => quoted(&[O::All]),
                O::Almost
                | O::Now
                | O::Formerly
                | O::Only
                | O::Unless
                | O::Most
                | O::Many
                | O::Some
                | O::Few => quoted(&[*operator]),
                O::Not => true,
            };
            if !fine {
                let why = format!("it adds \"{}\", which the quote does not say", self.unit.token(*at).shown);
                return Err(self.miss(matches!(operator, O::All | O::Most | O::Many | O::Few | O::Will), why));
            }
        }
        let any = |token: &Token| matches!(token.word.as_str(), "any" | "either" | "whatever");
        let sweeps = self.unit.own.iter().any(|at| any(self.unit.token(*at)));
        let denies_first =
            theirs.iter().any(|(at, operator, _)| *operator == O::Not && Some(*at) < self.anchor.verb);
        let both_deny = has(&[O::Not]) && denies_first;
        if sweeps
            && !both_deny
            && !quoted(&[O::All])
            && !self.anchor.tokens.iter().any(|at| any(&self.quote[self.at].tokens[*at]))
        {
            return Err(self.miss(true, "it says \"any\" where the quote does not".to_owned()));
        }
        // What it leaves out.
        let denied = has(&[O::Not]);
        for (at, operator, active) in &theirs {
            let verb = self.anchor.verb.unwrap_or(usize::MAX);
            let token = &self.quote[self.at].tokens[*at];
            let before_amount = self
                .head(*at)
                .is_some_and(|head| self.quote[self.at].tokens[head].is_amount() && head == at + 1);
            let kept = match operator {
                O::Not | O::Because | O::Now => true,
                O::Can => has(&[O::Can]) || self.unit_has_stem(CAN) || (denied && self.unit_has_unable()),
                O::Must => has(&[O::Must]) || self.unit_has_stem(MUST),
                O::Should => has(&[O::Should]),
                O::Will => has(&[O::Will, O::Planned]),
                O::Planned => has(&[O::Planned]) || (has(&[O::Should]) && self.is_due()),
                O::Believed => has(&[O::Believed]),
                O::All => !denied || has(&[O::All]) || quoted_not_before(&theirs, *at),
                O::Some | O::Many
                    if *at > verb
                        && !denied
                        && !matches!(token.preposition, "in" | "among" | "by" | "at")
                        && matches!(
                            token.word.as_str(),
                            "some"
                                | "several"
                                | "many"
                                | "various"
                                | "multiple"
                                | "numerous"
                                | "certain"
                                | "a"
                        ) =>
                {
                    true
                }
                O::Most | O::Many | O::Some | O::Few | O::Unless | O::Almost => has(&[*operator]),
                O::Only => has(&[O::Only]) || before_amount,
                O::If => has(&[O::If]),
                O::Formerly => has(&[O::Formerly]) || self.unit.clause.tense == Tense::Past,
            };
            if *active && !kept {
                let why = format!("it leaves out {} (\"{}\")", operator.name(), token.shown);
                return Err(self.miss(matches!(operator, O::Most | O::Many | O::Some | O::Few), why));
            }
        }
        if reported && !has(&[O::Believed]) && self.unit.clause.role != Role::Reported {
            return Err(self.miss(false, "the quote gives it as somebody's words, not as a fact".to_owned()));
        }
        Ok(())
    }

    /// "if their train is late" for "whose train is late": which ones, said as a condition.
    fn is_said_which(&self) -> bool {
        let tokens = &self.quote[self.at].tokens;
        self.attached.iter().filter(|clause| clause.role == Role::Restrictive).any(|clause| {
            let content: Vec<usize> =
                clause.tokens.iter().copied().filter(|at| tokens[*at].is_content()).collect();
            let conditional = |at: usize| {
                self.found.iter().any(|(own, places)| {
                    self.role_in_unit(*own) == Some(Role::Condition)
                        && places.iter().any(|(place, _)| *place == (self.at, at))
                })
            };
            !content.is_empty() && content.iter().all(|at| conditional(*at))
        })
    }

    /// What is done in the subject of the clause: "setting the variable to 0 …".
    pub(super) fn act(&self) -> Option<std::ops::Range<usize>> {
        let (first, verb) = (*self.anchor.tokens.first()?, self.anchor.verb?);
        let token = &self.quote[self.at].tokens[first];
        let does = token.word.ends_with("ing") && token.word.len() > 5 && token.is_content() && !token.name;
        let object =
            self.quote[self.at].tokens.get(first + 1).is_some_and(|next| lexicon::is_determiner(&next.word));
        (does && object && first < verb).then_some(first..verb)
    }

    /// "if the variable is set to 0" for "setting the variable to 0".
    fn is_said_as_act(&self) -> bool {
        let Some(act) = self.act() else { return false };
        let conditional: Vec<_> =
            self.found.iter().filter(|(own, _)| self.role_in_unit(*own) == Some(Role::Condition)).collect();
        !conditional.is_empty()
            && conditional.iter().all(|(_, places)| {
                places.iter().any(|(place, _)| place.0 == self.at && act.contains(&place.1))
            })
    }

    /// "is expected to", "is due to": what should happen, as "should" can say too.
    fn is_due(&self) -> bool {
        self.anchor.tokens.iter().any(|at| {
            let token = &self.quote[self.at].tokens[*at];
            token.operator == Some(Operator::Planned)
                && matches!(token.word.as_str(), "expected" | "due" | "scheduled" | "is" | "are")
        })
    }

    /// What holds up to so many can hold them.
    fn is_bounded(&self) -> bool {
        let most =
            |token: &Token| matches!(&token.kind, Kind::Number(number) if number.bound == Bound::AtMost);
        let denied = self.own_operators().iter().any(|(_, operator)| *operator == Operator::Not);
        !denied && self.found.iter().any(|(at, _)| most(self.unit.token(*at)))
    }

    /// What does something can.
    fn does(&self) -> bool {
        let denied = self.own_operators().iter().any(|(_, operator)| *operator == Operator::Not);
        !denied && (self.anchor.tense == Tense::Present && !self.anchor.passive && self.unit.clause.passive)
    }

    pub(super) fn has_stem(&self, stems: &[&str]) -> bool {
        self.anchor.tokens.iter().any(|at| stems.contains(&self.quote[self.at].tokens[*at].stem.as_str()))
    }

    pub(super) fn unit_has_unable(&self) -> bool {
        self.unit.all().iter().any(|at| matches!(self.unit.token(*at).word.as_str(), "unable" | "incapable"))
    }

    pub(super) fn unit_has_stem(&self, stems: &[&str]) -> bool {
        self.unit.all().iter().any(|at| stems.contains(&self.unit.token(*at).stem.as_str()))
    }

    /// "all pages of a file" is not "pages of all files": a quantifier goes with its noun.
    pub(super) fn quantified(&self) -> Checked {
        let theirs = self.their_operators();
        for (at, operator) in self.own_operators() {
            let own = self.unit.token(at);
            let determines = matches!(
                own.word.as_str(),
                "all"
                    | "every"
                    | "each"
                    | "most"
                    | "many"
                    | "some"
                    | "several"
                    | "few"
                    | "whole"
                    | "entire"
                    | "certain"
                    | "no"
            );
            let content = self.unit.content();
            let owner =
                |at: usize| self.unit.sentence.tokens.get(at + 1).is_some_and(|next| next.word == "s");
            let Some(head) =
                content.iter().find(|other| **other > at && !owner(**other)).filter(|_| determines)
            else {
                continue;
            };
            let kind = theirs.iter().filter(|(_, other, _)| *other == operator);
            let places = self.places(*head);
            let fits = kind.clone().any(|(theirs, ..)| {
                places.iter().any(|((sentence, place), _)| {
                    *sentence == self.at
                        && (*place > *theirs && *place <= theirs + 6 || self.head(*theirs) == Some(*place))
                })
            });
            if !fits
                && kind.count() > 0
                && operator != Operator::Not
                && places
                    .iter()
                    .all(|((sentence, _), zone)| *sentence == self.at && *zone != Zone::Antecedent)
            {
                return Err(self.miss(
                    true,
                    format!(
                        "it says \"{} {}\", which the quote does not",
                        own.shown,
                        self.unit.token(*head).shown
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Does the clause hold of everything or nothing?
    pub(super) fn is_sweeping(&self) -> bool {
        self.their_operators().iter().any(|(_, operator, active)| {
            *active && matches!(operator, Operator::Not | Operator::All | Operator::Only)
        })
    }

    /// "allowed" for "may", "required" for "must".
    pub(super) fn stands_as_operator(&self, own: &Token) -> Option<Place> {
        let operator = match own.stem.as_str() {
            stem if CAN.contains(&stem) => Operator::Can,
            stem if MUST.contains(&stem) => Operator::Must,
            _ => return None,
        };
        let tokens = &self.quote[self.at].tokens;
        let at = self
            .anchor
            .tokens
            .iter()
            .copied()
            .find(|at| tokens[*at].operator == Some(operator) && !tokens[*at].skip)?;
        Some((self.at, at))
    }
}

pub(super) fn quoted_not_before(theirs: &[(usize, Operator, bool)], at: usize) -> bool {
    !theirs.iter().any(|(other, operator, _)| *operator == Operator::Not && *other < at)
}
