//! logs/orchestrator.md: the reasoning behind a run: plans and why they are so, why each task was made and what it
//! brought, what each reflection weighed and decided, why each part of the answer begins as it does.

use std::fmt::Write;

use baton_engine::dag::TaskId;

use super::log::decision;
use super::story::{Story, yielded};
use crate::citation::Facts;
use crate::markup::{count, marked};
use crate::research::nodes::synthesize::to_write;
use crate::research::plan::TaskKind;
use crate::research::reflection::ENOUGH;
use crate::research::skills::plan::clauses;
use crate::research::{Decision, Duty, Event, Memory, Reflection, Severity};

/// The page.
pub fn render(story: &Story, memory: &Memory, facts: &Facts<'_>) -> String {
    // Writing to a String cannot fail, here and below.
    let mut page = format!("# Reasoning: {}\n", marked(&memory.brief.topic));
    plans(&mut page, story);
    tasks(&mut page, memory);
    for reflection in &memory.reflections {
        reflected(&mut page, reflection);
    }
    disputes(&mut page, memory);
    ending(&mut page, memory);
    choices(&mut page, memory, facts);
    page
}

fn plans(page: &mut String, story: &Story) {
    page.push_str("\n## Plans\n");
    for (_, moved) in story.moves() {
        match &moved.event {
            Event::PlanDrafted { plan, why } => {
                let _ = write!(
                    page,
                    "\nPlan {} by {} ({}): {}. Dimensions:\n\n",
                    plan.revision,
                    marked(&plan.by),
                    marked(why),
                    count(plan.estimate(), "task"),
                );
                for dimension in &plan.dimensions {
                    let _ = writeln!(page, "- {}: {}", marked(&dimension.name), marked(&dimension.question));
                }
                let parts = clauses(&plan.core_question).len();
                let weighed = match plan.by.as_str() {
                    "rules" => "each is a dimension; nothing is looked for that was not asked",
                    _ => "the planner named the dimensions, shown the question and headings of the documents",
                };
                let _ = write!(page, "\nWhy: the question asks {}; {weighed}.\n", count(parts, "thing"));
            }
            Event::Approved { approval } => {
                let _ = write!(
                    page,
                    "\n{} approved plan {} after {}.\n",
                    marked(&approval.by),
                    approval.revision,
                    count(approval.modifications as usize, "change"),
                );
            }
            Event::Refused { by } => {
                let _ = write!(page, "\n{} ended it.\n", marked(by));
            }
            _ => {}
        }
    }
}

fn tasks(page: &mut String, memory: &Memory) {
    if memory.duties.is_empty() {
        return;
    }
    page.push_str("\n## Tasks\n");
    for duty in memory.ordered() {
        let Some(task) = memory.dag.get(&duty.id) else { continue };
        let why = task.why().map(|why| format!(": {}", marked(why))).unwrap_or_default();
        let _ = write!(page, "\n### {} {}{why}\n\n{}.\n", duty.id, task.status(), marked(&duty.description));
        let _ = write!(page, "\nWhy: {}.\n", reason(duty, memory));
        told(page, memory, &duty.id);
    }
}

/// Why a task was made.
fn reason(duty: &Duty, memory: &Memory) -> String {
    if let Some(failed) = &duty.makes_up_for {
        return format!("{failed} failed; once more in other words, \"{}\"", marked(&duty.query));
    }
    let planned = memory.plan.as_ref().is_some_and(|plan| plan.tasks.iter().any(|it| it.id == duty.id));
    let part = duty.dimension.map(|at| marked(&memory.label(at))).unwrap_or_default();
    match duty.kind() {
        TaskKind::Plan => "what is searched must be brought up to date first".to_owned(),
        TaskKind::Conflict => "two facts cannot both hold, and nobody has looked at them".to_owned(),
        TaskKind::Search if planned => format!("the plan wants to know \"{part}\""),
        TaskKind::Read if planned => format!("what was found for \"{part}\" counts only once it is read"),
        TaskKind::Search if duty.description.starts_with("Cross-check") => {
            format!(
                "a single source gives this figure for \"{part}\"; another may confirm it or say otherwise"
            )
        }
        TaskKind::Read if duty.description.starts_with("Cross-check") => {
            format!("what the cross-checks of \"{part}\" found is read for the question itself")
        }
        TaskKind::Search => format!("the reflection saw a gap in \"{part}\""),
        TaskKind::Read => format!("what was found for the gap in \"{part}\" is read"),
    }
}

