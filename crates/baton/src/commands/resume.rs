//! `baton resume`: lets a run go on.

use baton_engine::{Limits, Runs, Settings, Status};

use crate::drive::{How, drive, report};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::sight::Sight;
use crate::text::read_usd;
use crate::trouble::Trouble;

/// Let a stopped or interrupted run go on
///
/// Steps that came back are not repeated. A finished run stays as it is.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton resume last
  baton resume 7kq --budget-usd 2.50    raise the budget first"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// What the run may spend in all from now on, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    pub budget_usd: Option<u64>,
    /// Answer every question that takes a yes with yes
    #[arg(long, short)]
    pub yes: bool,
}

/// Lets a run go on.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let row = engine.run(&run)?;
    if let Status::Finished(_) = row.status {
        program.out.say(&Page::of("There is nothing to resume; nothing was changed."))?;
        let told = report(program, &engine, &run)?;
        return Ok(told.unwrap_or(Exit::of_status(&row.status)));
    }
    let settings = match args.budget_usd {
        Some(micro_usd) => {
            let now = Sight::of(&engine.records(&run, 1)?).settings;
            Some(Settings { limits: Limits { micro_usd: Some(micro_usd), ..now.limits }, ..now })
        }
        None => None,
    };
    drive(program, &engine, &run, How { yes: args.yes, settings })
}
