//! `baton torture`: crashes a workflow before and after every commit, and compares the ends.

use std::path::PathBuf;
use std::process::Command;

use baton_engine::torture::{Child, Report, Rigour};
use baton_engine::{Dice, SystemDice};

use crate::catalogue::{ROWS, Row, row};
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::trouble::Trouble;

/// Crash a workflow at every commit and compare the ends
///
/// A rehearsal of the workflow is run to its end and its commits are counted. Then it is crashed before and
/// after each of them, recovered and finished; up to forty times its process is really killed. Then it is
/// crashed in chains, again while it recovers, with one, two, three or as many calls at once as it likes;
/// in between it is taken back, forked or changed now and then. A build has its efforts as runs inside it.
/// What it has learnt and written must be the same every time, and no call may be paid twice. Your runs are
/// not touched.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton torture debate
  baton torture debate --seed 7 --json
  baton torture research --long"
)]
pub struct Args {
    /// The workflow
    pub workflow: String,
    /// The order in which calls come back; the same seed gives the same order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many chains of two to five crashes
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub chains: u64,
    /// Ten times as many chains
    #[arg(long)]
    pub long: bool,
}

/// What one process of the crash test is told.
#[derive(Debug, clap::Args)]
pub struct ChildArgs {
    workflow: String,
    folder: PathBuf,
    at: u64,
    seed: u64,
    #[arg(long)]
    after: bool,
}

/// Tortures a workflow.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let rehearsed = find(&args.workflow)?;
    let runtime = program.runtime()?;
    let folder = std::env::temp_dir().join(format!("baton-torture-{:016x}", SystemDice.roll()));
    let this = std::env::current_exe().map_err(Trouble::Runtime)?;
    let spawn = |child: &Child| {
        let mut command = Command::new(&this);
        command.arg("torture-child").arg(&args.workflow).arg(&child.folder);
        command.arg(child.at.to_string()).arg(child.seed.to_string());
        if child.after {
            command.arg("--after");
        }
        command
    };
    let chains = if args.long { args.chains.saturating_mul(10) } else { args.chains };
    let rigour = Rigour { seed: args.seed, chains, pairs: false };
    let report = (rehearsed.torture)(&runtime, &folder, rigour, Some(&spawn));
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            program.out.note(format!("what the crash test left behind is in {}", folder.display()));
            return Err(error.into());
        }
    };
    let passed = report.passes();
    program.out.give(&report, &page(&report, passed))?;
    if passed {
        std::fs::remove_dir_all(&folder).map_err(|why| Trouble::File {
            what: "remove",
            path: folder,
            why,
        })?;
        return Ok(Exit::Done);
    }
    program.out.note(format!("the homes of all trials are kept in {}", folder.display()));
    Ok(Exit::Failed)
}

/// One process of the crash test: dies where it was told to.
pub fn child(program: &Program, args: &ChildArgs) -> Result<Exit, Trouble> {
    let rehearsed = find(&args.workflow)?;
    let told = Child { folder: args.folder.clone(), at: args.at, after: args.after, seed: args.seed };
    (rehearsed.child)(&program.runtime()?, &told)?;
    Ok(Exit::Done)
}

fn find(name: &str) -> Result<&'static Row, Trouble> {
    let known = || ROWS.iter().map(|row| row.name).collect();
    row(name).ok_or_else(|| Trouble::NotRehearsed { name: name.to_owned(), known: known() })
}

fn page(report: &Report, passed: bool) -> Page {
    let mut page = Page::default();
    let verdict = if passed { inked(Ink::Good, "passed") } else { inked(Ink::Bad, "FAILED") };
    page.field("torture", plain(format!("{}, seed {}", report.workflow, report.seed)));
    page.field("commits", plain(report.commits.to_string()));
    if report.children > 0 {
        page.field("children", plain(format!("{} runs inside it", report.children)));
    }
    page.field(
        "crashes",
        plain(format!("{}, of them {} killed processes", report.crash_points, report.aborts)),
    );
    page.field("survived", plain(report.survived.to_string()));
    page.field(
        "chains",
        plain(format!(
            "{} with {} crashes, of them survived {}",
            report.chains, report.chained_crashes, report.chains_survived
        )),
    );
    page.field(
        "turned",
        plain(format!(
            "{} times taken back, {} times forked, {} times changed between crashes",
            report.rewinds, report.forks, report.changes
        )),
    );
    page.field("paid twice", plain(report.paid_twice.to_string()));
    page.field(
        "unknown",
        plain(format!("{} calls repeated because the crash hid their outcome", report.unknown)),
    );
    page.field("identical", plain(if report.identical { "yes" } else { "no" }));
    page.field("verdict", verdict);
    for finding in &report.findings {
        page.line([inked(Ink::Bad, format!("  {finding}"))]);
    }
    page
}
