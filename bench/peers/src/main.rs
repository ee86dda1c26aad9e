//! The engine beside its peers: `cargo run --release -p baton-bench-peers -- [--json] [--quick] [--env FOLDER] [--dir FOLDER]`.
//!
//! Every contestant runs in a process of its own on the same disk, in turn, and prints what it measured. The peers come
//! from the Python registry at the versions of `python/requirements.txt`, into an environment that is made here.

mod contestant;
mod environment;
mod order;
mod ours;
mod scenes;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use baton_bench_engine::probe::{Disk, load_average};
use baton_bench_engine::{BenchError, report};

use scenes::{Scale, Stage};

/// What was typed.
struct Args {
    json: bool,
    scale: Scale,
    env: PathBuf,
    dir: Option<PathBuf>,
}

const USAGE: &str = "usage: baton-bench-peers [--json] [--quick] [--env FOLDER] [--dir FOLDER]

  --json         one JSON object instead of a table
  --quick        a tenth of everything: to see that it works, not to measure
  --env FOLDER   where the Python environment is made and kept (default target/peers)
  --dir FOLDER   where the databases are made";

fn main() -> ExitCode {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let done = match typed.split_first() {
        Some((first, rest)) if first == ours::CHILD => ours::be_child(rest),
        _ => match parse(&typed) {
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

fn parse(typed: &[String]) -> Result<Args, String> {
    let mut args = Args { json: false, scale: Scale::FULL, env: PathBuf::from("target/peers"), dir: None };
    let mut words = typed.iter();
    while let Some(word) = words.next() {
        let mut value =
            || words.next().map(PathBuf::from).ok_or_else(|| format!("{word} needs a value\n{USAGE}"));
        match word.as_str() {
            "--json" => args.json = true,
            "--quick" => args.scale = Scale::QUICK,
            "--env" => args.env = value()?,
            "--dir" => args.dir = Some(value()?),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(args)
}

fn measure(args: &Args) -> Result<(), BenchError> {
    let environment = environment::make(&args.env)?;
    let dir = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir)?,
        None => tempfile::tempdir()?,
    };
    let stage = Stage { environment, dir: dir.path().to_owned(), scale: args.scale };
    let mut found = table::Results {
        cores: std::thread::available_parallelism()?.get(),
        disk: vec![Disk::probe(dir.path())?],
        load: vec![load_average()],
        versions: stage.environment.versions.clone(),
        lines: Vec::new(),
        facts: Vec::new(),
    };
    scenes::play(&stage, &mut found)?;
    found.disk.push(Disk::probe(dir.path())?);
    found.load.push(load_average());
    let text = if args.json { serde_json::to_string_pretty(&found)? } else { found.markdown() };
    Ok(report::say(text.trim_end())?)
}
