//! The benchmark of the engine: `cargo run --release -p baton-bench-engine -- [--json] [FIGURE...]`.

use std::path::PathBuf;
use std::process::ExitCode;

use baton_bench_engine::BenchError;
use baton_bench_engine::args::{self, Args};
use baton_bench_engine::figures::{self, CHILD, Setting};
use baton_bench_engine::probe::{Disk, load_average};
use baton_bench_engine::report::{self, Report};

fn main() -> ExitCode {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let done = match typed.split_first() {
        Some((first, rest)) if first == CHILD => figures::be_child(rest),
        _ => match args::parse(typed) {
            Ok(args) => measure(&args),
            Err(words) => {
                report::complain(&words);
                return ExitCode::from(2);
            }
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args) -> Result<(), BenchError> {
    let dir = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir)?,
        None => tempfile::tempdir()?,
    };
    let setting =
        Setting { dir: dir.path().to_owned(), seed: args.seed, baton: args.baton.clone().or_else(beside) };
    let mut report = Report {
        cores: std::thread::available_parallelism()?.get(),
        disk: vec![Disk::probe(dir.path())?],
        load: vec![load_average()],
        seed: args.seed,
        figures: Vec::new(),
    };
    for name in &args.figures {
        report::complain(&format!("measuring {name}"));
        report.figures.push(figures::measure(name, &setting)?);
    }
    report.disk.push(Disk::probe(dir.path())?);
    report.load.push(load_average());
    let text = if args.json { serde_json::to_string_pretty(&report)? } else { report::render(&report) };
    Ok(report::say(text.trim_end())?)
}

/// The program built beside this one.
fn beside() -> Option<PathBuf> {
    let program =
        std::env::current_exe().ok()?.with_file_name(format!("baton{}", std::env::consts::EXE_SUFFIX));
    program.is_file().then_some(program)
}
