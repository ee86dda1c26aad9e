//! `baton resume`: lets a run go on, with what a person changes first.

use baton_engine::{Engine, Limits, RunId, Runs, Settings, Spend, Status};
use serde_json::Value;

use crate::changes::ChangeArgs;
use crate::drive::{How, drive, report};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::sight::Sight;
use crate::text::{read_usd, usd};
use crate::trouble::Trouble;

/// Let a stopped or interrupted run go on
///
/// Steps that came back are not repeated. A finished run stays as it is. What is changed here is recorded
/// with your name; the work of the present state then begins anew, and whatever came back with the same
/// input before is taken over.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton resume last
  baton resume 7kq --budget-usd 2.50              raise the budget first
  baton resume 7kq --model synthesizer=big,rules  another model for a role
  baton resume 7kq --finish                       write up what there is"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// What the run may spend in all from now on, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    pub budget_usd: Option<u64>,
    /// What is otherwise from now on.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// Answer every question that takes a yes with yes
    #[arg(long, short)]
    pub yes: bool,
}

/// Lets a run go on.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let row = engine.run(&run)?;
    let changes = args.change.changes(program)?;
    if let Status::Finished(_) = row.status
        && changes.is_empty()
    {
        program.out.say(&Page::of("There is nothing to resume; nothing was changed."))?;
        let told = report(program, &engine, &run)?;
        return Ok(told.unwrap_or(Exit::of_status(&row.status)));
    }
    if !changes.is_empty() {
        change(program, &engine, &run, &changes)?;
    }
    let settings = match args.budget_usd {
        Some(micro_usd) => {
            let now = Sight::of(&engine.records(&run, 1)?).settings;
            raise_share(program, &engine, &run, now.limits, micro_usd)?;
            Some(Settings { limits: Limits { micro_usd: Some(micro_usd), ..now.limits }, ..now })
        }
        None => None,
    };
    drive(program, &engine, &run, How { yes: args.yes, settings })
}

/// A child spends from its parent: what it may spend beyond its share is reserved there first.
fn raise_share(
    program: &Program,
    engine: &Engine,
    run: &RunId,
    limits: Limits,
    micro_usd: u64,
) -> Result<(), Trouble> {
    let more = micro_usd.saturating_sub(limits.micro_usd.unwrap_or(micro_usd));
    let Some(parent) = engine.paid_by(run)?.filter(|_| more > 0) else { return Ok(()) };
    let by_this = Spend { micro_usd: more, ..Spend::NONE };
    let flow = program.flow_of(engine, &parent)?;
    program.runtime()?.block_on(flow.raise_share(engine, &parent, run, by_this, &program.who))?;
    program.out.note(format!("its share of run {parent} is raised by {}", usd(more)));
    Ok(())
}

fn change(
    program: &Program,
    engine: &Engine,
    run: &RunId,
    changes: &[(String, Value)],
) -> Result<(), Trouble> {
    let flow = program.flow_of(engine, run)?;
    program.runtime()?.block_on(flow.change(engine, run, changes, &program.who))?;
    let keys: Vec<&str> = changes.iter().map(|(key, _)| key.as_str()).collect();
    program.out.note(format!("changed: {}", keys.join(", ")));
    Ok(())
}
