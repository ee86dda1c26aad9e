//! What the benches of search and reading share: how they start, and how they take their flags. What each measures is
//! its own.
#![allow(clippy::print_stderr)] // the error of a program

use std::error::Error;
use std::process::ExitCode;

use baton_agents::read::extract;

/// The arguments of a bench.
#[derive(Debug)]
pub struct Arguments(Vec<String>);

impl Arguments {
    /// What stands behind a flag.
    #[must_use]
    pub fn value(&self, flag: &str) -> Option<&str> {
        let at = self.0.iter().position(|argument| argument == flag)?;
        self.0.get(at + 1).map(String::as_str)
    }

    /// Was this flag given?
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|argument| argument == flag)
    }
}

/// Runs a bench, or the child of one that parses a foreign format.
pub fn start(name: &str, run: impl FnOnce(&Arguments) -> Result<(), Box<dyn Error>>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == extract::CHILD_ARGUMENT) {
        return extract::child_main();
    }
    match run(&Arguments(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
