//! What is said of an amount: its bound, its direction, and the words it goes with.

use super::*;

impl<'a> Alignment<'a> {
    /// Amounts: bound, preposition, and the words they go with.
    pub(super) fn amounts(&self) -> Checked {
        let mut refused: Option<Miss> = None;
        for (at, places) in self.found.iter().filter(|(at, _)| self.unit.token(*at).is_amount()) {
            let own = self.unit.token(*at);
            let mut fits = false;
            for (place, zone) in places {
                match self.amount_fits(*at, own, *place, *zone) {
                    Ok(()) => fits = true,
                    Err(miss) => refused = Some(miss),
                }
            }
            let alone = |other: &(usize, Vec<(Place, Zone)>)| {
                other.0 != *at
                    && self.unit.token(other.0).is_amount()
                    && other.1 == *places
                    && places.len() == 1
            };
            if self.found.iter().any(alone) && !self.unit.inherited.contains(at) {
                fits = false;
            }
            if !fits {
                return Err(refused.unwrap_or_else(|| {
                    self.miss(true, format!("\"{}\" is said of something else", own.shown))
                }));
            }
        }
        Ok(())
    }

    pub(super) fn amount_fits(&self, at: usize, own: &Token, place: Place, zone: Zone) -> Checked {
        let other = self.quoted(place);
        if let (Kind::Number(a), Kind::Number(b)) = (&own.kind, &other.kind) {
            let softer = a.bound == Bound::About && b.bound == Bound::Exact;
            let nearly = a.bound == Bound::About && b.bound == Bound::Nearly;
            if a.bound != b.bound && !softer && !nearly && !self.is_limit(a.bound, b.bound) {
                let why = if a.bound == Bound::Exact {
                    format!(
                        "it says \"{}\" where the quote says \"{} {}\"",
                        own.shown,
                        b.bound.name(),
                        other.shown
                    )
                } else {
                    format!(
                        "it says \"{} {}\" where the quote says \"{} {}\"",
                        a.bound.name(),
                        own.shown,
                        b.bound.name(),
                        other.shown
                    )
                };
                return Err(self.miss(true, why));
            }
        }
        let (a, b) = (direction(own), direction(other));
        // Where a change began is not where it led.
        let plain = matches!(own.kind, Kind::Number(_)) && (a.is_empty() || b.is_empty()) && b != "from";
        if a != b && !plain && zone != Zone::Heading {
            let named = |name: &str, shown: &str| {
                if name.is_empty() { shown.to_owned() } else { format!("{name} {shown}") }
            };
            let why = format!(
                "it says \"{}\" where the quote says \"{}\"",
                named(a, &own.shown),
                named(b, &other.shown)
            );
            return Err(self.miss(true, why));
        }
        if matches!(own.kind, Kind::Number(_)) && self.is_whole(place) && own.preposition != "of" {
            return Err(
                self.miss(true, format!("it says of all \"{}\" what the quote says of a part", own.shown))
            );
        }
        if is_compared(&self.quote[place.0].tokens, place.1)
            && !is_compared(&self.unit.sentence.tokens, at)
            && direction(own) != "from"
        {
            return Err(self.miss(true, format!("the quote only compares with \"{}\"", other.shown)));
        }
        self.share_of(at, place)?;
        self.counts(at, place)?;
        if zone != Zone::Heading {
            self.goes_with(at, place)?;
        }
        Ok(())
    }

    /// "at most 32" for "the maximum is 32".
    fn is_limit(&self, own: Bound, other: Bound) -> bool {
        let says = |words: &[&str]| {
            self.anchor.tokens.iter().any(|at| words.contains(&self.quote[self.at].tokens[*at].word.as_str()))
        };
        match (own, other) {
            (Bound::AtMost, Bound::Exact) => {
                says(&["maximum", "limit", "cap", "ceiling", "longest", "largest", "highest"])
            }
            (Bound::AtLeast, Bound::Exact) => says(&["minimum", "smallest", "lowest", "shortest"]),
            _ => false,
        }
    }

    /// "34 of its 210 branches": the whole is not the part.
    fn is_whole(&self, place: Place) -> bool {
        let tokens = &self.quote[place.0].tokens;
        let parted = |token: &Token| matches!(token.kind, Kind::Number(_));
        tokens[place.1].preposition == "of" && tokens[place.1.saturating_sub(3)..place.1].iter().any(parted)
    }

