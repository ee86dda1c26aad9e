//! `baton gc`: frees what nobody names any more.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use baton_agents::read::archive::Archive;
use baton_engine::Hash;
use baton_workflows::git::Released;
use baton_workflows::report::RemoteWorld;
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
/// Long payloads, archived pages and data gathered for reports are kept by the hash of their content, for all
/// runs together. Those that no record of any run names, and no other payload either, are listed, and freed
/// unless --plan is given. So are the worktrees of builds that are over, where a commit that is kept holds all
/// that is in them.
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
    gathered: usize,
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
    let gathered = ungathered(&home.join(RemoteWorld::FOLDER), &named)?;
    let bytes = payloads.iter().chain(&archived).chain(&gathered).map(|(_, bytes)| bytes).sum();
    let freed = Freed {
        done: !args.plan,
        payloads: payloads.len(),
        archived: archived.len(),
        gathered: gathered.len(),
        bytes,
        files: [payloads, archived, gathered].into_iter().flatten().map(|(path, _)| path).collect(),
        workshops: workshops::free(program, &engine, &workshops::unused(&engine)?, args.plan)?,
    };
    if freed.done {
        free(&freed.files)?;
    }
    drop(alone);
    let verb = if freed.done { "freed" } else { "would free" };
    let told = format!(
        "{verb} {}, {} and {} that no run names: {} kB",
        count(freed.payloads, "long payload"),
        count(freed.archived, "archived text"),
        count(freed.gathered, "gathered data file"),
        freed.bytes.div_ceil(1_024)
    );
    let mut page = Page::of(told);
    workshops::tell(&mut page, &freed.workshops, args.plan);
    program.out.give(&freed, &page)?;
    Ok(Exit::Done)
}

/// Removes files, and the folders that are then empty.
fn free(files: &[PathBuf]) -> Result<(), Trouble> {
    for path in files {
        std::fs::remove_file(path).map_err(|why| trouble("remove", path, why))?;
        if let Some(folder) = path.parent().filter(|folder| entries(folder).is_ok_and(|left| left.is_empty()))
        {
            std::fs::remove_dir(folder).map_err(|why| trouble("remove", folder, why))?;
        }
    }
    Ok(())
}

/// The files below a folder that are kept by a hash nobody names, and their sizes.
fn unnamed(folder: &Path, named: &BTreeSet<Hash>) -> Result<Vec<(PathBuf, u64)>, Trouble> {
    kept_below(folder, |shelf, file| {
        // Payloads leave their first digits to the shelf, archived texts repeat them. Anything else is not ours.
        let hash = file.parse::<Hash>().or_else(|_| format!("{shelf}{file}").parse::<Hash>());
        hash.is_ok_and(|hash| !named.contains(&hash))
    })
}

/// The gathered data below a folder that nobody names, and their sizes.
fn ungathered(folder: &Path, named: &BTreeSet<Hash>) -> Result<Vec<(PathBuf, u64)>, Trouble> {
    let beginning = |hash: &Hash| hash.to_string()[..RemoteWorld::DIGITS].to_owned();
    let named: BTreeSet<String> = named.iter().map(beginning).collect();
    let is_ours =
        |name: &str| name.len() == RemoteWorld::DIGITS && name.bytes().all(|digit| digit.is_ascii_hexdigit());
    kept_below(folder, |shelf, _| is_ours(shelf) && !named.contains(shelf))
}

/// The files that stand in folders of a folder and fit by the names of both, and their sizes.
fn kept_below(folder: &Path, fits: impl Fn(&str, &str) -> bool) -> Result<Vec<(PathBuf, u64)>, Trouble> {
    let mut found = Vec::new();
    for shelf in entries(folder)? {
        let about = shelf.file_type().map_err(|why| trouble("read", &shelf.path(), why))?;
        let Some(above) = shelf.file_name().to_str().map(str::to_owned).filter(|_| about.is_dir()) else {
            continue;
        };
        for file in entries(&shelf.path())? {
            if file.file_name().to_str().is_some_and(|name| fits(&above, name)) {
                let about = file.metadata().map_err(|why| trouble("read", &file.path(), why))?;
                found.extend(about.is_file().then(|| (file.path(), about.len())));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What stands in a folder; nothing if there is none.
fn entries(folder: &Path) -> Result<Vec<DirEntry>, Trouble> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect::<Result<Vec<_>, _>>().map_err(|why| trouble("read", folder, why)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(why) => Err(trouble("read", folder, why)),
    }
}

fn trouble(what: &'static str, path: &Path, why: std::io::Error) -> Trouble {
    Trouble::File { what, path: path.to_owned(), why }
}
