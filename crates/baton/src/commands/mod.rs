//! One file per command, each with its arguments and one function.

pub mod answer;
pub mod article;
pub mod ask;
pub mod build;
pub mod cancel;
pub mod check;
pub mod checkpoint;
pub mod completions;
pub mod compute;
pub mod debate;
pub mod diagram;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod extract;
pub mod files;
pub mod fork;
pub mod gc;
pub mod import;
pub mod init;
pub mod log;
pub mod man;
pub mod mcp;
pub mod migrate;
pub mod read;
pub mod report;
pub mod research;
pub mod resume;
pub mod rewind;
pub mod rm;
pub mod runs;
pub mod search;
pub mod show;
pub mod start;
pub mod torture;
pub mod trust;
pub mod verify;
pub mod watch;
pub mod worker;

use crate::args::Command;
use crate::exit::Exit;
use crate::program::Program;
use crate::trouble::Trouble;

/// Carries out what was typed.
pub fn run(program: &Program, command: Command) -> Result<Exit, Trouble> {
    match command {
        Command::Research(args) => research::run(program, &args),
        Command::Article(args) => article::run(program, &args),
        Command::Report(args) => report::run(program, &args),
        Command::Start(args) => start::run(program, &args),
        Command::Debate(args) => debate::run(program, &args),
        Command::Build(args) => build::run(program, &args),
        Command::Runs(args) => runs::run(program, &args),
        Command::Show(args) => show::run(program, &args),
        Command::Watch(args) => watch::run(program, &args),
        Command::Log(args) => log::run(program, &args),
        Command::Answer(args) => answer::run(program, &args),
        Command::Resume(args) => resume::run(program, &args),
        Command::Cancel(args) => cancel::run(program, &args),
        Command::Fork(args) => fork::run(program, &args),
        Command::Rewind(args) => rewind::run(program, &args),
        Command::Checkpoint(args) => checkpoint::run(program, &args),
        Command::Diff(args) => diff::run(program, &args),
        Command::Export(args) => export::run(program, &args),
        Command::Import(args) => import::run(program, &args),
        Command::Migrate(args) => migrate::run(program, &args),
        Command::Rm(args) => rm::run(program, &args),
        Command::Gc(args) => gc::run(program, &args),
        Command::Worker(args) => worker::run(program, &args),
        Command::Explain(args) => explain::run(program, &args),
        Command::Files(args) => files::run(program, &args),
        Command::Verify(args) => verify::run(program, &args),
        Command::Check(args) => check::run(program, &args),
        Command::Diagram(args) => diagram::run(program, &args),
        Command::Ask(args) => ask::run(program, &args),
        Command::Search(args) => search::run(program, &args),
        Command::Read(args) => read::run(program, &args),
        Command::Mcp(args) => mcp::run(program, &args),
        Command::Torture(args) => torture::run(program, &args),
        Command::TortureChild(args) => torture::child(program, &args),
        Command::Doctor(args) => doctor::run(program, &args),
        Command::Init(args) => init::run(program, &args),
        Command::Trust(args) => trust::run(program, &args),
        Command::Completions(args) => completions::run(program, &args),
        Command::Man(args) => man::run(program, &args),
    }
}
