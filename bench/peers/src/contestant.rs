//! Who takes part, and how each is called.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use baton_bench_engine::BenchError;
use serde_json::Value;

use crate::environment::Environment;
use crate::ours;

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// This engine.
    Baton,
    /// LangGraph with SqliteSaver, durability="sync", synchronous=FULL.
    LangGraph,
    /// DBOS on SQLite as it comes.
    Dbos,
    /// The same promise with nothing around it.
    Bare,
}

impl Contestant {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baton => "Baton",
            Self::LangGraph => "LangGraph sync",
            Self::Dbos => "DBOS SQLite",
            Self::Bare => "bare loop",
        }
    }

    fn command(
        self,
        environment: &Environment,
        task: &str,
        folder: &Path,
        words: &[String],
    ) -> Result<Command, BenchError> {
        let python = |script: &str| {
            let mut command = Command::new(&environment.python);
            command.arg(environment.scripts.join(script));
            command
        };
        let mut command = match self {
            Self::LangGraph => python("langgraph_peer.py"),
            Self::Dbos => python("dbos_peer.py"),
            Self::Baton | Self::Bare => {
                let mut command = Command::new(std::env::current_exe()?);
                command.arg(ours::CHILD).arg(if self == Self::Bare { "bare" } else { "baton" });
                command
            }
        };
        command.arg(task).arg(folder).args(words).stdin(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }

    /// Starts a task and lets it run.
    pub fn begin(
        self,
        environment: &Environment,
        task: &str,
        folder: &Path,
        words: &[String],
    ) -> Result<Child, BenchError> {
        Ok(self.command(environment, task, folder, words)?.stdout(Stdio::piped()).spawn()?)
    }

    /// Does a task in a new process and reads the one JSON value it prints.
    pub fn ask(
        self,
        environment: &Environment,
        task: &str,
        folder: &Path,
        words: &[String],
    ) -> Result<Value, BenchError> {
        said(self, task, self.begin(environment, task, folder, words)?)
    }
}

/// What a process printed at its end.
pub fn said(who: Contestant, task: &str, child: Child) -> Result<Value, BenchError> {
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    match serde_json::from_str(last) {
        Ok(value) if output.status.success() => Ok(value),
        _ => Err(BenchError::Void(format!(
            "{} `{task}` ended with {} and said {last:?}",
            who.name(),
            output.status
        ))),
    }
}
