//! `baton man`: the manual, made from the same words as the help.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;
use serde_json::json;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// Print the manual, or write its pages
///
/// Without --dir the page of `baton` itself is printed; with it, one page per command is written.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton man | man -l -
  baton man --dir ~/.local/share/man/man1"
)]
pub struct Args {
    /// The folder to write the pages to
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
}

/// Prints or writes the manual.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let command = crate::args::Args::command();
    match &args.dir {
        Some(folder) => write(program, command, folder)?,
        None => print(program, command)?,
    }
    Ok(Exit::Done)
}

fn print(program: &Program, command: clap::Command) -> Result<(), Trouble> {
    let text = rendered(command)?;
    if program.out.is_json() {
        return program.out.give(&json!([{"name": "baton.1", "text": text}]), &Page::default());
    }
    program.out.exact(&text)
}

fn write(program: &Program, mut command: clap::Command, folder: &Path) -> Result<(), Trouble> {
    command.build();
    let trouble = |path: &Path| {
        let path = path.to_owned();
        move |why| Trouble::File { what: "write", path, why }
    };
    std::fs::create_dir_all(folder).map_err(trouble(folder))?;
    let shown =
        command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let mut pages = vec![("baton.1".to_owned(), command.clone())];
    pages.extend(shown.map(|command| (format!("baton-{}.1", command.get_name()), command.clone())));
    let mut written = Vec::new();
    for (name, command) in pages {
        let path = folder.join(&name);
        std::fs::write(&path, rendered(command)?).map_err(trouble(&path))?;
        written.push(path.display().to_string());
    }
    program.out.give(&written, &Page::of(written.join("\n")))
}

fn rendered(command: clap::Command) -> Result<String, Trouble> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(Trouble::Print)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
