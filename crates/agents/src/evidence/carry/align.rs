//! One unit of a sentence against one clause of a quote: what stands for what, and whether what is said of it is the
//! same.

use super::clause::{Clause, Role, Sentence, Tense};
use super::lexicon::{self, Operator};
use super::matching::{relation, spelled_out};
use super::number::Bound;
use super::token::{Kind, Token};
use super::unit::Unit;
use crate::rules::synonyms::Relation;

/// Why a clause of a quote does not carry a unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Miss {
    /// How near it came, 0 to 1.
    pub(super) near: f64,
    /// Is the same thing said, but otherwise?
    pub(super) contradicts: bool,
    pub(super) why: String,
}

/// Words that say the same as "may" and as "must", by stem.
const CAN: &[&str] = &["allow", "permit", "possibl", "abl", "enabl", "capabl"];
const MUST: &[&str] = &["requir", "need", "demand", "oblig", "necessari", "requisit"];

/// Where a token of a quote stands, seen from the clause that is to carry a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    /// In the clause.
    Own,
    /// In a condition, a cause or a restrictive clause of it.
    Attached(Role),
    /// In a detail of the same sentence.
    Side,
    /// In brackets, or another stretch without a verb.
    Bracket,
    /// In what a pronoun of the clause or its missing subject points to.
    Antecedent,
    /// In a heading or a cell of the same quote.
    Heading,
}

/// A token of a quote, by sentence and place.
type Place = (usize, usize);

/// A unit, a clause of a quote, and what stands for what.
pub(super) struct Alignment<'a> {
    unit: &'a Unit<'a>,
    quote: &'a [Sentence],
    /// Sentence and clause that are to carry the unit.
    at: usize,
    anchor: &'a Clause,
    attached: Vec<&'a Clause>,
    zones: Vec<(Place, Zone)>,
    /// For each content token of the unit: the places that may stand for it.
    found: Vec<(usize, Vec<(Place, Zone)>)>,
    /// Pairs that deny each other.
    denied: Vec<(usize, Place)>,
    opposite: Vec<(usize, Place)>,
    near: f64,
}

type Checked = Result<(), Miss>;

/// Does this quote carry the unit? The nearest miss otherwise.
pub(super) fn carried(unit: &Unit<'_>, quote: &[Sentence]) -> Checked {
    if let Some(miss) = far(unit, quote) {
        return Err(miss);
    }
    let mut nearest: Option<Miss> = None;
    for (at, sentence) in quote.iter().enumerate() {
        for (index, anchor) in sentence.clauses.iter().enumerate() {
            let unstated =
                matches!(anchor.role, Role::Condition | Role::Restrictive) && sentence.clauses.len() > 1;
            if unstated || (anchor.role == Role::Open && unit.clause.role != Role::Open) {
                continue;
            }
            match Alignment::new(unit, quote, at, index, anchor).and_then(|alignment| alignment.check()) {
                Ok(()) => return Ok(()),
                Err(miss) if nearest.as_ref().is_none_or(|best| best.near < miss.near) => {
                    nearest = Some(miss)
                }
                Err(_) => {}
            }
        }
    }
    Err(nearest.unwrap_or_else(|| Miss {
        near: 0.0,
        contradicts: false,
        why: "its quote says nothing".to_owned(),
    }))
}

/// Part of a unit's words below which a quote is about something else.
const FAR: f64 = 0.5;

/// A quote that has few of the words is not worth a closer look.
fn far(unit: &Unit<'_>, quote: &[Sentence]) -> Option<Miss> {
    let content = unit.content();
    let has = |own: &Token| {
        quote.iter().flat_map(|sentence| &sentence.tokens).any(|other| relation(own, other).is_some())
    };
    let missing: Vec<&Token> = content.iter().map(|at| unit.token(*at)).filter(|own| !has(own)).collect();
    let near = 1.0 - missing.len() as f64 / content.len().max(1) as f64;
    let shown: Vec<String> = missing.iter().take(3).map(|own| format!("\"{}\"", own.shown)).collect();
    let amount = missing.iter().any(|own| own.is_amount());
    let what = if amount { "the quote does not give" } else { "the quote does not say" };
    (near < FAR).then(|| Miss {
        near: near / 2.0,
        contradicts: false,
        why: format!("{what} {}", shown.join(", ")),
    })
}