    /// "14 people" where the quote has "5,200 people at 14 sites": what is counted may not be what another number counts.
    fn counts(&self, at: usize, place: Place) -> Checked {
        let bare = |token: &Token| matches!(&token.kind, Kind::Number(number) if number.dimension.is_empty());
        let own = &self.unit.sentence.tokens;
        let Some(noun) = own
            .get(at + 1)
            .filter(|noun| bare(&own[at]) && noun.is_word() && noun.is_content())
            .map(|_| at + 1)
        else {
            return Ok(());
        };
        let tokens = &self.quote[place.0].tokens;
        let counted = |other: usize| {
            tokens[..other]
                .iter()
                .enumerate()
                .rev()
                .take(2)
                .find(|(_, token)| bare(token))
                .map(|(number, _)| number)
        };
        let places = self.places(noun);
        let elsewhere = |(other, _): &(Place, Zone)| {
            other.0 == place.0 && counted(other.1).is_some_and(|number| number != place.1)
        };
        if !places.is_empty() && places.iter().all(elsewhere) {
            return Err(self.miss(
                true,
                format!(
                    "the quote gives \"{}\" of something else than \"{}\"",
                    own[at].shown, own[noun].shown
                ),
            ));
        }
        Ok(())
    }

    /// "38 percent of the officers are women" is not "38 percent of the women are officers".
    fn share_of(&self, at: usize, place: Place) -> Checked {
        let tokens = &self.quote[place.0].tokens;
        let (Some(own), Some(theirs)) = (whole_of(&self.unit.sentence.tokens, at), whole_of(tokens, place.1))
        else {
            return Ok(());
        };
        let head = own.rev().find(|at| self.unit.token(*at).is_content());
        let Some(head) = head.filter(|head| !self.places(*head).is_empty()) else { return Ok(()) };
        let inside = self
            .places(head)
            .iter()
            .any(|((sentence, other), _)| *sentence != place.0 || theirs.contains(other));
        if inside {
            return Ok(());
        }
        Err(self.miss(
            true,
            format!(
                "the quote gives \"{}\" of something else than \"{}\"",
                self.unit.token(at).shown,
                self.unit.token(head).shown
            ),
        ))
    }

    /// The words near an amount of the unit must stand near it in the quote, not near another one.
    pub(super) fn goes_with(&self, at: usize, place: Place) -> Checked {
        let tokens = &self.quote[place.0].tokens;
        let stretch = stretches(tokens);
        let all = self.unit.all();
        let own_stretch = stretches(&self.unit.sentence.tokens);
        let amounts_in = |number: usize| {
            all.iter().any(|other| own_stretch[*other] == number && self.unit.token(*other).is_amount())
        };
        let mine = own_stretch[at];
        let ends = |number: usize| {
            tokens.iter().enumerate().filter(move |(other, _)| stretch_is(tokens, *other, number))
        };
        let together = |word: usize| {
            let attached =
                |at: usize| self.unit.attached.iter().position(|clause| clause.tokens.contains(&at));
            attached(word) == attached(at)
        };
        let own_dimension = dimension(self.unit.token(at));
        let twin = |other: usize| {
            other != at && own_stretch[other] == mine && dimension(self.unit.token(other)) == own_dimension
        };
        // "171 of 212 members": words may go with either of two amounts that stand together.
        let twins: Vec<Place> = self
            .found
            .iter()
            .filter(|(other, _)| twin(*other))
            .flat_map(|(_, places)| places.iter().map(|(place, _)| *place))
            .collect();
        for (word, places) in &self.found {
            if !together(*word) || twin(*word) {
                continue;
            }
            if *word == at
                || self.unit.inherited.contains(word)
                    && self.unit.own.contains(&at)
                    && amounts_in(own_stretch[*word])
                    && own_stretch[*word] != mine
            {
                continue;
            }
            let bound = if amounts_in(own_stretch[*word]) {
                own_stretch[*word] == mine
            } else {
                // A stretch without an amount goes with the next one that has one.
                let next = (own_stretch[*word]..=mine).find(|number| amounts_in(*number));
                next == Some(mine) || own_stretch[*word] > mine
            };
            if !bound {
                continue;
            }
            let near = places.iter().any(|((sentence, other), zone)| {
                if twins.iter().any(|twin| {
                    twin.0 == *sentence
                        && stretches(&self.quote[twin.0].tokens)[twin.1]
                            == stretches(&self.quote[*sentence].tokens)[*other]
                }) {
                    return true;
                }
                if *sentence != place.0 || matches!(zone, Zone::Antecedent | Zone::Heading) {
                    return true;
                }
                let (theirs, here) = (stretch[*other], stretch[place.1]);
                if theirs == here {
                    return true;
                }
                let first_amount = ends(theirs)
                    .find(|(_, token)| token.is_amount() && dimension(token) == dimension(&tokens[place.1]))
                    .map(|(other, _)| other);
                let Some(first_amount) = first_amount else { return true };
                if theirs < here {
                    return *other < first_amount;
                }
                let tail = ends(here).any(|(other, token)| other > place.1 && token.is_content());
                !tail && *other > first_amount
            });
            if !near {
                let why = format!(
                    "the quote says \"{}\" of something else than \"{}\"",
                    self.unit.token(at).shown,
                    self.unit.token(*word).shown
                );
                return Err(self.miss(true, why));
            }
        }
        Ok(())
    }

