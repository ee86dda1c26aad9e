//! The hidden `compute`: the child that reads data and computes for `report` and `verify`. It is routed before anything
//! else, because it runs without an environment and may open nothing but the data.

use std::ffi::OsString;
use std::process::ExitCode;

use baton_workflows::report::{CHILD_ARGUMENT, child_main};

/// Whether this process was started as that child: the word and nothing else.
pub fn is_child(words: impl Iterator<Item = OsString>) -> bool {
    let words: Vec<OsString> = words.skip(1).take(2).collect();
    matches!(words.as_slice(), [word] if word == CHILD_ARGUMENT)
}

/// Does the one piece of work that comes through the pipe.
pub fn run() -> ExitCode {
    child_main()
}
