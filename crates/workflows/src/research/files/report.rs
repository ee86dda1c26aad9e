//! What research tells its reader: the answer, each dimension, conflicts, what was replaced, and the limits of it all.

use baton_agents::skill::Answerer;

use super::limits::limits;
use crate::citation::{
    Block, CitedReport, Confidence, Facts, Line, NumberedFact, Setting, Statement, source_label,
};
use crate::markup::{count, plain, quoted};
use crate::research::reflection::reflect;
use crate::research::{Dispute, Memory, Report, Severity};

/// Quotes shown of one replaced document.
const OF_REPLACED: usize = 3;

/// The report of a run; none before it is written.
pub fn cited<'f>(memory: &Memory, facts: &'f Facts<'f>) -> Option<CitedReport<'f>> {
    let report = memory.report.as_ref()?;
    let statements = |lines: &[Line]| lines.iter().map(|line| Statement::of(line, facts)).collect();
    let setting = if report.by == Answerer::Rules { Setting::List } else { Setting::Prose };
    let mut blocks = vec![heading(2, "Answer"), Block::Claims(setting, statements(&report.answer))];
    if !report.sections.is_empty() {
        blocks.push(heading(2, "Findings"));
    }
    for section in &report.sections {
        blocks.push(heading(3, &name(memory, section.dimension)));
        blocks.push(Block::Claims(Setting::List, statements(&section.lines)));
    }
    let disputes = disputes(memory);
    blocks.extend(conflicts(&disputes, facts));
    blocks.extend(superseded(&disputes, facts));
    blocks.push(heading(2, "Limits"));
    blocks.push(Block::Notes(limits(memory, report, facts)));
    let (topic, confidence) = (&memory.brief.topic, confidence(memory, report, facts));
    let core = memory.plan.as_ref().map_or(topic, |plan| &plan.core_question);
    let (sources, found) = (facts.sources().len(), facts.all().len());
    Some(CitedReport {
        title: topic.clone(),
        front: vec![
            ("title", quoted(topic)),
            ("generated", quoted(&memory.brief.today)),
            ("core_question", quoted(core)),
            ("confidence", confidence.name().to_owned()),
            ("sources_count", sources.to_string()),
            ("facts_count", found.to_string()),
        ],
        about: format!(
            "{} · confidence {} · {}, {}",
            memory.brief.today,
            confidence.name().to_lowercase(),
            count(sources, "source"),
            count(found, "fact"),
        ),
        blocks,
        facts,
    })
}

fn heading<'f>(level: u8, text: &str) -> Block<'f> {
    Block::Heading(level, text.to_owned())
}

fn name(memory: &Memory, index: usize) -> String {
    let dimension = memory.plan.as_ref().and_then(|plan| plan.dimensions.get(index));
    dimension.map_or_else(|| format!("Dimension {}", index + 1), |dimension| plain(&dimension.name))
}

/// How far the answer can be relied on: the middle of its facts, and no more than medium if the research
/// was cut short or a conflict that matters is open.
fn confidence(memory: &Memory, report: &Report, facts: &Facts<'_>) -> Confidence {
    let cited = report.answer.iter().flat_map(|line| &line.facts).filter_map(|key| facts.fact(key));
    let mut all: Vec<Confidence> = cited.map(|fact| fact.confidence).collect();
    all.sort_unstable();
    let middle = all.get(all.len() / 2).copied().unwrap_or(Confidence::Low);
    let open = memory.disputes.values().any(|it| it.severity == Severity::High && it.resolution.is_none());
    let short = memory.reflections.last().is_some_and(|last| last.caveats) || !memory.limits.is_empty();
    if open || short { middle.min(Confidence::Medium) } else { middle }
}

/// What the reflector found; looked at again if the research ended without it.
fn disputes(memory: &Memory) -> Vec<Dispute> {
    if memory.reflections.is_empty() || !memory.limits.is_empty() {
        return reflect(memory).disputes;
    }
    memory.disputes.values().cloned().collect()
}

