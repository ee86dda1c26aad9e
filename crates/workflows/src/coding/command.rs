//! Any program as an agent: a line of the plan, run in the worktree. It finds its task in a file and says by its exit
//! code how its turn ended; what it did is read from the worktree.

use async_trait::async_trait;
use baton_agents::read::bounded;

use super::beside::{Usage, micro_usd};
use super::{AgentError, AgentSpec, Beside, CodingAgent, Login, Probe, TurnEnd, TurnRequest};
use crate::git::Workshop;
use crate::process::{CaptureLimit, ExitKind, Invocation, ProcessError, Processes};

/// Where it finds what it is told while it works.
pub(super) const NOTES: &str = "NOTES.md";
/// How much of its output is kept.
const KEPT: usize = 8 * 1024;

/// Exit codes with a meaning beside success and failure.
const NEEDS_INPUT: i32 = 10;
const REFUSED: i32 = 11;
const LATER: i32 = 75;

/// Runs a line of the plan.
#[derive(Clone)]
pub struct CommandAgent {
    processes: Processes,
}

impl CommandAgent {
    /// An agent that runs as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

/// A process that could not be run, as an agent's error.
pub(super) fn not_run(line: &str, error: &ProcessError) -> AgentError {
    match error {
        ProcessError::Io(io) if io.kind() == std::io::ErrorKind::Unsupported => {
            AgentError::Unconfined { why: io.to_string() }
        }
        error => AgentError::Unavailable { what: format!("`{line}`"), why: error.to_string() },
    }
}

#[async_trait]
impl CodingAgent for CommandAgent {
    fn kind(&self) -> &'static str {
        "command"
    }

    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError> {
        let found = super::adapter::installed(&self.processes, &spec.run).await?;
        let login = if spec.env.is_empty() { Login::NotNeeded } else { super::adapter::login(spec, &[]) };
        Ok(Probe { login, ..found })
    }

    async fn run_turn(&self, request: &TurnRequest, beside: &Beside) -> Result<TurnEnd, AgentError> {
        let scratch = Workshop::new(&self.processes, request.workshop.clone()).scratch(&request.effort);
        let (task, result) = (scratch.join("TASK.md"), scratch.join("RESULT.md"));
        let (cost, notes) = (scratch.join("COST"), scratch.join(NOTES));
        let written = std::fs::create_dir_all(&scratch).and_then(|()| {
            for old in [&result, &cost, &notes] {
                let _ = std::fs::remove_file(old);
            }
            std::fs::write(&task, prompt(request))
        });
        written
            .map_err(|error| AgentError::Crashed { why: format!("its task cannot be written: {error}") })?;
        let line = request
            .agent
            .run
            .replace("{prompt_file}", &task.display().to_string())
            .replace("{result_file}", &result.display().to_string())
            .replace("{worktree}", &request.worktree.display().to_string());
        let limit = CaptureLimit::tail(KEPT);
        let call = super::adapter::placed(Invocation::shell(&line), request, &scratch, beside)
            .variable("TMPDIR", &scratch)
            .variable("BATON_TASK", &task)
            .variable("BATON_RESULT", &result)
            .variable("BATON_COST", &cost)
            .variable("BATON_NOTES", &notes)
            .variable("BATON_ATTEMPT", request.attempt.to_string())
            .capture(limit, limit);
        let done = self.processes.run(&call).await.map_err(|error| not_run(&line, &error))?;
        let mut said = done.out;
        said.append(done.err);
        let said = said.text();
        let told = || {
            let written = bounded::text(&result, bounded::WRITTEN).unwrap_or_default();
            let words = if written.trim().is_empty() { said.as_str() } else { written.as_str() };
            words.trim().chars().take(super::adapter::kept(request.role)).collect::<String>()
        };
        let dollars = bounded::text(&cost, bounded::WRITTEN).ok();
        if let Some(money) = dollars.and_then(|text| text.trim().parse().ok()).and_then(micro_usd) {
            beside.tell(Usage { micro_usd: Some(money), ..Usage::default() });
        }
        if let Some(end) = super::adapter::ended(done.exit) {
            return Ok(end);
        }
        Ok(match done.exit {
            ExitKind::Code(0) => TurnEnd::Completed { words: told() },
            ExitKind::Code(NEEDS_INPUT) => TurnEnd::NeedsInput { question: told() },
            ExitKind::Code(REFUSED) => TurnEnd::Refused { why: told() },
            ExitKind::Code(LATER) => return Err(AgentError::Overloaded),
            ExitKind::Code(code) => {
                return Err(AgentError::Crashed { why: format!("code {code}: {}", told()) });
            }
            ExitKind::Signal(signal) => return Err(AgentError::Crashed { why: format!("signal {signal}") }),
            ExitKind::TimedOut | ExitKind::Idle | ExitKind::Stopped => TurnEnd::Cancelled,
        })
    }
}

/// The task with what a person answered.
pub(super) fn prompt(request: &TurnRequest) -> String {
    let mut text = request.prompt.clone();
    for answer in &request.answers {
        text.push_str("\n\n## You asked, and this is the answer\n\n");
        text.push_str(answer);
    }
    text.push('\n');
    text
}
