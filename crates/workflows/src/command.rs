//! Running a command of the user's own: the act, and the shell that performs it.

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry};
use serde::{Deserialize, Serialize};

use crate::process::{CaptureLimit, Invocation, ProcessOutput, Processes};

/// How much of a command's output is kept, also while it runs.
const KEPT: usize = 32 * 1024;

/// Runs one line in the shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCommand {
    /// The line.
    pub line: String,
    /// The folder it runs in; the present one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether it may simply be run again if a crash hides its outcome.
    #[serde(default)]
    pub repeatable: bool,
}

impl RunCommand {
    /// A line that may simply be run again if a crash hides its outcome.
    pub fn repeatable(line: &str) -> Self {
        Self { line: line.to_owned(), folder: None, repeatable: true }
    }
}

/// What a command left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandResult {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The end of what it printed; its first line says how much is left out, if something is.
    pub output: String,
}

impl Act for RunCommand {
    const KIND: &'static str = "command";
    type Out = CommandResult;

    fn after_crash(&self) -> AfterCrash {
        if self.repeatable { AfterCrash::Retry } else { AfterCrash::Ask }
    }

    /// A command that fails has still run; doing it again is the workflow's decision.
    fn retry(&self) -> Retry {
        Retry::NEVER
    }

    /// What a line of somebody's own does is not ours to know: another run runs it for itself.
    fn is_reusable(&self) -> bool {
        false
    }
}

/// Runs commands with `sh`. What a command leaves running in the background goes on when it has ended by itself: a
/// chain may start a server in one stage and stop it in another.
#[derive(Clone, Default)]
pub struct Shell {
    processes: Processes,
}

impl Shell {
    /// Runs commands as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }

    async fn run(&self, act: RunCommand) -> Result<CommandResult, Failure> {
        let limit = CaptureLimit::tail(KEPT);
        let line = Invocation::shell(&act.line).folder(act.folder).capture(limit, limit).leave_children();
        let ProcessOutput { exit, mut out, err } = self
            .processes
            .run(&line)
            .await
            .map_err(|error| Failure::lasting(format!("`{}` {error}", act.line)))?;
        out.append(err);
        Ok(CommandResult { code: exit.code(), output: out.text() })
    }
}

#[async_trait]
impl Perform<RunCommand> for Shell {
    async fn perform(&self, act: RunCommand, _call: &Call) -> Result<Paid<CommandResult>, Failure> {
        self.run(act).await.map(Paid::free)
    }
}

#[cfg(test)]
mod tests;
