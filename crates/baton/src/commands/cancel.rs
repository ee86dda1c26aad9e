//! `baton cancel`: stops a run where it stands.

use std::time::Duration;

use baton_engine::{Engine, RunId, Runs, RunsError, Status};

use crate::drive::report;
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::standing::{Standing, outcome_name};
use crate::trouble::Trouble;

/// How long to wait for another process to stop the run.
const MOMENT: Duration = Duration::from_secs(5);

/// Stop a run where it stands
///
/// Everything recorded is kept, and `baton resume` lets it go on. A run that another process drives is
/// stopped there; its calls in flight get a moment to come back.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Example:
  baton cancel last"
)]
pub struct Args {
    /// The run
    pub run: String,
}

/// Stops a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    match engine.run(&run)?.status {
        Status::Stopped(_) => program.out.say(&Page::of("It is stopped already; nothing was changed."))?,
        Status::Running | Status::Waiting => stop(program, &engine, &run)?,
        Status::Finished(_) => {}
    }
    // It may have been finished before, or while its driver was asked to stop.
    if let Status::Finished(outcome) = engine.run(&run)?.status {
        return Err(Trouble::Over { run, outcome: outcome_name(outcome), what: "cancelled" });
    }
    report(program, &engine, &run)?;
    Ok(Exit::Done)
}

fn stop(program: &Program, engine: &Engine, run: &RunId) -> Result<(), Trouble> {
    let flow = program.flow_of(engine, run)?;
    let runtime = program.runtime()?;
    match runtime.block_on(flow.cancel(engine, run, &program.who)).map_err(Trouble::from) {
        Ok(_) => Ok(()),
        Err(Trouble::Runs(RunsError::Held { owner, .. })) => {
            engine.request_cancel(run, &program.who)?;
            if !runtime.block_on(stopped(program, engine, run))? {
                program.out.note(format!(
                    "{owner} was asked to stop the run and does so when its calls have come back"
                ));
            }
            Ok(())
        }
        Err(trouble) => Err(trouble),
    }
}

/// Waits a moment for the driver to stop; whether it did.
async fn stopped(program: &Program, runs: &dyn Runs, run: &RunId) -> Result<bool, Trouble> {
    let clock = &program.clock;
    let end = clock.now().plus(MOMENT);
    while clock.now() < end {
        if Standing::of(&runs.run(run)?) != Standing::Running {
            return Ok(true);
        }
        runs.news(run, &**clock).await;
    }
    Ok(false)
}
