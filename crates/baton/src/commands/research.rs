//! `baton research`: a question in, a cited report out.

mod approve;
mod carry;
mod closing;
mod figures;
mod follower;
mod order;
mod reach;
mod tool;

use std::path::PathBuf;

use baton_engine::{OpenQuestion, Runs};
use baton_workflows::profile::Profile;
use baton_workflows::research::{Depth, Research};

use crate::consent::ModelArgs;
use crate::detail::Detail;
use crate::exit::Exit;
use crate::launch::{LaunchArgs, launch};
use crate::presenter::{Closing, Follower, Interview, Presenter};
use crate::program::Program;
use crate::sources::SourceArgs;
use crate::telling::telling;
use crate::trouble::Trouble;

pub use order::documents;
pub use tool::TOOL;

/// Research a question and write a cited report
///
/// A plan is drafted and shown for approval. Then documents are searched and read, what they say is held
/// against them, conflicts are looked at, and a report is written in which every sentence cites its sources.
/// Without a model rules do all of it. With --docs nothing else is searched unless --sources names it, and text
/// of your documents goes to models on this machine only, unless --send or [privacy] allows more. Without
/// --docs the places of baton.toml are searched. If nothing addresses the question, it says so and ends with 7.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton research \"How reliable is the network?\" --docs reports
  baton research \"What is a heat pump?\" --sources wikipedia,openalex
  baton research - --docs reports --yes --json < question.txt
  baton research --continue last \"What did it cost?\"
  baton research --refresh last --yes -o report.html"
)]
pub struct Args {
    /// The question, or `-` for stdin; with --continue the new angle
    #[arg(required_unless_present_any = ["from", "refresh"])]
    pub topic: Option<String>,
    /// A folder of documents; may be given several times
    #[arg(long, value_name = "FOLDER")]
    pub docs: Vec<PathBuf>,
    /// Start from the plan in a task.md, with what is done of it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["continue_run", "refresh"])]
    pub from: Option<PathBuf>,
    /// Keep what an earlier run found and look at a new angle
    #[arg(long = "continue", value_name = "RUN", conflicts_with = "refresh", requires = "topic")]
    pub continue_run: Option<String>,
    /// Research an earlier run's question again, and keep what still stands in its sources
    #[arg(long, value_name = "RUN", conflicts_with = "topic")]
    pub refresh: Option<String>,
    /// A source that must not be used: the end of its path; may be given several times
    #[arg(long, value_name = "NAME")]
    pub drop_source: Vec<String>,
    /// At most this many tasks [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub max_iterations: Option<u32>,
    /// Ask every ten tasks whether to go on; baton.toml has it as `check_in` under [research]
    #[arg(long)]
    pub check_in: bool,
    /// How far to go: quick, standard or deep
    #[arg(long, value_parser = read_depth)]
    pub depth: Option<Depth>,
    #[command(flatten)]
    pub sources: SourceArgs,
    /// A private address whose pages may be fetched; may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    pub allow_private: Vec<String>,
    /// Search nothing but the folders; no connection is opened to search
    #[arg(long, conflicts_with = "sources")]
    pub only_docs: bool,
    #[command(flatten)]
    pub models: ModelArgs,
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// Copy the report to this file when the run ends: .md, .txt or .html
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

fn read_depth(typed: &str) -> Result<Depth, String> {
    match typed {
        "quick" => Ok(Depth::Quick),
        "standard" => Ok(Depth::Standard),
        "deep" => Ok(Depth::Deep),
        _ => Err(format!("`{typed}` is not quick, standard or deep")),
    }
}

/// Researches.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    program.tell_held_back(args.launch.budget_usd.is_some());
    let engine = program.engine()?;
    let brief = order::brief(program, &engine, args)?;
    let run = engine.start::<Research>(&brief, args.launch.settings(program, Research::settings))?;
    launch(program, &engine, &run, &args.launch)
}

/// What research shows of its runs.
pub struct ResearchPresenter;

impl Presenter for ResearchPresenter {
    fn follower(&self) -> Option<Box<dyn Follower>> {
        telling::<Research, follower::Findings>()
    }

    fn closing(
        &self,
        program: &Program,
        runs: &dyn Runs,
        detail: &Detail,
    ) -> Result<Option<Closing>, Trouble> {
        match &detail.present {
            Some(present) => closing::closing(program, runs, detail, present),
            None => Ok(None),
        }
    }

    fn interview(
        &self,
        program: &Program,
        runs: &dyn Runs,
        open: &OpenQuestion,
    ) -> Result<Option<Interview>, Trouble> {
        approve::interview(program, runs, open)
    }
}
