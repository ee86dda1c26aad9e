//! `profile`: a pass over a million rows beside bare reading. `planted`: facts planted at random, found or not.
//! `questions`: plain words over real tables. Each prints what it measured; see bench/FIGURES.md.
#![allow(clippy::print_stdout)] // its output is its purpose

mod planted;
mod profiled;
mod questions;

use std::process::ExitCode;

use baton_bench_shared::{Arguments, start};

fn main() -> ExitCode {
    start("figures", |arguments: &Arguments| {
        if arguments.has("planted") {
            planted::run(arguments)
        } else if arguments.has("profile") {
            profiled::run(arguments)
        } else if arguments.has("questions") {
            questions::run(arguments)
        } else {
            Err("say what: profile [--rows N], planted [--sets N --empty N --seed N], questions --folder DIR --set FILE [--out FILE]".into())
        }
    })
}
