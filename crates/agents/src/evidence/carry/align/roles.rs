//! Who does what to whom: verbs, what they are said of, comparisons, ranks and conditions keep their sides.

use super::{Alignment, Checked, Clause, Place, Role, Token, Zone};
use crate::evidence::carry::lexicon;
use crate::evidence::carry::verbs::is_participle;

impl Alignment<'_> {
    /// The parts of a word with hyphens stand in its order: "left-to-right".
    pub(super) fn compounds(&self) -> Checked {
        let tokens = &self.unit.sentence.tokens;
        let all = self.unit.content();
        for pair in all.windows(2) {
            let [at, next] = pair else { continue };
            let one = (*at + 1..=*next).all(|between| tokens[between].joined);
            let (first, second) = (self.places(*at), self.places(*next));
            if !one || first.is_empty() || second.is_empty() {
                continue;
            }
            let follows = first.iter().any(|((a, x), _)| second.iter().any(|((b, y), _)| a == b && x <= y));
            if !follows {
                return Err(self.miss(
                    true,
                    format!("it turns \"{}-{}\" round", tokens[*at].shown, tokens[*next].shown),
                ));
            }
        }
        Ok(())
    }

    /// Of two conditions each keeps its own words.
    pub(super) fn conditions(&self) -> Checked {
        let theirs: Vec<&&Clause> =
            self.attached.iter().filter(|clause| clause.role == Role::Condition).collect();
        if theirs.len() < 2 {
            return Ok(());
        }
        for own in self.unit.attached.iter().filter(|clause| clause.role == Role::Condition) {
            let words: Vec<&(usize, Vec<(Place, Zone)>)> =
                self.found.iter().filter(|(at, _)| own.tokens.contains(at)).collect();
            let whole = theirs.iter().any(|clause| {
                words.iter().all(|(_, places)| {
                    places
                        .iter()
                        .any(|((sentence, at), _)| *sentence == self.at && clause.tokens.contains(at))
                })
            });
            if !whole && !words.is_empty() {
                return Err(self.miss(true, "it mixes two conditions of the quote".to_owned()));
            }
        }
        Ok(())
    }

    /// What is said to happen must happen in the clause itself, and a clause that says what happens must not become one
    /// that only says that something is.
    pub(super) fn verb(&self) -> Checked {
        let Some(main) = self.unit.clause.main else { return Ok(()) };
        let tokens = &self.quote[self.at].tokens;
        let verb = self.unit.token(main);
        let lexical = verb.is_content() && self.unit.own.contains(&main);
        if lexical {
            let own = |places: &[(Place, Zone)]| {
                places
                    .iter()
                    .any(|(_, zone)| matches!(zone, Zone::Own | Zone::Side | Zone::Heading | Zone::Bracket))
            };
            let turned = self.denied.iter().chain(&self.opposite).any(|(at, _)| *at == main);
            if own(self.places(main)) && !turned {
                self.predicate(main)?;
            }
            return if own(self.places(main)) || turned {
                Ok(())
            } else {
                Err(self.miss(false, format!("the quote does not say \"{}\" of it", verb.shown)))
            };
        }
        let Some(theirs) = self.anchor.main else { return Ok(()) };
        let other = &tokens[theirs];
        if is_light(other) || self.is_taken((self.at, theirs)) || self.anchor.role == Role::Fragment {
            return Ok(());
        }
        // "4,310 buildings are connected" for "had 4,310 connected buildings": the predicate is another word.
        let verb_at = self.unit.clause.verb.unwrap_or(0);
        let predicate = self.unit.own.iter().any(|at| {
            *at > verb_at
                && self.unit.token(*at).is_word()
                && self.unit.token(*at).is_content()
                && self.unit.token(*at).preposition.is_empty()
        });
        if predicate && self.unit.clause.main == self.unit.clause.verb && self.anchor.passive {
            return Ok(());
        }
        Err(self.miss(false, format!("it leaves out what the quote says of it, \"{}\"", other.shown)))
    }

    /// The verb of the unit may stand for another word than the verb of the quote only where that says it of the same thing:
    /// "buildings are connected" for "connected buildings", not "the plant is treated" for "takes treated water".
    pub(super) fn predicate(&self, main: usize) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        let Some(theirs) = self.anchor.main.filter(|theirs| tokens[*theirs].is_content()) else {
            return self.modifies(main);
        };
        let places: Vec<Place> = self.places(main).iter().map(|(place, _)| *place).collect();
        if self.is_taken((self.at, theirs))
            || places.iter().any(|(sentence, at)| *sentence != self.at || !self.anchor.tokens.contains(at))
        {
            return Ok(());
        }
        let joined = places.iter().any(|(_, at)| {
            let before = self
                .anchor
                .tokens
                .iter()
                .copied()
                .rev()
                .find(|other| *other < *at && !tokens[*other].word.ends_with("ly"));
            let comma = *at > 0 && tokens[*at - 1].is_mark();
            comma || before.is_some_and(|before| lexicon::is_conjunction(&tokens[before].word))
        });
        if joined || is_light(&tokens[theirs]) {
            return Ok(());
        }
        Err(self
            .miss(false, format!("it leaves out what the quote says of it, \"{}\"", tokens[theirs].shown)))
    }

    /// A participle before a noun says something of that noun alone.
    pub(super) fn modifies(&self, main: usize) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        let verb = self.unit.clause.verb.unwrap_or(usize::MAX);
        if !self.unit.clause.passive {
            return Ok(());
        }
        let fits = self.places(main).iter().any(|((sentence, at), _)| {
            if *sentence != self.at || self.anchor.main == Some(*at) {
                return true;
            }
            let next =
                self.anchor.tokens.iter().copied().find(|other| *other > *at && tokens[*other].is_content());
            let Some(next) = next.filter(|next| *next <= at + 2 && tokens[*next].is_word()) else {
                return true;
            };
            self.found
                .iter()
                .any(|(own, places)| *own < verb && places.iter().any(|(place, _)| *place == (self.at, next)))
        });
        if fits {
            return Ok(());
        }
        Err(self.miss(false, format!("the quote says \"{}\" of something else", self.unit.token(main).shown)))
    }

    pub(super) fn opposites(&self) -> Checked {
        let Some((at, place)) = self.opposite.first() else { return Ok(()) };
        let (own, other) = (self.unit.token(*at), self.quoted(*place));
        // "A is longer than B" for "B is shorter than A".
        if self.opposite.len() == 1 && self.than().is_some_and(|(ours, theirs)| self.is_swapped(ours, theirs))
        {
            return Ok(());
        }
        Err(self.miss(true, format!("it says \"{}\" where the quote says \"{}\"", own.shown, other.shown)))
    }

    pub(super) fn than(&self) -> Option<(usize, usize)> {
        let is_than = |token: &Token| token.word == "than" && !token.skip;
        let ours = self.unit.all().into_iter().find(|at| is_than(self.unit.token(*at)))?;
        let theirs =
            self.anchor.tokens.iter().copied().find(|at| is_than(&self.quote[self.at].tokens[*at]))?;
        Some((ours, theirs))
    }

    pub(super) fn is_swapped(&self, ours: usize, theirs: usize) -> bool {
        let side = |(at, places): &&(usize, Vec<(Place, Zone)>)| {
            places
                .iter()
                .any(|((sentence, other), _)| *sentence == self.at && (*other < theirs) != (*at < ours))
        };
        let before = self.found.iter().filter(|(at, _)| *at < ours).any(|pair| side(&pair));
        let behind = self.found.iter().filter(|(at, _)| *at > ours).any(|pair| side(&pair));
        before && behind
    }

    pub(super) fn passive_differs(&self) -> bool {
        self.unit.clause.passive != self.anchor.passive
            && self.unit.clause.main.is_some_and(|main| self.unit.token(main).is_content())
    }

    /// Who does it to whom, and what is compared with what.
    pub(super) fn sides(&self) -> Checked {
        if let Some((ours, theirs)) = self.than()
            && self.opposite.is_empty()
            && self.is_swapped(ours, theirs)
        {
            return Err(self.miss(true, "it turns the comparison round".to_owned()));
        }
        let (Some(main), Some(theirs)) = (self.unit.clause.main, self.anchor.main) else { return Ok(()) };
        let aligned = self.places(main).iter().any(|(place, _)| *place == (self.at, theirs));
        // A verb that was said once for several subjects stands nowhere near this one.
        if !self.unit.own.contains(&main) {
            return Ok(());
        }
        if !aligned || !self.unit.token(main).is_content() {
            return Ok(());
        }
        let tokens = &self.quote[self.at].tokens;
        let (doer, done_to) =
            arguments(&self.unit.sentence.tokens, &self.unit.all(), main, self.unit.clause.passive);
        let (their_doer, their_done_to) = arguments(tokens, &self.anchor.tokens, theirs, self.anchor.passive);
        let within = |own: &[usize], others: &[usize]| {
            own.last().is_some_and(|at| {
                let places: Vec<usize> = self
                    .places(*at)
                    .iter()
                    .filter(|((sentence, _), zone)| *sentence == self.at && *zone == Zone::Own)
                    .map(|((_, place), _)| *place)
                    .collect();
                !places.is_empty() && places.iter().all(|place| others.contains(place))
            })
        };
        let swapped = (within(&doer, &their_done_to) && !their_doer.is_empty())
            || (within(&done_to, &their_doer) && !their_done_to.is_empty());
        if swapped {
            return Err(self.miss(true, "it turns round who does what".to_owned()));
        }
        Ok(())
    }

    /// "The bank transfers money" for "a transfer from the bank account": who acts may not be half of another name. And an
    /// act whose doer the quote does not tell gets none.
    pub(super) fn doer(&self) -> Checked {
        let Some(main) = self
            .unit
            .clause
            .main
            .filter(|main| self.unit.token(*main).is_content() && self.unit.own.contains(main))
        else {
            return Ok(());
        };
        let tokens = &self.quote[self.at].tokens;
        let (doer, _) =
            arguments(&self.unit.sentence.tokens, &self.unit.all(), main, self.unit.clause.passive);
        let Some(head) = doer.last().copied().filter(|head| !self.unit.token(*head).name) else {
            return Ok(());
        };
        let half = |place: Place| {
            let next = place.1 + 1;
            place.0 == self.at
                && tokens.get(next).is_some_and(|token| {
                    token.is_content()
                        && token.is_word()
                        && !token.word.ends_with("ed")
                        && !self.quote[self.at]
                            .clauses
                            .iter()
                            .any(|clause| clause.main == Some(next) || clause.verb == Some(next))
                        && Some(next) != self.anchor.main
                        && Some(next) != self.anchor.verb
                })
                && !self.places(head + 1).iter().any(|(other, _)| *other == (self.at, next))
        };
        let places = self.places(head);
        if !places.is_empty() && places.iter().all(|(place, _)| half(*place)) {
            return Err(self
                .miss(false, format!("the quote does not say \"{}\" does it", self.unit.token(head).shown)));
        }
        let Some(theirs) = self.anchor.main.filter(|_| self.anchor.passive && !self.unit.clause.passive)
        else {
            return Ok(());
        };
        if !self.places(main).iter().any(|(place, _)| *place == (self.at, theirs)) {
            return Ok(());
        }
        let (agents, _) = arguments(tokens, &self.anchor.tokens, theirs, true);
        if !places.is_empty()
            && places.iter().all(|(place, zone)| *zone == Zone::Own && !agents.contains(&place.1))
        {
            return Err(self.miss(
                false,
                format!("the quote does not say that \"{}\" does it", self.unit.token(head).shown),
            ));
        }
        Ok(())
    }

    /// Around every verb both sides have: what stood before it may not stand behind it and the other way round, unless one
    /// of the two is passive.
    pub(super) fn order(&self) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        if self.than().is_some() {
            return Ok(());
        }
        for (verb, places) in &self.found {
            let own = self.unit.token(*verb);
            if !self.unit.own.contains(verb)
                || self.unit.inherited.contains(verb)
                || !own.is_word()
                || !lexicon::is_verb(&own.word, own.stem.split(' ').next().unwrap_or_default())
            {
                continue;
            }
            for ((sentence, other), zone) in places {
                if *sentence != self.at || *zone != Zone::Own {
                    continue;
                }
                let passive = is_passive(&self.unit.sentence.tokens, *verb) != is_passive(tokens, *other);
                let turned = |at: &usize| {
                    let places: Vec<usize> = self
                        .places(*at)
                        .iter()
                        .filter(|((s, _), z)| *s == self.at && *z == Zone::Own)
                        .map(|((_, p), _)| *p)
                        .collect();
                    !places.is_empty() && places.iter().all(|place| (*place < *other) != (*at < *verb))
                };
                let noun = |at: &&usize| {
                    self.unit.token(**at).is_word()
                        && self.unit.token(**at).is_content()
                        && !self.unit.token(**at).rate
                };
                let all: Vec<usize> = self
                    .unit
                    .content()
                    .into_iter()
                    .filter(|at| !self.unit.attached.iter().any(|clause| clause.tokens.contains(at)))
                    .collect();
                let before = all.iter().rev().filter(|at| **at < *verb).find(noun);
                let behind = all.iter().filter(|at| **at > *verb).rfind(noun);
                if !passive && before.is_some_and(turned) && behind.is_some_and(turned) {
                    return Err(self.miss(true, "it turns round who does what".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// "first", "largest", "second": they must be said of the same thing. And words behind opposite prepositions.
    pub(super) fn pairs(&self) -> Checked {
        const AGAINST: &[(&str, &str)] = &[
            ("from", "to"),
            ("from", "into"),
            ("before", "after"),
            ("above", "below"),
            ("over", "under"),
            ("inside", "outside"),
            ("for", "against"),
            ("in", "outside"),
            ("until", "since"),
            ("until", "after"),
            ("since", "before"),
        ];
        let content = self.unit.content();
        for (index, at) in content.iter().enumerate() {
            let own = self.unit.token(*at);
            let places = self.places(*at);
            let clash = |place: &Place| {
                let other = self.quoted(*place);
                AGAINST.iter().any(|(a, b)| {
                    (own.preposition == *a && other.preposition == *b)
                        || (own.preposition == *b && other.preposition == *a)
                })
            };
            if own.is_word() && !places.is_empty() && places.iter().all(|(place, _)| clash(place)) {
                let other = self.quoted(places[0].0);
                let why = format!(
                    "it says \"{} {}\" where the quote says \"{} {}\"",
                    own.preposition, own.shown, other.preposition, other.shown
                );
                return Err(self.miss(true, why));
            }
            if !is_ranking(own) {
                continue;
            }
            let Some(head) = content.get(index + 1).filter(|head| **head <= at + 2) else { continue };
            let near = places.iter().any(|((sentence, place), _)| {
                self.places(*head)
                    .iter()
                    .any(|((other, behind), _)| other == sentence && *behind > *place && *behind <= place + 4)
            });
            if !near && !places.is_empty() {
                return Err(self.miss(false, format!("the quote says \"{}\" of something else", own.shown)));
            }
        }
        Ok(())
    }
}

/// Verbs that say little more than that something is there.
pub(super) fn is_light(token: &Token) -> bool {
    !token.is_content()
        || matches!(
            token.stem.as_str(),
            "contain"
                | "includ"
                | "hold"
                | "give"
                | "provid"
                | "reach"
                | "make"
                | "offer"
                | "cover"
                | "cost"
                | "list"
                | "find"
                | "number"
                | "call"
                | "mean"
                | "consist"
                | "show"
        )
}

/// Words that say that there is none before or above.
pub(super) fn is_ranking(token: &Token) -> bool {
    token.is_word()
        && (matches!(
            token.word.as_str(),
            "first"
                | "last"
                | "second"
                | "third"
                | "best"
                | "worst"
                | "main"
                | "most"
                | "least"
                | "next"
                | "final"
        ) || (token.word.ends_with("est")
            && token.word.len() > 5
            && !matches!(
                token.word.as_str(),
                "request"
                    | "interest"
                    | "forest"
                    | "honest"
                    | "latest"
                    | "invest"
                    | "harvest"
                    | "suggest"
                    | "protest"
            )))
}

/// "was read by", "made by": is this verb turned round?
pub(super) fn is_passive(tokens: &[Token], at: usize) -> bool {
    let helped = tokens[..at]
        .iter()
        .rev()
        .take(4)
        .take_while(|token| !token.is_mark())
        .any(|token| lexicon::is_be(&token.word));
    let by = tokens.get(at + 1).is_some_and(|token| token.word == "by");
    is_participle(&tokens[at]) && (helped || by)
}

/// Who does it and to whom it is done, as places, by what stands around the verb.
pub(super) fn arguments(
    tokens: &[Token],
    own: &[usize],
    main: usize,
    passive: bool,
) -> (Vec<usize>, Vec<usize>) {
    let plain = |at: &usize| {
        let token = &tokens[*at];
        token.is_content()
            && token.is_word()
            && !token.rate
            && !token.word.contains(' ')
            && !token.word.ends_with("ly")
    };
    let before: Vec<usize> = own
        .iter()
        .copied()
        .filter(|at| *at < main && plain(at) && tokens[*at].preposition.is_empty())
        .collect();
    let mut behind = Vec::new();
    for at in own.iter().copied().filter(|at| *at > main) {
        if lexicon::is_preposition(&tokens[at].word) && !tokens[at].skip {
            break;
        }
        if plain(&at) {
            behind.push(at);
        }
    }
    let agents: Vec<usize> =
        own.iter().copied().filter(|at| *at > main && plain(at) && tokens[*at].preposition == "by").collect();
    if passive { (agents, before) } else { (before, behind) }
}
