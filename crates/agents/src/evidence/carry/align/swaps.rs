//! Words that changed places: each word of a unit needs a word of its own in the quote, and stands beside the same neighbour.

use super::super::clause::is_participle;
use super::*;

impl<'a> Alignment<'a> {
    /// The only place that stands for a token, if there is one.
    fn only_place(&self, at: usize) -> Option<Place> {
        match self.places(at) {
            [(place, Zone::Own | Zone::Attached(_))] => Some(*place),
            _ => None,
        }
    }

    /// "a larger radix needs a larger buffer" for "a larger radix needs a smaller buffer": one word of the quote cannot be
    /// said twice where its opposite is left over, nor stand for two different words.
    pub(super) fn one_for_one(&self) -> Checked {
        for (index, (at, _)) in self.found.iter().enumerate() {
            let [(place, _)] = self.places(*at) else { continue };
            let place = *place;
            let own = self.unit.token(*at);
            if !own.is_word() || self.unit.inherited.contains(at) {
                continue;
            }
            let twin = self.found[..index].iter().map(|(other, _)| *other).find(|other| {
                matches!(self.places(*other), [(other, _)] if *other == place)
                    && !self.unit.inherited.contains(other)
            });
            let Some(twin) = twin else { continue };
            // "pays a fee of" for "the fee is": the verb says no more than its object.
            let main = self.unit.clause.main;
            let bare = self.anchor.main.is_none_or(|main| !self.quote[self.at].tokens[main].is_content());
            if bare && (main == Some(twin) || main == Some(*at)) {
                continue;
            }
            let twin = self.unit.token(twin);
            if twin.stem == own.stem {
                let opposite = self.zones.iter().any(|(other, zone)| {
                    *zone == Zone::Own
                        && !self.is_taken(*other)
                        && self.quoted(*other).is_content()
                        && matches!(
                            relation(own, self.quoted(*other))
                                .or_else(|| by_dictionary(own, self.quoted(*other))),
                            Some(Relation::Opposite | Relation::Denies)
                        )
                });
                if opposite {
                    return Err(self.miss(true, format!("the quote says \"{}\" once only", own.shown)));
                }
            } else if own.word.split(' ').count() == 1
                && (!(is_holding(own) || is_holding(twin)) || self.anchor.main != Some(place.1))
            {
                let stem = &self.quoted(place).stem;
                let added = if *stem == own.stem { twin } else { own };
                return Err(self.miss(false, format!("the quote does not say \"{}\"", added.shown)));
            }
        }
        Ok(())
    }

