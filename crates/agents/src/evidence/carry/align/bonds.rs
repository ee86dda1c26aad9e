//! Words that stand side by side: what one says of the other, the quote must say, too.

use super::*;

/// Words between two of one phrase.
const APART: usize = 2;

impl Alignment<'_> {
    /// "a request subprocess" for "each request runs in a secure subprocess", "the egoism of Kropotkin" for "the communism
    /// of Kropotkin": words of one phrase stand in one phrase of the quote.
    pub(super) fn bonds(&self) -> Checked {
        let tokens = &self.unit.sentence.tokens;
        let all = self.unit.all();
        let plain = |at: usize| {
            let token = &tokens[at];
            token.is_word()
                && token.is_content()
                && !token.rate
                && !token.word.ends_with("ly")
                && self.unit.clause.main != Some(at)
                && !self.unit.sentence.clauses.iter().any(|clause| clause.main == Some(at))
        };
        for pair in all.windows(2) {
            let [left, right] = pair else { continue };
            let beside = *right == left + 1 && plain(*left) && plain(*right);
            if beside && !self.is_bond(*left, *right) {
                let why =
                    format!("the quote does not say \"{} {}\"", tokens[*left].shown, tokens[*right].shown);
                return Err(self.miss(false, why));
            }
        }
        Ok(())
    }

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

    fn is_bond(&self, left: usize, right: usize) -> bool {
        let (ours, theirs) = (self.places(left), self.places(right));
        if ours.is_empty() || theirs.is_empty() {
            return true;
        }
        ours.iter().any(|((sentence, one), _)| {
            theirs.iter().any(|((other, two), _)| sentence != other || self.is_near(*sentence, *one, *two))
        })
    }

    /// Do two words of the quote stand in one phrase, in this order or turned round by a preposition?
    fn is_near(&self, sentence: usize, one: usize, two: usize) -> bool {
        let read = &self.quote[sentence];
        let (from, to) = (one.min(two), one.max(two));
        let between = &read.tokens[(from + 1).min(to)..to];
        let content =
            between.iter().filter(|token| token.is_content() && !token.word.ends_with("ly")).count();
        let verb = (from + 1..to)
            .any(|at| read.clauses.iter().any(|clause| clause.main == Some(at) || clause.verb == Some(at)));
        let mark = between.iter().any(|token| matches!(token.kind, Kind::Mark(',' | ';' | '(' | ')')));
        let turned = one > two
            && !between.iter().any(|token| {
                lexicon::is_preposition(&token.word) || token.word == "s" || lexicon::is_be(&token.word)
            });
        content <= APART && !verb && !mark && !turned
    }
}
