//! Facts as a reader sees them: numbered, with their sources, each with its weight, its confirmations and whether it is
//! still current. The order is the caller's and must not depend on which task came back first.

use std::collections::{BTreeMap, HashMap};

use baton_agents::evidence::conflict::Statement;
use baton_agents::evidence::{Conflict, ConflictKind, Fact, Tier, conflicts, corroborate, weight};
use baton_agents::rules::dates::{self, Date};
use baton_agents::rules::words::content_stems;

use crate::retrieval::{FoundFact, SourceCard};

/// How far a fact can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Unverified elsewhere, or from a document that was replaced.
    Low,
    /// A reputable source, said once.
    Medium,
    /// An official source, confirmed by another.
    High,
}

impl Confidence {
    /// As task.md writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
        }
    }
}

/// A fact with its numbers.
#[derive(Clone, Debug)]
pub struct NumberedFact<'a> {
    /// `Fact-001` is 1.
    pub number: usize,
    /// `S01` is 1.
    pub source: usize,
    /// The fact, and how it was found.
    pub found: &'a FoundFact,
    /// Its source.
    pub card: &'a SourceCard,
    /// 0.6 authority + 0.4 freshness.
    pub weight: f64,
    /// How many independent sources say it.
    pub independent: usize,
    /// How far it can be relied on.
    pub confidence: Confidence,
    /// Whether a later document replaced its source.
    pub superseded: bool,
    /// The parts it serves, each with how near it is to their question.
    pub parts: BTreeMap<usize, f64>,
}

impl NumberedFact<'_> {
    /// `Fact-001`.
    #[must_use]
    pub fn label(&self) -> String {
        format!("Fact-{:03}", self.number)
    }

    /// `S01`.
    #[must_use]
    pub fn source_label(&self) -> String {
        source_label(self.source)
    }

    /// Whether it stands right behind another fact in the same text.
    #[must_use]
    pub fn is_behind(&self, before: &NumberedFact<'_>) -> bool {
        let end = before.found.ranges().last().map(|last| last.end);
        let start = self.found.ranges().first().map(|first| first.start);
        match (end, start) {
            (Some(end), Some(start)) => before.source == self.source && start > end && start - end <= BETWEEN,
            _ => false,
        }
    }
}

/// White space between two sentences of a paragraph, at most.
const BETWEEN: usize = 4;

/// `S01` for 1.
#[must_use]
pub fn source_label(number: usize) -> String {
    format!("S{number:02}")
}

/// The facts of a run, numbered.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    facts: Vec<NumberedFact<'a>>,
    sources: Vec<&'a SourceCard>,
    by_key: HashMap<&'a str, usize>,
}

impl<'a> Facts<'a> {
    /// Numbers facts in the order given, the same words of one source once. Sources are numbered as they are first met;
    /// a fact whose source is not known is none. `today` is what freshness counts from.
    #[must_use]
    pub fn number(
        found: impl IntoIterator<Item = &'a FoundFact>,
        sources: &'a BTreeMap<String, SourceCard>,
        today: &str,
    ) -> Self {
        Self::with(found, sources, today, support)
    }

    /// The same for a reader who does not ask how many sources say a thing: every fact counts as said once, and no two are
    /// compared, which of many takes long.
    #[must_use]
    pub fn uncompared(
        found: impl IntoIterator<Item = &'a FoundFact>,
        sources: &'a BTreeMap<String, SourceCard>,
        today: &str,
    ) -> Self {
        Self::with(found, sources, today, |_| BTreeMap::new())
    }

    fn with(
        found: impl IntoIterator<Item = &'a FoundFact>,
        sources: &'a BTreeMap<String, SourceCard>,
        today: &str,
        support: impl Fn(&[&FoundFact]) -> BTreeMap<String, usize>,
    ) -> Self {
        let today = dates::parse(today).unwrap_or(EPOCH);
        let (found, serves) = unique(found);
        let independent = support(&found);
        let mut facts = Self { facts: Vec::new(), sources: Vec::new(), by_key: HashMap::new() };
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for found in found {
            let Some(card) = sources.get(&found.fact.source) else { continue };
            let source = *numbers.entry(card.key()).or_insert_with(|| {
                facts.sources.push(card);
                facts.sources.len()
            });
            let independent = independent.get(found.key()).copied().unwrap_or(1);
            facts.by_key.insert(found.key(), facts.facts.len());
            facts.facts.push(NumberedFact {
                number: facts.facts.len() + 1,
                source,
                found,
                card,
                weight: weight_of(card, today),
                independent,
                confidence: confidence(card, independent),
                superseded: card.replaced,
                parts: serves.get(&place_in(found)).cloned().unwrap_or_default(),
            });
        }
        facts
    }

    /// The facts, in order of their numbers.
    #[must_use]
    pub fn all(&self) -> &[NumberedFact<'a>] {
        &self.facts
    }

    /// The sources, in order of their numbers.
    #[must_use]
    pub fn sources(&self) -> &[&'a SourceCard] {
        &self.sources
    }

