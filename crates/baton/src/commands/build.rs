//! `baton build`: a plan in, a merged, gated and reviewed project out.

mod closing;
mod draft;
mod follower;
pub(crate) mod order;
mod validate;

use std::path::PathBuf;

use baton_workflows::factory::Factory;
use baton_workflows::profile::Profile;

use crate::consent::ModelArgs;
use crate::exit::Exit;
use crate::launch::{LaunchArgs, launch};
use crate::presenter::Shown;
use crate::program::Program;
use crate::telling::telling;
use crate::trouble::Trouble;

/// Build software from a plan: branches, gates, reviews, merges, recovery
///
/// The plan has phases, waves and efforts. Each effort is done in a worktree of its own, by a recipe, a
/// command, a coding agent or a person; what it changed is committed, measured, gated, reviewed and merged in
/// a repository of Baton's own. Yours is read at the start and gets a branch `baton/RUN` at the end. Efforts
/// above 800 added lines are split; what conflicts or fails begins again; a project off its track is
/// analysed and recovered.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  baton build plan.toml
  baton build plan.toml --repo ../project --yes --json
  baton build validate plan.toml
  baton build plan --from ROADMAP.md -o plan.toml"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    /// The plan: TOML
    #[arg(value_name = "PLAN", required = true)]
    plan: Option<String>,
    /// The repository to build on
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// How the result is delivered, if not as the plan says
    #[arg(long, value_name = "HOW", value_parser = ["branch", "merge", "patches", "pr-files"])]
    deliver: Option<String>,
    /// Where patches and files for a pull request are written [default: baton-RESULT beside the plan]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    launch: LaunchArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Sub {
    Validate(validate::Args),
    Plan(draft::Args),
}

/// Builds.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    match &args.command {
        Some(Sub::Validate(args)) => return validate::run(program, args),
        Some(Sub::Plan(args)) => return draft::run(program, args),
        None => {}
    }
    program.tell_held_back(args.launch.budget_usd.is_some());
    let order = order::order(program, args)?;
    let engine = program.engine()?;
    // What was typed is stronger than what the plan says, and that than what is configured.
    let budget = args.launch.budget_usd.or(order.plan.budget.project);
    let settings = Factory::settings(program.config.settings(budget, args.launch.parallel));
    let run = engine.start::<Factory>(&order, settings)?;
    launch(program, &engine, &run, &args.launch)
}

/// What a build shows of its runs.
pub static PRESENTER: Shown =
    Shown { follower: telling::<Factory, follower::Progress>, closing: closing::closing };
