//! Who does what to whom, in which time, and what is compared with what.

use super::super::clause::is_participle;
use super::*;

impl<'a> Alignment<'a> {
    /// What is said to happen must happen in the clause itself, and a clause that says what happens must not become one
    /// that only says that something is.
    pub(super) fn verb(&self) -> Checked {
        let Some(main) = self.unit.clause.main else { return Ok(()) };
        let tokens = &self.quote[self.at].tokens;
        let verb = self.unit.token(main);
        let lexical = verb.is_content() && self.unit.own.contains(&main);
        if lexical && !(self.places(main).is_empty() && self.is_excused(main)) {
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
        if !other.is_content()
            || is_holding(other)
            || self.is_taken((self.at, theirs))
            || self.anchor.role == Role::Fragment
            || self.is_bound_to(other)
        {
            return Ok(());
        }
        // "had a margin of 14" for "the margin widened to 14".
        if is_changing(other) && self.reaches_amount() {
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

    /// "each message must have" for "requires each message to have".
    fn is_bound_to(&self, other: &Token) -> bool {
        let says = |wanted: Operator| self.own_operators().iter().any(|(_, operator)| *operator == wanted);
        let stem = other.stem.as_str();
        (MUST.contains(&stem) && says(Operator::Must)) || (CAN.contains(&stem) && says(Operator::Can))
    }

    /// Is an amount of the unit the one a change of the quote leads to?
    fn reaches_amount(&self) -> bool {
        let amounts =
            self.found.iter().filter(|(at, _)| matches!(self.unit.token(*at).kind, Kind::Number(_)));
        let to = |places: &[(Place, Zone)]| {
            places.iter().any(|(place, _)| self.quoted(*place).preposition == "to")
        };
        let mut numbers = amounts.peekable();
        numbers.peek().is_some() && numbers.all(|(_, places)| to(places))
    }

    /// "The rate rose" for "the bank raised the rate": what changes is the subject of the one and the object of the other.
    pub(super) fn turns_by_itself(&self, verb: usize) -> bool {
        let own = self.unit.token(verb);
        if self.unit.clause.passive || self.unit.clause.main != Some(verb) || !is_turning(own) {
            return false;
        }
        let (_, done_to) = arguments(&self.unit.sentence.tokens, &self.unit.all(), verb, false);
        done_to.is_empty()
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
        // "had to leave" for "were forced to leave".
        let obliged = (MUST.contains(&tokens[theirs].stem.as_str())
            && self.own_operators().iter().any(|(_, operator)| *operator == Operator::Must))
            || (CAN.contains(&tokens[theirs].stem.as_str())
                && self.own_operators().iter().any(|(_, operator)| *operator == Operator::Can));
        if joined || obliged || is_holding(&tokens[theirs]) {
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

    pub(super) fn tense(&self) -> Checked {
        let (own, theirs) = (self.unit.clause.tense, self.anchor.tense);
        if self.unit.clause.verb.is_some_and(|verb| !self.unit.own.contains(&verb)) {
            return Ok(());
        }
        // "The festival, founded in 1987, draws …": a participle has no time of its own.
        let participle = self.unit.clause.main.is_some_and(|main| {
            let places = self.places(main);
            !places.is_empty()
                && places.iter().all(|((sentence, at), _)| {
                    *sentence == self.at
                        && self.anchor.main != Some(*at)
                        && is_participle(&self.quote[self.at].tokens[*at])
                })
        });
        if participle && own == Tense::Past {
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

    /// Who does it to whom, and what is compared with what.
    pub(super) fn sides(&self) -> Checked {
        if let (true, Some(main), Some(theirs)) = (self.undergoes(), self.unit.clause.main, self.anchor.main)
        {
            let (subject, _) = arguments(&self.unit.sentence.tokens, &self.unit.all(), main, false);
            let (doer, _) =
                arguments(&self.quote[self.at].tokens, &self.anchor.tokens, theirs, self.anchor.passive);
            let does = |at: &usize| {
                self.places(*at).iter().any(|(place, _)| place.0 == self.at && doer.contains(&place.1))
            };
            if subject.last().is_some_and(does) {
                return Err(self.miss(true, "it turns round who does what".to_owned()));
            }
        }
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
        if (swapped && !self.turns_by_itself(main)) || self.names_swapped(main, theirs) {
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
                && !tokens[place.1].name
                && tokens.get(next).is_some_and(|token| {
                    token.is_content()
                        && token.is_word()
                        && !token.word.ends_with("ed")
                        && !token.word.ends_with("ly")
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
        let (agents, patients) = arguments(tokens, &self.anchor.tokens, theirs, true);
        // "The painting turned up" for "was found": nobody does anything here.
        let (_, object) = arguments(&self.unit.sentence.tokens, &self.unit.all(), main, false);
        if object.is_empty()
            && places.iter().any(|(place, _)| place.0 == self.at && patients.contains(&place.1))
        {
            return Ok(());
        }
        if !places.is_empty()
            && places.iter().all(|(place, zone)| {
                // What something is replaced with replaces it.
                let means = self.quoted(*place).preposition == "with";
                *zone == Zone::Own && !agents.contains(&place.1) && !means
            })
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
            // "90,000 copies", "a record": a noun that could be a verb.
            let noun = *verb > 0 && {
                let before = &self.unit.sentence.tokens[*verb - 1];
                matches!(&before.kind, Kind::Number(number) if number.dimension.is_empty())
                    || lexicon::is_determiner(&before.word)
            };
            let predicate = is_participle(own)
                || own.word.ends_with("ing")
                || self.unit.sentence.clauses.iter().any(|clause| clause.main == Some(*verb));
            if noun
                || !predicate
                || self.unit.inherited.contains(verb)
                || !own.is_word()
                || !lexicon::is_verb(&own.word, own.stem.split(' ').next().unwrap_or_default())
            {
                continue;
            }
            for ((sentence, other), zone) in places {
                let acts = tokens
                    .get(*other)
                    .is_some_and(|token| is_participle(token) || token.word.ends_with("ing"))
                    || self.quote[self.at].clauses.iter().any(|clause| clause.main == Some(*other));
                if *sentence != self.at || *zone != Zone::Own || !acts {
                    continue;
                }
                let passive = is_passive(&self.unit.sentence.tokens, *verb) != is_passive(tokens, *other)
                    || self.turns_by_itself(*verb);
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
                let subject = |at: &&usize| self.unit.token(**at).preposition.is_empty();
                let first: Vec<&usize> = all.iter().filter(|at| **at < *verb).filter(noun).collect();
                let named: Vec<&usize> = first.iter().copied().filter(subject).collect();
                let before = if named.is_empty() { first } else { named };
                let behind: Vec<&usize> = all.iter().filter(|at| **at > *verb).filter(noun).collect();
                // The noun, and what stands right before it: "the Undo command".
                let phrase = |nouns: &[&usize]| {
                    let last = nouns.last().map_or(0, |at| **at);
                    nouns.iter().any(|at| **at + 1 >= last && turned(at))
                };
                if !passive && phrase(&before) && phrase(&behind) {
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
            // "left-to-right"
            let turned = |place: &Place| {
                own.joined && (own.preposition == "to") != (self.quoted(*place).preposition == "to")
            };
            if own.is_word()
                && !places.is_empty()
                && places.iter().all(|(place, _)| clash(place) || turned(place))
            {
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
        let is_than = |tokens: &[Token], at: usize| {
            // "as likely as"
            let twice = tokens[at].word == "as"
                && tokens[..at].iter().rev().skip(1).take(2).any(|token| token.word == "as");
            (tokens[at].word == "than" || twice) && !tokens[at].skip
        };
        let ours = self.unit.all().into_iter().find(|at| is_than(&self.unit.sentence.tokens, *at))?;
        let theirs =
            self.anchor.tokens.iter().copied().find(|at| is_than(&self.quote[self.at].tokens, *at))?;
        Some((ours, theirs))
    }

    pub(super) fn is_swapped(&self, ours: usize, theirs: usize) -> bool {
        let moved =
            |at: usize, (sentence, other): Place| sentence == self.at && (other < theirs) != (at < ours);
        let any =
            |(at, places): &&(usize, Vec<(Place, Zone)>)| places.iter().any(|(place, _)| moved(*at, *place));
        // A word that stands on both sides tells nothing alone.
        let whole =
            |(at, places): &&(usize, Vec<(Place, Zone)>)| places.iter().all(|(place, _)| moved(*at, *place));
        let (before, behind): (Vec<_>, Vec<_>) = self.found.iter().partition(|(at, _)| *at < ours);
        let surely = before.iter().chain(&behind).any(whole);
        let before = surely && before.iter().any(&any);
        let behind = behind.iter().any(any);
        before && behind
    }

    pub(super) fn passive_differs(&self) -> bool {
        self.unit.clause.passive != self.anchor.passive
            && self.unit.clause.main.is_some_and(|main| self.unit.token(main).is_content())
    }
}
