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
        // "without actually delivering": how it is done is not what is denied.
        let content =
            |other: &usize| tokens[*other].is_content() && !lexicon::is_adverb(&tokens[*other].word);
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
        let flips = own + theirs.len() + self.denied.len() + usize::from(self.is_unless_undone());
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
                O::NeedNot => quoted(&[O::NeedNot]),
                O::Can => {
                    let able =
                        matches!(self.unit.token(*at).word.as_str(), "can" | "able" | "capable" | "could");
                    quoted(&[O::Can])
                        || self.has_stem(CAN)
                        || (has(&[O::Not]) && quoted(&[O::Not]))
                        || self.is_bounded()
                        || (able && (self.does() || self.is_order()))
                }
                O::Must => {
                    quoted(&[O::Must])
                        || self.has_stem(MUST)
                        // "may not be copied" forbids, too.
                        || (has(&[O::Not]) && quoted(&[O::Not]) && self.says_operator("may"))
                }
                O::Should => quoted(&[O::Should]) || self.is_due() || self.is_order(),
                O::Planned => {
                    quoted(&[O::Planned, O::Will])
                        || self.has_stem(&["plan", "goal", "target", "propos", "schedul"])
                }
                O::Believed => quoted(&[O::Believed]) || reported,
                O::If if self.unit.token(*at).word == "only" => {
                    theirs.iter().any(|(place, ..)| self.quote[self.at].tokens[*place].word == "only")
                }
                O::If => {
                    quoted(&[O::If])
                        || condition
                        || self.is_said_which()
                        || self.is_said_as_act()
                        || self.is_said_as_means(*at)
                        || (self.unit.token(*at).word == "where"
                            && self.quote[self.at].tokens.iter().any(|token| token.word == "where"))
                }
                O::Because => cause,
                O::All => quoted(&[O::All]),
                O::Almost | O::Now | O::Only | O::Unless | O::Many | O::Some | O::Few | O::EvenIf => {
                    quoted(&[*operator])
                }
                O::Most => quoted(&[O::Most]) || self.has_stem(USUAL),
                O::Formerly => quoted(&[O::Formerly]) || self.has_stem(&["origin", "initi"]),
                O::Not => true,
            };
            if !fine {
                let why = format!("it adds \"{}\", which the quote does not say", self.unit.token(*at).shown);
                return Err(self.miss(matches!(operator, O::All | O::Most | O::Many | O::Few | O::Will), why));
            }
        }
        if let Some(word) = self.other_time() {
            return Err(self.miss(true, format!("it says \"{word}\", which the quote does not")));
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
                O::Not | O::Because | O::Now | O::EvenIf => true,
                O::Can => has(&[O::Can]) || self.unit_has_stem(CAN) || (denied && self.unit_has_unable()),
                O::NeedNot => has(&[O::NeedNot]),
                O::Must => has(&[O::Must]) || self.unit_has_stem(MUST) || (denied && has(&[O::Can])),
                O::Should => has(&[O::Should]) || self.orders(),
                // What will be if something is, is so whenever it is.
                O::Will => has(&[O::Will, O::Planned]) || self.is_rule(&own) || self.is_timeless(),
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
                O::Most => has(&[O::Most]) || self.unit_has_stem(USUAL),
                O::Unless if self.is_unless_undone() => true,
                O::Many | O::Some | O::Few | O::Unless | O::Almost => has(&[*operator]),
                O::Only => has(&[O::Only]) || before_amount,
                O::If if token.word == "only" => {
                    own.iter().any(|(at, _)| self.unit.token(*at).word == "only") || has(&[O::Unless])
                }
                O::If => has(&[O::If]) || self.keeps_condition(*at),
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

    /// "no longer" says that it once was so, "not yet" that it may come: where the quote says the other of the two.
    fn other_time(&self) -> Option<&'static str> {
        let own = |word: &str| self.unit.all().iter().any(|at| self.unit.token(*at).word == word);
        let theirs = |word: &str| self.quote[self.at].tokens.iter().any(|token| token.word == word);
        [("longer", "yet", "no longer"), ("yet", "longer", "not yet")]
            .into_iter()
            .find(|(word, other, _)| own(word) && !theirs(word) && theirs(other))
            .map(|(_, _, said)| said)
    }

    pub(super) fn has_stem(&self, stems: &[&str]) -> bool {
        self.anchor.tokens.iter().any(|at| stems.contains(&self.quote[self.at].tokens[*at].stem.as_str()))
    }

    pub(super) fn unit_has_unable(&self) -> bool {
        self.unit.all().iter().any(|at| matches!(self.unit.token(*at).word.as_str(), "unable" | "incapable"))
    }

    pub(super) fn unit_has_stem(&self, stems: &[&str]) -> bool {
        // "allow-lists" allow nothing.
        let joined = |at: usize| self.unit.sentence.tokens.get(at).is_some_and(|token| token.joined);
        self.unit
            .all()
            .into_iter()
            .any(|at| stems.contains(&self.unit.token(at).stem.as_str()) && !joined(at) && !joined(at + 1))
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
