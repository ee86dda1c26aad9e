//! `baton import`: takes a run out of a file that `baton export` wrote.

use std::io::BufReader;
use std::path::PathBuf;

use baton_agents::read::bounded;
use baton_engine::engine::Imported;
use baton_engine::{RunId, Runs, folder};

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::shelf::ArchiveShelf;
use crate::text::count;
use crate::trouble::Trouble;

/// Take in a run that `baton export` wrote
///
/// Everything in the file is checked before anything of it is kept: every record against the one before it,
/// every text against its hash. A run that is here already stays as it is. What was taken in can be shown,
/// verified, forked and resumed as if it had been started here.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton import run.baton
  baton import run.baton --home ./elsewhere && baton verify last --home ./elsewhere"
)]
pub struct Args {
    /// The file
    pub file: PathBuf,
}

/// Takes in a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let path = &args.file;
    let file = bounded::open(path).map_err(|refusal| Trouble::File {
        what: "read",
        path: path.clone(),
        why: refusal.into(),
    })?;
    let engine = program.engine()?;
    let shelf = ArchiveShelf::of_home(engine.home());
    let named = |error| Trouble::Parcel { file: path.clone(), error };
    let Imported { tally, was_here } = engine.import(&mut BufReader::new(file), &shelf).map_err(named)?;
    let first = tally.runs.first().map(RunId::to_string).unwrap_or_default();
    if !was_here {
        tally.runs.iter().for_each(|run| show_files(program, &engine, run));
    }
    let told = if was_here {
        format!("run {first} is here already, the same to the last record; nothing was changed")
    } else {
        format!(
            "took in run {first}: {} of {}, {} and {}\nSee it with: {}",
            count(usize::try_from(tally.records).unwrap_or(usize::MAX), "record"),
            count(tally.runs.len(), "run"),
            count(tally.payloads, "long payload"),
            count(tally.archived, "archived text"),
            program.command(&format!("show {first}"))
        )
    };
    program.out.give(&Imported { tally, was_here }, &Page::of(told))?;
    Ok(Exit::Done)
}

/// Writes a run's folder. It is a projection: where this Baton cannot, `baton files` says why.
fn show_files(program: &Program, runs: &dyn Runs, run: &RunId) {
    let Ok(flow) = program.flow_of(runs, run) else { return };
    let make = || flow.files(runs, run).map_err(Trouble::from);
    if let Err(why) = folder::rewrite(&program.home.path, run, make) {
        program.out.note(format!("the folder of run {run} was not written: {why}"));
    }
}
