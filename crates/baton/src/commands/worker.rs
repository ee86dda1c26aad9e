//! `baton worker`: drives runs that others have begun.

use baton_engine::engine::Pace;
use baton_engine::family::work;
use baton_engine::{Drive, Idle};
use serde_json::json;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::signals::listen;
use crate::text::count;
use crate::trouble::Trouble;

/// What a person hears at the first signal.
const STOPPING: &str = "stopping; calls in flight get up to 10 s to come back, a second signal cuts them off";

/// Drive child runs that nobody drives
///
/// A run can begin runs of its own. Whoever drives it drives them too; a worker takes up those that nobody
/// drives, in as many processes as you like, and lets a parent go on when what it waits for is over. Each run
/// has one driver at a time, and the runs of a process that died are taken over at once.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton worker &
  baton worker --once         do what there is to do, then leave"
)]
pub struct Args {
    /// Leave when there is nothing to do
    #[arg(long)]
    pub once: bool,
}

/// Drives child runs.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let signals = listen(&program.out, STOPPING)?;
    let how = Drive {
        idle: if args.once { Idle::Leave } else { Idle::Stay },
        pace: Pace::default(),
        stop: signals.stop.clone(),
        by: program.who.clone(),
        settings: None,
    };
    let runtime = program.runtime()?;
    let taken = runtime.block_on(work(&engine, &how));
    // A call that does not come back must not keep the process.
    runtime.shutdown_background();
    let taken = taken?;
    let times = usize::try_from(taken).unwrap_or(usize::MAX);
    program
        .out
        .give(&json!({"taken": taken}), &Page::of(format!("took up a run {}", count(times, "time"))))?;
    Ok(if signals.is_pressed() { Exit::Stopped } else { Exit::Done })
}
