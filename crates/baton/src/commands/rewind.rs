//! `baton rewind`: takes a run back to a point.

use baton_engine::{Runs, Turn};

use crate::drive::report;
use crate::exit::Exit;
use crate::program::Program;
use crate::trouble::Trouble;

/// Take a run back to a point
///
/// The run stands again where it stood then: its state, what it had learnt, how often each row had fired.
/// Nothing is deleted: a record says that it was taken back, what was spent stays spent, and steps are done
/// again. To keep both ways, and pay only for what changes, use `baton fork`.
///
/// A point is the number of a record behind which a state begins, the name of a checkpoint, or a state (its
/// last visit); `baton checkpoint RUN` lists them.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton rewind last --to AWAITING_APPROVAL
  baton rewind 7kq --to 31 --leave-effects && baton resume 7kq"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// The point: a record, a checkpoint or a state
    #[arg(long, value_name = "POINT")]
    pub to: String,
    /// What steps behind the point have done outside may stay as it is
    #[arg(long)]
    pub leave_effects: bool,
}

/// Takes a run back.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let flow = program.flow_of(&engine, &run)?;
    let turn = Turn { at: &args.to, leave_effects: args.leave_effects, by: &program.who };
    let point = program.runtime()?.block_on(flow.rewind(&engine, &run, turn))?;
    program.out.note(format!("run {run} stands where it stood behind record {}", point.n));
    report(program, &engine, &run)?;
    Ok(Exit::Done)
}
