//! `baton rm`: removes a run for good.

use baton_engine::{Removed, Runs};

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::text::count;
use crate::trouble::Trouble;
use crate::workshops;

/// Remove a run, its folder, and the runs it began
///
/// Records that a fork shares stay: they become the fork's. A run that somebody drives is refused, and one that
/// is not over unless you say so. Long payloads and archived pages stay until `baton gc`. Worktrees of a build
/// go too, unless they hold work that is in no commit; its repository stays.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton rm 7kq
  baton rm 7kq --unfinished && baton gc"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// Remove it although it is not over
    #[arg(long)]
    pub unfinished: bool,
}

/// Removes a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let removed = program.runtime()?.block_on(engine.remove(&run, args.unfinished))?;
    let mut page = Page::default();
    for Removed { run, records, kept_by } in &removed {
        let number = |count: &u64| usize::try_from(*count).unwrap_or(usize::MAX);
        let kept = kept_by.as_ref().map_or_else(String::new, |(heir, shared)| {
            format!("; {} stay with run {heir}, which shares them", count(number(shared), "record"))
        });
        page.text(format!("removed run {run} with {}{kept}", count(number(records), "record")));
    }
    let freed = workshops::free(program, &engine, removed.iter().map(|removed| &removed.run), false)?;
    workshops::tell(&mut page, &freed, false);
    program.out.give(&removed, &page)?;
    Ok(Exit::Done)
}
