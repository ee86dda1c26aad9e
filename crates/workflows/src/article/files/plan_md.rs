//! plan.md: every revision of the plan, what it was for, what it was worth, and what the next one had to answer.

use std::fmt::Write;

use crate::article::Memory;
use crate::article::plan::{Mode, Plan};
use crate::markup::{marked, plain};

/// The page.
#[must_use]
pub fn render(memory: &Memory) -> String {
    let mut text = format!("# Plan: {}\n\n", marked(&memory.assignment.brief.topic));
    if let Some(analysis) = &memory.brief_analysis {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(text, "Complexity {:.2}:\n", analysis.complexity_score);
        for one in &analysis.points {
            let _ = writeln!(text, "- {:+.2} {}", one.points, one.what);
        }
        text.push_str("\nWorkers:\n\n");
        for reason in &analysis.reasons {
            let _ = writeln!(text, "- {}", marked(reason));
        }
        text.push('\n');
    }
    for revision in &memory.plan_history {
        add(&mut text, &revision.plan);
        let _ = writeln!(text, "Quality {:.2}. Missing: {}\n", revision.quality, marked(&revision.feedback));
    }
    if let Some(plan) = &memory.current_plan {
        add(&mut text, plan);
        if let Some(quality) =
            memory.quality().filter(|_| memory.evaluations.len() > memory.plan_history.len())
        {
            let _ = writeln!(text, "Quality {quality:.2}.");
        }
    }
    text
}

fn add(text: &mut String, plan: &Plan) {
    let _ = writeln!(text, "## {}\n", plain(&plan.plan_id));
    text.push_str("| step | for | workers | mode | seconds | USD |\n|---|---|---|---|---|---|\n");
    for step in &plan.steps {
        let workers: Vec<&str> = step.worker_ids.iter().map(|worker| worker.name()).collect();
        let mode = if step.execution_mode == Mode::Parallel { "parallel" } else { "sequential" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {mode} | {:.0} | {:.4} |",
            step.step_id,
            step.description,
            workers.join(", "),
            step.estimated_time_seconds,
            step.estimated_cost
        );
    }
    let _ = writeln!(
        text,
        "\nEstimated: {:.0} s, {:.4} USD. Searches:\n",
        plan.estimated_total_time, plan.estimated_total_cost
    );
    for query in &plan.queries {
        let _ = writeln!(text, "- {}", marked(query));
    }
    text.push_str("\nChanged by the strategy:\n\n");
    for note in &plan.optimization_notes {
        let _ = writeln!(text, "- {}", marked(note));
    }
    text.push('\n');
}
