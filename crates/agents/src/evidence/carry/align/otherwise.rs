//! The same condition, order or permission said in another way: a clause for a phrase, an order for advice.

use super::*;

impl Alignment<'_> {
    /// "users who are not members" for "unless the users are members": the exception is said as a denial.
    pub(super) fn is_unless_undone(&self) -> bool {
        let theirs = self.attached.iter().any(|clause| {
            clause.tokens.iter().any(|at| {
                let token = &self.quote[self.at].tokens[*at];
                token.operator == Some(Operator::Unless) && token.word == "unless"
            })
        });
        theirs && !self.own_operators().iter().any(|(_, operator)| *operator == Operator::Unless)
    }

    /// Is an operator of the clause said with this very word?
    pub(super) fn says_operator(&self, word: &str) -> bool {
        self.anchor.tokens.iter().any(|at| {
            let token = &self.quote[self.at].tokens[*at];
            token.word == word && token.operator.is_some()
        })
    }

    /// "Use the option if …": what the reader is told to do.
    pub(super) fn is_order(&self) -> bool {
        let first = self.anchor.tokens.iter().map(|at| &self.quote[self.at].tokens[*at]);
        let first = first
            .skip_while(|token| token.skip || matches!(token.operator, Some(Operator::Not)))
            .find(|token| token.word != "do");
        first.is_some_and(|token| {
            token.is_content()
                && !token.name
                && lexicon::is_verb(&token.word, &token.stem)
                && lexicon::irregular(&token.word).is_none()
                && !token.word.ends_with('s')
                && !token.word.ends_with("ed")
        }) && !self.anchor.subject
    }

    /// "Apply the ointment" for "the ointment should be applied".
    pub(super) fn orders(&self) -> bool {
        let first = self
            .unit
            .own
            .iter()
            .map(|at| self.unit.token(*at))
            .find(|token| !token.skip && token.operator.is_none());
        let denied = self.own_operators().iter().any(|(_, operator)| *operator == Operator::Not);
        !denied
            && first.is_some_and(|token| {
                token.is_content()
                    && !token.name
                    && lexicon::is_verb(&token.word, &token.stem)
                    && lexicon::irregular(&token.word).is_none()
                    && !token.word.ends_with('s')
                    && !token.word.ends_with("ed")
                    && !token.word.ends_with("ing")
            })
            && !self.unit.clause.subject
    }

    /// Does the quote state what is so under a condition or by default, and the unit with it?
    pub(super) fn is_rule(&self, own: &[(usize, Operator)]) -> bool {
        let conditional = self.attached.iter().any(|clause| clause.role == Role::Condition)
            && own.iter().any(|(_, operator)| matches!(operator, Operator::If | Operator::Unless));
        conditional || self.has_stem(&["default"])
    }

    /// "will be used" of a program, at no time in particular: what it does whenever it comes to that.
    pub(super) fn is_timeless(&self) -> bool {
        const COMING: &str = "next soon future later tomorrow coming upcoming year month week today until";
        let coming = |token: &Token| {
            matches!(token.kind, Kind::Date(_)) || COMING.split(' ').any(|word| token.word == word)
        };
        self.unit.clause.tense == Tense::Present
            && !self.quote.iter().flat_map(|sentence| &sentence.tokens).any(coming)
    }

    /// Are all words of the condition this operator opens said by the unit, in whatever form?
    pub(super) fn keeps_condition(&self, at: usize) -> bool {
        let tokens = &self.quote[self.at].tokens;
        let Some(clause) = self.attached.iter().find(|clause| clause.tokens.contains(&at)) else {
            return false;
        };
        let content: Vec<usize> = clause
            .tokens
            .iter()
            .copied()
            .filter(|at| tokens[*at].is_content() && !is_holding(&tokens[*at]))
            .collect();
        let only_here = |at: usize| {
            self.found.iter().any(|(_, places)| {
                places.iter().any(|(place, _)| *place == (self.at, at))
                    && places
                        .iter()
                        .all(|((sentence, other), _)| *sentence == self.at && clause.tokens.contains(other))
            })
        };
        !content.is_empty() && content.iter().all(|at| only_here(*at))
    }

    /// "If these values are limited" for "by limiting these values", "when an address is verified" for "verifies an address by".
    pub(super) fn is_said_as_means(&self, at: usize) -> bool {
        let Some(clause) = self.unit.attached.iter().find(|clause| clause.tokens.contains(&at)) else {
            return false;
        };
        let tokens = &self.quote[self.at].tokens;
        let stretch = stretches(tokens);
        let opens = |place: usize| {
            let number = stretch[place];
            let first = (0..tokens.len()).find(|other| stretch[*other] == number && tokens[*other].is_word());
            first.is_some_and(|first| {
                matches!(
                    tokens[first].word.as_str(),
                    "by" | "when" | "with" | "using" | "on" | "upon" | "while" | "in" | "for"
                ) && tokens[first..]
                    .iter()
                    .take(2)
                    .any(|token| token.word.ends_with("ing") || token.word == "with")
                    || (tokens[first].word.ends_with("ing") && Some(first) < self.anchor.verb)
            })
        };
        let mut words = self.found.iter().filter(|(own, _)| clause.tokens.contains(own)).peekable();
        words.peek().is_some()
            && words.all(|(_, places)| {
                places.iter().any(|((sentence, place), _)| *sentence == self.at && opens(*place))
            })
    }

    /// "if their train is late" for "whose train is late": which ones, said as a condition.
    pub(super) fn is_said_which(&self) -> bool {
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
        // "By enabling it, you can …"
        let by = self.quote[self.at].tokens[first].word == "by"
            && self.quote[self.at].tokens.get(first + 1).is_some_and(|next| next.word.ends_with("ing"));
        let comma = (first..verb).find(|at| self.quote[self.at].tokens[*at].kind == Kind::Mark(','));
        if let Some(comma) = comma.filter(|_| by) {
            return Some(first..comma);
        }
        let token = &self.quote[self.at].tokens[first];
        let does = token.word.ends_with("ing") && token.word.len() > 5 && token.is_content() && !token.name;
        let object =
            self.quote[self.at].tokens.get(first + 1).is_some_and(|next| lexicon::is_determiner(&next.word));
        (does && object && first < verb).then_some(first..verb)
    }

    /// "if the variable is set to 0" for "setting the variable to 0".
    pub(super) fn is_said_as_act(&self) -> bool {
        let Some(act) = self.act() else { return false };
        let conditional: Vec<_> =
            self.found.iter().filter(|(own, _)| self.role_in_unit(*own) == Some(Role::Condition)).collect();
        !conditional.is_empty()
            && conditional.iter().all(|(_, places)| {
                places.iter().any(|(place, _)| place.0 == self.at && act.contains(&place.1))
            })
    }

    /// "is expected to", "is due to": what should happen, as "should" can say too.
    pub(super) fn is_due(&self) -> bool {
        self.anchor.tokens.iter().any(|at| {
            let token = &self.quote[self.at].tokens[*at];
            token.operator == Some(Operator::Planned)
                && matches!(token.word.as_str(), "expected" | "due" | "scheduled" | "is" | "are")
        })
    }

    /// What holds up to so many can hold them.
    pub(super) fn is_bounded(&self) -> bool {
        let most =
            |token: &Token| matches!(&token.kind, Kind::Number(number) if number.bound == Bound::AtMost);
        let denied = self.own_operators().iter().any(|(_, operator)| *operator == Operator::Not);
        !denied && self.found.iter().any(|(at, _)| most(self.unit.token(*at)))
    }

    /// What does something can.
    pub(super) fn does(&self) -> bool {
        let denied = self.own_operators().iter().any(|(_, operator)| *operator == Operator::Not);
        !denied && (self.anchor.tense == Tense::Present && !self.anchor.passive && self.unit.clause.passive)
    }
}
