//! The report as data, before it is Markdown or HTML: what is said and what it rests on. Everything comes from
//! memory; every sentence that cites a source stands here once, so that all renderings and the evidence agree.

use baton_agents::evidence::Claim;

use super::text::plain;
use crate::research::draft::Line;
use crate::research::graph::{Confidence, Graph, Numbered, source_label};
use crate::research::reflection::reflect;
use crate::research::{Dispute, Memory, Report, Severity};

/// A sentence and the facts it rests on.
pub struct Said<'g, 'm> {
    /// The sentence.
    pub text: String,
    /// Its facts, in order.
    pub facts: Vec<&'g Numbered<'m>>,
}

impl Said<'_, '_> {
    /// Numbers of the sources it cites, each once, in order of its facts.
    pub fn sources(&self) -> Vec<usize> {
        let mut sources: Vec<usize> = Vec::new();
        for fact in &self.facts {
            if !sources.contains(&fact.source) {
                sources.push(fact.source);
            }
        }
        sources
    }

    /// `[S01][S03]`.
    pub fn citations(&self) -> String {
        self.sources().into_iter().map(|number| format!("[{}]", source_label(number))).collect()
    }
}

/// Two facts that cannot both hold.
pub struct Disputed<'g, 'm> {
    /// What it is about.
    pub what: String,
    /// Both sides, word for word.
    pub sides: [Said<'g, 'm>; 2],
    /// What looking at it brought, and who looked.
    pub verdict: Option<String>,
}

/// A document that was replaced.
pub struct Replaced<'g, 'm> {
    /// Its number.
    pub source: usize,
    /// What it said.
    pub said: Vec<Said<'g, 'm>>,
    /// What later documents say instead.
    pub now: Vec<Said<'g, 'm>>,
}

/// A report.
pub struct Page<'g, 'm> {
    /// What the run knows.
    pub memory: &'m Memory,
    /// Its facts and sources, numbered.
    pub graph: &'g Graph<'m>,
    /// The report as it was let through.
    pub report: &'m Report,
    /// The answer.
    pub answer: Vec<Said<'g, 'm>>,
    /// The sections: name and sentences.
    pub sections: Vec<(String, Vec<Said<'g, 'm>>)>,
    /// What cannot both hold.
    pub disputed: Vec<Disputed<'g, 'm>>,
    /// What was replaced.
    pub replaced: Vec<Replaced<'g, 'm>>,
}

/// Quotes shown of one replaced document.
const OF_REPLACED: usize = 3;

impl<'g, 'm> Page<'g, 'm> {
    /// The report of a run; none before it is written.
    pub fn of(memory: &'m Memory, graph: &'g Graph<'m>) -> Option<Self> {
        let report = memory.report.as_ref()?;
        let said = |line: &Line| Said {
            text: plain(&line.text),
            facts: line.facts.iter().filter_map(|key| graph.fact(key)).collect(),
        };
        let name = |index: usize| {
            let dimension = memory.plan.as_ref().and_then(|plan| plan.dimensions.get(index));
            dimension.map_or_else(|| format!("Dimension {}", index + 1), |dimension| plain(&dimension.name))
        };
        let disputes = disputes(memory);
        Some(Self {
            memory,
            graph,
            report,
            answer: report.answer.iter().map(said).collect(),
            sections: report
                .sections
                .iter()
                .map(|section| (name(section.dimension), section.lines.iter().map(said).collect()))
                .collect(),
            disputed: disputes.iter().filter_map(|dispute| disputed(dispute, graph)).collect(),
            replaced: replaced(&disputes, graph),
        })
    }

    /// Every sentence that cites something, in the order of the report.
    pub fn said(&self) -> impl Iterator<Item = &Said<'g, 'm>> {
        let sections = self.sections.iter().flat_map(|(_, said)| said);
        let sides = self.disputed.iter().flat_map(|disputed| &disputed.sides);
        let replaced = self.replaced.iter().flat_map(|replaced| replaced.said.iter().chain(&replaced.now));
        self.answer.iter().chain(sections).chain(sides).chain(replaced)
    }

