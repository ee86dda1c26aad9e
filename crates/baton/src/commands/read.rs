//! `baton read`: the text of a file or a web page, archived under its hash.

use std::path::Path;

use baton_agents::read::Reading;
use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::fetch::{FetchSettings, Fetcher};
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::read::library::{Kept, Library};
use baton_agents::search::Location;
use serde::Serialize;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// Read a file or a web page as text
///
/// Prints the text as it would be quoted from; what the document says of itself goes to stderr. Text and raw
/// bytes are archived in the home under their hashes. Pages on private addresses are fetched only if named.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton read report.pdf
  baton read https://example.org/page --json
  baton read http://127.0.0.1:8000/ --allow-private 127.0.0.1:8000"
)]
pub struct Args {
    /// A file or a web address
    #[arg(value_name = "FILE|URL")]
    pub what: String,
    /// A private address that is meant; may be given more than once
    #[arg(long, value_name = "HOST:PORT")]
    pub allow_private: Vec<String>,
}

#[derive(Serialize)]
struct ReadOutput<'a> {
    location: &'a Location,
    raw_hash: &'a str,
    text_hash: &'a str,
    #[serde(flatten)]
    reading: &'a Reading,
}

/// Reads.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    program.home.make()?;
    let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
    let reader = FileReader::new(Limits::default(), child);
    let mut library = Library::new(reader, Archive::of_home(&program.home.path));
    let kept = if args.what.contains("://") {
        let settings =
            FetchSettings { allowed_private: args.allow_private.clone(), ..FetchSettings::default() };
        let page = program.runtime()?.block_on(Fetcher::new(settings)?.fetch(&args.what))?;
        library.read_page(&page)?
    } else {
        library.read_file(Path::new(&args.what))?
    };
    show(program, &kept)?;
    Ok(Exit::Done)
}

fn show(program: &Program, kept: &Kept) -> Result<(), Trouble> {
    let Kept { location, raw_hash, text_hash, reading } = kept;
    if program.out.is_json() {
        return program.out.give(&ReadOutput { location, raw_hash, text_hash, reading }, &Page::default());
    }
    let told = [
        ("title", &reading.title),
        ("author", &reading.author),
        ("date", &reading.date),
        ("language", &reading.language),
    ];
    for (name, value) in told {
        if let Some(value) = value {
            program.out.note(format!("{name}: {value}"));
        }
    }
    program.out.note(format!("text: {text_hash}"));
    // A terminal must not be steered by what was read; a pipe gets every byte that was archived.
    if program.out.columns().is_some() {
        program.out.say(&Page::of(reading.text.trim_end()))
    } else {
        program.out.exact(&reading.text)
    }
}
