//! What was typed: the commands, their arguments and their help. Nothing is looked up here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::commands::{
    answer, article, ask, build, cancel, check, checkpoint, completions, debate, diagram, diff, doctor,
    explain, export, files, fork, gc, import, init, log, man, mcp, migrate, read, report, research, resume,
    rewind, rm, runs, search, show, start, torture, trust, verify, watch, worker,
};
use crate::trouble::Trouble;

/// Runs teams of agents as durable state machines.
///
/// A run stands in a state of a workflow. Everything that happens to it is recorded before the next thing
/// starts, so a crash, a full disk or a closed lid costs at most the call in flight.
#[derive(Debug, Parser)]
#[command(
    name = "baton",
    version,
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton research \"QUESTION\" --docs .   research a question in this folder's documents
  baton start WORKFLOW input.toml      start a run of any workflow and drive it
  baton runs                           list the newest runs
  baton show last                      see where the newest run stands
  baton answer last yes                answer its question and let it go on

A RUN is a run's id, any beginning of it that fits only one run, or `last`.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 provider, 4 configuration, 5 waiting for an answer,
6 partial (a limit was reached), 7 no evidence, 8 stopped by a person."
)]
pub struct Args {
    /// What holds for every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What holds for every command.
#[derive(Debug, Default, ClapArgs)]
pub struct Global {
    /// The folder of all runs [default: BATON_HOME, then baton.toml, then the data folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub home: Option<PathBuf>,
    /// Print one JSON value on stdout and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
}

/// Every command; its help stands with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    Research(Box<research::Args>),
    Article(Box<article::Args>),
    Report(Box<report::Args>),
    Start(start::Args),
    Debate(Box<debate::Args>),
    Build(Box<build::Args>),
    Runs(runs::Args),
    Show(show::Args),
    Watch(watch::Args),
    Log(log::Args),
    Answer(answer::Args),
    Resume(resume::Args),
    Cancel(cancel::Args),
    Fork(fork::Args),
    Rewind(rewind::Args),
    Checkpoint(checkpoint::Args),
    Diff(diff::Args),
    Export(export::Args),
    Import(import::Args),
    Migrate(migrate::Args),
    Rm(rm::Args),
    Gc(gc::Args),
    Worker(worker::Args),
    Explain(explain::Args),
    Files(files::Args),
    Verify(verify::Args),
    Check(check::Args),
    Diagram(diagram::Args),
    Ask(ask::Args),
    Search(search::Args),
    Read(read::Args),
    Mcp(mcp::Args),
    Torture(torture::Args),
    Doctor(doctor::Args),
    Init(init::Args),
    Trust(trust::Args),
    Completions(completions::Args),
    Man(man::Args),
    /// One process of the crash test, made to die.
    #[command(hide = true)]
    TortureChild(torture::ChildArgs),
}

impl Command {
    /// Whether the project's `baton.toml` counts. These must work where it cannot be used.
    pub fn heeds_project(&self) -> bool {
        !matches!(self, Self::Init(_) | Self::Trust(_) | Self::Completions(_) | Self::Man(_))
    }
}

/// Reads what was typed.
pub fn read(words: impl Iterator<Item = OsString>) -> Result<Args, Trouble> {
    Args::try_parse_from(words.map(apart)).map_err(Trouble::Typed)
}

/// A text that begins with a bullet ("- How did sales develop?") is no option. Taking whatever has a hyphen for a text instead
/// would swallow options with a slip of the pen.
fn apart(word: OsString) -> OsString {
    let is_bullet = word.to_str().and_then(|text| text.strip_prefix('-')?.chars().next());
    if !is_bullet.is_some_and(char::is_whitespace) {
        return word;
    }
    let mut text = OsString::from(" ");
    text.push(word);
    text
}

/// Whether JSON was asked for, even if the rest cannot be read.
pub fn wants_json(words: impl Iterator<Item = OsString>) -> bool {
    words.take_while(|word| word != "--").any(|word| word == "--json")
}

#[cfg(test)]
mod tests;
