//! `baton show`: one run in full.

use baton_engine::Runs;
use baton_engine::flow::Present;
use serde::Serialize;
use serde_json::Value;

use crate::catalogue::presenter;
use crate::detail::Detail;
use crate::exit::Exit;
use crate::program::Program;
use crate::tree::Tree;
use crate::trouble::Trouble;

/// Show where a run stands and what it waits for
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton show last
  baton show 7kq --memory | less
  baton show last --tree"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// Print all the run has learnt, as JSON
    #[arg(long)]
    pub memory: bool,
    /// Show the run with every run below it, and what those wait for
    #[arg(long, conflicts_with = "memory")]
    pub tree: bool,
}

#[derive(Serialize)]
struct WithMemory<'a> {
    #[serde(flatten)]
    detail: &'a Detail,
    memory: Option<Value>,
}

/// Shows a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    if args.tree {
        let tree = Tree::of(program, &runs, &run)?;
        program.out.give(&tree, &tree.page(program.clock.now()))?;
        return Ok(Exit::Done);
    }
    if !args.memory {
        let detail = Detail::at_a_glance(program, &runs, &run)?;
        program.out.give(&detail, &detail.page())?;
        return Ok(Exit::Done);
    }
    let detail = Detail::gather(program, &runs, &run)?;
    if program.out.is_json() {
        let memory = detail.present.as_ref().map(|present| seen(&detail, present));
        program.out.give(&WithMemory { detail: &detail, memory }, &detail.page())?;
    } else {
        // Fails as driving it would, if it cannot be read.
        let memory = match &detail.present {
            Some(present) => seen(&detail, present),
            None => seen(&detail, &program.flow_of(&runs, &run)?.present(&runs, &run)?),
        };
        let text = serde_json::to_string_pretty(&memory).map_err(|error| Trouble::Print(error.into()))?;
        program.out.exact(&format!("{text}\n"))?;
    }
    Ok(Exit::Done)
}

/// What may be seen of a run's memory.
fn seen(detail: &Detail, present: &Present) -> Value {
    let memory = present.memory();
    match presenter(&detail.run.workflow) {
        Some(presenter) => presenter.seen(&present.state, memory),
        None => memory,
    }
}
