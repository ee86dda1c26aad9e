//! What adapters of coding agents share: the folder and the environment of a turn, how a program that speaks is run, and
//! what its troubles mean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::command::{not_run, prompt};
use super::{AgentError, Probe, TurnEnd, TurnRequest, Which};
use crate::git::Workshop;
#[cfg(unix)]
use crate::process::Conversation;
use crate::process::{CaptureLimit, ExitKind, Invocation, ProcessOutput, Processes};

/// How much of a report by lines is kept: its end is what counts, and its beginning names the session.
const REPORT: CaptureLimit = CaptureLimit { head: 64 * 1024, tail: 1024 * 1024 };
/// How much of the rest is kept.
const COMPLAINTS: CaptureLimit = CaptureLimit::tail(8 * 1024);
/// How long an agent may clean up when its turn is over.
const GRACE: Duration = Duration::from_secs(5);

/// One turn of an adapter.
pub(super) struct Adapter<'a> {
    processes: &'a Processes,
    request: &'a TurnRequest,
    scratch: PathBuf,
}

impl<'a> Adapter<'a> {
    /// Makes the folder for what the agent needs on the side. Its home is there too: agents keep sessions and caches in it,
    /// and two of them at once would break each other's.
    pub fn prepare(processes: &'a Processes, request: &'a TurnRequest) -> Result<Self, AgentError> {
        let scratch = Workshop::new(processes, request.workshop.clone()).scratch(&request.effort);
        for folder in ["home", "tmp"] {
            std::fs::create_dir_all(scratch.join(folder)).map_err(|error| AgentError::Crashed {
                why: format!("its folder cannot be made: {error}"),
            })?;
        }
        Ok(Self { processes, request, scratch })
    }

    /// The folder for what the agent needs on the side.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// The task in words.
    pub fn prompt(&self) -> String {
        prompt(self.request)
    }

    /// The program of this turn with arguments: the plan's line, or this one, is read by the shell.
    pub fn call(&self, program: &str, args: &[&str]) -> Invocation {
        let line =
            if self.request.agent.run.trim().is_empty() { program } else { self.request.agent.run.trim() };
        let line = format!("exec {line} \"$@\"");
        self.placed(Invocation::new("sh").args(["-c", line.as_str(), "agent"]).args(args))
    }

    /// A whole line for the shell.
    pub fn shell(&self, line: &str) -> Invocation {
        self.placed(Invocation::shell(&format!("exec {line}")))
    }

    fn placed(&self, call: Invocation) -> Invocation {
        let request = self.request;
        let mut confinement = request.confinement.clone();
        confinement.writable.push(self.scratch.clone());
        let mut call = call
            .folder(Some(&request.worktree))
            .variable("HOME", self.scratch.join("home"))
            .variable("TMPDIR", self.scratch.join("tmp"))
            .variable("GIT_CEILING_DIRECTORIES", &request.workshop)
            .confined(confinement)
            .time_limit(Duration::from_secs(request.limits.wall_s))
            .idle_limit(Duration::from_secs(request.limits.idle_s))
            .grace(GRACE)
            .capture(REPORT, COMPLAINTS);
        for name in &request.agent.env {
            if let Some(value) = std::env::var_os(name) {
                call = call.variable(name, value);
            }
        }
        call
    }

    /// Runs a program to its end.
    pub async fn run(&self, call: &Invocation) -> Result<ProcessOutput, AgentError> {
        self.processes.run(call).await.map_err(|error| not_run(&self.request.agent.name, &error))
    }

    #[cfg(unix)]
    /// Talks with a program until the conversation is over.
    pub async fn converse(
        &self,
        call: &Invocation,
        talk: &mut dyn Conversation,
    ) -> Result<ProcessOutput, AgentError> {
        let done = self.processes.converse(call, &self.scratch, talk).await;
        done.map_err(|error| not_run(&self.request.agent.name, &error))
    }
}

/// Whether the first word of a line is a program here.
pub(super) async fn installed(processes: &Processes, line: &str) -> Result<Probe, AgentError> {
    let program = line.split_whitespace().next().unwrap_or_default();
    let look = Invocation::new("sh").args(["-c", "command -v \"$1\"", "sh", program]);
    match processes.run(&look).await {
        Ok(done) if done.exit == ExitKind::Code(0) => Ok(Probe { what: done.out.text().trim().to_owned() }),
        Ok(_) => {
            Err(AgentError::Unavailable { what: program.to_owned(), why: "it is not installed".to_owned() })
        }
        Err(error) => Err(not_run(program, &error)),
    }
}

/// The limit of ours that ended a process.
pub(super) fn limit(exit: ExitKind) -> TurnEnd {
    let which = if exit == ExitKind::Idle { Which::Idle } else { Which::Wall };
    TurnEnd::LimitHit { which }
}

/// A process that ended without saying how its turn ended.
pub(super) fn crashed(done: ProcessOutput, when: &str) -> AgentError {
    let how = match done.exit {
        ExitKind::Code(code) => format!("it ended with code {code} {when}"),
        ExitKind::Signal(signal) => format!("it ended by signal {signal} {when}"),
        ExitKind::TimedOut | ExitKind::Idle => format!("it was ended {when}"),
    };
    let said = done.err.text();
    let said = end_of(said.trim(), 1000);
    if said.is_empty() { AgentError::Crashed { why: how } } else { trouble(&format!("{how}: {said}")) }
}

/// What words about a failed call mean. In doubt it crashed, which is tried again a few times and no more.
pub(super) fn trouble(words: &str) -> AgentError {
    let lower = words.to_lowercase();
    let says = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    if says(&["429", "rate limit", "rate_limit", "too many requests"]) {
        AgentError::RateLimited { after_s: None }
    } else if says(&["overloaded", "529", "503"]) {
        AgentError::Overloaded
    } else if says(&["401", "unauthorized", "authentication", "invalid api key", "not logged in"]) {
        AgentError::Auth { why: words.to_owned() }
    } else {
        AgentError::Crashed { why: words.to_owned() }
    }
}

/// The last letters of a text.
pub(super) fn end_of(text: &str, letters: usize) -> String {
    let skip = text.chars().count().saturating_sub(letters);
    text.chars().skip(skip).collect()
}

/// A session's name as agents want it that accept one: in the form of a UUID, always the same for the same name.
pub(super) fn uuid(name: &str) -> String {
    let hash = baton_engine::Hash::of(name.as_bytes()).to_string();
    let at = |from: usize, to: usize| hash.get(from..to).unwrap_or_default();
    format!("{}-{}-4{}-8{}-{}", at(0, 8), at(8, 12), at(13, 16), at(17, 20), at(20, 32))
}

/// What a plan says, or else this.
pub(super) fn or<'a>(said: &'a str, otherwise: &'a str) -> &'a str {
    if said.trim().is_empty() { otherwise } else { said }
}

/// The lines of JSON in a report, and the rest of what came of the process. A line that was cut off is no line.
pub(super) fn report(mut done: ProcessOutput) -> (Vec<Value>, ProcessOutput) {
    let printed = std::mem::take(&mut done.out).text();
    let lines = printed.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    (lines, done)
}
