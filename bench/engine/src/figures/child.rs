//! Parts of a figure that need a process of their own: a fresh one, or one that can be killed.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use baton_engine::RunId;
use serde::{Serialize, de::DeserializeOwned};

use super::{kill, list, memory, reopen};
use crate::{BenchError, report};

/// The word that makes this program a child.
pub const CHILD: &str = "child";

/// This program again, as a child with this task.
pub(super) fn command(task: &str, words: &[&OsStr]) -> Result<Command, BenchError> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(CHILD).arg(task).args(words).stdin(Stdio::null());
    Ok(command)
}

/// Lets a child do its task and reads the one JSON value it prints.
pub(super) fn ask<T: DeserializeOwned>(task: &str, words: &[&OsStr]) -> Result<T, BenchError> {
    let output = command(task, words)?.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(BenchError::Void(format!("the child `{task}` ended with {}", output.status)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Does a child's task. `words` are the task and what belongs to it.
pub fn be_child(words: &[String]) -> Result<(), BenchError> {
    let [task, rest @ ..] = words else { return Err(BenchError::Void("a child without a task".to_owned())) };
    let path = |index: usize| rest.get(index).map(PathBuf::from).unwrap_or_default();
    let run = || -> Result<RunId, BenchError> {
        let name = rest.get(1).map(String::as_str).unwrap_or_default();
        name.parse().map_err(|bad: baton_engine::BadRunId| BenchError::Void(bad.to_string()))
    };
    match task.as_str() {
        reopen::TASK => answer(&reopen::resume(&path(0), &run()?)?),
        list::TASK => answer(&list::list(&path(0))?),
        memory::TASK => answer(&memory::hold(&path(0))?),
        kill::TASK => kill::drive(&path(0), &run()?, &path(2)),
        other => Err(BenchError::Void(format!("there is no child task {other}"))),
    }
}

fn answer<T: Serialize>(value: &T) -> Result<(), BenchError> {
    Ok(report::say(&serde_json::to_string(value)?)?)
}
