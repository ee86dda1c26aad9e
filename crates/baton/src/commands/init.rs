//! `baton init`: writes a commented configuration.

use std::io::Write;
use std::path::PathBuf;

use baton_agents::config::default_file;
use serde_json::json;

use crate::config::FILE;
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// Our own keys. They stand before the first section, as TOML wants it.
const OURS: &str = include_str!("init/baton.toml");

/// What is written: the agents' file with our keys in it. Every line says the default, so that nothing
/// changes until somebody changes it.
pub fn text() -> String {
    const FIRST_SECTION: &str = "# --- Models";
    default_file().replacen(FIRST_SECTION, &format!("{OURS}\n{FIRST_SECTION}"), 1)
}

/// Write a commented baton.toml into the present folder
///
/// Flags are over the environment, the environment over this file, this file over the one in your own
/// configuration folder, that over the defaults. In a project folder the file may set `parallel` and lower
/// the budget; for anything else it needs `baton trust`, again after each change.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Example:
  baton init && $EDITOR baton.toml"
)]
pub struct Args {
    /// Replace a baton.toml that is there
    #[arg(long)]
    pub force: bool,
}

/// Writes the file.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let path = PathBuf::from(FILE);
    write(&path, args.force)?;
    let page = Page::of(format!("wrote {FILE}; it sets nothing until you change it"));
    program.out.give(&json!({"file": FILE}), &page)?;
    Ok(Exit::Done)
}

fn write(path: &PathBuf, force: bool) -> Result<(), Trouble> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let done = options.open(path).and_then(|mut file| file.write_all(text().as_bytes()));
    done.map_err(|why| match why.kind() {
        std::io::ErrorKind::AlreadyExists => Trouble::Exists(path.clone()),
        _ => Trouble::File { what: "write", path: path.clone(), why },
    })
}

#[cfg(test)]
mod tests;
