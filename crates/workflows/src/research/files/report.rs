//! What research tells its reader: the answer, each dimension, conflicts, what was replaced, and the limits of it all.

use baton_agents::skill::Answerer;

use super::limits::limits;
use crate::citation::{
    Block, CitedReport, Confidence, Facts, Line, NumberedFact, Setting, Statement, source_label,
};
use crate::markup::{count, plain, quoted};
use crate::research::{AnswerBlock, Dispute, Memory, Report, Severity};

/// Quotes shown of one replaced document.
const OF_REPLACED: usize = 3;

/// The report of a run; none before it is written.
pub fn cited<'f>(memory: &Memory, facts: &'f Facts<'f>) -> Option<CitedReport<'f>> {
    let report = memory.report.as_ref()?;
    let confidence = match report.blocks.iter().any(|block| block.nearest.is_some()) {
        true if report.lines().next().is_none() => "None",
        _ => confidence(memory, report, facts).name(),
    };
    let mut blocks = Vec::new();
    if report.blocks.is_empty() {
        blocks.extend(of_earlier_version(memory, report, facts));
    } else {
        blocks.extend(unanswered(memory, report).into_iter().map(Block::Note));
        blocks.extend(answers(memory, report, facts));
    }
    blocks.push(heading(2, "Limits"));
    blocks.push(Block::Notes(limits(memory, report, facts)));
    let topic = &memory.brief.topic;
    let core = memory.plan.as_ref().map_or(topic, |plan| &plan.core_question);
    let evidence = memory.facts();
    let (sources, found) = (evidence.sources().len(), evidence.all().len());
    Some(CitedReport {
        title: topic.clone(),
        front: vec![
            ("title", quoted(topic)),
            ("generated", quoted(&memory.brief.today)),
            ("core_question", quoted(core)),
            ("confidence", confidence.to_owned()),
            ("sources_count", sources.to_string()),
            ("facts_count", found.to_string()),
        ],
        about: format!(
            "{} · confidence {} · {}, {}",
            memory.brief.today,
            confidence.to_lowercase(),
            count(sources, "source"),
            count(found, "fact"),
        ),
        blocks,
        facts,
    })
}

/// How the sentences of a block stand: rules quote excerpts, a writer wrote them to be read in order.
fn setting(report: &Report) -> Setting {
    match (report.by == Answerer::Rules, report.blocks.is_empty()) {
        (true, true) => Setting::List,
        (true, false) => Setting::Excerpts,
        (false, _) => Setting::Prose,
    }
}

fn statements<'f>(lines: &[Line], facts: &'f Facts<'f>) -> Vec<Statement<'f>> {
    lines.iter().map(|line| Statement::of(line, facts)).collect()
}

/// What was asked and not answered, before anything else: one line for what is only near and one for what was not found.
#[must_use]
pub fn unanswered(memory: &Memory, report: &Report) -> Vec<String> {
    let missing = |is_near: bool, words: &str| {
        let own = report.blocks.iter().filter(|block| block.lines.is_empty());
        let own = own.filter(|block| block.nearest.is_some() == is_near);
        let labels: Vec<String> = own.map(|block| memory.label(block.dimension)).collect();
        (!labels.is_empty()).then(|| format!("{words}: {}", labels.join(" ")))
    };
    [missing(true, "Not answered for certain"), missing(false, "Not found")].into_iter().flatten().collect()
}

/// What stands before the passage that comes nearest.
#[must_use]
pub fn nearest_in(fact: &NumberedFact<'_>) -> String {
    format!(
        "Nothing that was found answers this for certain. The nearest, in \"{}\":",
        fact.card.source.title
    )
}

/// A block for each thing that was asked, what else was found, and what was replaced.
fn answers<'f>(memory: &Memory, report: &Report, facts: &'f Facts<'f>) -> Vec<Block<'f>> {
    let told = memory.told_disputes(facts);
    let is_answered = report.blocks.iter().any(|block| !block.lines.is_empty());
    let mut blocks = vec![heading(2, if is_answered { "Answer" } else { "No answer" })];
    for block in &report.blocks {
        if report.blocks.len() > 1 {
            blocks.push(heading(3, &memory.label(block.dimension)));
        }
        let near = block.nearest.as_ref().map(|line| Statement::of(line, facts));
        if let Some((near, fact)) = near.and_then(|near| Some((near.clone(), *near.facts.first()?))) {
            blocks.push(Block::Note(nearest_in(fact)));
            blocks.push(Block::Nearest(near));
            blocks.push(Block::Note("Confidence: none; this is not an answer.".to_owned()));
            continue;
        }
        if block.lines.is_empty() {
            blocks.push(Block::Note(not_found(memory, block.dimension)));
            continue;
        }
        blocks.push(Block::Claims(setting(report), statements(&block.lines, facts)));
        let own = told.iter().filter(|dispute| block.disputes.contains(&dispute.key));
        blocks.extend(own.map(|dispute| Block::Note(disagreement(dispute, facts))));
        let confidence = block_confidence(memory, block, facts);
        blocks.push(Block::Note(format!("Confidence: {}.", confidence.name().to_lowercase())));
    }
    if !report.also.is_empty() {
        blocks.push(heading(2, "Also found"));
        blocks.push(Block::Claims(Setting::List, statements(&report.also, facts)));
    }
    blocks.extend(superseded(&memory.known_disputes(), facts, Some(report)));
    blocks
}