    /// "Kropotkin's egoism and Stirner's communism" for the other way round: what stands beside a word in the quote stands
    /// beside another one here.
    pub(super) fn swapped_owners(&self) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        let own = pairs_of(self.unit.sentence);
        let theirs = pairs_of(&self.quote[self.at]);
        for (modifier, head) in &own {
            let (Some((sentence, said)), Some(place)) = (self.only_place(*modifier), self.only_place(*head))
            else {
                continue;
            };
            if place.0 != self.at || sentence != self.at {
                continue;
            }
            // Is it said of the head there, too?
            let near = said.abs_diff(place.1) <= 1
                || theirs.contains(&(said, place.1))
                || theirs.contains(&(place.1, said));
            let Some((other, _)) = theirs.iter().find(|(_, other)| *other == place.1).filter(|_| !near)
            else {
                continue;
            };
            let moved = self.found.iter().any(|(at, _)| {
                *at != *modifier
                    && self.only_place(*at) == Some((self.at, *other))
                    && !own.contains(&(*at, *head))
                    && at.abs_diff(*head) > 2
            });
            if moved {
                let why = format!(
                    "it says \"{} {}\" where the quote says \"{} {}\"",
                    self.unit.token(*modifier).shown,
                    self.unit.token(*head).shown,
                    tokens[*other].shown,
                    tokens[place.1].shown
                );
                return Err(self.miss(true, why));
            }
        }
        Ok(())
    }

    /// "A copy that is not opaque is called transparent": two things stand where the quote has the other one, behind the same
    /// words. Who only says it in another order changes those words, too.
    pub(super) fn changed_places(&self) -> Checked {
        if !self.opposite.is_empty() {
            return Ok(());
        }
        let mut placed: Vec<(usize, usize)> = Vec::new();
        for (at, places) in &self.found {
            if let [((sentence, place), _)] = places.as_slice()
                && *sentence == self.at
                && !self.unit.inherited.contains(at)
            {
                placed.push((*at, *place));
            }
        }
        let own = |at: usize| frame(self.unit.sentence, at);
        let theirs = |at: usize| frame(&self.quote[self.at], at);
        for (index, (first, there)) in placed.iter().enumerate() {
            for (second, other) in &placed[index + 1..] {
                let (mine, yours) = ((own(*first), own(*second)), (theirs(*other), theirs(*there)));
                let joined =
                    |frame: &Frame| frame.0.is_empty() || matches!(frame.0.as_str(), "and" | "or" | ",");
                let crossed = |level: fn(&Frame) -> (&str, &str)| {
                    level(&mine.0) == level(&yours.0)
                        && level(&mine.1) == level(&yours.1)
                        && level(&mine.0) != level(&mine.1)
                };
                let apart = !joined(&mine.0) && !joined(&mine.1);
                if apart && (crossed(|frame| (&frame.0, "")) || crossed(|frame| (&frame.0, &frame.1))) {
                    let why = format!(
                        "\"{}\" and \"{}\" have changed places",
                        self.unit.token(*first).shown,
                        self.unit.token(*second).shown
                    );
                    return Err(self.miss(true, why));
                }
            }
        }
        Ok(())
    }

    /// "the clear function" is not "the reset function": what a thing is called has no synonyms.
    pub(super) fn class_names(&self) -> Checked {
        for (at, _) in &self.found {
            let own = self.unit.token(*at);
            let Some(class) = self.unit.sentence.tokens.get(at + 1).filter(|next| is_class(next)) else {
                continue;
            };
            let named = |place: &Place| {
                let before = place.1.checked_sub(1).map(|before| &self.quote[place.0].tokens[before]);
                before.filter(|before| before.is_word() && before.is_content())
            };
            let names: Vec<&Token> =
                self.places(at + 1).iter().filter_map(|(place, _)| named(place)).collect();
            let all = names.len() == self.places(at + 1).len() && !names.is_empty();
            if own.is_word() && own.is_content() && all && !names.iter().any(|name| name.stem == own.stem) {
                let why = format!(
                    "it says \"{} {}\" where the quote says \"{} {}\"",
                    own.shown, class.shown, names[0].shown, class.shown
                );
                return Err(self.miss(true, why));
            }
        }
        Ok(())
    }

    /// "one server" is not "several servers".
    pub(super) fn one_of_many(&self) -> Checked {
        let tokens = &self.quote[self.at].tokens;
        for at in self.unit.all() {
            let one = self.unit.token(at).word == "one" && self.unit.token(at).is_word();
            let next = (at + 1..at + 4).find(|next| !self.places(*next).is_empty());
            let Some(next) = next.filter(|_| one) else { continue };
            let many = |place: &Place| {
                let before = &tokens[place.1.saturating_sub(3)..place.1];
                let one = before.iter().any(|token| token.word == "one");
                !one && before.iter().any(|token| {
                    let counted = matches!(&token.kind, Kind::Number(number) if number.value != 1.0);
                    counted
                        || matches!(
                            token.operator,
                            Some(Operator::Some | Operator::Many | Operator::Most | Operator::Few)
                        )
                })
            };
            let places = self.places(next);
            if places.iter().all(|(place, _)| place.0 == self.at && many(place)) {
                return Err(self.miss(true, "it says \"one\" where the quote speaks of more".to_owned()));
            }
        }
        Ok(())
    }

    /// "Pico implements what nano provides" for the other way round: before each verb stands who does it.
    pub(super) fn swapped_doers(&self) -> Checked {
        let theirs = &self.quote[self.at];
        let doer = |sentence: &Sentence, clause: &Clause| {
            let main = clause.main?;
            clause.tokens.iter().copied().rfind(|at| {
                let token = &sentence.tokens[*at];
                *at < main
                    && token.is_content()
                    && token.is_word()
                    && token.preposition.is_empty()
                    && !token.word.ends_with("ly")
            })
        };
        for own in &self.unit.sentence.clauses {
            let (Some(main), Some(head)) = (own.main, doer(self.unit.sentence, own)) else { continue };
            let Some(place) = self.only_place(main).filter(|place| place.0 == self.at) else { continue };
            let same = theirs
                .clauses
                .iter()
                .find(|clause| clause.main == Some(place.1) && clause.passive == own.passive);
            let Some(their_head) = same.and_then(|clause| doer(theirs, clause)) else { continue };
            let Some(said) = self.only_place(head).filter(|said| said.0 == self.at && said.1 != their_head)
            else {
                continue;
            };
            let moved = self.found.iter().any(|(at, _)| {
                !own.tokens.contains(at) && self.only_place(*at) == Some((self.at, their_head))
            });
            let other = same.is_some_and(|clause| !clause.tokens.contains(&said.1));
            if moved && other {
                let why = format!(
                    "it says \"{}\" where the quote says \"{}\" does it",
                    self.unit.token(head).shown,
                    theirs.tokens[their_head].shown
                );
                return Err(self.miss(true, why));
            }
        }
        Ok(())
    }

    /// "one file for all of them" is not "a file for each".
    pub(super) fn shared_by_all(&self) -> Checked {
        let one = |token: &Token| {
            token.is_word() && matches!(token.word.as_str(), "one" | "single" | "common" | "shared" | "same")
        };
        let own: Vec<&Token> = self.unit.all().into_iter().map(|at| self.unit.token(at)).collect();
        let all = own.iter().any(|token| token.operator == Some(Operator::All) && token.word == "all");
        let tokens = &self.quote[self.at].tokens;
        let each = tokens.iter().any(|token| matches!(token.word.as_str(), "each" | "every" | "per"));
        let named = own
            .iter()
            .find(|token| one(token))
            .filter(|own| !tokens.iter().any(|token| token.word == own.word));
        match named {
            Some(named) if all && each => Err(self
                .miss(true, format!("it says \"{}\" for all where the quote has one for each", named.shown))),
            _ => Ok(()),
        }
    }

    /// Two names around a verb, of which each stands where the other should.
    pub(super) fn names_swapped(&self, main: usize, theirs: usize) -> bool {
        let tokens = &self.quote[self.at].tokens;
        let named = |at: usize| {
            self.unit.token(at).name && matches!(self.unit.token(at).preposition, "" | "of" | "by")
        };
        let turned = self.unit.clause.passive != self.anchor.passive;
        let mut sides =
            self.found.iter().filter(|(at, _)| named(*at)).filter_map(|(at, places)| {
                match places.as_slice() {
                    [((sentence, place), Zone::Own)]
                        if *sentence == self.at && matches!(tokens[*place].preposition, "" | "of" | "by") =>
                    {
                        Some((*at < main, *place < theirs))
                    }
                    _ => None,
                }
            });
        let wrong = |(own, their): (bool, bool)| (own == their) == turned;
        let all: Vec<(bool, bool)> = sides.by_ref().collect();
        all.len() == 2 && all[0].0 != all[1].0 && all[0].1 != all[1].1 && all.iter().all(|side| wrong(*side))
    }

    /// "after it is merged" is not "before it is merged".
    pub(super) fn times(&self) -> Checked {
        let opener = |tokens: &'a [Token], clause: &Clause| {
            clause.tokens.first().map_or("", |first| match tokens[*first].word.as_str() {
                "once" | "when" | "as" => "after",
                word => word,
            })
        };
        let timed = |clause: &&&Clause| matches!(clause.role, Role::Time | Role::Condition);
        for own in self.unit.attached.iter().filter(timed) {
            let first = opener(&self.unit.sentence.tokens, own);
            if !matches!(first, "before" | "after" | "until" | "since") {
                continue;
            }
            for other in self.attached.iter().filter(timed) {
                let second = opener(&self.quote[self.at].tokens, other);
                let same = self.found.iter().any(|(at, places)| {
                    own.tokens.contains(at)
                        && places.iter().any(|((sentence, place), _)| {
                            *sentence == self.at && other.tokens.contains(place)
                        })
                });
                if same && first != second && matches!(second, "before" | "after" | "until" | "since") {
                    let why = format!("it says \"{first}\" where the quote says \"{second}\"");
                    return Err(self.miss(true, why));
                }
            }
        }
        Ok(())
    }
}

