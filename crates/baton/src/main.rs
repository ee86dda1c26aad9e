//! The program: what was typed, what it means, what came of it, and how the process ends.

mod allowance;
mod args;
mod ask;
mod catalogue;
mod changes;
mod commands;
mod config;
mod consent;
mod crew;
mod detail;
mod difference;
mod drive;
mod exit;
mod export;
mod home;
mod launch;
mod models;
mod output;
mod page;
mod places;
mod presenter;
mod program;
mod progress;
mod records;
mod rest;
mod shelf;
mod sight;
mod signals;
mod sources;
mod standing;
mod strip;
mod telling;
mod text;
mod tree;
mod trouble;
mod view;
mod workshops;

use std::process::ExitCode;

use output::Output;
use program::Program;

fn main() -> ExitCode {
    if commands::extract::is_child(std::env::args_os()) {
        return commands::extract::run();
    }
    if commands::compute::is_child(std::env::args_os()) {
        return commands::compute::run();
    }
    #[cfg(unix)]
    if let Some(done) = baton_workflows::process::supervise(std::env::args_os().skip(1)) {
        return done;
    }
    let typed = args::read(std::env::args_os());
    let out = Output::new(args::wants_json(std::env::args_os()));
    let done = typed.and_then(|args| {
        let program = Program::new(&args.global, args.command.heeds_project(), out.clone())?;
        commands::run(&program, args.command)
    });
    out.leave(done).into()
}
