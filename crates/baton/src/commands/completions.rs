//! `baton completions`: scripts that let a shell complete commands and flags.

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use serde_json::json;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton completions bash > ~/.local/share/bash-completion/completions/baton
  baton completions fish > ~/.config/fish/completions/baton.fish"
)]
pub struct Args {
    /// The shell
    pub shell: Shell,
}

/// Prints a script.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let mut script = Vec::new();
    generate(args.shell, &mut crate::args::Args::command(), "baton", &mut script);
    let script = String::from_utf8_lossy(&script);
    if program.out.is_json() {
        program.out.give(&json!({"shell": args.shell.to_string(), "script": script}), &Page::default())?;
    } else {
        program.out.exact(&script)?;
    }
    Ok(Exit::Done)
}
