//! How fast a build merges small efforts beside a loop of bare git that makes the same commits, and how long it takes to
//! hold what a build wants against what is there. Prints JSON.
//!
//! `cargo run --release -p baton-bench-merges -- [--efforts N] [--rounds N]`: N efforts by recipe (default 200), each a run of
//! its own, merged by the factory as `baton build` does it, journal and all. The bare loop then merges the same commits in
//! the same repository, three processes each; rounds of it are taken before and after, and their middle counts.
#![allow(clippy::print_stdout, clippy::print_stderr)] // its output is its purpose

mod bare;
mod build;
mod standing;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;

/// What goes wrong here is told and ends the bench.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The time, for measuring.
#[allow(clippy::disallowed_methods)] // a benchmark measures real time
pub fn now() -> Instant {
    Instant::now()
}

fn number(flag: &str, otherwise: usize) -> Result<usize, Failure> {
    let words: Vec<String> = std::env::args().collect();
    let at = words.iter().position(|word| word == flag);
    match at.and_then(|at| words.get(at + 1)) {
        Some(text) => Ok(text.parse()?),
        None => Ok(otherwise),
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    // Programs that a recipe or a gate starts are watched over by this program, started again.
    if let Some(code) = baton_workflows::process::supervise(std::env::args_os().skip(1)) {
        return code;
    }
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("merges: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Failure> {
    let (efforts, rounds) = (number("--efforts", 200)?, number("--rounds", 3)?);
    let folder = tempfile::tempdir()?;
    let built = build::build(folder.path(), efforts).await?;
    let mut bare = Vec::new();
    for round in 0..rounds {
        bare.push(bare::merge_all(&built, &format!("refs/baton/bare/{round}"))?);
    }
    bare.sort_unstable();
    let middle = bare.get(bare.len() / 2).copied().ok_or("no rounds")?;
    let ours = built.merging.as_secs_f64();
    let report = json!({
        "efforts": efforts,
        "merged": built.tips.len(),
        "ms_per_merge": ours * 1e3 / efforts as f64,
        "bare_ms_per_merge": middle.as_secs_f64() * 1e3 / efforts as f64,
        "bare_rounds_ms": bare.iter().map(|took| took.as_millis()).collect::<Vec<_>>(),
        "percent_of_bare": 100.0 * middle.as_secs_f64() / ours,
        "reconcile_100_ms": standing::look(folder.path(), 100).await?,
    });
    println!("{report:#}");
    Ok(())
}
