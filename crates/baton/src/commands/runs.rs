//! `baton runs`: the list of runs.

use baton_engine::{Filter, Runs};

use crate::exit::Exit;
use crate::page::{Page, inked, plain};
use crate::program::Program;
use crate::text::{age, usd};
use crate::trouble::Trouble;
use crate::view::RunView;

/// How many are listed unless all are wanted.
const NEWEST: usize = 20;

/// List runs, newest first
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton runs                  the newest 20
  baton runs --waiting        those that wait for you
  baton runs --all --json     every run, for a program"
)]
pub struct Args {
    /// List every run, not only the newest 20
    #[arg(long)]
    pub all: bool,
    /// Only runs that wait
    #[arg(long)]
    pub waiting: bool,
    /// Only runs of this workflow
    #[arg(long, value_name = "NAME")]
    pub workflow: Option<String>,
}

/// Lists runs.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let limit = (!args.all).then_some(NEWEST + 1);
    let filter = Filter { waiting: args.waiting, workflow: args.workflow.as_deref(), limit };
    let mut rows = runs.list(filter)?;
    let more = !args.all && rows.len() > NEWEST;
    if more {
        rows.truncate(NEWEST);
    }
    let times: Vec<_> = rows.iter().map(|row| (row.started, row.spent.micro_usd)).collect();
    let runs: Vec<RunView> = rows.into_iter().map(RunView::of).collect();
    let mut page = Page::default();
    if runs.is_empty() {
        page.text(nothing(program, args));
    } else {
        let now = program.clock.now();
        let rows: Vec<_> = runs
            .iter()
            .zip(times)
            .map(|(run, (started, micro_usd))| {
                vec![
                    plain(run.run.as_str()),
                    plain(&run.workflow),
                    plain(&run.state),
                    inked(run.standing.ink(), run.standing.brief()),
                    plain(age(now.since(started))),
                    plain(usd(micro_usd)),
                    plain(&run.title),
                ]
            })
            .collect();
        let head = ["RUN", "WORKFLOW", "STATE", "STATUS", "AGE", "COST", "TITLE"];
        page.table(&head, rows);
    }
    program.out.give(&runs, &page)?;
    if more && !program.out.is_json() {
        program.out.note(format!(
            "These are the newest {NEWEST}; {} lists every run.",
            program.command("runs --all")
        ));
    }
    Ok(Exit::Done)
}

fn nothing(program: &Program, args: &Args) -> String {
    if args.waiting || args.workflow.is_some() {
        return format!("No run fits; {} lists every run.", program.command("runs --all"));
    }
    let workflow = program.catalogue.iter().next().map_or("WORKFLOW", |flow| flow.name());
    format!("There are no runs yet. Start one: {}", program.command(&format!("start {workflow} FILE")))
}
