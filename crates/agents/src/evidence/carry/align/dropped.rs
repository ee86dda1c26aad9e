//! What the quote says that narrows the claim: it may not be left out.

use super::{Alignment, Checked, Clause, Place, Role, Token, Zone, stretches};
use crate::evidence::carry::clause::Tense;
use crate::evidence::carry::lexicon::{self, Operator};
use crate::evidence::carry::token::Kind;

impl Alignment<'_> {
    /// What the quote says that narrows the claim, and the unit leaves out.
    pub(super) fn dropped(&self) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        if self.unit.told {
            return Ok(());
        }
        for clause in &self.attached {
            self.dropped_clause(clause)?;
        }
        self.dropped_doubt(tokens)?;
        self.dropped_subject(tokens)?;
        self.dropped_phrases(tokens)?;
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
                in_subject || (self.is_sweeping() && !explains)
            }
            _ => false,
        };
        if !narrows || (kept * 5 >= content.len() * 3 && amounts) {
            return Ok(());
        }
        let what = if clause.role == Role::Condition { "the condition" } else { "what it is limited to" };
        let shown: Vec<&str> = clause.tokens.iter().take(6).map(|at| tokens[*at].shown.as_str()).collect();
        Err(self.miss(false, format!("it leaves out {what} (\"{} …\")", shown.join(" "))))
    }

    /// Does the clause hold of everything or nothing?
    pub(super) fn is_sweeping(&self) -> bool {
        self.their_operators().iter().any(|(_, operator, active)| {
            *active && matches!(operator, Operator::Not | Operator::All | Operator::Only)
        })
    }

    /// "former", "so-called", "deputy": without them the thing is another one. Under a denial every word before a noun
    /// narrows it.
    pub(super) fn dropped_doubt(&self, tokens: &[Token]) -> Checked {
        const DOUBT: &[&str] = &[
            "former",
            "fake",
            "false",
            "mock",
            "simulated",
            "virtual",
            "attempted",
            "failed",
            "called",
            "deputy",
            "assistant",
            "vice",
            "acting",
            "draft",
            "potential",
            "ex",
            "pseudo",
            "partial",
            "apparent",
            "would",
            "experimental",
            "preliminary",
            "provisional",
            "optional",
        ];
        let denied =
            self.their_operators().iter().any(|(_, operator, active)| *active && *operator == Operator::Not);
        let verb = self.anchor.verb.unwrap_or(0);
        let content: Vec<usize> =
            self.anchor.tokens.iter().copied().filter(|at| tokens[*at].is_content()).collect();
        for pair in content.windows(2) {
            let [at, next] = pair else { continue };
            let beside =
                *next == at + 1 && tokens[*next].is_word() && tokens[*at].is_word() && !tokens[*at].name;
            let open = !self.is_taken((self.at, *at))
                && self.is_taken((self.at, *next))
                && Some(*at) != self.anchor.main
                && Some(*next) != self.anchor.main;
            let narrows = DOUBT.contains(&tokens[*at].word.as_str())
                || (denied && *at > verb && !tokens[*at].word.ends_with("ly"));
            if beside && open && narrows {
                return Err(self.miss(false, format!("it leaves out \"{}\"", tokens[*at].shown)));
            }
        }
        Ok(())
    }

    pub(super) fn dropped_subject(&self, tokens: &[Token]) -> Checked {
        let Some(verb) = self.anchor.verb else { return Ok(()) };
        let unit_subject = self.unit.clause.verb.is_none_or(|own| {
            self.unit.all().iter().any(|at| *at < own && self.unit.token(*at).is_content())
        });
        if !unit_subject || (self.passive_differs() && self.unit.clause.passive) {
            return Ok(());
        }
        let before: Vec<usize> =
            self.anchor.tokens.iter().copied().filter(|at| *at < verb && tokens[*at].is_content()).collect();
        let taken = |at: usize| self.is_taken((self.at, at));
        let stretch = stretches(tokens);
        let Some(head) = before
            .iter()
            .copied()
            .rev()
            .find(|at| tokens[*at].preposition.is_empty())
            .or(before.last().copied())
        else {
            return Ok(());
        };
        let any = before.iter().any(|at| taken(*at));
        for at in before.iter().copied().filter(|at| !taken(*at)) {
            let token = &tokens[at];
            let definite = token.preposition == "of"
                && tokens[..at]
                    .iter()
                    .rev()
                    .take(4)
                    .any(|t| matches!(t.word.as_str(), "the" | "its" | "our" | "their" | "this"));
            let aside = stretch[at] != stretch[head] && !token.is_amount();
            // "In 2025 the plant": a phrase in front is looked at with the other phrases.
            let fronted = !token.preposition.is_empty()
                && self.anchor.tokens.iter().all(|other| {
                    *other >= at
                        || !tokens[*other].is_content()
                        || tokens[*other].preposition == token.preposition
                });
            let fine = at != head
                && any
                && ((token.name && taken(head))
                    || (definite && taken(head))
                    || aside
                    || token.word.ends_with("ly")
                    || fronted);
            let named = at == head && token.name && any;
            if !(fine || named) {
                return Err(self.miss(
                    false,
                    format!("it leaves out \"{}\", of which alone the quote speaks", token.shown),
                ));
            }
        }
        Ok(())
    }

    /// Phrases that narrow: "for a house", "in winter", "in 2025" beside an amount.
    pub(super) fn dropped_phrases(&self, tokens: &[Token]) -> Checked {
        let amount = self
            .unit
            .content()
            .iter()
            .any(|at| matches!(self.unit.token(*at).kind, Kind::Number(_)) && !self.is_small_count(*at));
        let general = self.anchor.tense != Tense::Past || self.is_sweeping();
        let mut index = 0;
        let own = &self.anchor.tokens;
        let stretch = stretches(tokens);
        let lasts: Vec<usize> =
            own.iter().copied().filter(|at| self.is_taken((self.at, *at))).map(|at| stretch[at]).collect();
        while index < own.len() {
            let at = own[index];
            index += 1;
            let preposition = tokens[at].preposition;
            if !tokens[at].is_content() || preposition.is_empty() || self.anchor.main == Some(at) {
                continue;
            }
            // The whole phrase: content under the same preposition, in a row.
            let mut phrase = vec![at];
            while index < own.len()
                && (tokens[own[index]].preposition == preposition || !tokens[own[index]].is_content())
                && !lexicon::is_preposition(&tokens[own[index]].word)
            {
                if tokens[own[index]].is_content() {
                    phrase.push(own[index]);
                }
                index += 1;
            }
            if phrase.iter().any(|at| self.is_taken((self.at, *at)) || tokens[*at].operator.is_some()) {
                continue;
            }
            let timed = phrase.iter().any(|at| tokens[*at].is_amount() || is_time(&tokens[*at]));
            // Another part of a list, of which nothing is said here.
            let listed = own.iter().any(|other| {
                stretch[*other] == stretch[at]
                    && matches!(tokens[*other].kind, Kind::Number(_))
                    && !self.is_taken((self.at, *other))
                    && *other < at
            });
            let told = own.iter().any(|other| {
                stretch[*other] == stretch[at]
                    && tokens[*other].is_amount()
                    && self.is_taken((self.at, *other))
            });
            if (!lasts.contains(&stretch[at]) && stretch[at] != 0) || (listed && !told) {
                continue;
            }
            let narrows = match preposition {
                "for" | "per" | "under" | "without" | "within" | "except" | "among" => amount || general,
                "until" | "since" | "between" | "before" | "after" | "during" => amount || general,
                "in" | "at" | "on" => amount || (general && (timed || self.is_sweeping())),
                "as" => {
                    general
                        && stretch[at] == 0
                        && own.first().is_some_and(|first| tokens[*first].word == "as")
                }
                "to" if own.first().is_some_and(|first| tokens[*first].word == "to") && stretch[at] == 0 => {
                    general
                }
                "from" | "by" | "to" => amount && phrase.iter().any(|at| is_measured(&tokens[*at])),
                _ => false,
            };
            if narrows {
                let shown: Vec<&str> = phrase.iter().map(|at| tokens[*at].shown.as_str()).collect();
                return Err(self.miss(false, format!("it leaves out \"{preposition} {}\"", shown.join(" "))));
            }
        }
        Ok(())
    }

    /// Words between a count and what is counted, and what an amount is counted over.
    pub(super) fn dropped_beside_amounts(&self, tokens: &[Token]) -> Checked {
        let stretch = stretches(tokens);
        for at in self.anchor.tokens.iter().copied() {
            if !matches!(tokens[at].kind, Kind::Number(_)) || !self.is_taken((self.at, at)) {
                continue;
            }
            let rate = self.anchor.tokens.iter().copied().find(|other| {
                *other > at
                    && stretch[*other] == stretch[at]
                    && tokens[*other].rate
                    && !self.is_taken((self.at, *other))
            });
            if let Some(rate) = rate {
                return Err(self.miss(false, format!("it leaves out \"{}\"", tokens[rate].word)));
            }
            let mut open: Option<usize> = None;
            for other in self.anchor.tokens.iter().copied().filter(|other| *other > at) {
                let token = &tokens[other];
                if !token.is_content()
                    || token.is_amount()
                    || stretch[other] != stretch[at]
                    || self.anchor.main == Some(other)
                {
                    break;
                }
                if self.is_taken((self.at, other)) {
                    if let Some(open) = open {
                        return Err(self.miss(false, format!("it leaves out \"{}\"", tokens[open].shown)));
                    }
                    break;
                }
                open = open.or(Some(other)).filter(|first| !tokens[*first].name);
            }
        }
        Ok(())
    }
}

/// A date, or a number with a unit.
pub(super) fn is_measured(token: &Token) -> bool {
    match &token.kind {
        Kind::Number(number) => !number.dimension.is_empty(),
        Kind::Date(_) => true,
        Kind::Word | Kind::Mark(_) => false,
    }
}

pub(super) fn is_time(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "winter"
            | "summer"
            | "spring"
            | "autumn"
            | "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "night"
            | "day"
            | "morning"
            | "evening"
            | "year"
            | "month"
            | "week"
    )
}