    /// The same as claims on facts by label.
    pub fn claims(&self) -> Vec<Claim> {
        let claim = |said: &Said<'_, '_>| Claim {
            text: said.text.clone(),
            facts: said.facts.iter().map(|fact| fact.label()).collect(),
        };
        self.said().map(claim).collect()
    }

    /// How far the answer can be relied on: the middle of its facts, and no more than medium if the research
    /// was cut short or a conflict that matters is open.
    pub fn confidence(&self) -> Confidence {
        let mut all: Vec<Confidence> =
            self.answer.iter().flat_map(|said| &said.facts).map(|fact| fact.confidence).collect();
        all.sort_unstable();
        let middle = all.get(all.len() / 2).copied().unwrap_or(Confidence::Low);
        let open =
            self.memory.disputes.values().any(|it| it.severity == Severity::High && it.resolution.is_none());
        let short =
            self.memory.reflections.last().is_some_and(|last| last.caveats) || !self.memory.limits.is_empty();
        if open || short { middle.min(Confidence::Medium) } else { middle }
    }
}

/// What the reflector found; looked at again if the research ended without it.
fn disputes(memory: &Memory) -> Vec<Dispute> {
    if memory.reflections.is_empty() || !memory.limits.is_empty() {
        return reflect(memory).disputes;
    }
    memory.disputes.values().cloned().collect()
}

fn quote<'g, 'm>(fact: &'g Numbered<'m>) -> Said<'g, 'm> {
    Said { text: plain(&fact.finding.fact.quote), facts: vec![fact] }
}

/// A dispute between current documents; one with a replaced document is no dispute.
fn disputed<'g, 'm>(dispute: &Dispute, graph: &'g Graph<'m>) -> Option<Disputed<'g, 'm>> {
    let (left, right) = (graph.fact(&dispute.conflict.left)?, graph.fact(&dispute.conflict.right)?);
    if left.superseded || right.superseded {
        return None;
    }
    let mut what = plain(&dispute.conflict.explanation);
    for fact in [left, right] {
        what =
            what.replace(&format!("{} comes", fact.finding.key()), &format!("{} comes", fact.source_label()));
    }
    let verdict = dispute.resolution.as_ref().map(|resolution| {
        let weighs = resolution.favours.as_deref().and_then(|key| graph.fact(key));
        let side =
            weighs.map_or("for neither side".to_owned(), |fact| format!("for {}", fact.source_label()));
        format!("{}, {side}: {}", plain(&resolution.by), plain(&resolution.reason))
    });
    Some(Disputed { what, sides: [quote(left), quote(right)], verdict })
}

/// Documents that were replaced: what they said, and what a current one says instead.
fn replaced<'g, 'm>(disputes: &[Dispute], graph: &'g Graph<'m>) -> Vec<Replaced<'g, 'm>> {
    let pairs: Vec<(&Numbered<'m>, &'g Numbered<'m>)> = disputes
        .iter()
        .filter_map(|it| Some((graph.fact(&it.conflict.left)?, graph.fact(&it.conflict.right)?)))
        .filter_map(|(left, right)| match (left.superseded, right.superseded) {
            (true, false) => Some((left, right)),
            (false, true) => Some((right, left)),
            _ => None,
        })
        .collect();
    let sources = graph.sources().iter().enumerate().filter(|(_, card)| card.replaced);
    let told = |(index, _): (usize, _)| {
        let source = index + 1;
        let own = graph.facts().iter().filter(|fact| fact.source == source);
        let disputed = |fact: &Numbered<'_>| pairs.iter().any(|(old, _)| old.number == fact.number);
        let mut facts: Vec<&'g Numbered<'m>> = own.collect();
        facts.sort_by_key(|fact| (!disputed(fact), fact.number));
        facts.truncate(OF_REPLACED);
        let mut now: Vec<&'g Numbered<'m>> = Vec::new();
        for (old, new) in &pairs {
            let listed = now.iter().any(|fact| fact.number == new.number);
            if facts.iter().any(|fact| fact.number == old.number) && !listed {
                now.push(new);
            }
        }
        Replaced {
            source,
            said: facts.into_iter().map(quote).collect(),
            now: now.into_iter().map(quote).collect(),
        }
    };
    sources.map(told).collect()
}