/// Disputes between current documents; one with a replaced document is no dispute.
fn conflicts<'f>(disputes: &[Dispute], facts: &'f Facts<'f>) -> Vec<Block<'f>> {
    let sides = |dispute: &Dispute| {
        let (left, right) = (facts.fact(&dispute.conflict.left)?, facts.fact(&dispute.conflict.right)?);
        (!left.superseded && !right.superseded).then_some([left, right])
    };
    let mut blocks = Vec::new();
    for (dispute, sides) in disputes.iter().filter_map(|dispute| Some((dispute, sides(dispute)?))) {
        if blocks.is_empty() {
            blocks.push(heading(2, "Conflicting information"));
        }
        let number = 1 + blocks.iter().filter(|block| matches!(block, Block::Heading(3, _))).count();
        blocks.push(heading(3, &format!("Conflict {number}: {}", what(dispute, &sides))));
        blocks.extend(sides.map(|fact| Block::Quote(Statement::quote(fact))));
        blocks.push(Block::Note(verdict(dispute, facts)));
    }
    blocks
}

/// What a conflict is about, with sources by the labels a reader sees.
fn what(dispute: &Dispute, sides: &[&NumberedFact<'_>; 2]) -> String {
    let mut what = plain(&dispute.conflict.explanation);
    for fact in sides {
        what =
            what.replace(&format!("{} comes", fact.found.key()), &format!("{} comes", fact.source_label()));
    }
    what
}

fn verdict(dispute: &Dispute, facts: &Facts<'_>) -> String {
    let Some(resolution) = &dispute.resolution else { return "Nobody weighed the two sides.".to_owned() };
    let favoured = resolution.favours.as_deref().and_then(|key| facts.fact(key));
    let side = favoured.map_or("for neither side".to_owned(), |fact| format!("for {}", fact.source_label()));
    let reason = plain(&resolution.reason);
    format!("Weighed by {}, {side}: {}.", plain(resolution.by.name()), reason.trim_end_matches('.'))
}

/// Documents that were replaced: what they said, and what a current one says instead.
fn superseded<'f>(disputes: &[Dispute], facts: &'f Facts<'f>) -> Vec<Block<'f>> {
    let pairs: Vec<(&NumberedFact<'_>, &'f NumberedFact<'f>)> = disputes
        .iter()
        .filter_map(|it| Some((facts.fact(&it.conflict.left)?, facts.fact(&it.conflict.right)?)))
        .filter_map(|(left, right)| match (left.superseded, right.superseded) {
            (true, false) => Some((left, right)),
            (false, true) => Some((right, left)),
            _ => None,
        })
        .collect();
    let mut blocks = Vec::new();
    for (index, card) in facts.sources().iter().enumerate().filter(|(_, card)| card.replaced) {
        if blocks.is_empty() {
            blocks.push(heading(2, "Superseded"));
        }
        let source = index + 1;
        let disputed = |fact: &NumberedFact<'_>| pairs.iter().any(|(old, _)| old.number == fact.number);
        let mut said: Vec<&'f NumberedFact<'f>> =
            facts.all().iter().filter(|fact| fact.source == source).collect();
        said.sort_by_key(|fact| (!disputed(fact), fact.number));
        said.truncate(OF_REPLACED);
        let mut now: Vec<&'f NumberedFact<'f>> = Vec::new();
        for (old, new) in &pairs {
            let listed = now.iter().any(|fact| fact.number == new.number);
            if said.iter().any(|fact| fact.number == old.number) && !listed {
                now.push(new);
            }
        }
        let quotes = |facts: Vec<&'f NumberedFact<'f>>| {
            facts.into_iter().map(|fact| Block::Quote(Statement::quote(fact)))
        };
        blocks.push(heading(3, &card.source.title));
        let label = source_label(source);
        blocks.push(Block::Note(format!(
            "A later document says it replaces {label}; it is not used as current. It said:"
        )));
        blocks.extend(quotes(said));
        if !now.is_empty() {
            blocks.push(Block::Note("The current documents say instead:".to_owned()));
        }
        blocks.extend(quotes(now));
    }
    blocks
}
