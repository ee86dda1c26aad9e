//! plan.md: the plan as it is put to a person for a yes.

use std::fmt::Write;

use baton_engine::dag::{TaskId, TaskStatus};

use super::task_md::{QUALITY, source_requirements, task_line, time_scope};
use crate::markup::{count, marked};
use crate::research::{Memory, Plan};

/// Kinds of documents that can be read, and whether this run looks for them.
const KINDS: [&str; 6] = ["Markdown", "Plain text", "HTML", "PDF", "DOCX", "CSV"];

/// The page.
pub fn render(memory: &Memory, plan: &Plan) -> String {
    let brief = &memory.brief;
    // Writing to a String cannot fail.
    let mut page = format!("# Research plan: {}\n\n", marked(&brief.topic));
    let _ = write!(
        page,
        "- Generated: {}\n- Estimated cycles: {}\n- Revision: {}, drafted by {}\n\n## Core question\n\n{}\n\n",
        marked(&brief.today),
        plan.estimate(),
        plan.revision,
        marked(&plan.by),
        marked(&plan.core_question),
    );
    page.push_str("## Sub-questions\n\n");
    for duty in &plan.tasks {
        page.push_str(&task_line(duty, status(plan, &duty.id), &plan.dimensions));
    }
    page.push_str("\n## Dimensions\n\n");
    for (index, dimension) in plan.dimensions.iter().enumerate() {
        let focus: Vec<String> = dimension.focus.iter().map(|word| marked(word)).collect();
        let focus = if focus.is_empty() { String::new() } else { format!(" (focus: {})", focus.join(", ")) };
        let (name, question) = (marked(&dimension.name), marked(&dimension.question));
        let _ = writeln!(page, "{}. **{name}**: {question}{focus}", index + 1);
    }
    page.push_str("\n## Expected source types\n\n");
    let local = if brief.docs.is_empty() { ' ' } else { 'x' };
    for kind in KINDS {
        let _ = writeln!(page, "- [{local}] {kind} documents in your folders");
    }
    for provider in brief.providers.iter().filter(|provider| *provider != "local") {
        let _ = writeln!(page, "- [x] {}", marked(provider));
    }
    let exclusions: Vec<String> = plan.exclusions.iter().map(|what| marked(what)).collect();
    let _ = write!(
        page,
        "\n## Scope and constraints\n\n- Time: {}\n- Language: {}\n- Sources: {}\n- Left out: {}\n",
        marked(&time_scope(brief)),
        marked(brief.language.as_deref().unwrap_or("any")),
        marked(&source_requirements(brief)),
        if exclusions.is_empty() { "nothing".to_owned() } else { exclusions.join(", ") },
    );
    page.push_str("\n## Quality criteria\n\n");
    for criterion in QUALITY {
        let _ = writeln!(page, "- {criterion}");
    }
    let sentences = brief.depth.sentences() * plan.dimensions.len();
    let _ = write!(
        page,
        "\n## Resource estimates\n\n- Iterations: {}, at most {}\n- Sources: at most {} sentences of evidence in all\n\
         - Output: an answer of {}\n\n## Start the research?\n\n\
         Answer *yes* to begin, *no* to end here, or *modify* and say what to change.\n",
        plan.estimate(),
        brief.max_iterations,
        sentences,
        count(plan.dimensions.len(), "block"),
    );
    page
}

fn status(plan: &Plan, id: &TaskId) -> TaskStatus {
    let duty = plan.tasks.iter().find(|duty| duty.id == *id);
    match duty {
        _ if plan.done.contains(id) => TaskStatus::Completed,
        Some(duty) if duty.depends_on.is_subset(&plan.done) => TaskStatus::Pending,
        _ => TaskStatus::Blocked,
    }
}