    pub(super) fn is_small_count(&self, at: usize) -> bool {
        matches!(&self.unit.token(at).kind, Kind::Number(number) if number.dimension.is_empty() && number.value <= 3.0 && number.value.fract() == 0.0)
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

/// What an amount measures, for telling rivals from others.
pub(super) fn dimension(token: &Token) -> Option<&'static str> {
    match &token.kind {
        Kind::Number(number) => Some(number.dimension),
        Kind::Date(_) => Some("date"),
        Kind::Word | Kind::Mark(_) => None,
    }
}

/// How an amount is tied: "to 70", "by 70", "since 2023". Nothing for a place in time or an amount.
pub(super) fn direction(token: &Token) -> &'static str {
    match (token.preposition, &token.kind) {
        ("since" | "from", Kind::Date(_)) => "since",
        ("until" | "till" | "to" | "through", Kind::Date(_)) => "until",
        ("by", Kind::Date(_)) => "by",
        ("before", _) => "before",
        ("after", _) => "after",
        ("from", Kind::Number(_)) => "from",
        ("to", Kind::Number(_)) => "to",
        ("by", Kind::Number(_)) => "by",
        ("until" | "till", Kind::Number(_)) => "until",
        ("since", Kind::Number(_)) => "since",
        _ => "",
    }
}

/// The noun phrase a share is of: "38 percent of the city's officers".
fn whole_of(tokens: &[Token], at: usize) -> Option<std::ops::Range<usize>> {
    let share = matches!(&tokens[at].kind, Kind::Number(number) if matches!(number.dimension, "percent" | "fraction"));
    tokens.get(at + 1).filter(|token| share && token.word == "of" && !token.skip)?;
    let end = (at + 2..tokens.len()).find(|other| {
        let token = &tokens[*other];
        token.is_mark()
            || lexicon::is_be(&token.word)
            || lexicon::is_modal(&token.word)
            || lexicon::is_conjunction(&token.word)
            || (lexicon::is_preposition(&token.word) && !token.skip)
            || matches!(token.word.as_str(), "has" | "have" | "had" | "who" | "that" | "which")
            || (token.operator.is_some() && token.operator != Some(Operator::All))
            || token.is_amount()
            || matches!(token.word.as_str(), "get" | "gets" | "got")
            || (*other > at + 2
                && (token.word.ends_with("ed")
                    || lexicon::irregular(&token.word).is_some()
                    || lexicon::is_only_verb(&token.stem)))
    });
    let end = end.unwrap_or(tokens.len());
    (end > at + 2).then_some(at + 2..end)
}

/// Does it stand behind "than", "as much as", "compared with"?
fn is_compared(tokens: &[Token], at: usize) -> bool {
    let mut seen = 0;
    for token in tokens[..at].iter().rev().take(6).take_while(|token| !token.is_mark()) {
        seen += usize::from(token.word == "as");
        if (token.word == "than" && !token.skip) || token.word == "compared" || seen == 2 {
            return true;
        }
    }
    false
}
