//! The knowledge graph as a reader sees it: facts and sources numbered in an order that does not depend on
//! which task came back first, each with its weight, its confirmations and whether it is still current.

use std::collections::{BTreeMap, HashMap};

use baton_agents::evidence::conflict::Statement;
use baton_agents::evidence::{Conflict, ConflictKind, Fact, Tier, conflicts, corroborate, weight};
use baton_agents::rules::dates::{self, Date};
use baton_agents::rules::words::content_stems;

use super::memory::Memory;
use super::plan::order;
use super::sources::{Finding, SourceCard};

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
pub struct Numbered<'a> {
    /// `Fact-001` is 1.
    pub number: usize,
    /// `S01` is 1.
    pub source: usize,
    /// The fact.
    pub finding: &'a Finding,
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
    /// The dimensions it serves, each with how near it is to their question.
    pub dimensions: BTreeMap<usize, f64>,
}

impl Numbered<'_> {
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
}

/// `S01` for 1.
#[must_use]
pub fn source_label(number: usize) -> String {
    format!("S{number:02}")
}

/// The knowledge graph of a run, numbered.
#[derive(Clone, Debug)]
pub struct Graph<'a> {
    facts: Vec<Numbered<'a>>,
    sources: Vec<&'a SourceCard>,
    by_key: HashMap<&'a str, usize>,
}

impl<'a> Graph<'a> {
    /// Numbers what a run has found.
    #[must_use]
    pub fn of(memory: &'a Memory) -> Self {
        let (findings, serves) = unique(memory);
        let mut sources: Vec<&SourceCard> = Vec::new();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for finding in &findings {
            let Some(card) = memory.sources.get(&finding.fact.source) else { continue };
            numbers.entry(card.key()).or_insert_with(|| {
                sources.push(card);
                sources.len()
            });
        }
        let today = dates::parse(&memory.brief.today).unwrap_or(EPOCH);
        let independent = support(&findings);
        let facts: Vec<Numbered<'a>> = findings
            .into_iter()
            .filter_map(|finding| {
                let card = memory.sources.get(&finding.fact.source)?;
                Some((finding, card))
            })
            .enumerate()
            .map(|(index, (finding, card))| {
                let independent = independent.get(finding.key()).copied().unwrap_or(1);
                Numbered {
                    number: index + 1,
                    source: numbers.get(card.key()).copied().unwrap_or(0),
                    finding,
                    card,
                    weight: weight_of(card, today),
                    independent,
                    confidence: confidence(card, independent),
                    superseded: card.replaced,
                    dimensions: serves.get(&place_in(finding)).cloned().unwrap_or_default(),
                }
            })
            .collect();
        let by_key = facts.iter().enumerate().map(|(at, fact)| (fact.finding.key(), at)).collect();
        Self { facts, sources, by_key }
    }

    /// The facts, in order of their numbers.
    #[must_use]
    pub fn facts(&self) -> &[Numbered<'a>] {
        &self.facts
    }

    /// The sources, in order of their numbers.
    #[must_use]
    pub fn sources(&self) -> &[&'a SourceCard] {
        &self.sources
    }

    /// The fact with this key (`R1.03`).
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&Numbered<'a>> {
        self.by_key.get(key).map(|&at| &self.facts[at])
    }

    /// The fact with this label (`Fact-001`), as models name it.
    #[must_use]
    pub fn labelled(&self, label: &str) -> Option<&Numbered<'a>> {
        let number: usize = label.trim().strip_prefix("Fact-")?.parse().ok()?;
        self.facts.get(number.checked_sub(1)?)
    }

    /// The current facts of a dimension, nearest to the question first.
    #[must_use]
    pub fn of_dimension(&self, dimension: usize) -> Vec<&Numbered<'a>> {
        let near = |fact: &Numbered<'a>| fact.dimensions.get(&dimension).copied();
        let mut facts: Vec<(&Numbered<'a>, f64)> = self
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
        let stems = |key: &str| self.fact(key).map(|fact| content_stems(&fact.finding.fact.statement));
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
            .filter(|fact| !fact.finding.fact.statement.contains('|'))
            .map(|fact| Statement {
                id: fact.finding.key(),
                text: &fact.finding.fact.statement,
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

/// Where the words of a finding stand, and what is made of them: the same for two searches that met there.
type Place<'a> = (&'a str, Vec<(usize, usize)>, &'a str);

fn place_in(finding: &Finding) -> Place<'_> {
    let ranges = finding.ranges().iter().map(|range| (range.start, range.end));
    (&finding.fact.source, ranges.collect(), &finding.fact.statement)
}

/// The findings in order of task and number, the same words of one source once, and the dimensions each
/// serves.
fn unique(memory: &Memory) -> (Vec<&Finding>, BTreeMap<Place<'_>, BTreeMap<usize, f64>>) {
    let mut findings: Vec<&Finding> = memory.findings.values().collect();
    findings.sort_by_key(|finding| place(finding.key()));
    let mut serves: BTreeMap<Place<'_>, BTreeMap<usize, f64>> = BTreeMap::new();
    findings.retain(|finding| {
        let known = serves.entry(place_in(finding)).or_default();
        let first = known.is_empty();
        let near = known.entry(finding.dimension).or_insert(finding.score);
        *near = near.max(finding.score);
        first
    });
    (findings, serves)
}

/// Where a fact stands: by its task, then by its number in it.
fn place(key: &str) -> ((u8, u32), u32) {
    let (task, number) = key.split_once('.').unwrap_or((key, "0"));
    (order(task), number.parse().unwrap_or(u32::MAX))
}

/// For each fact how many independent sources say it.
fn support(findings: &[&Finding]) -> BTreeMap<String, usize> {
    let facts: Vec<Fact> = findings.iter().map(|finding| finding.fact.clone()).collect();
    let groups = corroborate(&facts, &HashMap::new());
    groups
        .into_iter()
        .flat_map(|group| group.facts.into_iter().map(move |fact| (fact, group.independent)))
        .collect()
}
