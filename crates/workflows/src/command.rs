//! Running a command of the user's own: the act, and the shell that performs it.

use std::process::Stdio;

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry};
use serde::{Deserialize, Serialize};
use tokio::process::Command;

/// The environment a command sees: enough to find programs, and no secrets.
pub(crate) const PASSED_ON: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "SHELL"];

/// How much of a command's output is kept.
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
    /// The end of what it printed.
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
}

/// Runs commands with `sh`.
#[derive(Clone, Copy, Debug)]
pub struct Shell;

#[async_trait]
impl Perform<RunCommand> for Shell {
    async fn perform(&self, act: RunCommand, _call: &Call) -> Result<Paid<CommandResult>, Failure> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&act.line).stdin(Stdio::null()).kill_on_drop(true).env_clear();
        command.envs(PASSED_ON.iter().filter_map(|name| std::env::var_os(name).map(|value| (name, value))));
        // Ctrl-C on a terminal reaches every process of its group; a command in flight must get its moment to end.
        #[cfg(unix)]
        command.process_group(0);
        if let Some(folder) = &act.folder {
            command.current_dir(folder);
        }
        let output = command
            .output()
            .await
            .map_err(|error| Failure::lasting(format!("`{}` cannot be run: {error}", act.line)))?;
        let mut printed = output.stdout;
        printed.extend_from_slice(&output.stderr);
        let from = printed.len().saturating_sub(KEPT);
        let text = String::from_utf8_lossy(&printed[from..]).into_owned();
        Ok(Paid::free(CommandResult { code: output.status.code(), output: text }))
    }
}
