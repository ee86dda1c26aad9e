//! `baton files`: writes a run's folder again, from its journal.

use baton_engine::folder;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// Write a run's folder again and print its files
///
/// The folder is made from the journal: whatever was deleted or changed there comes back as it was.
/// Many may do this at once, also while the run is driven: each file is whole, and never older than before.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton files last
  cat $(baton files last)"
)]
pub struct Args {
    /// The run
    pub run: String,
}

/// Writes a run's folder.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.store.find(&args.run)?;
    let flow = program.flow_of(&engine, &run)?;
    let home = engine.store.run_folder(&run);
    let files = folder::rewrite(&engine.store, &run, || flow.files(&engine, &run).map_err(Trouble::from))?;
    let paths: Vec<String> = files.iter().map(|file| home.join(&file.path).display().to_string()).collect();
    let mut page = Page::default();
    if paths.is_empty() {
        program.out.note(format!("the workflow of run {run} shows no files"));
    }
    for path in &paths {
        page.text(path);
    }
    program.out.give(&paths, &page)?;
    Ok(Exit::Done)
}