/// The word a thing stands behind, and the one before that: a verb, a preposition, a denial; "^" at the beginning.
type Frame = (String, String);

fn frame(sentence: &Sentence, at: usize) -> Frame {
    let tokens = &sentence.tokens;
    let verb =
        |at: usize| sentence.clauses.iter().any(|clause| clause.main == Some(at) || clause.verb == Some(at));
    let before = |at: usize| {
        (0..at).rev().find(|other| {
            let token = &tokens[*other];
            let phrase = (token.is_content() && !verb(*other))
                || lexicon::is_determiner(&token.word)
                || token.word == "s";
            !(phrase || token.skip || token.kind == Kind::Mark('"'))
        })
    };
    let word = |at: Option<usize>| match at {
        Some(at) if tokens[at].operator.is_some() => format!("{:?}", tokens[at].operator),
        Some(at) if tokens[at].is_mark() => ",".to_owned(),
        Some(at) => tokens[at].stem.clone(),
        None => "^".to_owned(),
    };
    let first = before(at);
    (word(first), word(first.and_then(before)))
}

/// Nouns whose name stands before them.
fn is_class(token: &Token) -> bool {
    matches!(
        token.stem.as_str(),
        "function"
            | "command"
            | "option"
            | "variabl"
            | "method"
            | "modul"
            | "mode"
            | "button"
            | "key"
            | "paramet"
            | "directiv"
            | "flag"
            | "keyword"
            | "field"
            | "stream"
            | "tool"
    )
}

/// Pairs of a word and the noun it stands before or belongs to: "X Y", "X's Y", "Y of X".
fn pairs_of(sentence: &Sentence) -> Vec<(usize, usize)> {
    let tokens = &sentence.tokens;
    let verb =
        |at: usize| sentence.clauses.iter().any(|clause| clause.main == Some(at) || clause.verb == Some(at));
    let noun = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            token.is_word()
                && token.is_content()
                && !token.rate
                && !is_ranking(token)
                && !is_participle(token)
                && !verb(at)
        })
    };
    let mut pairs = Vec::new();
    for at in 0..tokens.len() {
        if !noun(at) {
            continue;
        }
        if noun(at + 1) && (tokens[at].preposition == tokens[at + 1].preposition) {
            pairs.push((at, at + 1));
        } else if tokens.get(at + 1).is_some_and(|token| token.word == "s") && noun(at + 2) {
            pairs.push((at, at + 2));
        }
        let of = tokens.get(at + 1).is_some_and(|token| token.word == "of");
        let behind =
            at + 2 + usize::from(tokens.get(at + 2).is_some_and(|token| lexicon::is_determiner(&token.word)));
        if of && noun(behind) {
            pairs.push((behind, at));
        }
    }
    pairs
}
