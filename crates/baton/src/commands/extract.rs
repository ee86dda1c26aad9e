//! The hidden `extract`: the child that parses foreign formats for `search` and `read`. It is routed before
//! anything else, because it runs without an environment and may open no file.

use std::ffi::OsString;
use std::process::ExitCode;

use baton_agents::read::extract::{CHILD_ARGUMENT, child_main};

/// Whether this process was started as that child: the word, a limit of memory, and nothing else.
pub fn is_child(words: impl Iterator<Item = OsString>) -> bool {
    let words: Vec<OsString> = words.skip(1).take(3).collect();
    let is_limit = |word: &OsString| word.to_str().is_some_and(|word| word.parse::<u64>().is_ok());
    matches!(words.as_slice(), [word, limit] if word == CHILD_ARGUMENT && is_limit(limit))
}

/// Parses what comes through the pipe until it closes.
pub fn run() -> ExitCode {
    child_main()
}
