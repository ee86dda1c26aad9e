//! logs/orchestrator.md: the reasoning behind a run: plans and why they changed, what each task brought and was
//! refused, each reflection with its scores, conflicts and what was dropped.

use std::fmt::Write;

use baton_engine::dag::TaskId;

use super::log::decision;
use super::story::{Story, yielded};
use crate::markup::{count, marked};
use crate::research::{Event, Memory, Reflection};

/// The page.
pub fn render(story: &Story, memory: &Memory) -> String {
    // Writing to a String cannot fail, here and below.
    let mut page = format!("# Reasoning: {}\n", marked(&memory.brief.topic));
    plans(&mut page, story);
    tasks(&mut page, memory);
    for reflection in &memory.reflections {
        reflected(&mut page, reflection);
    }
    disputes(&mut page, memory);
    ending(&mut page, memory);
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
        told(page, memory, &duty.id);
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
    let refused = memory.refused.get(id).map_or(0, Vec::len);
    if refused > 0 {
        lines.push(format!("{} refused: the source does not carry it", count(refused, "proposed fact")));
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
