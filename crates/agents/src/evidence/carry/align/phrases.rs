//! Phrases and words beside amounts that narrow a claim, and a sentence leaves out.

use super::*;

impl Alignment<'_> {
    /// Phrases that narrow: "for a house", "in winter", "in 2025" beside an amount.
    pub(super) fn dropped_phrases(&self, tokens: &[Token]) -> Checked {
        let amount = self
            .unit
            .content()
            .iter()
            .any(|at| matches!(self.unit.token(*at).kind, Kind::Number(_)) && !self.is_small_count(*at));
        let general = self.anchor.tense != Tense::Past || self.is_sweeping();
        // What happened once happened, wherever and whenever.
        let event = self.anchor.tense == Tense::Past
            && self.anchor.main.is_some_and(|main| tokens[main].is_content() && !is_holding(&tokens[main]))
            && !self.is_sweeping();
        // "the largest on Unix systems" is not the largest.
        let ranked = self.unit.own.iter().any(|at| {
            let token = self.unit.token(*at);
            token.word == "most" || (is_ranking(token) && token.word.ends_with("est"))
        });
        let mut index = 0;
        let own = &self.anchor.tokens;
        let stretch = stretches(tokens);
        // A stretch is meant only where a word of the unit stands in no other.
        let only = |places: &[(Place, Zone)], number: usize| {
            places.iter().all(|((sentence, at), _)| *sentence == self.at && stretch.get(*at) == Some(&number))
        };
        let meant = |number: usize| {
            self.found.iter().any(|(_, places)| only(places, number))
                || self
                    .opposite
                    .iter()
                    .chain(&self.denied)
                    .any(|(_, (_, at))| stretch.get(*at) == Some(&number))
        };
        let mut lasts: Vec<usize> =
            own.iter().copied().filter(|at| self.is_taken((self.at, *at))).map(|at| stretch[at]).collect();
        lasts.retain(|number| meant(*number));
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
            if phrase.iter().any(|at| self.is_kept(*at) || tokens[*at].operator.is_some()) {
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
            // "raised from 3 to 4": where a change began may stay unsaid.
            let began = preposition == "from"
                && own.iter().any(|other| {
                    *other > at
                        && tokens[*other].preposition == "to"
                        && tokens[*other].is_amount()
                        && self.is_taken((self.at, *other))
                });
            if began {
                continue;
            }
            // "in people over 65": of whom it was found; "at 14 sites": another count beside the first.
            let counts = phrase.first().is_some_and(
                |at| matches!(&tokens[*at].kind, Kind::Number(number) if number.dimension.is_empty()),
            );
            let group = matches!(preposition, "in" | "for" | "among")
                && !timed_only(tokens, &phrase)
                && is_bare_plural(tokens, at);
            let event = event && !group;
            // "leaves Marby for Sandholm": where to.
            let bound = tokens[at].name
                && self.anchor.main.is_some_and(|main| {
                    matches!(tokens[main].word.as_str(), "leave" | "leaves" | "left" | "departs" | "depart")
                });
            let narrows = match preposition {
                "for" if bound => false,
                "at" | "in" | "on" if counts => false,
                "for" | "per" | "under" | "without" | "within" | "except" | "among" => {
                    (amount && !event) || general
                }
                "before" | "after" if self.is_ahead() => false,
                "until" | "since" | "between" | "before" | "after" | "during" => {
                    (amount && !event) || general
                }
                "in" | "at" | "on" => {
                    (amount && !event) || ranked || (general && (timed || self.is_sweeping()))
                }
                "as" => {
                    general
                        && stretch[at] == 0
                        && own.first().is_some_and(|first| tokens[*first].word == "as")
                }
                "from" | "by" | "to" => amount && phrase.iter().any(|at| is_measured(&tokens[*at])),
                _ => false,
            };
            if narrows {
                let shown = super::phrase(tokens, at, phrase[phrase.len() - 1]);
                return Err(self.miss(false, format!("it leaves out \"{shown}\"")));
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
                open = open.or(Some(other)).filter(|first: &usize| !tokens[*first].name);
            }
        }
        Ok(())
    }
}

fn is_time(token: &Token) -> bool {
    lexicon::is_time(&token.word)
}

/// A time or a date, and nothing else.
fn timed_only(tokens: &[Token], phrase: &[usize]) -> bool {
    phrase.iter().all(|at| tokens[*at].is_amount() || is_time(&tokens[*at]))
}

/// "people", "older houses": a kind of thing rather than certain ones.
pub(super) fn is_bare_plural(tokens: &[Token], at: usize) -> bool {
    let article = at > 0 && lexicon::is_determiner(&tokens[at - 1].word);
    let noun = tokens[at..]
        .iter()
        .take_while(|token| token.is_word() && token.is_content())
        .last()
        .unwrap_or(&tokens[at]);
    let plural = noun.word.ends_with('s')
        || matches!(noun.word.as_str(), "people" | "men" | "women" | "children" | "mice");
    !article && plural && !noun.name && noun.is_word()
}
