//! What points the other way, and what a quote sets against each other.

use super::*;

impl Alignment<'_> {
    /// "the flags below" for "the flags above": a small word that points the other way.
    pub(super) fn turned_words(&self) -> Checked {
        const TURNED: &[(&str, &str)] = &[
            ("above", "below"),
            ("before", "after"),
            ("inside", "outside"),
            ("up", "down"),
            ("over", "under"),
        ];
        let theirs = |word: &str| self.quote[self.at].tokens.iter().any(|token| token.word == word);
        for at in self.unit.all() {
            let own = self.unit.token(at);
            let turned = TURNED.iter().find_map(|(one, other)| match own.word.as_str() {
                word if word == *one => Some(*other),
                word if word == *other => Some(*one),
                _ => None,
            });
            if let Some(other) = turned.filter(|other| !own.skip && theirs(other) && !theirs(&own.word)) {
                return Err(
                    self.miss(true, format!("it says \"{}\" where the quote says \"{other}\"", own.shown))
                );
            }
        }
        Ok(())
    }

    /// "the first … Request" for "the first … Solicit, and the second … Request": what a quote says of one of two it sets
    /// against each other is not said of the other.
    pub(super) fn contrasts(&self) -> Checked {
        const RIVALS: &[(&str, &str)] = &[("former", "latter"), ("first", "second"), ("first", "last")];
        let tokens = &self.quote[self.at].tokens;
        let parted = |one: usize, other: usize| {
            (one.min(other)..one.max(other)).any(|at| {
                let joins = matches!(tokens[at].word.as_str(), "but" | "while" | "whereas");
                let and = tokens[at].word == "and" && at > 0 && tokens[at - 1].kind == Kind::Mark(',');
                joins || and || tokens[at].kind == Kind::Mark(';')
            })
        };
        let rivals = |one: &Token, other: &Token| {
            let listed = |a: &Token, b: &Token| RIVALS.contains(&(a.word.as_str(), b.word.as_str()));
            listed(one, other) || listed(other, one) || by_dictionary(one, other) == Some(Relation::Opposite)
        };
        let only = |places: &[(Place, Zone)]| match places {
            [((sentence, at), _)] if *sentence == self.at => Some(*at),
            _ => None,
        };
        let own = stretches(&self.unit.sentence.tokens);
        for (at, places) in &self.found {
            let Some(place) = only(places) else { continue };
            let rival = (0..tokens.len())
                .find(|other| rivals(&tokens[place], &tokens[*other]) && parted(place, *other));
            let Some(rival) = rival else { continue };
            for (other, places) in self.found.iter().filter(|(other, _)| own[*other] == own[*at]) {
                let Some(said) = only(places).filter(|said| *said != rival) else { continue };
                if parted(said, place) && !parted(said, rival) {
                    let (word, thing) = (&self.unit.token(*other).shown, &self.unit.token(*at).shown);
                    return Err(self.miss(
                        true,
                        format!("the quote says \"{word}\" of something else than \"{thing}\""),
                    ));
                }
            }
        }
        Ok(())
    }
}
