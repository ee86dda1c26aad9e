//! `baton gc`: frees what nobody names any more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use baton_agents::read::archive::Archive;
use baton_engine::Hash;
use baton_workflows::git::Released;
use serde::Serialize;

use crate::exit::Exit;
use crate::page::Page;
use crate::places::FETCHED;
use crate::program::Program;
use crate::text::count;
use crate::trouble::Trouble;
use crate::workshops;

/// The folder of long payloads below the home.
const BLOBS: &str = "blobs";

/// Free what no run names any more
///
/// Long payloads and archived pages are kept by the hash of their content, for all runs together. Those that
/// no record of any run names, and no other payload either, are listed, and freed unless --plan is given. So
/// are the worktrees of builds that are over, where a commit that is kept holds all that is in them.
/// Refused while another process works in the home. The search index is a cache: delete its folder at will.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton gc --plan             only say what would be freed
  baton gc"
)]
pub struct Args {
    /// Only say what would be freed
    #[arg(long)]
    pub plan: bool,
}

#[derive(Serialize)]
struct Freed {
    /// Whether it was done, or only said.
    done: bool,
    payloads: usize,
    archived: usize,
    bytes: u64,
    files: Vec<PathBuf>,
    workshops: Vec<Released>,
}

/// Frees what nobody names.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let engine = program.engine()?;
    let alone = if args.plan { None } else { Some(engine.alone()?) };
    let home = engine.home();
    // The page cache says which archived page an address had.
    let named = engine.named_hashes(&[&home.join(FETCHED)])?;
    let payloads = unnamed(&home.join(BLOBS), &named)?;
    let archived = unnamed(&home.join(Archive::FOLDER), &named)?;
    let bytes = payloads.iter().chain(&archived).map(|(_, bytes)| bytes).sum();
    let (payload_count, archive_count) = (payloads.len(), archived.len());
    let files: Vec<PathBuf> = payloads.into_iter().chain(archived).map(|(path, _)| path).collect();
    if !args.plan {
        for path in &files {
            std::fs::remove_file(path).map_err(|why| trouble("remove", path, why))?;
        }
    }
    let workshops = workshops::free(program, &engine, &workshops::unused(&engine)?, args.plan)?;
    drop(alone);
    let (payloads, archived) = (payload_count, archive_count);
    let freed = Freed { done: !args.plan, payloads, archived, bytes, files, workshops };
    let verb = if args.plan { "would free" } else { "freed" };
    let told = format!(
        "{verb} {} and {} that no run names: {} kB",
        count(freed.payloads, "long payload"),
        count(freed.archived, "archived text"),
        freed.bytes.div_ceil(1_024)
    );
    let mut page = Page::of(told);
    workshops::tell(&mut page, &freed.workshops, args.plan);
    program.out.give(&freed, &page)?;
    Ok(Exit::Done)
}

/// The files below a folder that are kept by a hash nobody names, and their sizes.
fn unnamed(folder: &Path, named: &BTreeSet<Hash>) -> Result<Vec<(PathBuf, u64)>, Trouble> {
    let mut found = Vec::new();
    let entries = |folder: &Path| match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect::<Result<Vec<_>, _>>().map_err(|why| trouble("read", folder, why)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(why) => Err(trouble("read", folder, why)),
    };
    for shelf in entries(folder)? {
        let about = shelf.file_type().map_err(|why| trouble("read", &shelf.path(), why))?;
        let Some(first) = shelf.file_name().to_str().map(str::to_owned).filter(|_| about.is_dir()) else {
            continue;
        };
        for file in entries(&shelf.path())? {
            let Some(name) = file.file_name().to_str().map(str::to_owned) else { continue };
            // Payloads leave their first digits to the shelf, archived texts repeat them. Anything else is not ours.
            let hash = name.parse::<Hash>().or_else(|_| format!("{first}{name}").parse::<Hash>());
            if hash.is_ok_and(|hash| !named.contains(&hash)) {
                let about = file.metadata().map_err(|why| trouble("read", &file.path(), why))?;
                found.extend(about.is_file().then(|| (file.path(), about.len())));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn trouble(what: &'static str, path: &Path, why: std::io::Error) -> Trouble {
    Trouble::File { what, path: path.to_owned(), why }
}