fn told(page: &mut String, memory: &Memory, id: &TaskId) {
    let mut lines: Vec<String> = Vec::new();
    for search in memory.searches.get(id).into_iter().flatten() {
        let noted = search.found.is_some() && !search.note.is_empty();
        let note = if noted { format!(" ({})", marked(&search.note)) } else { String::new() };
        let (provider, query) = (marked(&search.provider), marked(&search.query));
        lines.push(format!("{provider}: \"{query}\" {}{note}", marked(&search.outcome())));
    }
    let came = yielded(memory, id);
    if came.facts > 0 {
        lines.push(format!("{} from {}", count(came.facts, "fact"), count(came.sources, "source")));
    }
    // What was refused is no finding, so its words stand in the journal alone.
    let refused = memory.refused.get(id).map_or(&[][..], Vec::as_slice);
    let gone = refused.iter().filter(|fact| !fact.quoted).count();
    if gone > 0 {
        lines.push(format!("{} refused: the source does not carry it", count(gone, "proposed fact")));
    }
    if refused.len() > gone {
        let quoted = count(refused.len() - gone, "fact");
        lines.push(format!("{quoted} in the words of the source: it does not carry the reader's"));
    }
    for note in memory.notes.get(id).into_iter().flatten() {
        lines.push(format!("note: {}", marked(note)));
    }
    if !lines.is_empty() {
        page.push('\n');
    }
    for line in lines {
        let _ = writeln!(page, "- {line}");
    }
}

fn reflected(page: &mut String, reflection: &Reflection) {
    let _ = write!(
        page,
        "\n## Reflection at iteration {} by {}\n\n| completeness | authority | conflicts | traceability | recency | score |\n\
         |---|---|---|---|---|---|\n| {} | {} | {} | {} | {} | {} |\n\nDecision: {}{}.\n",
        reflection.iteration,
        marked(reflection.by.name()),
        reflection.completeness,
        reflection.authority,
        reflection.conflicts,
        reflection.traceability,
        reflection.recency,
        reflection.score,
        decision(reflection),
        if reflection.caveats { ", with caveats" } else { "" },
    );
    let _ = write!(page, "\nWhy: {}.\n", weighed(reflection));
    for gap in &reflection.gaps {
        let what = if gap.by_model { "seen by the model" } else { gap.what.as_str() };
        let _ =
            write!(page, "\n- gap ({:?}) in dimension {}: {}", gap.severity, gap.dimension + 1, marked(what));
    }
    for dispute in &reflection.disputes {
        let _ =
            write!(page, "\n- conflict ({:?}): {}", dispute.severity, marked(&dispute.conflict.explanation));
    }
    page.push('\n');
}

/// What a reflection weighed, and what decided.
fn weighed(reflection: &Reflection) -> String {
    let high = |is: bool| if is { "some" } else { "none" };
    let conflicts = reflection.disputes.iter().filter(|it| it.severity == Severity::High).count();
    let gaps = reflection.gaps.iter().filter(|gap| gap.severity == Severity::High).count();
    let score = format!(
        "30 % of {} + 25 % of {} + 20 % of {} + 15 % of {} + 10 % of {} is {} (enough is {ENOUGH})",
        reflection.completeness,
        reflection.authority,
        reflection.conflicts,
        reflection.traceability,
        reflection.recency,
        reflection.score,
    );
    let decided = match reflection.decision {
        Decision::AddConflictTasks => {
            "a conflict that nobody has looked at goes before everything else".to_owned()
        }
        Decision::ContinueResearch if gaps > 0 => format!("{} left to search for", count(gaps, "gap")),
        Decision::ContinueResearch if reflection.score < ENOUGH => "the score is not enough yet".to_owned(),
        Decision::ContinueResearch => "figures that rest on one source are looked up in others".to_owned(),
        Decision::ReadyForSynthesis if reflection.caveats => {
            "nothing is left to try, so the report says what is missing".to_owned()
        }
        Decision::ReadyForSynthesis => "nothing that matters is open".to_owned(),
    };
    format!(
        "{score}; conflicts that matter: {}, gaps that matter: {}; {decided}",
        high(conflicts > 0),
        high(gaps > 0)
    )
}

