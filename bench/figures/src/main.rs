//! `profile`: a pass over a million rows beside bare reading. `planted`: facts planted at random, found or not.
//! `questions`: plain words over real tables. `every`: every kind of question, for `scripts/figures` to compute again. Each prints what it measured; see bench/FIGURES.md.
//!
//! It stands alone, without the rooms other benches share: it builds in a minute and not in ten.
#![allow(clippy::print_stdout, clippy::print_stderr)] // its output is its purpose

mod every;
mod planted;
mod profiled;
mod questions;

use std::error::Error;
use std::process::ExitCode;

/// What was typed.
pub struct Arguments(Vec<String>);

impl Arguments {
    /// What stands behind a flag.
    pub fn value(&self, flag: &str) -> Option<&str> {
        let at = self.0.iter().position(|argument| argument == flag)?;
        self.0.get(at + 1).map(String::as_str)
    }
}

fn main() -> ExitCode {
    let arguments = Arguments(std::env::args().skip(1).collect());
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("figures: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    match arguments.0.first().map(String::as_str) {
        Some("every") => every::run(arguments),
        Some("planted") => planted::run(arguments),
        Some("profile") => profiled::run(arguments),
        Some("questions") => questions::run(arguments),
        _ => Err("say what: profile [--rows N], planted [--sets N] [--empty N] [--seed N], questions --folder DIR --set FILE [--out FILE], every --folder DIR --out FILE".into()),
    }
}
