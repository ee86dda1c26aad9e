//! REFLECTING: completeness, conflicts, traceability, gaps and quality; then more tasks, or the report.

use std::collections::BTreeSet;

use baton_agents::rules::quantities::quantities;
use baton_engine::{Cx, Fault};

use crate::asking::{Ask, ask};
use crate::research::plan::{Duty, TaskKind, covering};
use crate::research::reflection::{Decision, Gap, Reflection, decide, open, reflect};
use crate::research::skills::reflect::{Covered, FindGaps, SoFar};
use crate::research::{Depth, Dimension, Event, Memory, Research, RunError, RunErrorKind, Severity};
use crate::retrieval::UNREAD;

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    if cx.read(|memory| memory.findings.is_empty() && memory.dag.is_over() && memory.every_search_failed()) {
        return Ok(Event::Failed { trouble: all_failed(&cx) });
    }
    let mut reflection = cx.read(reflect);
    if !reflection.untraced.is_empty() {
        return Ok(Event::Failed { trouble: untraced(&reflection) });
    }
    if cx.read(|memory| !memory.dag.is_over()) {
        // Taken up again after an error: what failed then is tried first.
        return Ok(Event::GapsFound { reflection: Box::new(reflection), add: Vec::new() });
    }
    ask_for_gaps(&cx, &mut reflection).await?;
    let add = cx.read(|memory| {
        decide(&mut reflection, memory);
        let mut add = tasks(memory, &reflection);
        let checks = cross_checks(memory, &add);
        if reflection.decision == Decision::ReadyForSynthesis && !checks.is_empty() {
            reflection.decision = Decision::ContinueResearch;
        }
        add.extend(checks);
        add
    });
    if !add.is_empty() && reflection.decision != Decision::ReadyForSynthesis {
        return Ok(Event::GapsFound { reflection: Box::new(reflection), add });
    }
    // Nothing is left to try: what is missing is for the report to say.
    reflection.caveats |= reflection.decision != Decision::ReadyForSynthesis;
    reflection.decision = Decision::ReadyForSynthesis;
    if cx.read(|memory| memory.findings.is_empty()) {
        return Ok(super::synthesize::nothing(&cx));
    }
    Ok(Event::Complete { reflection: Box::new(reflection) })
}

/// A model may see gaps that counting does not. Its gaps count once: the second time round it is not asked.
async fn ask_for_gaps(cx: &Cx<Research>, reflection: &mut Reflection) -> Result<(), Fault> {
    let (brief, input, first) =
        cx.read(|memory| (memory.brief.clone(), so_far(memory), memory.reflections.is_empty()));
    let role = &brief.roles.reflector;
    if !first || role.chain.is_empty() {
        return Ok(());
    }
    let answer = match ask::<FindGaps, _>(cx, role, Ask::new("gaps", &input, brief.material())).await {
        Ok(answer) => answer,
        Err(Fault::Unavailable(_)) => return Ok(()),
        Err(fault) => return Err(fault),
    };
    reflection.by = answer.by;
    reflection.gaps.extend(answer.output.gaps.into_iter().map(|gap| Gap {
        dimension: gap.dimension,
        severity: Severity::High,
        what: gap.what,
        query: gap.query,
        by_model: true,
    }));
    Ok(())
}

/// What a prompt may hold of each dimension.
const PER_DIMENSION: usize = 12;

fn so_far(memory: &Memory) -> SoFar {
    let facts = memory.facts();
    let names = memory.plan.iter().flat_map(|plan| &plan.dimensions);
    let covered = |(index, dimension): (usize, &Dimension)| Covered {
        name: dimension.name.clone(),
        facts: facts
            .of_part(index)
            .iter()
            .take(PER_DIMENSION)
            .map(|fact| fact.found.fact.statement.clone())
            .collect(),
    };
    SoFar { question: memory.brief.question(), dimensions: names.enumerate().map(covered).collect() }
}

