//! A word of a unit that stands where the quote has another one: between the same neighbours, or as the predicate of the same
//! things. There a wide dictionary may say that the one is said for the other.

use super::super::matching::by_place;
use super::*;

impl Alignment<'_> {
    /// Finds a word of the quote for words that have none, by the place they stand in.
    pub(super) fn in_their_place(&mut self, missing: &mut Vec<usize>) {
        // Too many unknown words leave no neighbours to tell a place by.
        if missing.len() * 2 > self.unit.content().len() {
            return;
        }
        let denied = self.own_operators().iter().any(|(_, operator)| *operator == Operator::Not);
        let mut left = Vec::new();
        for at in std::mem::take(missing) {
            match self.place_of(at, !denied) {
                Some(place) => self.found.push((at, vec![(place, Zone::Own)])),
                None => left.push(at),
            }
        }
        *missing = left;
    }

    fn place_of(&self, at: usize, kinds: bool) -> Option<Place> {
        let own = self.unit.token(at);
        let open = |place: &Place| self.quoted(*place).is_content() && !self.is_taken(*place);
        let candidates = self.zones.iter().filter(|(_, zone)| *zone == Zone::Own).map(|(place, _)| *place);
        let mut fitting = candidates.filter(|place| {
            open(place) && by_place(own, self.quoted(*place), kinds) && self.is_same_place(at, *place)
        });
        fitting.next()
    }

    /// Has the word the same neighbour on one side, with nothing said between them?
    fn is_same_place(&self, at: usize, place: Place) -> bool {
        if self.unit.clause.main == Some(at) && self.anchor.main == Some(place.1) {
            return true;
        }
        let content = self.unit.content();
        let Some(index) = content.iter().position(|other| *other == at) else { return false };
        let left = content[..index].iter().rev().find(|other| !self.places(**other).is_empty());
        let right = content[index + 1..].iter().find(|other| !self.places(**other).is_empty());
        left.into_iter().chain(right).any(|neighbour| {
            self.places(*neighbour).iter().any(|((sentence, other), zone)| {
                let (from, to) = (place.1.min(*other) + 1, place.1.max(*other));
                *sentence == place.0
                    && *zone == Zone::Own
                    && (from..to).all(|between| !self.quote[place.0].tokens[between].is_content())
            })
        })
    }
}
