//! A quote read as one statement: its clauses do not keep words apart then, so what belongs to which is looked at here.

use super::*;

/// Of the words of a condition or a restriction, the part that must be said: three of five.
const KEPT: (usize, usize) = (3, 5);

impl Alignment<'_> {
    /// What is said in one clause stands in one clause of the quote. Only its subject may be named in another one, and what
    /// it is limited to goes along.
    pub(super) fn cohesion(&self) -> Checked {
        let cut = &self.quote[self.at].cut;
        if cut.is_empty() {
            return Ok(());
        }
        let denials =
            self.their_operators().iter().filter(|(_, operator, _)| *operator == Operator::Not).count();
        if denials > 1 {
            return Err(self.miss(false, "the quote denies more than one thing".to_owned()));
        }
        self.limits(cut)?;
        let own = if self.unit.sentence.cut.is_empty() {
            &self.unit.sentence.clauses
        } else {
            &self.unit.sentence.cut
        };
        for clause in own {
            let words: Vec<usize> =
                self.unit.content().into_iter().filter(|at| clause.tokens.contains(at)).collect();
            self.one_clause(&words, cut)?;
        }
        Ok(())
    }

    /// Conditions and restrictions of what is said must be said, too.
    fn limits(&self, cut: &[Clause]) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        for clause in cut {
            let content: Vec<usize> =
                clause.tokens.iter().copied().filter(|at| tokens[*at].is_content()).collect();
            let kept = content.iter().filter(|at| self.is_taken((self.at, **at))).count();
            let first = clause.tokens.first().copied().unwrap_or_default();
            let head = tokens[..first].iter().rposition(Token::is_content);
            let narrows = match clause.role {
                Role::Condition => true,
                Role::Restrictive => head.is_some_and(|head| self.is_taken((self.at, head))),
                _ => false,
            };
            if narrows && kept * KEPT.1 < content.len() * KEPT.0 {
                let shown: Vec<&str> =
                    clause.tokens.iter().take(6).map(|at| tokens[*at].shown.as_str()).collect();
                return Err(self.miss(
                    false,
                    format!("it leaves out what it is limited to (\"{} …\")", shown.join(" ")),
                ));
            }
        }
        Ok(())
    }

    fn one_clause(&self, words: &[usize], cut: &[Clause]) -> Checked {
        let stands = |at: usize, clause: &Clause| {
            self.places(at).iter().any(|(place, _)| place.0 == self.at && clause.tokens.contains(&place.1))
        };
        let count = |clause: &Clause| words.iter().filter(|at| stands(**at, clause)).count();
        let Some(best) = cut.iter().rev().max_by_key(|clause| count(clause)) else { return Ok(()) };
        for at in words.iter().copied().filter(|at| !self.places(*at).is_empty() && !stands(*at, best)) {
            let lent = cut.iter().filter(|clause| stands(at, clause)).any(|clause| {
                let subject = self.places(at).iter().any(|(place, _)| Some(place.1) < clause.verb);
                let aside = matches!(clause.role, Role::Fragment | Role::Condition | Role::Restrictive);
                (subject || aside) && !self.unit.token(at).is_amount()
            });
            let elsewhere = self.places(at).iter().any(|(place, _)| place.0 != self.at);
            if !lent && !elsewhere {
                let why = format!("the quote says \"{}\" of something else", self.unit.token(at).shown);
                return Err(self.miss(false, why));
            }
        }
        Ok(())
    }
}
