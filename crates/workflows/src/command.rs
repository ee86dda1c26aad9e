//! Running a command of the user's own: the act, and the shell that performs it.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;

/// The environment a command sees: enough to find programs, and no secrets.
pub(crate) const PASSED_ON: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "SHELL"];

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
        let (status, [mut out, err]) = run(command)
            .await
            .map_err(|error| Failure::lasting(format!("`{}` cannot be run: {error}", act.line)))?;
        out.append(err);
        Ok(Paid::free(CommandResult { code: status.code(), output: out.text() }))
    }
}

/// Runs a command to its end. All it prints is read, so that it is never held up, and only the end of it is kept.
async fn run(mut command: Command) -> std::io::Result<(ExitStatus, [Tail; 2])> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (status, out, err) = tokio::join!(child.wait(), Tail::of(out, KEPT), Tail::of(err, KEPT));
    Ok((status?, [out?, err?]))
}

/// The end of what was printed, and how much went before it.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    kept: VecDeque<u8>,
    most: usize,
    left_out: u64,
}

impl Tail {
    /// Reads to the end, however much comes, and keeps the last `most` bytes.
    pub(crate) async fn of(pipe: Option<impl AsyncRead + Unpin>, most: usize) -> std::io::Result<Self> {
        let mut tail = Self { most, ..Self::default() };
        let Some(mut pipe) = pipe else { return Ok(tail) };
        let mut buffer = vec![0; 16 * 1024];
        loop {
            match pipe.read(&mut buffer).await? {
                0 => return Ok(tail),
                read => tail.push(&buffer[..read]),
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.kept.extend(bytes);
        let over = self.kept.len().saturating_sub(self.most);
        self.kept.drain(..over);
        self.left_out += over as u64;
    }

    /// Whether something is missing.
    pub(crate) fn is_cut(&self) -> bool {
        self.left_out > 0
    }

    fn append(&mut self, other: Self) {
        self.left_out += other.left_out;
        self.push(&Vec::from(other.kept));
    }

    /// As text that says what is missing.
    pub(crate) fn text(self) -> String {
        let kept = String::from_utf8_lossy(&Vec::from(self.kept)).into_owned();
        match self.left_out {
            0 => kept,
            many => format!("[{many} bytes before this are left out]\n{kept}"),
        }
    }
}

#[cfg(test)]
mod tests;
