//! `baton watch`: follows a run that another process drives, or shows where it rests.

use baton_engine::{RunId, Runs};

use crate::drive::report;
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::progress::Progress;
use crate::rest::Rest;
use crate::signals::{Signals, listen};
use crate::standing::Standing;
use crate::trouble::Trouble;

/// Follow a run until it ends or waits
///
/// The run is not touched: it is driven by whoever drives it, and goes on when you stop watching.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton watch last
  baton watch 7kq && echo completed"
)]
pub struct Args {
    /// The run
    pub run: String,
}

/// Follows a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let signals = listen(&program.out, "")?;
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    let rested = program.runtime()?.block_on(follow(program, &runs, &run, &signals))?;
    let told = report(program, &runs, &run)?;
    if !rested {
        program.out.note(format!("no longer watching; run {run} goes on"));
        return Ok(Exit::Stopped);
    }
    let row = runs.run(&run)?;
    Ok(match Standing::of(&row) {
        // It will not go on by itself, and it is not finished.
        Standing::New | Standing::Interrupted => Exit::Failed,
        _ => told.unwrap_or(Exit::of_status(&row.status)),
    })
}

/// Follows until the run rests; false if the person stopped watching first.
async fn follow(program: &Program, runs: &dyn Runs, run: &RunId, signals: &Signals) -> Result<bool, Trouble> {
    let mut progress = Progress::new(program, runs, run, false)?;
    if !program.out.is_live() {
        let row = runs.run(run)?;
        program.out.say(&Page::of(format!("watching run {run}: {}, {}", row.workflow, row.title)))?;
    }
    let mut rest = Rest::default();
    loop {
        progress.look();
        if rest.is_reached(runs, run)? {
            progress.look();
            return Ok(true);
        }
        tokio::select! {
            biased;
            () = signals.pressed() => return Ok(false),
            () = runs.news(run, &*program.clock) => {}
        }
    }
}
