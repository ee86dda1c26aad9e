//! What agents that are programs share: the folder and the environment of a turn, how a program that speaks is run, and what
//! its troubles mean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::command::{not_run, prompt};
use super::{AgentError, AgentSpec, Beside, Login, Probe, Role, TurnEnd, TurnRequest, Which};
use crate::git::Workshop;
#[cfg(unix)]
use crate::process::Conversation;
use crate::process::{CaptureLimit, ExitKind, Invocation, ProcessOutput, Processes};

/// How much of a report by lines is kept: its end is what counts, and its beginning names the session.
const REPORT: CaptureLimit = CaptureLimit { head: 64 * 1024, tail: 1024 * 1024 };
/// How much of the rest is kept.
const COMPLAINTS: CaptureLimit = CaptureLimit::tail(8 * 1024);
/// How long a look at an agent may take.
pub(super) const PROBED: Duration = Duration::from_secs(20);
/// How long an agent may clean up when its turn is over.
const GRACE: Duration = Duration::from_secs(5);

/// One turn of an adapter.
pub(super) struct Adapter<'a> {
    processes: &'a Processes,
    request: &'a TurnRequest,
    beside: &'a Beside,
    scratch: PathBuf,
}

impl<'a> Adapter<'a> {
    /// Makes the folder for what the agent needs on the side. Its home is there too: agents keep sessions and caches in it,
    /// and two of them at once would break each other's.
    pub fn prepare(
        processes: &'a Processes,
        request: &'a TurnRequest,
        beside: &'a Beside,
    ) -> Result<Self, AgentError> {
        let scratch = Workshop::new(processes, request.workshop.clone()).scratch(&request.effort);
        for folder in ["home", "tmp"] {
            std::fs::create_dir_all(scratch.join(folder)).map_err(|error| AgentError::Crashed {
                why: format!("its folder cannot be made: {error}"),
            })?;
        }
        Ok(Self { processes, request, beside, scratch })
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
        placed(call, self.request, &self.scratch, self.beside)
            .variable("HOME", self.scratch.join("home"))
            .variable("TMPDIR", self.scratch.join("tmp"))
            .capture(REPORT, COMPLAINTS)
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

/// A call where its turn works: its folder, what it may touch, its limits, and the variables that the plan hands on.
pub(super) fn placed(call: Invocation, request: &TurnRequest, scratch: &Path, beside: &Beside) -> Invocation {
    let mut confinement = request.confinement.clone();
    confinement.writable.push(scratch.to_owned());
    let call = call
        .folder(Some(&request.worktree))
        .variable("GIT_CEILING_DIRECTORIES", &request.workshop)
        .confined(confinement)
        .time_limit(Duration::from_secs(request.limits.wall_s))
        .idle_limit(Duration::from_secs(request.limits.idle_s))
        .grace(GRACE)
        .stopped_by(beside.stop());
    let handed = request.agent.env.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    handed.fold(call, |call, (name, value)| call.variable(name, value))
}

/// Where the first word of a line that is a program leads here. What stands before it sets variables.
pub(super) async fn installed(processes: &Processes, line: &str) -> Result<Probe, AgentError> {
    let program = line.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
    let look = Invocation::new("sh").args(["-c", "command -v \"$1\"", "sh", program]).time_limit(PROBED);
    match processes.run(&look).await {
        Ok(done) if done.exit == ExitKind::Code(0) => {
            Ok(Probe { what: done.out.text().trim().to_owned(), ..Probe::default() })
        }
        Ok(_) => {
            Err(AgentError::Unavailable { what: program.to_owned(), why: "it is not installed".to_owned() })
        }
        Err(error) => Err(not_run(program, &error)),
    }
}

/// A program that tells its version, and the variables that would sign it in.
pub(super) async fn versioned(
    processes: &Processes,
    spec: &AgentSpec,
    program: &str,
    keys: &[&str],
) -> Result<Probe, AgentError> {
    let line = or(&spec.run, program);
    let found = installed(processes, line).await?;
    let ask = Invocation::shell(&format!("exec {line} --version")).time_limit(PROBED);
    let said = processes.run(&ask).await.map_err(|error| not_run(line, &error))?;
    let first =
        said.out.text().lines().next().unwrap_or_default().trim().chars().take(80).collect::<String>();
    if said.exit != ExitKind::Code(0) || first.is_empty() {
        let why = "it does not tell its version".to_owned();
        return Err(AgentError::Unavailable { what: found.what, why });
    }
    Ok(Probe { version: Some(first), login: login(spec, keys), ..found })
}

/// Whether a turn would find a key. It has a home of its own, so that who is signed in at this machine does not count.
pub(super) fn login(spec: &AgentSpec, keys: &[&str]) -> Login {
    let is_set = |name: &&String| std::env::var_os(name.as_str()).is_some_and(|value| !value.is_empty());
    let unset: Vec<&str> = spec.env.iter().filter(|name| !is_set(name)).map(String::as_str).collect();
    if let Some(name) = spec.env.iter().find(is_set) {
        return Login::Yes(format!("by {name}"));
    }
    if !unset.is_empty() {
        return Login::No(format!("{} is not set", unset.join(" and ")));
    }
    if keys.is_empty() {
        return Login::Unknown("its `env` names no variable".to_owned());
    }
    Login::Unknown(format!("its `env` names no variable, such as {}", keys.join(" or ")))
}

/// How a turn ended that a limit of ours or a stop has ended; none for one that ended by itself.
pub(super) fn ended(exit: ExitKind) -> Option<TurnEnd> {
    match exit {
        ExitKind::Idle => Some(TurnEnd::LimitHit { which: Which::Idle }),
        ExitKind::TimedOut => Some(TurnEnd::LimitHit { which: Which::Wall }),
        ExitKind::Stopped => Some(TurnEnd::Cancelled),
        ExitKind::Code(_) | ExitKind::Signal(_) => None,
    }
}

/// How many letters of an agent's last words are kept: a review is in them.
pub(super) fn kept(role: Role) -> usize {
    if role == Role::Review { 60_000 } else { 2000 }
}

/// A process that ended without saying how its turn ended.
pub(super) fn crashed(done: ProcessOutput, when: &str) -> AgentError {
    fell(done.exit, &done.err.text(), when)
}

/// The same of one whose complaints have been read.
pub(super) fn fell(exit: ExitKind, complaints: &str, when: &str) -> AgentError {
    let how = match exit {
        ExitKind::Code(code) => format!("it ended with code {code} {when}"),
        ExitKind::Signal(signal) => format!("it ended by signal {signal} {when}"),
        ExitKind::TimedOut | ExitKind::Idle | ExitKind::Stopped => format!("it was ended {when}"),
    };
    let said = end_of(complaints.trim(), 1000);
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
