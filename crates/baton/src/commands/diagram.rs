//! `baton diagram`: draws a table.

use baton_engine::record::Body;
use baton_engine::{RunId, Runs};
use baton_machine::{TableText, mermaid, svg};
use serde_json::json;

use crate::exit::Exit;
use crate::program::Program;
use crate::trouble::Trouble;

/// Draw the table of a workflow, or of a run
///
/// For a run, the table it was started with is drawn and its present state is marked. Mermaid by default.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton diagram debate
  baton diagram last --svg > run.svg"
)]
pub struct Args {
    /// A workflow or a run
    #[arg(value_name = "WORKFLOW|RUN")]
    pub what: String,
    /// Draw a picture instead of Mermaid text
    #[arg(long)]
    pub svg: bool,
}

/// Draws a table.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let (table, here) = match program.catalogue.get(&args.what) {
        Some(flow) => (flow.table(), None),
        None => of_run(program, &args.what)?,
    };
    let drawn = if args.svg { svg(&table, here.as_deref()) } else { mermaid(&table, here.as_deref()) };
    if program.out.is_json() {
        let form = if args.svg { "svg" } else { "mermaid" };
        let value = json!({"workflow": table.workflow, "state": here, "form": form, "text": drawn});
        program.out.give(&value, &crate::page::Page::default())?;
    } else {
        program.out.exact(&drawn)?;
    }
    Ok(Exit::Done)
}

/// The table a run is pinned to, and where it stands.
fn of_run(program: &Program, typed: &str) -> Result<(TableText, Option<String>), Trouble> {
    let runs = program.runs()?;
    let run = runs.find(typed)?;
    let row = runs.run(&run)?;
    let table = match pinned(&runs, &run)? {
        Some(table) => table,
        // Without the stored table the one of this build is the best there is.
        None => program.flow_of(&runs, &run)?.table(),
    };
    Ok((table, Some(row.state)))
}

fn pinned(runs: &dyn Runs, run: &RunId) -> Result<Option<TableText>, Trouble> {
    let first = runs.records(run, 1)?.into_iter().next();
    let Some(Body::Started(started)) = first.and_then(|first| first.open().ok()).map(|record| record.body)
    else {
        return Ok(None);
    };
    Ok(runs.table(&started.table)?)
}
