//! Letting a run go that was just recorded: the flags of every command that starts one, and what is said of it.

use baton_engine::{Engine, RunId, Runs, Settings};

use crate::drive::{How, drive, report};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::text::read_usd;
use crate::trouble::Trouble;

/// How a new run is started.
#[derive(Debug, clap::Args)]
pub struct LaunchArgs {
    /// Answer every question that takes a yes with yes
    #[arg(long, short)]
    pub yes: bool,
    /// Only record the run; `baton resume` drives it
    #[arg(long)]
    pub no_drive: bool,
    /// What the run may spend, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    pub budget_usd: Option<u64>,
    /// How many steps may be in flight at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub parallel: Option<u32>,
}

impl LaunchArgs {
    /// The settings of a run whose workflow makes them so from those that are configured.
    pub fn settings(&self, program: &Program, made: fn(Settings) -> Settings) -> Settings {
        made(program.config.settings(self.budget_usd, self.parallel))
    }
}

/// Drives a run that was just recorded, or only says where it stands.
pub fn launch(program: &Program, engine: &Engine, run: &RunId, args: &LaunchArgs) -> Result<Exit, Trouble> {
    if args.no_drive {
        report(program, engine, run)?;
        return Ok(Exit::Done);
    }
    announce(program, engine, run)?;
    drive(program, engine, run, How { yes: args.yes, settings: None })
}

/// Says that a run has started, where no view of it is drawn.
pub fn announce(program: &Program, engine: &Engine, run: &RunId) -> Result<(), Trouble> {
    let row = engine.run(run)?;
    let started = format!("run {run} started: {}, {}", row.workflow, row.title);
    if program.out.is_json() {
        program.out.note(started);
    } else if !program.out.is_live() {
        program.out.say(&Page::of(started))?;
    }
    Ok(())
}
