//! `baton explain`: every way out of the present state, and why it is taken or not.

use baton_engine::{Limits, RunId, Runs};
use baton_machine::Explained;
use serde::Serialize;

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::standing::Standing;
use crate::text::count;
use crate::trouble::Trouble;

/// Say why a run stands where it stands
///
/// For every row out of its state: whether it would be taken if its event came now, and on what numbers.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Example:
  baton explain last"
)]
pub struct Args {
    /// The run
    pub run: String,
}

#[derive(Serialize)]
struct Explanation {
    run: RunId,
    workflow: String,
    state: String,
    visit: u32,
    status: &'static str,
    why: Option<&'static str>,
    limits: Limits,
    ways_out: Vec<Explained>,
}

/// Explains a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    let present = program.flow_of(&runs, &run)?.present(&runs, &run)?;
    let row = runs.run(&run)?;
    let standing = Standing::of(&row);
    let explanation = Explanation {
        run,
        workflow: row.workflow,
        state: present.state,
        visit: present.visit,
        status: standing.word(),
        why: standing.why(),
        limits: present.settings.limits,
        ways_out: present.ways_out,
    };
    program.out.give(&explanation, &page(&explanation, &standing.words()))?;
    Ok(Exit::Done)
}

fn page(told: &Explanation, standing: &str) -> Page {
    let mut page = Page::of(format!(
        "Run {} ({}) stands in {}, visit {}; it is {standing}.",
        told.run, told.workflow, told.state, told.visit
    ));
    if told.ways_out.is_empty() {
        page.text("No row leads out of this state: the run is over.");
        return page;
    }
    page.text(format!("Out of it: {}. If its event came now:", count(told.ways_out.len(), "row")));
    for way in &told.ways_out {
        let mark = if way.fires { inked(Ink::Good, "  yes ") } else { inked(Ink::Faint, "  no  ") };
        page.line([mark, plain(sentence(way))]);
    }
    page
}

/// One row in a sentence.
fn sentence(way: &Explained) -> String {
    let Explained { row, event, to, .. } = way;
    let times = way
        .fired
        .map(|(fired, most)| format!(" (fired {fired} of at most {most} times)"))
        .unwrap_or_default();
    match &way.why_not {
        None => {
            let because = way.guard.as_ref().map(|guard| format!(", because {guard}")).unwrap_or_default();
            format!("{event} would lead to {to} by row {row}{because}{times}.")
        }
        Some(why) => format!("{event} would not lead to {to} by row {row}: {why}{times}."),
    }
}
