//! `baton trust`: shows what a project's file wants to reach, and lets a person allow it.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use baton_agents::config::{TrustStore, wishes};
use baton_agents::hash::sha256_hex;
use baton_agents::read::bounded;
use serde::Serialize;

use crate::config::{FILE, parse};
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::text::quoted;
use crate::trouble::Trouble;

/// Allow a project's baton.toml to name addresses, keys and commands
///
/// A file that came with a project is refused while it names where to connect, which key to use, what to
/// run, or that documents may be sent. This shows each such line and asks. Trust is for the content: after
/// any change it is asked again.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton trust
  baton trust ../other/baton.toml --yes"
)]
pub struct Args {
    /// The file
    #[arg(default_value = FILE)]
    pub file: String,
    /// Trust it without being asked
    #[arg(long, short)]
    pub yes: bool,
}

/// A line that needs trust.
#[derive(Debug, Serialize)]
struct Wanted {
    key: String,
    line: usize,
    text: String,
}

#[derive(Serialize)]
struct Told {
    file: String,
    sha256: String,
    wants: Vec<Wanted>,
    trusted: bool,
}

/// Shows what the file wants, and trusts it if a person says so.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let path = Path::new(&args.file);
    let text = bounded::text(path, bounded::WRITTEN).map_err(|refusal| Trouble::File {
        what: "read",
        path: path.to_owned(),
        why: refusal.into(),
    })?;
    let layer = parse(&args.file, &text)?;
    let written =
        |line: usize| text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned();
    let wants = wishes(&layer)
        .into_iter()
        .map(|wish| Wanted { text: written(wish.line), key: wish.key, line: wish.line })
        .collect();
    let mut told =
        Told { file: args.file.clone(), sha256: sha256_hex(text.as_bytes()), wants, trusted: true };
    let mut trusted = TrustStore::load(&program.home.trusted())?;
    if told.wants.is_empty() {
        return give(program, &told, "names nothing that needs trust; it counts as it is");
    }
    program.out.say(&page(&told))?;
    if trusted.trusts(&text) {
        return give(program, &told, "is trusted already, exactly as it is");
    }
    if !(args.yes || allowed(program, &told)?) {
        told.trusted = false;
        give(program, &told, "was not trusted; nothing was changed")?;
        return Ok(Exit::Stopped);
    }
    let seen_at = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    trusted.trust(&text, &seen_at.display().to_string());
    program.home.make()?;
    trusted.save(&program.home.trusted())?;
    give(program, &told, "is trusted until it changes")
}

fn give(program: &Program, told: &Told, what: &str) -> Result<Exit, Trouble> {
    program.out.give(told, &Page::of(format!("{} {what}", told.file)))?;
    Ok(Exit::Done)
}

fn page(told: &Told) -> Page {
    let mut page = Page::of(format!("{} names what needs trust:", told.file));
    for Wanted { key, line, text } in &told.wants {
        let place = inked(Ink::Faint, format!("  line {line:<4} "));
        page.line([place, inked(Ink::Warn, key), plain(format!("   {text}"))]);
    }
    page
}

/// Asks the person at the terminal. Only a clear yes is a yes.
fn allowed(program: &Program, told: &Told) -> Result<bool, Trouble> {
    let person = program.out.is_live() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !person {
        return Err(Trouble::NobodyToTrust {
            file: told.file.clone(),
            keys: told.wants.iter().map(|want| format!("{} (line {})", want.key, want.line)).collect(),
            next: program.command(&format!("trust {} --yes", quoted(&told.file))),
        });
    }
    program.out.prompt(&format!("Trust {}? (yes or no) > ", told.file));
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Trouble::Runtime)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "yes" | "y"))
}
