//! `baton article`: a brief in, a measured article out.

mod closing;
mod follower;
mod order;
mod score;
mod tool;
mod validate;

use std::path::PathBuf;

use baton_workflows::article::Article;
use baton_workflows::profile::Profile;

use crate::consent::ModelArgs;
use crate::exit::Exit;
use crate::launch::{LaunchArgs, launch};
use crate::presenter::Shown;
use crate::program::Program;
use crate::sources::SourceArgs;
use crate::telling::telling;
use crate::trouble::Trouble;

pub use tool::TOOL;

/// Write a sourced article from a brief, measured and planned again until it is good enough
///
/// A plan is made from the brief, workers search, read, write and check, and the text is measured: article,
/// sources, facts, writing. If it falls short, what is missing becomes the next plan, at most three times; then
/// it ends with 6 and says what is missing. Every sentence rests on words of a source. Without a model rules do
/// all of it. If the sources do not address the topic, no article is written and it ends with 7.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  baton article --topic \"Heat from the river\" --docs reports --length 1000
  baton article brief.toml --docs reports -o article.md
  baton article validate brief.toml
  baton article score draft.md --brief brief.toml --docs reports"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    /// The brief: TOML, YAML or JSON, or `-` for stdin
    #[arg(value_name = "BRIEF")]
    brief: Option<String>,
    #[command(flatten)]
    wishes: Wishes,
    /// A folder of documents; may be given several times
    #[arg(long, value_name = "FOLDER")]
    docs: Vec<PathBuf>,
    #[command(flatten)]
    sources: SourceArgs,
    /// A private address whose pages may be fetched; may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    allow_private: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    launch: LaunchArgs,
    /// Copy the article to this file when the run ends: .md, .txt, .html, or .json for the whole output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What can be said of a brief without a file; stronger than a file.
#[derive(Debug, Default, clap::Args)]
pub struct Wishes {
    /// What the article is about
    #[arg(long)]
    pub topic: Option<String>,
    /// article, blog_post, research_report, tutorial, documentation or summary
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Words [default: 2000]
    #[arg(long, value_name = "WORDS")]
    pub length: Option<u64>,
    /// professional, academic, casual, technical or conversational
    #[arg(long)]
    pub tone: Option<String>,
    /// light, standard or deep
    #[arg(long)]
    pub depth: Option<String>,
    /// Sources it must rest on
    #[arg(long, value_name = "N")]
    pub min_sources: Option<u64>,
    /// The quality it must have, 0 to 1 [default: 0.8]
    #[arg(long, value_name = "Q")]
    pub min_quality: Option<f64>,
    /// apa, mla or chicago
    #[arg(long)]
    pub style: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Sub {
    Validate(validate::Args),
    Score(score::Args),
}

/// Writes an article.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    match &args.command {
        Some(Sub::Validate(args)) => return validate::run(program, args),
        Some(Sub::Score(args)) => return score::run(program, args),
        None => {}
    }
    program.tell_held_back(args.launch.budget_usd.is_some());
    let engine = program.engine()?;
    let assignment = order::assignment(program, &engine, args)?;
    let micro = (assignment.brief.max_budget * 1e6).round() as u64;
    let budget = args.launch.budget_usd.or(Some(micro));
    let settings = Article::settings(program.config.settings(budget, args.launch.parallel));
    let run = engine.start::<Article>(&assignment, settings)?;
    launch(program, &engine, &run, &args.launch)
}

/// What an article shows of its runs.
pub static PRESENTER: Shown =
    Shown { follower: telling::<Article, follower::Progress>, closing: closing::closing };
