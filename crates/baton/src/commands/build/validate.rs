//! `baton build validate`: what a plan would lead to, with nothing started.

use baton_workflows::factory::plan::branch;
use serde_json::json;

use super::order;
use crate::exit::Exit;
use crate::page::{Page, plain};
use crate::program::Program;
use crate::trouble::Trouble;

/// Check a plan and show its waves, efforts and commands; nothing is started
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The plan: TOML, or `-` for stdin
    #[arg(value_name = "PLAN")]
    plan: String,
}

/// Validates.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let plan = order::plan(&args.plan)?;
    let mut page = Page::default();
    page.field("title", plain(&plan.title));
    let rows = plan.efforts().map(|(phase, wave, effort)| {
        vec![
            plain(format!("{}.{}", phase + 1, wave + 1)),
            plain(branch(phase, wave, &effort.id)),
            plain(&effort.agent),
            plain(effort.paths.join(" ")),
            plain(effort.gates.join(" ")),
        ]
    });
    page.table(&["WAVE", "BRANCH", "AGENT", "PATHS", "GATES"], rows.collect());
    let reviewers = [
        plan.review.agent.clone().map(|name| format!("the agent {name}")),
        plan.review.model.then(|| "the role reviewer".to_owned()),
    ];
    let reviewers: Vec<String> = reviewers.into_iter().flatten().collect();
    if !reviewers.is_empty() {
        page.field("reviewers", plain(format!("rules, {}", reviewers.join(", "))));
    }
    let commands = plan.commands();
    for (who, line) in &commands {
        page.field(who, plain(line));
    }
    let efforts: Vec<_> = plan
        .efforts()
        .map(|(phase, wave, effort)| {
            json!({"phase": phase + 1, "wave": wave + 1, "id": effort.id, "branch": branch(phase, wave, &effort.id)})
        })
        .collect();
    let value = json!({
        "valid": true,
        "title": plan.title,
        "phases": plan.phases.len(),
        "efforts": efforts,
        "commands": commands.iter().map(|(_, line)| line).collect::<Vec<_>>(),
    });
    program.out.give(&value, &page)?;
    Ok(Exit::Done)
}
