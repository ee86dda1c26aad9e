//! `baton article validate`: what a brief would lead to, with nothing started.

use baton_workflows::article::{Assignment, analyse, optimise, plan};
use serde_json::json;

use super::{Wishes, order};
use crate::consent::ModelArgs;
use crate::exit::Exit;
use crate::page::{Page, plain};
use crate::program::Program;
use crate::trouble::Trouble;

/// Check a brief and show the plan it leads to; nothing is started
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The brief: TOML, YAML or JSON, or `-` for stdin
    #[arg(value_name = "BRIEF", required_unless_present = "topic")]
    brief: Option<String>,
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    models: ModelArgs,
}

/// Validates.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let config = program.config.typed(args.models.overrides(None))?;
    let roles = order::named(&config);
    let form = order::form(args.brief.as_deref(), &args.wishes)?;
    let brief = order::settled(form, &roles, args.brief.as_deref())?;
    let mut assignment = Assignment::new(brief, Vec::new());
    assignment.roles = roles;
    let analysis = analyse(&assignment);
    let first = plan(&assignment, &analysis, None, 1);
    let (plan, savings) = optimise(first, &assignment, None, assignment.brief.max_budget);
    let mut page = Page::default();
    page.field("topic", plain(&assignment.brief.topic));
    page.field("complexity", plain(format!("{:.2}", analysis.complexity_score)));
    for one in &analysis.points {
        page.text(format!("  {:+.2} {}", one.points, one.what));
    }
    let rows = plan.steps.iter().map(|step| {
        let workers: Vec<&str> = step.worker_ids.iter().map(|worker| worker.name()).collect();
        vec![
            plain(&step.step_id),
            plain(workers.join(", ")),
            plain(format!("{:.0} s", step.estimated_time_seconds)),
            plain(format!("{:.4} USD", step.estimated_cost)),
        ]
    });
    page.table(&["STEP", "WORKERS", "TIME", "COST"], rows.collect());
    page.text(format!(
        "estimated {:.4} USD of {:.2}, {:.0} s of {}",
        plan.estimated_total_cost,
        assignment.brief.max_budget,
        plan.estimated_total_time,
        assignment.brief.max_time
    ));
    let suggestions = suggestions(&assignment);
    for suggestion in &suggestions {
        page.text(format!("suggestion: {suggestion}"));
    }
    let value = json!({
        "valid": true,
        "brief": assignment.brief,
        "analysis": analysis,
        "plan": plan,
        "savings": savings,
        "suggestions": suggestions,
    });
    program.out.give(&value, &page)?;
    Ok(Exit::Done)
}

/// What would make the brief easier to meet.
fn suggestions(assignment: &Assignment) -> Vec<String> {
    let brief = &assignment.brief;
    let mut found = Vec::new();
    if brief.key_points.is_empty() && brief.specific_sections.is_empty() {
        found.push("key_points or specific_sections say what must not be missing".to_owned());
    }
    if brief.min_quality_score > 0.9 {
        found.push(format!("a quality of {:.2} is seldom reached; 0.80 is usual", brief.min_quality_score));
    }
    if brief.min_sources * 60 > brief.target_length {
        found.push(format!(
            "{} sources in {} words are a list; ask for fewer, or for more words",
            brief.min_sources, brief.target_length
        ));
    }
    if brief.enable_seo_optimization && brief.keywords.is_empty() {
        found.push("without keywords nobody looks at search engines".to_owned());
    }
    found
}