fn disputes(page: &mut String, memory: &Memory) {
    if memory.disputes.is_empty() {
        return;
    }
    page.push_str("\n## Conflicts\n\n");
    for dispute in memory.disputes.values() {
        let verdict = match &dispute.resolution {
            Some(resolution) => format!(
                "{} favours {}: {}",
                marked(resolution.by.name()),
                resolution.favours.as_deref().map_or("neither".to_owned(), marked),
                marked(&resolution.reason),
            ),
            None => "nobody looked at it".to_owned(),
        };
        let what = marked(&dispute.conflict.explanation);
        let _ = writeln!(page, "- {} ({:?}): {what}; {verdict}", marked(&dispute.key), dispute.severity);
    }
}

fn ending(page: &mut String, memory: &Memory) {
    if let Some(report) = &memory.report {
        let _ = write!(page, "\n## Report by {}\n\n", marked(report.by.name()));
        let _ = writeln!(
            page,
            "{} kept, {} dropped.",
            count(report.lines().count(), "sentence"),
            report.dropped.len()
        );
        let _ = writeln!(
            page,
            "{} mended by the writer, {} filled with a fact.",
            count(report.mended, "sentence"),
            count(report.filled(), "block")
        );
    }
    if let Some((trouble, _)) = &memory.trouble {
        let _ = write!(page, "\n## Error\n\n{} {}\n", marked(&trouble.message), marked(&trouble.recovery));
    }
    if !memory.tried.is_empty() {
        page.push_str("\n## Nothing was found\n\n");
        for tried in &memory.tried {
            let _ = writeln!(page, "- {}", marked(tried));
        }
    }
}

/// For each part of the answer: what was weighed, and why it begins as it does.
fn choices(page: &mut String, memory: &Memory, facts: &Facts<'_>) {
    let Some(report) = memory.report.as_ref().filter(|report| !report.blocks.is_empty()) else { return };
    page.push_str("\n## Choices\n\n");
    let known = to_write(memory);
    for block in &report.blocks {
        let Some(part) = known.parts.iter().find(|part| part.part == block.dimension) else { continue };
        let answer = part.facts.iter().filter(|ranked| ranked.answers).count();
        let weighed = format!("{} weighed, of which {answer} answer", count(part.facts.len(), "fact"));
        let first = block.lines.first().and_then(|line| facts.fact(line.facts.first()?));
        let chosen = match first {
            None => {
                "none has the kind of answer that is wanted about what was asked, so it says \"not found\""
                    .to_owned()
            }
            Some(fact) if block.filled => {
                format!(
                    "{} stands in word for word: what was written in its place did not hold",
                    fact.label()
                )
            }
            Some(fact) => {
                let place = part.facts.iter().position(|ranked| ranked.label == fact.label());
                let rank = place.map_or("chosen by the writer".to_owned(), |at| {
                    format!("number {} by how well it answers", at + 1)
                });
                format!(
                    "begins with {} ({rank}; source {}, weight {:.2}, said by {})",
                    fact.label(),
                    fact.source_label(),
                    fact.weight,
                    count(fact.independent, "independent source"),
                )
            }
        };
        let _ = writeln!(
            page,
            "- {}: {weighed}; {chosen}; {} shown.",
            marked(&memory.label(block.dimension)),
            count(block.lines.len(), "sentence")
        );
    }
}
