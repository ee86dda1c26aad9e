//! The words that change what is claimed: denial, hedges, quantifiers, conditions, causes and time must be the same on both
//! sides.

use super::{Alignment, CAN, Checked, MUST, Operator, Role, Token, Zone};
use crate::evidence::carry::clause::Tense;

impl Alignment<'_> {
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
                O::Can => quoted(&[O::Can]) || self.has_stem(CAN) || (has(&[O::Not]) && quoted(&[O::Not])),
                O::Must => quoted(&[O::Must]) || self.has_stem(MUST),
                O::Should => quoted(&[O::Should]),
                O::Planned => {
                    quoted(&[O::Planned, O::Will])
                        || self.has_stem(&["plan", "goal", "target", "propos", "schedul"])
                }
                O::Believed => quoted(&[O::Believed]) || reported,
                O::If => quoted(&[O::If]) || condition,
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
        let nothing = has(&[O::Not])
            && theirs.iter().any(|(at, operator, _)| *operator == O::Not && Some(*at) < self.anchor.verb);
        let swept = nothing
            || quoted(&[O::All])
            || self.anchor.tokens.iter().any(|at| any(&self.quote[self.at].tokens[*at]));
        if sweeps && !swept {
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
                O::Planned => has(&[O::Planned]),
                O::Believed => has(&[O::Believed]),
                O::All => !denied || has(&[O::All]) || quoted_not_before(&theirs, *at),
                O::Some | O::Many
                    if *at > verb
                        && !denied
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

    pub(super) fn has_stem(&self, stems: &[&str]) -> bool {
        self.anchor.tokens.iter().any(|at| stems.contains(&self.quote[self.at].tokens[*at].stem.as_str()))
    }

    pub(super) fn unit_has_unable(&self) -> bool {
        self.unit.all().iter().any(|at| matches!(self.unit.token(*at).word.as_str(), "unable" | "incapable"))
    }

    pub(super) fn unit_has_stem(&self, stems: &[&str]) -> bool {
        let tokens = &self.unit.sentence.tokens;
        // "allow-list" allows nothing.
        let compound = |at: usize| tokens[at].joined || tokens.get(at + 1).is_some_and(|next| next.joined);
        self.unit.all().iter().any(|at| stems.contains(&tokens[*at].stem.as_str()) && !compound(*at))
    }

    pub(super) fn tense(&self) -> Checked {
        let (own, theirs) = (self.unit.clause.tense, self.anchor.tense);
        if self.unit.clause.verb.is_some_and(|verb| !self.unit.own.contains(&verb)) {
            return Ok(());
        }
        match (own, theirs) {
            (Tense::Present, Tense::Past) => {
                Err(self.miss(true, "it says of now what the quote says of the past".to_owned()))
            }
            (Tense::Past, Tense::Present) => {
                Err(self.miss(true, "it says of the past what the quote says of now".to_owned()))
            }
            _ => Ok(()),
        }
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
            let Some(head) = content.iter().find(|other| **other > at).filter(|_| determines) else {
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
                && places.iter().all(|((sentence, _), _)| *sentence == self.at)
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
}

pub(super) fn quoted_not_before(theirs: &[(usize, Operator, bool)], at: usize) -> bool {
    !theirs.iter().any(|(other, operator, _)| *operator == Operator::Not && *other < at)
}
