//! Amounts: the same number in the same unit and bound, tied the same way, and said of the same thing.

use super::{Alignment, Checked, Miss, Place, Token, Zone, stretches};
use crate::evidence::carry::number::Bound;
use crate::evidence::carry::token::Kind;

impl Alignment<'_> {
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
            if a.bound != b.bound && !softer && !nearly {
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
        let plain = matches!(own.kind, Kind::Number(_)) && (a.is_empty() || b.is_empty());
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
        if zone != Zone::Heading {
            self.goes_with(at, place)?;
        }
        Ok(())
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

pub(super) fn stretch_is(tokens: &[Token], at: usize, number: usize) -> bool {
    stretches(tokens)[at] == number
}