/// What was searched in vain.
fn not_found(memory: &Memory, dimension: usize) -> String {
    let own = memory.duties.values().filter(|duty| duty.dimension == Some(dimension));
    let mut searches: Vec<String> = Vec::new();
    for search in own.filter_map(|duty| memory.searches.get(&duty.id)).flatten() {
        let line = format!("{}: \"{}\" {}", plain(&search.provider), plain(&search.query), search.outcome());
        if !searches.contains(&line) {
            searches.push(line);
        }
    }
    let tried = if searches.is_empty() { "nothing".to_owned() } else { searches.join("; ") };
    format!("Not found: none of the facts that were read answers this. Searched: {tried}.")
}

/// Who says what, with dates, and what weighing them brought.
fn disagreement(dispute: &Dispute, facts: &Facts<'_>) -> String {
    let side = |key: &str, value: &str| {
        let fact = facts.fact(key)?;
        let date = fact.card.source.date.as_deref().unwrap_or("no date");
        Some(format!("{} by \"{}\" ({})", plain(value), plain(&fact.card.source.title), plain(date)))
    };
    let (left, right) = dispute.values().unwrap_or(("one thing", "another"));
    let sides = [side(&dispute.conflict.left, left), side(&dispute.conflict.right, right)];
    let sides: Vec<String> = sides.into_iter().flatten().collect();
    format!("The sources disagree: {}. {}", sides.join(", "), dispute.weighed(facts))
}

/// A report without blocks, as earlier versions wrote it.
fn of_earlier_version<'f>(memory: &Memory, report: &Report, facts: &'f Facts<'f>) -> Vec<Block<'f>> {
    let mut blocks =
        vec![heading(2, "Answer"), Block::Claims(setting(report), statements(&report.answer, facts))];
    if !report.sections.is_empty() {
        blocks.push(heading(2, "Findings"));
    }
    for section in &report.sections {
        blocks.push(heading(3, &memory.label(section.dimension)));
        blocks.push(Block::Claims(Setting::List, statements(&section.lines, facts)));
    }
    let disputes = memory.known_disputes();
    blocks.extend(conflicts(&disputes, facts));
    blocks.extend(superseded(&disputes, facts, None));
    blocks
}

fn heading<'f>(level: u8, text: &str) -> Block<'f> {
    Block::Heading(level, text.to_owned())
}

/// How far the report can be relied on: as far as the least of its blocks.
pub fn confidence(memory: &Memory, report: &Report, facts: &Facts<'_>) -> Confidence {
    if report.blocks.is_empty() {
        return middle(memory, report, facts);
    }
    let blocks = report.blocks.iter().map(|block| block_confidence(memory, block, facts));
    blocks.min().unwrap_or(Confidence::Low)
}

/// How far a block can be relied on: as far as the best fact of the sentence that answers, and no more than medium if
/// the sources disagree about it or the research was cut short.
pub fn block_confidence(memory: &Memory, block: &AnswerBlock, facts: &Facts<'_>) -> Confidence {
    let first = block.lines.first().map_or(&[][..], |line| &line.facts);
    let best = first.iter().filter_map(|key| facts.fact(key)).map(|fact| fact.confidence).max();
    let best = best.unwrap_or(Confidence::Low);
    if block.disputes.is_empty() && !is_short(memory) { best } else { best.min(Confidence::Medium) }
}

fn is_short(memory: &Memory) -> bool {
    memory.reflections.last().is_some_and(|last| last.caveats) || !memory.limits.is_empty()
}

/// Reports of earlier versions: the middle of the answer's facts, and no more than medium if the research was cut short
/// or a conflict that matters is open.
fn middle(memory: &Memory, report: &Report, facts: &Facts<'_>) -> Confidence {
    let cited = report.answer.iter().flat_map(|line| &line.facts).filter_map(|key| facts.fact(key));
    let mut all: Vec<Confidence> = cited.map(|fact| fact.confidence).collect();
    all.sort_unstable();
    let middle = all.get(all.len() / 2).copied().unwrap_or(Confidence::Low);
    let open = memory.disputes.values().any(|it| it.severity == Severity::High && it.resolution.is_none());
    if open || is_short(memory) { middle.min(Confidence::Medium) } else { middle }
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
        blocks.push(Block::Note(dispute.weighed(facts)));
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

/// Documents that were replaced: what they said, and what a current one says instead. Beside the blocks of a report
/// only what a sentence of it replaced.
fn superseded<'f>(disputes: &[Dispute], facts: &'f Facts<'f>, beside: Option<&Report>) -> Vec<Block<'f>> {
    let is_cited = |fact: &NumberedFact<'_>| {
        beside.is_none_or(|report| {
            report.lines().any(|line| line.facts.iter().any(|key| key == fact.found.key()))
        })
    };
    let pairs: Vec<(&NumberedFact<'_>, &'f NumberedFact<'f>)> = disputes
        .iter()
        .filter_map(|it| Some((facts.fact(&it.conflict.left)?, facts.fact(&it.conflict.right)?)))
        .filter_map(|(left, right)| match (left.superseded, right.superseded) {
            (true, false) => Some((left, right)),
            (false, true) => Some((right, left)),
            _ => None,
        })
        .filter(|(_, new)| is_cited(new))
        .collect();
    let mut blocks = Vec::new();
    for (index, card) in facts.sources().iter().enumerate().filter(|(_, card)| card.replaced) {
        let source = index + 1;
        let disputed = |fact: &NumberedFact<'_>| pairs.iter().any(|(old, _)| old.number == fact.number);
        let mut said: Vec<&'f NumberedFact<'f>> =
            facts.all().iter().filter(|fact| fact.source == source).collect();
        said.sort_by_key(|fact| (!disputed(fact), fact.number));
        if beside.is_some() {
            said.retain(|fact| disputed(fact));
        }
        said.truncate(OF_REPLACED);
        if said.is_empty() {
            continue;
        }
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
        if blocks.is_empty() {
            blocks.push(heading(2, "Superseded"));
        }
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
