//! `baton export`: writes a run into one file, to be taken to another home.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use baton_engine::Runs;
use baton_engine::parcel::{ParcelError, Tally};
use serde_json::json;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::shelf::ArchiveShelf;
use crate::text::count;
use crate::trouble::Trouble;

/// Write a run into one file, to be taken elsewhere
///
/// The file holds the run's records, its long payloads, its table, the archived texts it names, and every run
/// it began. The same run always gives the same bytes. Keys are in no record, so they are not in it; a key that
/// is set in this environment is looked for all the same. The run stays here as it is. Drive only one of the two
/// on: each would do, and pay for, what comes next.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton export last run.baton
  baton export 7kq run.baton --force && scp run.baton elsewhere:"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// The file to write
    pub file: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub force: bool,
}

/// Writes a run into a file.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let run = engine.find(&args.run)?;
    let path = &args.file;
    if path.exists() && !args.force {
        return Err(Trouble::NotOpen {
            what: format!("{} is there already", path.display()),
            next: "Choose another name, or replace it with --force".to_owned(),
        });
    }
    let shelf = ArchiveShelf::of_home(engine.home());
    // Written beside and renamed: what has the name is whole.
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let packed = pack(&partial, |to| engine.export(&run, &shelf, to));
    let placed = packed.and_then(|tally| {
        std::fs::rename(&partial, path).map_err(|why| failed(path, why))?;
        Ok(tally)
    });
    if placed.is_err() {
        let _ = std::fs::remove_file(&partial); // what is left of it is of no use
    }
    let tally = placed?;
    let told = format!(
        "wrote {}: {} of {}, {} and {}, {} kB",
        path.display(),
        count(usize::try_from(tally.records).unwrap_or(usize::MAX), "record"),
        count(tally.runs.len(), "run"),
        count(tally.payloads, "long payload"),
        count(tally.archived, "archived text"),
        tally.bytes.div_ceil(1_024)
    );
    let value = json!({ "file": path, "run": run, "packed": tally });
    program.out.give(&value, &Page::of(told))?;
    Ok(Exit::Done)
}

/// Writes the file and has it on the disk. A key in it would be a fault of ours: it is looked for, and refused.
fn pack(
    partial: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<Tally, ParcelError>,
) -> Result<Tally, Trouble> {
    let file = File::create(partial).map_err(|why| failed(partial, why))?;
    let mut guarded = crate::shelf::Guarded::new(BufWriter::new(file));
    let tally = write(&mut guarded)?;
    if let Some(name) = guarded.met() {
        return Err(Trouble::NotOpen {
            what: format!(
                "the value of {name} stands in what this run recorded, and a file that leaves must not hold a key"
            ),
            next: "Change that key, and tell us: no record should ever hold one".to_owned(),
        });
    }
    let file = guarded.into_inner().into_inner().map_err(|error| failed(partial, error.into_error()))?;
    file.sync_all().map_err(|why| failed(partial, why))?;
    Ok(tally)
}

fn failed(path: &Path, why: std::io::Error) -> Trouble {
    Trouble::File { what: "write", path: path.to_owned(), why }
}
