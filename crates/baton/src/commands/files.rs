//! `baton files`: writes a run's folder again, from its journal, or only looks at what would be written.

use std::path::Path;

use baton_engine::{RunFile, RunId, Runs, folder};
use serde_json::json;

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
  cat $(baton files last)
  baton files last --print report.md"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// Only print their names, below the run's folder; write nothing
    #[arg(long)]
    pub names: bool,
    /// Only print this file as the journal has it; write nothing
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    pub print: Option<String>,
}

/// Writes a run's folder.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    let flow = program.flow_of(&runs, &run)?;
    if args.print.is_some() || args.names {
        let files = flow.files(&runs, &run)?;
        return match &args.print {
            Some(name) => print(program, &run, &files, name),
            None => list(program, &files),
        };
    }
    let folder = program.folder_of(&run);
    let make = || flow.files(&runs, &run).map_err(Trouble::from);
    let files = folder::rewrite(&program.home.path, &run, make)?;
    let paths: Vec<String> = files.iter().map(|file| folder.join(&file.path).display().to_string()).collect();
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

/// The names of the files, without writing any.
fn list(program: &Program, files: &[RunFile]) -> Result<Exit, Trouble> {
    let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut page = Page::default();
    names.iter().for_each(|name| page.text(*name));
    program.out.give(&names, &page)?;
    Ok(Exit::Done)
}

/// Prints one of the files that would be written. No other can be named.
fn print(program: &Program, run: &RunId, files: &[RunFile], name: &str) -> Result<Exit, Trouble> {
    let named = files.iter().find(|file| Path::new(&file.path).ends_with(name));
    let file = named.ok_or_else(|| Trouble::NotOpen {
        what: format!("run {run} has no file called `{name}`"),
        next: format!("See what there is with `{}`", program.command(&format!("files {run} --names"))),
    })?;
    let content = match &file.copy_of {
        None => file.content.clone(),
        Some(below) => {
            let path = program.home.path.join(below);
            std::fs::read(&path).map_err(|why| Trouble::File { what: "read", path, why })?
        }
    };
    let text = String::from_utf8_lossy(&content);
    if program.out.is_json() {
        program.out.give(&json!({ "run": run, "path": file.path, "text": text }), &Page::default())?;
    } else {
        program.out.exact(&text)?;
    }
    Ok(Exit::Done)
}
