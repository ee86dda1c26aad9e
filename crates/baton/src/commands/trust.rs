//! `baton trust`: shows what a project's file wants to reach, and lets a person allow it.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};
use std::path::Path;

use baton_agents::config::{TrustStore, Wish};
use baton_agents::hash::sha256_hex;
use baton_agents::read::bounded;
use serde::Serialize;

use crate::config::{FILE, parse};
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::text::quoted;
use crate::trouble::Trouble;

/// Allow a project's baton.toml to say more than what is harmless
///
/// A file that came with a project may set `parallel` and lower the budget. While it says anything else
/// (home, models, roles, privacy, search, mcp, debate, more money) it is refused. This shows each such line
/// and asks. Trust is for the content at its place: after any change it is asked again.
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
    /// What allowing it means.
    why: &'static str,
}

#[derive(Serialize)]
struct TrustOutput {
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
    let wanted =
        |wish: Wish| Wanted { text: written(wish.line), key: wish.key, line: wish.line, why: wish.why };
    let wants = program.config.wishes(&layer).into_iter().map(wanted).collect();
    let mut output =
        TrustOutput { file: args.file.clone(), sha256: sha256_hex(text.as_bytes()), wants, trusted: true };
    program.home.check()?;
    let mut trusted = TrustStore::load(&program.home.trusted())?;
    if output.wants.is_empty() {
        return give(program, &output, "names nothing that needs trust; it counts as it is");
    }
    program.out.say(&page(&output))?;
    if trusted.trusts(&text, path) {
        return give(program, &output, "is trusted already, exactly as it is");
    }
    if !(args.yes || allowed(program, &output)?) {
        output.trusted = false;
        give(program, &output, "was not trusted; nothing was changed")?;
        return Ok(Exit::Stopped);
    }
    trusted.trust(&text, path);
    program.home.make()?;
    trusted.save(&program.home.trusted())?;
    give(program, &output, "is trusted until it changes")
}

fn give(program: &Program, output: &TrustOutput, what: &str) -> Result<Exit, Trouble> {
    program.out.give(output, &Page::of(format!("{} {what}", output.file)))?;
    Ok(Exit::Done)
}

fn page(output: &TrustOutput) -> Page {
    let mut page = Page::of(format!("{} names what needs trust:", output.file));
    for Wanted { key, line, text, .. } in &output.wants {
        let place = inked(Ink::Faint, format!("  line {line:<4} "));
        page.line([place, inked(Ink::Warn, key), plain(format!("   {text}"))]);
    }
    page.text("It means that:");
    let reasons: BTreeSet<&str> = output.wants.iter().map(|want| want.why).collect();
    for why in reasons {
        page.line([plain(format!("  {why}"))]);
    }
    page
}

/// Asks the person at the terminal. Only a clear yes is a yes.
fn allowed(program: &Program, output: &TrustOutput) -> Result<bool, Trouble> {
    let person = program.out.is_live() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !person {
        return Err(Trouble::NobodyToTrust {
            file: output.file.clone(),
            keys: output.wants.iter().map(|want| format!("{} (line {})", want.key, want.line)).collect(),
            next: program.command(&format!("trust {} --yes", quoted(&output.file))),
        });
    }
    program.out.prompt(&format!("Trust {}? (yes or no) > ", output.file));
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Trouble::Runtime)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "yes" | "y"))
}
