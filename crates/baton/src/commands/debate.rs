//! `baton debate`: several minds on one problem, and a decision with its dissent.

mod closing;
mod compare;
mod eval;
mod plan;
mod tool;

use std::path::{Path, PathBuf};

use baton_agents::config as agents;
use baton_agents::skill::Role;
use baton_engine::{Engine, RunId};
use baton_workflows::debate::spec::{Given, Spec, SpecError};
use baton_workflows::debate::{Debate, Setup};
use baton_workflows::profile::Profile;
use serde_json::Value;

use crate::commands::start::{parsed, text, unfit};
use crate::consent::{self, ModelArgs};
use crate::exit::Exit;
use crate::export;
use crate::launch::{LaunchArgs, launch};
use crate::program::Program;
use crate::trouble::Trouble;

pub use closing::DebatePresenter;
pub use tool::TOOL;

/// Let several agents debate a problem and write down the decision
///
/// Agents propose without having read one another, criticise proposals without knowing whose they are, and
/// refine their own. The decision record keeps votes, dissent and open objections. Agents are models, people,
/// files, programs and rules, from [debate] in baton.toml or from a debate file.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  baton debate \"SQLite or Postgres for the job queue?\"
  baton debate -p problem.md --config panel.toml -o decision.md
  baton debate -p problem.md --config panel.toml --plan
  baton debate eval last

A panel that needs no model, as a file for --config:
  [[agents]]
  id = \"me\"
  kind = \"person\"

  [[agents]]
  id = \"notes\"
  kind = \"file\"
  file = \"notes.md\""
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    /// The problem
    problem: Option<String>,
    /// A file with the problem, or `-` for stdin
    #[arg(long = "problem-file", short = 'p', value_name = "FILE", conflicts_with = "problem")]
    file: Option<String>,
    /// A folder agents may search, list and read; its text goes to models on this machine only
    #[arg(long, value_name = "DIR")]
    context: Option<PathBuf>,
    /// Only agents with these roles or ids
    #[arg(long, short, value_name = "A,B,...", value_delimiter = ',')]
    agents: Option<Vec<String>>,
    /// The most rounds, up to 100
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: Option<u32>,
    /// Let agents ask you questions first
    #[arg(long)]
    clarify: bool,
    /// The debate file, in TOML or JSON [default: [debate] in baton.toml]
    #[arg(long, short, value_name = "FILE")]
    config: Option<String>,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    launch: LaunchArgs,
    /// Write the decision to this file when the run ends: .md, .txt, or .json for the whole state
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say what it will cost and start nothing
    #[arg(long)]
    plan: bool,
    /// Hold a blind vote for the same number of calls beside it
    #[arg(long, value_name = "WITH", value_parser = ["vote"], conflicts_with = "no_drive")]
    compare: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Sub {
    Eval(eval::Args),
}

/// Holds a debate.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    if let Some(Sub::Eval(args)) = &args.command {
        return eval::run(program, args);
    }
    program.tell_held_back(args.launch.budget_usd.is_some());
    let setup = Setup { output: destination(args)?, ..settled(program, args)? };
    for warning in &setup.warnings {
        program.out.note(format!("note: {warning}"));
    }
    if args.plan {
        return plan::run(program, &setup);
    }
    let engine = program.engine()?;
    let run = start(program, args, &engine, &setup)?;
    match args.compare {
        Some(_) => compare::run(program, args, &engine, &run, &setup),
        None => launch(program, &engine, &run, &args.launch),
    }
}

fn destination(args: &Args) -> Result<Option<PathBuf>, Trouble> {
    args.output.as_deref().map(export::destination::<Debate>).transpose()
}

/// What is to be debated, with the person's word where documents would leave the machine. A plan sends nothing.
fn settled(program: &Program, args: &Args) -> Result<Setup, Trouble> {
    let typed = args.models.overrides(args.launch.budget_usd);
    if args.plan {
        return setup(program, args, &program.config.typed(typed)?);
    }
    let see_documents: fn(&Setup) -> Vec<&Role> =
        |setup| if setup.holds_documents() { Debate::roles(setup) } else { Vec::new() };
    consent::settled(program, &typed, |config| setup(program, args, config), see_documents)
}

/// Records the run.
fn start(program: &Program, args: &Args, engine: &Engine, setup: &Setup) -> Result<RunId, Trouble> {
    Ok(engine.start::<Debate>(setup, args.launch.settings(program, Debate::settings))?)
}

/// What is to be debated, by whom and how.
fn setup(program: &Program, args: &Args, config: &agents::Config) -> Result<Setup, Trouble> {
    let problem = match (&args.problem, args.file.as_deref()) {
        (Some(problem), _) => problem.clone(),
        (None, Some(name)) => text(name)?,
        (None, None) => String::new(),
    };
    let (name, folder, spec) = spec(program, args.config.as_deref())?;
    let given = Given {
        problem: &problem,
        folder: &folder,
        config,
        agents: args.agents.as_deref(),
        rounds: args.rounds,
        clarify: args.clarify,
        context: args.context.as_deref(),
    };
    spec.setup(&given).map_err(|error| wrong(&name, &error))
}

/// The debate file, or the section of the strongest `baton.toml` that has one. With its name and its folder.
fn spec(program: &Program, named: Option<&str>) -> Result<(String, PathBuf, Spec), Trouble> {
    let folder_of = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or_else(|| PathBuf::from("."), Path::to_owned)
    };
    if let Some(name) = named {
        let written = text(name)?;
        let spec =
            Spec::read(parsed(name, &written)?, &written, None).map_err(|error| wrong(name, &error))?;
        return Ok((name.to_owned(), folder_of(Path::new(name)), spec));
    }
    for file in program.config.files.iter().rev() {
        let name = file.display().to_string();
        let written = text(&name)?;
        let Value::Object(mut whole) = parsed(&name, &written)? else { continue };
        if let Some(section) = whole.remove("debate") {
            let spec = Spec::read(section, &written, Some("debate")).map_err(|error| wrong(&name, &error))?;
            return Ok((name, folder_of(file), spec));
        }
    }
    Ok(("what was typed".to_owned(), PathBuf::from("."), Spec::default()))
}

/// What was typed wrongly is a matter of usage; what stands in a file is one of configuration.
fn wrong(name: &str, error: &SpecError) -> Trouble {
    if error.is_typed() {
        return unfit(name, &error.to_string());
    }
    if let SpecError::NoPanel(_) = error {
        return Trouble::Setup { what: error.to_string(), next: PANEL };
    }
    Trouble::Setup { what: format!("{name}: {error}"), next: "Correct the file and type the command again" }
}

/// What to type where nobody was named who could debate.
const PANEL: &str = "Name a model with --model NAME, or write down who shall debate, people, files, commands, rules or \
    models, and name that file with -c FILE; `baton debate --help` shows one";
