//! `baton build plan`: drafts a plan from a roadmap, for a person to finish.

use std::path::{Path, PathBuf};

use baton_workflows::factory::plan::draft;
use serde_json::json;

use crate::commands::start::{text, unfit};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// Draft a plan from a roadmap or a list of issues in Markdown
///
/// Headings become phases, items of lists become efforts, "depends on" says what waits for what. The draft
/// says so in its first line; its commands are run only after a person's yes, whatever flags are given.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The roadmap, or `-` for stdin
    #[arg(long, value_name = "FILE")]
    from: String,
    /// Where the plan is written; shown if none is named
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Drafts.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let roadmap = text(&args.from)?;
    let title = Path::new(&args.from).file_stem().map_or("A plan".into(), |stem| stem.to_string_lossy());
    let plan = draft(&roadmap, &title);
    if !plan.contains("[[phase]]") {
        return Err(unfit(&args.from, "it has no list of things to do; write them as items under headings"));
    }
    let Some(file) = &args.output else {
        program.out.give(&json!({"plan": plan}), &Page::of(plan.trim_end()))?;
        return Ok(Exit::Done);
    };
    let written = std::fs::File::create_new(file)
        .and_then(|mut out| std::io::Write::write_all(&mut out, plan.as_bytes()));
    written
        .map_err(|error| unfit(&file.display().to_string(), &format!("it cannot be written ({error})")))?;
    let said =
        format!("{} is drafted. Look at it, then: baton build validate {}", file.display(), file.display());
    program.out.give(&json!({"file": file}), &Page::of(said))?;
    Ok(Exit::Done)
}
