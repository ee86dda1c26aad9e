//! `baton checkpoint`: names a point of a run, or lists them.

use baton_engine::points::Point;
use baton_engine::turns::points_of;
use baton_engine::{Engine, RunId, Runs};
use serde::Serialize;

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::text::{moment, rfc3339};
use crate::trouble::Trouble;

/// Name a point of a run, or list its points
///
/// With NAME, the beginning of the state in which the run stands now gets that name. Without it, every point
/// is listed: the record behind which a state begins, the state, and its names. `baton fork` and `baton
/// rewind` take each of them.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton checkpoint last
  baton checkpoint 7kq before-publishing"
)]
pub struct Args {
    /// The run
    pub run: String,
    /// The name to give
    pub name: Option<String>,
}

#[derive(Serialize)]
struct PointView {
    record: u64,
    at: String,
    state: String,
    entry: u32,
    names: Vec<String>,
    taken_back: bool,
    /// Whether a run can go off from it, or be taken back to it.
    usable: bool,
}

/// Names a point, or lists them.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    match &args.name {
        Some(name) => {
            let engine = program.engine()?;
            let run = engine.find(&args.run)?;
            give(program, &engine, &run, name)?;
        }
        None => {
            let runs = program.runs()?;
            let run = runs.find(&args.run)?;
            list(program, &runs, &run)?;
        }
    }
    Ok(Exit::Done)
}

fn give(program: &Program, engine: &Engine, run: &RunId, name: &str) -> Result<(), Trouble> {
    let flow = program.flow_of(engine, run)?;
    let point = program.runtime()?.block_on(flow.checkpoint(engine, run, name, &program.who))?;
    let told = format!("record {} of run {run} ({}) is called {name}", point.n, point.state);
    program.out.give(&PointView::of(point), &Page::of(told))
}

fn list(program: &Program, runs: &dyn Runs, run: &RunId) -> Result<(), Trouble> {
    let points = points_of(runs, run, &program.flow_of(runs, run)?.table())?;
    let mut page = Page::default();
    for point in &points {
        let names = point.names.iter().map(|name| format!("  {name}")).collect::<String>();
        let left = match (point.taken_back, point.ends) {
            (true, _) => "  taken back",
            (_, true) => "  the end",
            _ => "",
        };
        page.line([
            inked(Ink::Faint, format!("{:>5}  {}  ", point.n, moment(point.at))),
            plain(format!("{}{names}", point.state)),
            inked(Ink::Faint, left),
        ]);
    }
    program.out.give(&points.into_iter().map(PointView::of).collect::<Vec<_>>(), &page)
}

impl PointView {
    fn of(point: Point) -> Self {
        let Point { n, at, state, entry, names, taken_back, ends } = point;
        Self { record: n, at: rfc3339(at), state, entry, names, taken_back, usable: !taken_back && !ends }
    }
}
