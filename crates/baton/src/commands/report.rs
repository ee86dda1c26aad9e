//! `baton report`: data and documents in, an illustrated report out.

mod charts;
mod closing;
mod follower;
mod order;
mod remote;
mod tool;

use std::path::PathBuf;

use baton_workflows::profile::Profile;
use baton_workflows::report::Report;

use crate::consent::ModelArgs;
use crate::exit::Exit;
use crate::launch::{LaunchArgs, launch};
use crate::presenter::Shown;
use crate::program::Program;
use crate::sources::SourceArgs;
use crate::telling::telling;
use crate::trouble::Trouble;

pub use tool::TOOL;

/// Write an illustrated report from data and documents
///
/// Tables are read, what the query asks is computed exactly, documents are searched and quoted, charts are
/// drawn, and all of it becomes a page that loads nothing. Every number opens the cells or the words it comes
/// from, and `baton verify` computes it again. Without a model rules do all of it. What the data and the
/// documents do not say stays open and is named. A query with numbered sections, tables, a number of charts or
/// words like `comprehensive` is a deep dive.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  baton report \"How did revenue develop in 2025?\" --data sales.csv
  baton report - --data data --docs documents < query.md
  baton report \"Costs by region\" --data costs.xlsx --format html,xlsx
  baton report --continue last \"And by month?\"
  baton report charts --chart-data state/chart_data.json --series-dir results/series --output-dir charts"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    /// What the report is to answer, or `-` for stdin
    #[arg(value_name = "QUERY")]
    query: Option<String>,
    /// A file or folder (CSV, JSON, XLSX, ODS, SQLite), or NAME of [data.NAME]; may be repeated
    #[arg(long, value_name = "PATH")]
    data: Vec<PathBuf>,
    /// What is assumed of the tables: a tables.toml that an earlier run wrote, corrected by you
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// A folder of documents; may be given several times
    #[arg(long, value_name = "FOLDER")]
    docs: Vec<PathBuf>,
    #[command(flatten)]
    sources: SourceArgs,
    /// A private address whose pages may be fetched; may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    allow_private: Vec<String>,
    /// standard or deep_dive, if the query is not to decide
    #[arg(long, value_name = "DEPTH")]
    depth: Option<String>,
    /// What is written beside the page: html, pdf, xlsx
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    format: Vec<String>,
    /// default or warp, if the query is not to decide
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
    /// How many charts, if the query is not to decide
    #[arg(long, value_name = "N")]
    charts: Option<usize>,
    /// Per cent of the questions that must be answered before it is written [default: 80]
    #[arg(long, value_name = "N")]
    coverage_target: Option<u32>,
    /// Go on from a finished report: its query, data and documents, and what you ask now
    #[arg(long = "continue", value_name = "RUN")]
    continue_run: Option<String>,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    launch: LaunchArgs,
    /// Copy the report to this file when the run ends: .html, or .json for the aggregation
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum Sub {
    Charts(charts::Args),
}

/// Writes a report.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    if let Some(Sub::Charts(args)) = &args.command {
        return charts::run(program, args);
    }
    program.tell_held_back(args.launch.budget_usd.is_some());
    let engine = program.engine()?;
    let order = order::order(program, &engine, args)?;
    let settings = args.launch.settings(program, Report::settings);
    let run = engine.start::<Report>(&order, settings)?;
    launch(program, &engine, &run, &args.launch)
}

/// What a report shows of its runs.
pub static PRESENTER: Shown =
    Shown { follower: telling::<Report, follower::Progress>, closing: closing::closing };
