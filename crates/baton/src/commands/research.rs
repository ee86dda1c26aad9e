//! `baton research`: a question in, a cited report out.

mod approve;
mod carry;
mod consent;
mod figures;
mod follow;
mod order;
mod reach;
mod told;

use std::path::{Path, PathBuf};

use baton_engine::{Limits, OpenQuestion, RunId, Runs, Settings};
use baton_workflows::research::{Depth, Research};

use crate::detail::Detail;
use crate::drive::{How, drive, report};
use crate::exit::Exit;
use crate::face::{Ending, Face, Follow, Interview};
use crate::page::Page;
use crate::program::Program;
use crate::text::read_usd;
use crate::trouble::Trouble;

/// Per cent of the budget that only the writing of the report may use.
const KEPT_FOR_REPORT: u8 = 15;

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
    /// What the run may spend, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    pub budget_usd: Option<u64>,
    /// At most this many tasks [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub max_iterations: Option<u32>,
    /// How far to go: quick, standard or deep
    #[arg(long, value_parser = read_depth)]
    pub depth: Option<Depth>,
    /// Where to search: wikipedia, arxiv, openalex, crossref, or a section of baton.toml
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub sources: Vec<String>,
    /// Only pages of this site and what is below it; may be given several times
    #[arg(long, value_name = "HOST")]
    pub allow_site: Vec<String>,
    /// No page of this site; may be given several times
    #[arg(long, value_name = "HOST")]
    pub block_site: Vec<String>,
    /// Only web sources of this tier or better: 1, 2 or 3
    #[arg(long, value_name = "N")]
    pub tier: Option<u8>,
    /// A private address whose pages may be fetched; may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    pub allow_private: Vec<String>,
    /// Only documents from this day on, as 2025-03-14, 2025-03 or 2025
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only documents up to this day
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only documents in this language, as eng or en
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,
    /// Search nothing but the folders; no connection is opened to search
    #[arg(long, conflicts_with = "sources")]
    pub only_docs: bool,
    /// Let text of the documents be sent to models elsewhere, and queries to --sources
    #[arg(long)]
    pub send: bool,
    /// The models to ask, in order; `rules` last lets rules answer
    #[arg(long, value_name = "A,B,...")]
    pub model: Option<String>,
    /// Approve the plan without being asked
    #[arg(long, short)]
    pub yes: bool,
    /// Only record the run; `baton resume` drives it
    #[arg(long, conflicts_with = "output")]
    pub no_drive: bool,
    /// Copy the report to this file; a name ending in .html gets the page
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
    program.tell_held_back(args.budget_usd.is_some());
    let engine = program.engine()?;
    let brief = order::brief(program, &engine, args)?;
    let run = engine.start::<Research>(&brief, settings(program, args))?;
    if args.no_drive {
        report(program, &engine, &run)?;
        return Ok(Exit::Done);
    }
    say_begun(program, &run, &brief.topic)?;
    let exit = drive(program, &engine, &run, How { yes: args.yes, settings: None })?;
    if let Some(file) = &args.output {
        copy_report(program, &run, file)?;
    }
    Ok(exit)
}

fn settings(program: &Program, args: &Args) -> Settings {
    let settings = program.config.settings(args.budget_usd, None);
    Settings { limits: Limits { kept_for_last: KEPT_FOR_REPORT, ..settings.limits }, ..settings }
}

fn say_begun(program: &Program, run: &RunId, topic: &str) -> Result<(), Trouble> {
    let begun = format!("run {run} started: research, {topic}");
    if program.out.is_json() {
        program.out.note(begun);
    } else if !program.out.is_live() {
        program.out.say(&Page::of(begun))?;
    }
    Ok(())
}

/// Copies the report, if there is one; its absence was told by the run itself.
fn copy_report(program: &Program, run: &RunId, file: &Path) -> Result<(), Trouble> {
    let is_page = file.extension().is_some_and(|end| end == "html" || end == "htm");
    let name = if is_page { "report.html" } else { "report.md" };
    let written = program.folder_of(run).join(name);
    if !written.exists() {
        program.out.note(format!("there is no report yet, so {} was not written", file.display()));
        return Ok(());
    }
    let failed = |why| Trouble::File { what: "write", path: file.to_owned(), why };
    std::fs::copy(&written, file).map(|_| ()).map_err(failed)
}

/// What research shows of its runs.
pub struct Shown;

impl Face for Shown {
    fn follow(&self) -> Box<dyn Follow> {
        Box::new(follow::Findings::default())
    }

    fn ending(&self, program: &Program, runs: &dyn Runs, detail: &Detail) -> Result<Option<Ending>, Trouble> {
        // A run that cannot be read is told of as every such run.
        match detail.present.as_ref().filter(|_| detail.trouble.is_none()) {
            Some(present) => told::ending(program, runs, detail, present),
            None => Ok(None),
        }
    }

    fn interview(
        &self,
        program: &Program,
        runs: &dyn Runs,
        open: &OpenQuestion,
    ) -> Result<Option<Box<dyn Interview>>, Trouble> {
        approve::interview(program, runs, open)
    }
}