    /// The source with this number, counted from 1.
    #[must_use]
    pub fn source(&self, number: usize) -> Option<&'a SourceCard> {
        self.sources.get(number.checked_sub(1)?).copied()
    }

    /// The fact with this key (`R1.03`).
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&NumberedFact<'a>> {
        self.by_key.get(key).map(|&at| &self.facts[at])
    }

    /// The fact with this label (`Fact-001`), as models name it.
    #[must_use]
    pub fn labelled(&self, label: &str) -> Option<&NumberedFact<'a>> {
        let number: usize = label.trim().strip_prefix("Fact-")?.parse().ok()?;
        self.facts.get(number.checked_sub(1)?)
    }

    /// The current facts of a part, nearest to its question first.
    #[must_use]
    pub fn of_part(&self, part: usize) -> Vec<&NumberedFact<'a>> {
        let near = |fact: &NumberedFact<'a>| fact.parts.get(&part).copied();
        let mut facts: Vec<(&NumberedFact<'a>, f64)> = self
            .facts
            .iter()
            .filter(|fact| !fact.superseded)
            .filter_map(|fact| Some((fact, near(fact)?)))
            .collect();
        facts.sort_by(|(a, near_a), (b, near_b)| near_b.total_cmp(near_a).then(a.number.cmp(&b.number)));
        facts.into_iter().map(|(fact, _)| fact).collect()
    }

    /// Part of all words of two facts that both have.
    fn likeness(&self, left: &str, right: &str) -> f64 {
        let stems = |key: &str| self.fact(key).map(|fact| content_stems(&fact.found.fact.statement));
        let (Some(left), Some(right)) = (stems(left), stems(right)) else { return 0.0 };
        left.intersection(&right).count() as f64 / left.union(&right).count().max(1) as f64
    }

    /// What cannot both hold, by rules. A statement of a replaced document is superseded, not disputed.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        // The cells of a table row have no subject of their own to compare.
        let statements: Vec<Statement<'_>> = self
            .facts
            .iter()
            .filter(|fact| !fact.found.fact.statement.contains('|'))
            .map(|fact| Statement {
                id: fact.found.key(),
                text: &fact.found.fact.statement,
                date: fact.card.source.date.as_deref(),
            })
            .collect();
        let mut found = conflicts(&statements);
        found.retain(|conflict| {
            let source = |id: &str| self.fact(id).map(|fact| fact.card.key());
            source(&conflict.left) != source(&conflict.right)
        });
        for conflict in &mut found {
            let replaced = |id: &str| self.fact(id).is_some_and(|fact| fact.superseded);
            match (replaced(&conflict.left), replaced(&conflict.right)) {
                (true, false) => {
                    conflict.kind = ConflictKind::Superseded;
                    conflict.later = Some(conflict.right.clone());
                }
                (false, true) => {
                    conflict.kind = ConflictKind::Superseded;
                    conflict.later = Some(conflict.left.clone());
                }
                _ => {}
            }
        }
        // What two documents of other times say may be two things; only near the same words is it one that changed.
        found.retain(|conflict| {
            let replaced = |id: &str| self.fact(id).is_some_and(|fact| fact.superseded);
            let sure = conflict.kind == ConflictKind::Numbers
                || replaced(&conflict.left)
                || replaced(&conflict.right);
            sure || self.likeness(&conflict.left, &conflict.right) >= LIKE
        });
        found
    }
}

/// Part of all their words that two statements must share to be taken for one that changed.
const LIKE: f64 = 0.5;

const EPOCH: Date = Date { year: 1970, month: 1, day: 1 };

/// A document that was replaced is outdated whatever its date.
fn weight_of(card: &SourceCard, today: Date) -> f64 {
    if card.replaced { 0.6 * card.authority().value() + 0.4 * 0.3 } else { weight(&card.source, today) }
}

fn confidence(card: &SourceCard, independent: usize) -> Confidence {
    match card.authority().tier() {
        _ if card.replaced => Confidence::Low,
        Tier::One if independent > 1 => Confidence::High,
        Tier::One | Tier::Two => Confidence::Medium,
        Tier::Three if independent > 1 => Confidence::Medium,
        Tier::Three => Confidence::Low,
    }
}

/// Where the words of a fact stand, and what is made of them: the same for two searches that met there.
type Place<'a> = (&'a str, Vec<(usize, usize)>, &'a str);

fn place_in(found: &FoundFact) -> Place<'_> {
    let ranges = found.ranges().iter().map(|range| (range.start, range.end));
    (&found.fact.source, ranges.collect(), &found.fact.statement)
}

/// What each place serves: the parts, and how near it is to their question.
type Serves<'a> = BTreeMap<Place<'a>, BTreeMap<usize, f64>>;

/// The facts in the order given, the same words of one source once, and the parts each serves.
fn unique<'a>(all: impl IntoIterator<Item = &'a FoundFact>) -> (Vec<&'a FoundFact>, Serves<'a>) {
    let mut serves: Serves<'a> = BTreeMap::new();
    let mut first = Vec::new();
    for found in all {
        let known = serves.entry(place_in(found)).or_default();
        if known.is_empty() {
            first.push(found);
        }
        let near = known.entry(found.part).or_insert(found.score);
        *near = near.max(found.score);
    }
    (first, serves)
}

/// For each fact how many independent sources say it.
fn support(found: &[&FoundFact]) -> BTreeMap<String, usize> {
    let facts: Vec<Fact> = found.iter().map(|found| found.fact.clone()).collect();
    let groups = corroborate(&facts, &HashMap::new());
    groups
        .into_iter()
        .flat_map(|group| group.facts.into_iter().map(move |fact| (fact, group.independent)))
        .collect()
}