/// A task for each conflict nobody has looked at, and a search for each gap that matters.
fn tasks(memory: &Memory, reflection: &Reflection) -> Vec<Duty> {
    let mut add = Vec::new();
    let mut number = memory.next_number(TaskKind::Conflict);
    for dispute in &reflection.disputes {
        if dispute.severity == Severity::High && open(memory, dispute) {
            add.push(Duty {
                id: TaskKind::Conflict.id(number),
                description: format!("Resolve: {}", dispute.conflict.explanation),
                dimension: None,
                query: String::new(),
                depends_on: BTreeSet::new(),
                critical: false,
                conflict: Some(dispute.key.clone()),
                makes_up_for: None,
            });
            number += 1;
        }
    }
    let Some(plan) = &memory.plan else { return add };
    let mut number = memory.next_number(TaskKind::Search).max(memory.next_number(TaskKind::Read));
    for gap in reflection.gaps.iter().filter(|gap| gap.severity == Severity::High) {
        let Some(dimension) = plan.dimensions.get(gap.dimension) else { continue };
        let [mut search, read] = covering(gap.dimension, number, dimension, BTreeSet::new());
        // Searched with words for it; the reader is told what is missing when it reads.
        if !gap.query.is_empty() {
            search.query.clone_from(&gap.query);
        }
        add.extend([search, read]);
        number += 1;
    }
    add
}

/// Figures of one dimension that are looked up in other documents.
const CHECKED: usize = 3;

/// A figure that a single source gives is searched for by its own words, once: another document may confirm it,
/// or say otherwise.
fn cross_checks(memory: &Memory, added: &[Duty]) -> Vec<Duty> {
    if !memory.reflections.is_empty() || memory.brief.depth == Depth::Quick {
        return Vec::new();
    }
    let Some(plan) = &memory.plan else { return Vec::new() };
    let facts = memory.facts();
    let taken = added.iter().filter(|duty| duty.kind() == TaskKind::Search).count();
    let mut number = memory.next_number(TaskKind::Search).max(memory.next_number(TaskKind::Read)) + taken;
    let mut checks = Vec::new();
    for (index, dimension) in plan.dimensions.iter().enumerate() {
        let figures = facts.of_part(index).into_iter().filter(|fact| {
            let statement = &fact.found.fact.statement;
            fact.independent == 1 && !quantities(statement).is_empty()
        });
        let mut searches: Vec<Duty> = Vec::new();
        let mut reading = None;
        for fact in figures.take(CHECKED) {
            let narrowed = Dimension {
                name: format!("{} ({})", dimension.name, fact.label()),
                question: fact.found.fact.statement.clone(),
                focus: Vec::new(),
            };
            let [search, read] = covering(index, number, &narrowed, BTreeSet::new());
            searches.push(Duty { description: format!("Cross-check {}", search.description), ..search });
            reading.get_or_insert(read);
            number += 1;
        }
        // Searched by the words of each figure, read once for what was asked, after what is read for a gap: no document
        // is read twice for one part.
        let for_gap =
            added.iter().filter(|duty| duty.kind() == TaskKind::Read && duty.dimension == Some(index));
        checks.extend(reading.map(|read| Duty {
            description: format!("Cross-check Read: {}", dimension.name),
            query: dimension.question.clone(),
            depends_on: searches.iter().chain(for_gap).map(|duty| duty.id.clone()).collect(),
            ..read
        }));
        checks.extend(searches);
    }
    checks
}

/// What was tried, for a person who gets no report: the searches, and what they found that could not be read.
pub fn tried(memory: &Memory) -> Vec<String> {
    let searches = memory
        .searches
        .values()
        .flatten()
        .map(|search| (format!("{}: \"{}\"", search.provider, search.query), search.outcome()));
    let notes = memory.notes.values().flatten().filter_map(|note| note.strip_prefix(UNREAD));
    let unread = notes.map(|why| ("reading:".to_owned(), why.to_owned()));
    let mut tried: Vec<(String, String)> = Vec::new();
    for (what, came) in searches.chain(unread) {
        // The same words to the same place are told once; why they failed may differ by some seconds.
        let is_told = |told: &(String, String)| told.0 == what && (what != "reading:" || told.1 == came);
        if !tried.iter().any(is_told) {
            tried.push((what, came));
        }
    }
    tried.into_iter().map(|(what, came)| format!("{what} {came}")).collect()
}

fn all_failed(cx: &Cx<Research>) -> RunError {
    let tried = cx.read(tried);
    RunError {
        kind: RunErrorKind::Provider,
        message: format!("every search failed: {}.", tried.join("; ")),
        recovery: "Nothing was lost; `baton resume` searches again.".to_owned(),
    }
}

fn untraced(reflection: &Reflection) -> RunError {
    RunError {
        kind: RunErrorKind::Broken,
        message: format!("facts lead to no source: {}.", reflection.untraced.join(", ")),
        recovery: "This is a defect of Baton; `baton log` shows where they came from.".to_owned(),
    }
}
