//! `baton diagram`: draws a table.

use baton_engine::Runs;
use baton_engine::journey::journey;
use baton_engine::migration::{open_all, pinned};
use baton_machine::{Journey, TableText, mermaid, svg_of};
use serde_json::json;

use crate::exit::Exit;
use crate::program::Program;
use crate::standing::Standing;
use crate::trouble::Trouble;

/// Draw the table of a workflow, or of a run
///
/// For a run, the table it goes by is drawn and its present state is marked. Mermaid by default; the picture also
/// shows the way the run went: how often and how long it stood in each state, and how often it took each row.
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
    let (table, journey) = match program.catalogue.get(&args.what) {
        Some(flow) => (flow.table(), Journey::default()),
        None => of_run(program, &args.what)?,
    };
    let here = journey.here.as_deref();
    let drawn = if args.svg { svg_of(&table, &journey) } else { mermaid(&table, here) };
    if program.out.is_json() {
        let form = if args.svg { "svg" } else { "mermaid" };
        let value = json!({"workflow": table.workflow, "state": here, "form": form, "text": drawn});
        program.out.give(&value, &crate::page::Page::default())?;
    } else {
        program.out.exact(&drawn)?;
    }
    Ok(Exit::Done)
}

/// The table a run is pinned to, and the way it went.
fn of_run(program: &Program, typed: &str) -> Result<(TableText, Journey), Trouble> {
    let runs = program.runs()?;
    let run = runs.find(typed)?;
    let row = runs.run(&run)?;
    let chained = runs.records(&run, 1)?;
    let stored = match pinned(&chained) {
        Some((table, _)) => runs.table(&table)?,
        None => None,
    };
    let table = match stored {
        Some(table) => table,
        // Without the stored table the one of this build is the best there is.
        None => program.flow_of(&runs, &run)?.table(),
    };
    let until = if Standing::of(&row) == Standing::Running { program.clock.now() } else { row.updated };
    let journey = journey(&table, open_all(&chained, runs.vault()), until);
    // What the list says of its place is what everything else shows.
    Ok((table, Journey { here: Some(row.state), ..journey }))
}
