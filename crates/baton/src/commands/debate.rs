//! `baton debate`: several minds on one problem, and a decision with its dissent.

mod compare;
mod eval;
mod plan;

use std::path::{Path, PathBuf};

use baton_agents::config::{self as agents, Overrides};
use baton_engine::{Engine, RunId, Runs, Status};
use baton_workflows::debate::Setup;
use baton_workflows::debate::spec::{Given, Spec, SpecError};
use serde_json::{Value, json};

use crate::commands::start::{read, text, unfit};
use crate::detail::Detail;
use crate::drive::{How, drive_on};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::text::read_usd;
use crate::trouble::Trouble;
use crate::view::dollars;

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
  baton debate eval last"
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
    /// Let text from the folder and from file agents be sent to models elsewhere
    #[arg(long)]
    send: bool,
    /// Only agents with these roles or ids
    #[arg(long, short, value_name = "A,B,...", value_delimiter = ',')]
    agents: Option<Vec<String>>,
    /// The most rounds
    #[arg(long, short, value_name = "N")]
    rounds: Option<u32>,
    /// Let agents ask you questions first
    #[arg(long)]
    clarify: bool,
    /// The debate file, in TOML or JSON [default: [debate] in baton.toml]
    #[arg(long, short, value_name = "FILE")]
    config: Option<String>,
    /// The models of every role, in order
    #[arg(long, value_name = "A,B,...")]
    model: Option<String>,
    /// Where to write the decision; a name that ends in .json gets the whole state
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say what it will cost and start nothing
    #[arg(long)]
    plan: bool,
    /// Hold a blind vote for the same number of calls beside it
    #[arg(long, value_name = "WITH", value_parser = ["vote"])]
    compare: Option<String>,
    /// Answer every yes/no question with yes
    #[arg(long, short)]
    yes: bool,
    /// Only record the run; `baton resume` drives it
    #[arg(long, conflicts_with_all = ["output", "compare"])]
    no_drive: bool,
    /// What the run may spend, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    budget_usd: Option<u64>,
    /// How many steps may be in flight at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    parallel: Option<u32>,
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
    let config = program.config.typed(Overrides {
        chain: args.model.as_deref().map(Overrides::chain_of),
        usd: args.budget_usd.map(dollars),
        send_documents: args.send.then_some(true),
    })?;
    program.tell_held_back(args.budget_usd.is_some());
    let setup = setup(program, args, &config)?;
    for warning in &setup.warnings {
        program.out.note(format!("note: {warning}"));
    }
    if args.plan {
        return plan::run(program, &setup);
    }
    let engine = program.engine()?;
    let run = start(program, args, &engine, &setup)?;
    if args.no_drive {
        crate::drive::report(program, &engine, &run)?;
        return Ok(Exit::Done);
    }
    let exit = drive_on(program, &engine, &run, How { yes: args.yes, settings: None })?;
    conclude(program, args, &engine, &run, &setup, exit)
}

/// Records the run.
fn start(program: &Program, args: &Args, engine: &Engine, setup: &Setup) -> Result<RunId, Trouble> {
    let settings = program.config.settings(args.budget_usd, args.parallel);
    let input = serde_json::to_value(setup).map_err(|error| unfit("the setup", &error.to_string()))?;
    let run = program.flow("debate")?.start(engine, input, settings)?;
    let title = engine.run(&run)?.title;
    let begun = format!("run {run} started: debate, {title}");
    if program.out.is_json() {
        program.out.note(begun);
    } else if !program.out.is_live() {
        program.out.say(&Page::of(begun))?;
    }
    Ok(run)
}

/// Shows the decision, writes it where it was wanted, and holds the vote beside it.
fn conclude(
    program: &Program,
    args: &Args,
    engine: &Engine,
    run: &RunId,
    setup: &Setup,
    exit: Exit,
) -> Result<Exit, Trouble> {
    let detail = Detail::gather(program, engine, run)?;
    program.out.say(&detail.closing())?;
    let over = matches!(engine.run(run)?.status, Status::Finished(_));
    if over {
        let record = file(program, engine, run, "decision.md")?;
        let mut page = Page::default();
        page.text("");
        record.lines().for_each(|line| page.text(line));
        program.out.say(&page)?;
        if let Some(path) = &args.output {
            let name =
                if path.extension().is_some_and(|end| end == "json") { "debate.json" } else { "decision.md" };
            write(path, &file(program, engine, run, name)?)?;
        }
    } else if args.output.is_some() || args.compare.is_some() {
        let later = program.command(&format!("files {run}"));
        program
            .out
            .note(format!("the debate is not over, so nothing was written or compared; later: {later}"));
    }
    if over && args.compare.is_some() {
        let compared = compare::run(program, args, engine, run, setup)?;
        program.out.give(&json!({"debate": detail, "compared": compared.value}), &compared.page)?;
    } else if program.out.is_json() {
        program.out.give(&detail, &Page::default())?;
    }
    Ok(exit)
}

/// One of the run's files, as it would be written now.
fn file(program: &Program, engine: &Engine, run: &RunId, name: &str) -> Result<String, Trouble> {
    let files = program.flow_of(engine, run)?.files(engine, run)?;
    let found = files.into_iter().find(|file| file.path == name);
    Ok(found.map(|file| String::from_utf8_lossy(&file.content).into_owned()).unwrap_or_default())
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let trouble = |why| Trouble::File { what: "write", path: path.to_owned(), why };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(trouble)?;
    }
    std::fs::write(path, text).map_err(trouble)
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
        let spec = Spec::read(read(name)?).map_err(|error| wrong(name, &error))?;
        return Ok((name.to_owned(), folder_of(Path::new(name)), spec));
    }
    for file in program.config.files.iter().rev() {
        let name = file.display().to_string();
        let Value::Object(mut whole) = read(&name)? else { continue };
        if let Some(section) = whole.remove("debate") {
            let spec = Spec::read(section).map_err(|error| wrong(&name, &error))?;
            return Ok((name, folder_of(file), spec));
        }
    }
    Ok(("what was typed".to_owned(), PathBuf::from("."), Spec::default()))
}

fn wrong(name: &str, error: &SpecError) -> Trouble {
    unfit(name, &error.to_string())
}