impl<'a> Alignment<'a> {
    fn new(
        unit: &'a Unit<'a>,
        quote: &'a [Sentence],
        at: usize,
        index: usize,
        anchor: &'a Clause,
    ) -> Result<Self, Miss> {
        let attached = attached(&quote[at], index);
        let zones = zones(quote, at, index, anchor, &attached);
        let mut alignment = Self {
            unit,
            quote,
            at,
            anchor,
            attached,
            zones,
            found: Vec::new(),
            denied: Vec::new(),
            opposite: Vec::new(),
            near: 0.0,
        };
        alignment.align()?;
        Ok(alignment)
    }

    fn quoted(&self, place: Place) -> &'a Token {
        &self.quote[place.0].tokens[place.1]
    }

    fn align(&mut self) -> Checked {
        let content = self.unit.content();
        let mut missing: Vec<usize> = Vec::new();
        for at in content.iter().copied() {
            let own = self.unit.token(at);
            let mut same: Vec<(Place, Zone)> = Vec::new();
            let (mut denied, mut opposite) = (None, None);
            for (place, zone) in &self.zones {
                let other = &self.quote[place.0].tokens[place.1];
                if !other.is_content() {
                    continue;
                }
                match relation(own, other) {
                    Some(Relation::Same) if self.may_take(at, *zone) => same.push((*place, *zone)),
                    Some(Relation::Denies) if *zone == Zone::Own => denied = denied.or(Some(*place)),
                    Some(Relation::Opposite) if *zone == Zone::Own => opposite = opposite.or(Some(*place)),
                    _ => {}
                }
            }
            if same.is_empty() {
                same = self.acronym(at);
            }
            if !same.is_empty() {
                self.found.push((at, same));
            } else if let Some(place) = denied {
                self.denied.push((at, place));
            } else if let Some(place) = opposite {
                self.opposite.push((at, place));
            } else {
                missing.push(at);
            }
        }
        // The words of an acronym's long form need no match one by one.
        self.long_forms(&mut missing);
        let total = content.len().max(1) as f64;
        self.near = (content.len() - missing.len()) as f64 / total;
        if content.is_empty() || missing.is_empty() {
            return Ok(());
        }
        Err(self.miss_of(&missing, content.len()))
    }

    /// May a token of the unit be carried by a token there?
    fn may_take(&self, at: usize, zone: Zone) -> bool {
        match zone {
            Zone::Heading | Zone::Bracket => true,
            // What is said of a cause or a time must not become what is said of the thing, nor the other way round.
            Zone::Attached(role) => match self.role_in_unit(at) {
                Some(own) => own == role || role == Role::Restrictive || own == Role::Restrictive,
                // "it" here and the name there: a subject may be said in either clause.
                None => {
                    let conditional = self.unit.attached.iter().any(|clause| clause.role == Role::Condition);
                    let subject = at < self.unit.clause.verb.unwrap_or(usize::MAX);
                    role == Role::Restrictive || (role == Role::Condition && (!conditional || subject))
                }
            },
            Zone::Own => match self.role_in_unit(at) {
                Some(Role::Cause) => self.has_cause(),
                Some(Role::Condition) => {
                    let theirs = self.attached.iter().find(|clause| clause.role == Role::Condition);
                    theirs.is_none_or(|clause| self.has_pronoun(clause))
                }
                _ => true,
            },
            // What is said beside has its own verb; an amount there belongs to that.
            Zone::Side => !self.unit.token(at).is_amount(),
            Zone::Antecedent if self.unit.inherited.contains(&at) => true,
            Zone::Antecedent if self.passive_differs() && !self.anchor.subject => {
                !self.unit.token(at).is_amount()
            }
            Zone::Antecedent => {
                let verb = self.unit.clause.verb.unwrap_or(usize::MAX);
                let by = self.unit.token(at).preposition;
                let number = matches!(self.unit.token(at).kind, Kind::Number(_));
                !number
                    && (at < verb
                        || matches!(by, "by" | "of" | "at" | "in" | "on" | "for" | "to")
                        || self.object_pronoun())
            }
        }
    }

    /// The role of the clause of the unit a token stands in, if it is attached.
    fn role_in_unit(&self, at: usize) -> Option<Role> {
        self.unit.attached.iter().find(|clause| clause.tokens.contains(&at)).map(|clause| clause.role)
    }

    fn has_pronoun(&self, clause: &Clause) -> bool {
        clause.tokens.iter().any(|at| {
            matches!(
                self.quote[self.at].tokens[*at].word.as_str(),
                "it" | "they" | "them" | "its" | "their" | "he" | "she" | "this" | "these"
            )
        })
    }

    /// The parts of a word with hyphens stand in its order: "left-to-right".
    fn compounds(&self) -> Checked {
        let tokens = &self.unit.sentence.tokens;
        let all = self.unit.content();
        for pair in all.windows(2) {
            let [at, next] = pair else { continue };
            let one = (*at + 1..=*next).all(|between| tokens[between].joined);
            let (first, second) = (self.places(*at), self.places(*next));
            if !one || first.is_empty() || second.is_empty() {
                continue;
            }
            let follows = first
                .iter()
                .any(|((a, x), _)| second.iter().any(|((b, y), _)| a == b && x < y || a == b && x == y));
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
    fn conditions(&self) -> Checked {
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

    /// Does the clause itself name a cause?
    fn has_cause(&self) -> bool {
        let tokens = &self.quote[self.at].tokens;
        self.anchor.role == Role::Cause
            || self.anchor.tokens.iter().any(|at| {
                tokens[*at].operator == Some(Operator::Because)
                    || matches!(tokens[*at].stem.as_str(), "caus" | "reason" | "lead to" | "result in")
            })
    }

    fn object_pronoun(&self) -> bool {
        let verb = self.anchor.verb.unwrap_or(0);
        self.anchor.tokens.iter().any(|at| {
            *at > verb
                && matches!(self.quote[self.at].tokens[*at].word.as_str(), "it" | "them" | "its" | "their")
        })
    }

    fn acronym(&self, at: usize) -> Vec<(Place, Zone)> {
        let own = self.unit.token(at);
        let tokens = &self.quote[self.at].tokens;
        spelled_out(own, tokens)
            .map(|run| run.into_iter().map(|token| ((self.at, token), Zone::Own)).collect())
            .unwrap_or_default()
    }

    fn long_forms(&mut self, missing: &mut Vec<usize>) {
        missing.retain(|at| {
            let Some(place) = self.stands_as_operator(self.unit.token(*at)) else { return true };
            self.found.push((*at, vec![(place, Zone::Own)]));
            false
        });
        if missing.len() < 2 {
            return;
        }
        for (place, zone) in self.zones.clone() {
            let other = self.quoted(place);
            if let Some(run) = spelled_out(other, &self.unit.sentence.tokens)
                && run.iter().any(|at| missing.contains(at))
            {
                missing.retain(|at| !run.contains(at));
                for at in run {
                    self.found.push((at, vec![(place, zone)]));
                }
            }
        }
    }

    /// "allowed" for "may", "required" for "must".
    fn stands_as_operator(&self, own: &Token) -> Option<Place> {
        let operator = match own.stem.as_str() {
            stem if CAN.contains(&stem) => Operator::Can,
            stem if MUST.contains(&stem) => Operator::Must,
            _ => return None,
        };
        let tokens = &self.quote[self.at].tokens;
        let at = self
            .anchor
            .tokens
            .iter()
            .copied()
            .find(|at| tokens[*at].operator == Some(operator) && !tokens[*at].skip)?;
        Some((self.at, at))
    }

    fn miss(&self, contradicts: bool, why: String) -> Miss {
        Miss { near: self.near + 0.001, contradicts, why }
    }

    /// What to say of words that stand nowhere in the quote.
    fn miss_of(&self, missing: &[usize], total: usize) -> Miss {
        let own = |at: usize| self.unit.token(at);
        if let [at] = missing
            && total > 2
            && own(*at).is_amount()
            && let Some(other) = self.rival(own(*at))
        {
            let why = format!("it says \"{}\" where the quote says \"{}\"", own(*at).shown, other.shown);
            return Miss { near: self.near, contradicts: true, why };
        }
        let shown: Vec<String> = missing.iter().take(3).map(|at| format!("\"{}\"", own(*at).shown)).collect();
        let amount = missing.iter().any(|at| own(*at).is_amount());
        let what = if amount { "the quote does not give" } else { "the quote does not say" };
        Miss { near: self.near, contradicts: false, why: format!("{what} {}", shown.join(", ")) }
    }

    /// An amount of the same kind in the clause, for which nothing of the unit stands.
    fn rival(&self, own: &Token) -> Option<&'a Token> {
        let taken: Vec<Place> =
            self.found.iter().flat_map(|(_, places)| places.iter().map(|(p, _)| *p)).collect();
        let places = self.zones.iter().filter(|(place, zone)| *zone == Zone::Own && !taken.contains(place));
        places.map(|(place, _)| self.quoted(*place)).find(|other| match (&own.kind, &other.kind) {
            (Kind::Number(a), Kind::Number(b)) => {
                a.dimension == b.dimension || b.dimension.is_empty() || a.dimension.is_empty()
            }
            (Kind::Date(_), Kind::Date(_)) => true,
            _ => false,
        })
    }

    fn check(&self) -> Checked {
        self.has_claim()?;
        self.verb()?;
        self.amounts()?;
        self.opposites()?;
        self.polarity()?;
        self.operators()?;
        self.tense()?;
        self.sides()?;
        self.order()?;
        self.doer()?;
        self.conditions()?;
        self.compounds()?;
        self.pairs()?;
        self.quantified()?;
        self.dropped()
    }

    /// Something of the unit must stand in the clause itself.
    fn has_claim(&self) -> Checked {
        let own = self.found.iter().any(|(_, places)| places.iter().any(|(_, zone)| *zone == Zone::Own));
        if own || !self.denied.is_empty() || !self.opposite.is_empty() {
            return Ok(());
        }
        Err(Miss { near: 0.0, contradicts: false, why: "the quote does not say it".to_owned() })
    }

    /// Places that stand for a token of the unit.
    fn places(&self, at: usize) -> &[(Place, Zone)] {
        self.found.iter().find(|(own, _)| *own == at).map_or(&[], |(_, places)| places)
    }

    fn is_taken(&self, place: Place) -> bool {
        self.found.iter().any(|(_, places)| places.iter().any(|(other, _)| *other == place))
            || self.denied.iter().chain(&self.opposite).any(|(_, other)| *other == place)
    }

    /// What is said to happen must happen in the clause itself, and a clause that says what happens must not become one
    /// that only says that something is.
    fn verb(&self) -> Checked {
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
    fn predicate(&self, main: usize) -> Checked {
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
    fn modifies(&self, main: usize) -> Checked {
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

    /// Amounts: bound, preposition, and the words they go with.
    fn amounts(&self) -> Checked {
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

    fn amount_fits(&self, at: usize, own: &Token, place: Place, zone: Zone) -> Checked {
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
    fn goes_with(&self, at: usize, place: Place) -> Checked {
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

    fn opposites(&self) -> Checked {
        let Some((at, place)) = self.opposite.first() else { return Ok(()) };
        let (own, other) = (self.unit.token(*at), self.quoted(*place));
        // "A is longer than B" for "B is shorter than A".
        if self.opposite.len() == 1 && self.than().is_some_and(|(ours, theirs)| self.is_swapped(ours, theirs))
        {
            return Ok(());
        }
        Err(self.miss(true, format!("it says \"{}\" where the quote says \"{}\"", own.shown, other.shown)))
    }

    fn than(&self) -> Option<(usize, usize)> {
        let is_than = |token: &Token| token.word == "than" && !token.skip;
        let ours = self.unit.all().into_iter().find(|at| is_than(self.unit.token(*at)))?;
        let theirs =
            self.anchor.tokens.iter().copied().find(|at| is_than(&self.quote[self.at].tokens[*at]))?;
        Some((ours, theirs))
    }

    fn is_swapped(&self, ours: usize, theirs: usize) -> bool {
        let side = |(at, places): &&(usize, Vec<(Place, Zone)>)| {
            places
                .iter()
                .any(|((sentence, other), _)| *sentence == self.at && (*other < theirs) != (*at < ours))
        };
        let before = self.found.iter().filter(|(at, _)| *at < ours).any(|pair| side(&pair));
        let behind = self.found.iter().filter(|(at, _)| *at > ours).any(|pair| side(&pair));
        before && behind
    }

    /// Operators of the unit.
    fn own_operators(&self) -> Vec<(usize, Operator)> {
        self.unit
            .all()
            .into_iter()
            .filter_map(|at| {
                let token = self.unit.token(at);
                token.operator.filter(|_| !token.skip).map(|operator| (at, operator))
            })
            .collect()
    }

    /// Operators of the clause and what is attached to it, and whether what they govern is said by the unit.
    fn their_operators(&self) -> Vec<(usize, Operator, bool)> {
        let tokens = &self.quote[self.at].tokens;
        let verb = self.anchor.main.or(self.anchor.verb).unwrap_or(0);
        let mut found = Vec::new();
        let attached = self.attached.iter().flat_map(|clause| clause.tokens.iter().copied());
        for at in self.anchor.tokens.iter().copied().chain(attached) {
            let Some(operator) = tokens[at].operator.filter(|_| !tokens[at].skip) else { continue };
            let head = self.head(at);
            let governs = head.is_some_and(|head| self.is_taken((self.at, head)));
            if !self.anchor.tokens.contains(&at) {
                found.push((at, operator, governs));
                continue;
            }
            let subject_drops = self.passive_differs() && at < self.anchor.verb.unwrap_or(0) && !governs;
            let always = matches!(operator, Operator::If | Operator::Unless);
            found.push((at, operator, always || ((governs || at <= verb) && !subject_drops)));
        }
        found
    }

    /// What an operator governs: the next thing said, or the last one before.
    fn head(&self, at: usize) -> Option<usize> {
        let tokens = &self.quote[self.at].tokens;
        let content = |other: &usize| tokens[*other].is_content();
        let clause = self
            .attached
            .iter()
            .find(|clause| clause.tokens.contains(&at))
            .map_or(self.anchor, |clause| clause);
        let behind = clause.tokens.iter().copied().find(|other| *other > at && content(other));
        behind.or_else(|| clause.tokens.iter().copied().rev().find(|other| *other < at && content(other)))
    }

    fn passive_differs(&self) -> bool {
        self.unit.clause.passive != self.anchor.passive
            && self.unit.clause.main.is_some_and(|main| self.unit.token(main).is_content())
    }

    fn polarity(&self) -> Checked {
        let own = self.own_operators().iter().filter(|(_, operator)| *operator == Operator::Not).count();
        let theirs: Vec<(usize, Operator, bool)> = self
            .their_operators()
            .into_iter()
            .filter(|(_, operator, active)| *operator == Operator::Not && *active)
            .collect();
        let flips = own + theirs.len() + self.denied.len();
        if flips % 2 == 0 {
            return Ok(());
        }
        let why = match self.denied.first() {
            Some((at, place)) => format!(
                "it says \"{}\" where the quote says \"{}\"",
                self.unit.token(*at).shown,
                self.quoted(*place).shown
            ),
            None if own > theirs.len() => "it denies what the quote says".to_owned(),
            None => "the quote denies what it says".to_owned(),
        };
        Err(self.miss(true, why))
    }

    fn operators(&self) -> Checked {
        let own = self.own_operators();
        let theirs = self.their_operators();
        let has = |wanted: &[Operator]| own.iter().any(|(_, operator)| wanted.contains(operator));
        let before = |wanted: &[Operator]| {
            self.zones.iter().any(|(place, zone)| {
                *zone == Zone::Antecedent
                    && self.quoted(*place).operator.is_some_and(|operator| wanted.contains(&operator))
            })
        };
        let quoted = |wanted: &[Operator]| {
            theirs.iter().any(|(_, operator, _)| wanted.contains(operator)) || before(wanted)
        };
        use Operator as O;
        let reported = self.anchor.role == Role::Reported;
        let condition = self.attached.iter().any(|clause| clause.role == Role::Condition);
        let cause = quoted(&[O::Because])
            || self.quote[self.at].clauses.iter().any(|clause| clause.role == Role::Cause)
            || self.quote[self.at].tokens.iter().any(|token| {
                token.operator == Some(O::Because)
                    || matches!(
                        token.stem.as_str(),
                        "caus" | "reason" | "lead" | "result" | "lead to" | "result in"
                    )
            });
        // What the sentence adds.
        for (at, operator) in &own {
            let fine = match operator {
                O::Not | O::Will if *operator == O::Not || quoted(&[O::Will]) => true,
                O::Will => false,
                O::Can => quoted(&[O::Can]) || self.has_stem(CAN) || (has(&[O::Not]) && quoted(&[O::Not])),
                O::Must => quoted(&[O::Must]) || self.has_stem(MUST),
                O::Should => quoted(&[O::Should]),
                O::Planned => {
                    quoted(&[O::Planned, O::Will])
                        || self.has_stem(&["plan", "goal", "target", "propos", "schedul"])
                }
                O::Believed => quoted(&[O::Believed]) || reported,
                O::If => quoted(&[O::If]) || condition,
                O::Because => cause,
                O::All => quoted(&[O::All]),
                O::Almost
                | O::Now
                | O::Formerly
                | O::Only
                | O::Unless
                | O::Most
                | O::Many
                | O::Some
                | O::Few => quoted(&[*operator]),
                O::Not => true,
            };
            if !fine {
                let why = format!("it adds \"{}\", which the quote does not say", self.unit.token(*at).shown);
                return Err(self.miss(matches!(operator, O::All | O::Most | O::Many | O::Few | O::Will), why));
            }
        }
        let any = |token: &Token| matches!(token.word.as_str(), "any" | "either" | "whatever");
        let sweeps = self.unit.own.iter().any(|at| any(self.unit.token(*at)));
        if sweeps
            && !quoted(&[O::All])
            && !self.anchor.tokens.iter().any(|at| any(&self.quote[self.at].tokens[*at]))
            && !(has(&[O::Not])
                && theirs.iter().any(|(at, operator, _)| *operator == O::Not && Some(*at) < self.anchor.verb))
        {
            return Err(self.miss(true, "it says \"any\" where the quote does not".to_owned()));
        }
        // What it leaves out.
        let denied = has(&[O::Not]);
        for (at, operator, active) in &theirs {
            let verb = self.anchor.verb.unwrap_or(usize::MAX);
            let token = &self.quote[self.at].tokens[*at];
            let before_amount = self
                .head(*at)
                .is_some_and(|head| self.quote[self.at].tokens[head].is_amount() && head == at + 1);
            let kept = match operator {
                O::Not | O::Because | O::Now => true,
                O::Can => has(&[O::Can]) || self.unit_has_stem(CAN) || (denied && self.unit_has_unable()),
                O::Must => has(&[O::Must]) || self.unit_has_stem(MUST),
                O::Should => has(&[O::Should]),
                O::Will => has(&[O::Will, O::Planned]),
                O::Planned => has(&[O::Planned]),
                O::Believed => has(&[O::Believed]),
                O::All => !denied || has(&[O::All]) || quoted_not_before(&theirs, *at),
                O::Some | O::Many
                    if *at > verb
                        && !denied
                        && matches!(
                            token.word.as_str(),
                            "some"
                                | "several"
                                | "many"
                                | "various"
                                | "multiple"
                                | "numerous"
                                | "certain"
                                | "a"
                        ) =>
                {
                    true
                }
                O::Most | O::Many | O::Some | O::Few | O::Unless | O::Almost => has(&[*operator]),
                O::Only => has(&[O::Only]) || before_amount,
                O::If => has(&[O::If]),
                O::Formerly => has(&[O::Formerly]) || self.unit.clause.tense == Tense::Past,
            };
            if *active && !kept {
                let why = format!("it leaves out {} (\"{}\")", operator.name(), token.shown);
                return Err(self.miss(matches!(operator, O::Most | O::Many | O::Some | O::Few), why));
            }
        }
        if reported && !has(&[O::Believed]) && self.unit.clause.role != Role::Reported {
            return Err(self.miss(false, "the quote gives it as somebody's words, not as a fact".to_owned()));
        }
        Ok(())
    }

    fn has_stem(&self, stems: &[&str]) -> bool {
        self.anchor.tokens.iter().any(|at| stems.contains(&self.quote[self.at].tokens[*at].stem.as_str()))
    }

    fn unit_has_unable(&self) -> bool {
        self.unit.all().iter().any(|at| matches!(self.unit.token(*at).word.as_str(), "unable" | "incapable"))
    }

    fn unit_has_stem(&self, stems: &[&str]) -> bool {
        let tokens = &self.unit.sentence.tokens;
        // "allow-list" allows nothing.
        let compound = |at: usize| tokens[at].joined || tokens.get(at + 1).is_some_and(|next| next.joined);
        self.unit.all().iter().any(|at| stems.contains(&tokens[*at].stem.as_str()) && !compound(*at))
    }

    fn tense(&self) -> Checked {
        let (own, theirs) = (self.unit.clause.tense, self.anchor.tense);
        if self.unit.clause.verb.is_some_and(|verb| !self.unit.own.contains(&verb)) {
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
    fn sides(&self) -> Checked {
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
    fn doer(&self) -> Checked {
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
    fn order(&self) -> Checked {
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
                let behind = all.iter().filter(|at| **at > *verb).filter(noun).last();
                if !passive && before.is_some_and(turned) && behind.is_some_and(turned) {
                    return Err(self.miss(true, "it turns round who does what".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// "all pages of a file" is not "pages of all files": a quantifier goes with its noun.
    fn quantified(&self) -> Checked {
        let theirs = self.their_operators();
        for (at, operator) in self.own_operators() {
            let own = self.unit.token(at);
            let determines = matches!(
                own.word.as_str(),
                "all"
                    | "every"
                    | "each"
                    | "most"
                    | "many"
                    | "some"
                    | "several"
                    | "few"
                    | "whole"
                    | "entire"
                    | "certain"
                    | "no"
            );
            let content = self.unit.content();
            let Some(head) = content.iter().find(|other| **other > at).filter(|_| determines) else {
                continue;
            };
            let kind = theirs.iter().filter(|(_, other, _)| *other == operator);
            let places = self.places(*head);
            let fits = kind.clone().any(|(theirs, ..)| {
                places.iter().any(|((sentence, place), _)| {
                    *sentence == self.at
                        && (*place > *theirs && *place <= theirs + 6 || self.head(*theirs) == Some(*place))
                })
            });
            if !fits
                && kind.count() > 0
                && operator != Operator::Not
                && places.iter().all(|((sentence, _), _)| *sentence == self.at)
            {
                return Err(self.miss(
                    true,
                    format!(
                        "it says \"{} {}\", which the quote does not",
                        own.shown,
                        self.unit.token(*head).shown
                    ),
                ));
            }
        }
        Ok(())
    }

    /// "first", "largest", "second": they must be said of the same thing. And words behind opposite prepositions.
    fn pairs(&self) -> Checked {
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

    /// What the quote says that narrows the claim, and the unit leaves out.
    fn dropped(&self) -> Checked {
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

    fn dropped_clause(&self, clause: &Clause) -> Checked {
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
    fn is_sweeping(&self) -> bool {
        self.their_operators().iter().any(|(_, operator, active)| {
            *active && matches!(operator, Operator::Not | Operator::All | Operator::Only)
        })
    }

    /// "former", "so-called", "deputy": without them the thing is another one. Under a denial every word before a noun
    /// narrows it.
    fn dropped_doubt(&self, tokens: &[Token]) -> Checked {
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

    fn dropped_subject(&self, tokens: &[Token]) -> Checked {
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
            if !fine && !(at == head && token.name && any) {
                return Err(self.miss(
                    false,
                    format!("it leaves out \"{}\", of which alone the quote speaks", token.shown),
                ));
            }
        }
        Ok(())
    }

    /// Phrases that narrow: "for a house", "in winter", "in 2025" beside an amount.
    fn dropped_phrases(&self, tokens: &[Token]) -> Checked {
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

    fn is_small_count(&self, at: usize) -> bool {
        matches!(&self.unit.token(at).kind, Kind::Number(number) if number.dimension.is_empty() && number.value <= 3.0 && number.value.fract() == 0.0)
    }

    /// Words between a count and what is counted, and what an amount is counted over.
    fn dropped_beside_amounts(&self, tokens: &[Token]) -> Checked {
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
            let mut open = None;
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
                        return Err(
                            self.miss(false, format!("it leaves out \"{}\"", tokens[open as usize].shown))
                        );
                    }
                    break;
                }
                open = open.or(Some(other)).filter(|first: &usize| !tokens[*first].name);
            }
        }
        Ok(())
    }
}

/// Verbs that say little more than that something is there.
fn is_light(token: &Token) -> bool {
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

fn quoted_not_before(theirs: &[(usize, Operator, bool)], at: usize) -> bool {
    !theirs.iter().any(|(other, operator, _)| *operator == Operator::Not && *other < at)
}

/// A date, or a number with a unit.
fn is_measured(token: &Token) -> bool {
    match &token.kind {
        Kind::Number(number) => !number.dimension.is_empty(),
        Kind::Date(_) => true,
        Kind::Word | Kind::Mark(_) => false,
    }
}

/// What an amount measures, for telling rivals from others.
fn dimension(token: &Token) -> Option<&'static str> {
    match &token.kind {
        Kind::Number(number) => Some(number.dimension),
        Kind::Date(_) => Some("date"),
        Kind::Word | Kind::Mark(_) => None,
    }
}

fn is_time(token: &Token) -> bool {
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

/// Words that say that there is none before or above.
fn is_ranking(token: &Token) -> bool {
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

/// How an amount is tied: "to 70", "by 70", "since 2023". Nothing for a place in time or an amount.
fn direction(token: &Token) -> &'static str {
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

/// "was read by", "made by": is this verb turned round?
fn is_passive(tokens: &[Token], at: usize) -> bool {
    let helped = tokens[..at]
        .iter()
        .rev()
        .take(4)
        .take_while(|token| !token.is_mark())
        .any(|token| lexicon::is_be(&token.word));
    let by = tokens.get(at + 1).is_some_and(|token| token.word == "by");
    super::clause::is_participle(&tokens[at]) && (helped || by)
}

/// Which stretch between marks and "and"s each token stands in.
fn stretches(tokens: &[Token]) -> Vec<usize> {
    let mut number = 0;
    tokens
        .iter()
        .map(|token| {
            let joins = token.is_word()
                && !token.skip
                && matches!(
                    token.word.as_str(),
                    "and" | "or" | "but" | "while" | "whereas" | "against" | "compared"
                );
            if matches!(token.kind, Kind::Mark(',' | ';' | ':' | '(' | ')' | '—' | '|')) || joins {
                number += 1;
            }
            number
        })
        .collect()
}

fn stretch_is(tokens: &[Token], at: usize, number: usize) -> bool {
    stretches(tokens)[at] == number
}

/// Who does it and to whom it is done, as places, by what stands around the verb.
fn arguments(tokens: &[Token], own: &[usize], main: usize, passive: bool) -> (Vec<usize>, Vec<usize>) {
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

/// Clauses that restrict the one at this index.
fn attached(sentence: &Sentence, index: usize) -> Vec<&Clause> {
    let holds = |clause: &Clause| matches!(clause.role, Role::Main | Role::Reported | Role::Detail);
    let owner = |at: usize| {
        let before = sentence.clauses[..at].iter().rposition(holds);
        before.or_else(|| sentence.clauses.iter().position(holds))
    };
    (0..sentence.clauses.len())
        .filter(|at| {
            *at != index
                && matches!(
                    sentence.clauses[*at].role,
                    Role::Condition | Role::Cause | Role::Time | Role::Restrictive
                )
                && owner(*at) == Some(index)
        })
        .map(|at| &sentence.clauses[at])
        .collect()
}

fn zones(
    quote: &[Sentence],
    at: usize,
    index: usize,
    anchor: &Clause,
    attached: &[&Clause],
) -> Vec<(Place, Zone)> {
    let sentence = &quote[at];
    let mut zones: Vec<(Place, Zone)> = anchor.tokens.iter().map(|token| ((at, *token), Zone::Own)).collect();
    for clause in attached {
        zones.extend(clause.tokens.iter().map(|token| ((at, *token), Zone::Attached(clause.role))));
    }
    for (other, clause) in sentence.clauses.iter().enumerate() {
        let side = match clause.role {
            Role::Detail => Zone::Side,
            Role::Fragment => Zone::Bracket,
            _ => continue,
        };
        if other != index {
            zones.extend(clause.tokens.iter().map(|token| ((at, *token), side)));
        }
    }
    let pronoun = anchor.tokens.iter().any(|token| {
        matches!(
            sentence.tokens[*token].word.as_str(),
            "it" | "they"
                | "this"
                | "these"
                | "those"
                | "its"
                | "their"
                | "them"
                | "he"
                | "she"
                | "his"
                | "her"
                | "both"
                | "which"
                | "who"
                | "such"
                | "that"
        )
    });
    if !anchor.subject || pronoun || anchor.role == Role::Detail {
        for clause in sentence.clauses.iter().filter(|clause| {
            !matches!(clause.role, Role::Condition) && clause.tokens.first() < anchor.tokens.first()
        }) {
            let all = anchor.role == Role::Detail || pronoun || clause.role == Role::Restrictive;
            let verb = clause.verb.unwrap_or(usize::MAX);
            zones.extend(
                clause
                    .tokens
                    .iter()
                    .filter(|token| all || **token < verb)
                    .map(|token| ((at, *token), Zone::Antecedent)),
            );
        }
        if pronoun && at > 0 {
            for clause in &quote[at - 1].clauses {
                zones.extend(clause.tokens.iter().map(|token| ((at - 1, *token), Zone::Antecedent)));
            }
        }
    }
    // "In 2025 the price is …, and the charge is …": a phrase in front holds for all.
    if let Some(first) = sentence.clauses.first().filter(|_| index > 0 && anchor.role == Role::Main) {
        let front = first.tokens.iter().take_while(|token| {
            let token = &sentence.tokens[**token];
            !token.is_content() || !token.preposition.is_empty()
        });
        zones.extend(front.map(|token| ((at, *token), Zone::Antecedent)));
    }
    // "produced 82 percent of the heat, and boilers produced 9 percent": the same verb, what it is of said once.
    for clause in sentence.clauses[..index].iter() {
        let verb = |clause: &Clause| clause.main.map(|main| sentence.tokens[main].stem.as_str());
        if verb(clause).is_some() && verb(clause) == verb(anchor) {
            let of = clause.tokens.iter().filter(|token| sentence.tokens[**token].preposition == "of");
            zones.extend(of.map(|token| ((at, *token), Zone::Antecedent)));
        }
    }
    for (other, heading) in quote.iter().enumerate().filter(|(other, _)| *other != at) {
        if heading.clauses.iter().all(|clause| clause.role == Role::Fragment) {
            zones.extend((0..heading.tokens.len()).map(|token| ((other, token), Zone::Heading)));
        }
    }
    zones
}
