//! `baton fork`: another run goes off from a point of a run.

use baton_engine::{Fork, Runs, Turn};

use crate::changes::ChangeArgs;
use crate::detail::Detail;
use crate::drive::{How, drive};
use crate::exit::Exit;
use crate::program::Program;
use crate::trouble::Trouble;

/// Let another run go off from a point of a run
///
/// The new run shares everything recorded before the point and copies nothing. What it then does as the
/// first run did, with the same input, is taken from there and not paid for again; only what you change, and
/// what follows from it, is done anew. The first run stays as it is, whether it is finished or not.
///
/// A point is the number of a record behind which a state begins, the name of a checkpoint, or a state (its
/// last visit); `baton checkpoint RUN` lists them.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton fork last --at WORKING
  baton fork 7kq --at before-publishing --set budget_usd=2.50
  baton fork 7kq --at SYNTHESIZING --model synthesizer=big
  baton fork 7kq --at 31 --leave-effects --no-drive"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// The point: a record, a checkpoint or a state
    #[arg(long, value_name = "POINT")]
    pub at: String,
    /// What is otherwise from there on.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// What steps behind the point have done outside may stay as it is
    #[arg(long)]
    pub leave_effects: bool,
    /// Only record the new run; `baton resume` drives it
    #[arg(long)]
    pub no_drive: bool,
    /// Answer every question that takes a yes with yes
    #[arg(long, short)]
    pub yes: bool,
}

/// Lets another run go off.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let flow = program.flow_of(&engine, &run)?;
    let turn = Turn { at: &args.at, leave_effects: args.leave_effects, by: &program.who };
    let changes = args.change.changes(program)?;
    let forked = flow.fork(&engine, &run, Fork { turn, changes: &changes })?;
    program.out.note(format!("run {forked} goes off from {run} at {}", args.at));
    if args.no_drive {
        let detail = Detail::at_a_glance(program, &engine, &forked)?;
        program.out.give(&detail, &detail.closing())?;
        return Ok(Exit::Done);
    }
    drive(program, &engine, &forked, How { yes: args.yes, settings: None })
}
