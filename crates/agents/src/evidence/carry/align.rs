//! One unit of a sentence against one clause of a quote: what stands for what, and whether what is said of it is the
//! same.

mod amounts;
mod contrasts;
mod dropped;
mod light;
mod narrowed;
mod operators;
mod otherwise;
mod phrases;
mod roles;
mod shown;
mod slots;
mod swaps;
mod taking;
mod voice;
mod zones;

use self::amounts::is_measured;
use self::light::{is_changing, is_holding, is_restating, is_turning};
use self::shown::{phrase, written};
use self::voice::{arguments, is_passive, is_ranking};
use self::zones::{attached, zones};
use super::clause::{Clause, Role, Sentence, Tense};
use super::lexicon::{self, Operator};
use super::matching::{by_dictionary, relation, spelled_out};
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
const MUST: &[&str] = &["forc", "compel", "requir", "need", "demand", "oblig", "necessari", "requisit"];

/// Words that say that something is so as a rule, by stem.
const USUAL: &[&str] = &["default", "normal", "usual", "general", "typic", "main", "common"];

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
    /// In what was said just before, and goes without saying here.
    Before,
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
                    nearest = Some(miss);
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
const FAR: f64 = 0.4;

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
            for related in [relation, by_dictionary] {
                for (place, zone) in &self.zones {
                    let other = &self.quote[place.0].tokens[place.1];
                    if !other.is_content() {
                        continue;
                    }
                    match related(own, other) {
                        Some(Relation::Same) if self.may_take(at, *place, *zone) => {
                            same.push((*place, *zone));
                        }
                        Some(Relation::Denies) if *zone == Zone::Own => denied = denied.or(Some(*place)),
                        Some(Relation::Opposite) if *zone == Zone::Own => {
                            opposite = opposite.or(Some(*place));
                        }
                        _ => {}
                    }
                }
                if !same.is_empty() || denied.is_some() || opposite.is_some() {
                    break;
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
        self.in_their_place(&mut missing);
        let loose: Vec<usize> = missing.iter().copied().filter(|at| self.is_excused(*at)).collect();
        // One empty word is style; a row of them is another sentence.
        if loose.len() == missing.len() && loose.len() * 3 <= content.len() {
            missing.clear();
        }
        let total = content.len().max(1) as f64;
        self.near = (content.len() - missing.len()) as f64 / total;
        if content.is_empty() || missing.is_empty() {
            return Ok(());
        }
        Err(self.miss_of(&missing, content.len()))
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

    fn miss(&self, contradicts: bool, why: String) -> Miss {
        // Two words in common are not yet the very thing, unless the quote has no more.
        let alike = self.found.len() + self.opposite.len() + self.denied.len();
        let all = self.quote[self.at].tokens.iter().filter(|token| token.is_content()).count();
        let contradicts = contradicts && (alike > 2 || alike >= all);
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
        self.times()?;
        self.one_for_one()?;
        self.swapped_owners()?;
        self.changed_places()?;
        self.swapped_doers()?;
        self.shared_by_all()?;
        self.class_names()?;
        self.one_of_many()?;
        self.pairs()?;
        self.turned_words()?;
        self.contrasts()?;
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
