//! Aider, one prompt at a time. It ends with 0 after failed calls and failed edits alike, so that nothing it says counts:
//! the worktree alone does.

use async_trait::async_trait;

use super::adapter::{self, Adapter};
use super::{AgentError, AgentSpec, CodingAgent, Probe, Role, TurnEnd, TurnRequest};
use crate::process::{ExitKind, Processes};

/// Its program, unless the plan names another; a model is named there too.
const PROGRAM: &str = "aider";
/// It neither commits nor asks, keeps no history, and looks for nothing in the network.
const QUIET: [&str; 14] = [
    "--yes-always",
    "--no-auto-commits",
    "--no-dirty-commits",
    "--no-gitignore",
    "--no-check-update",
    "--no-show-model-warnings",
    "--no-analytics",
    "--no-pretty",
    "--no-stream",
    "--no-suggest-shell-commands",
    "--chat-history-file",
    "/dev/null",
    "--input-history-file",
    "/dev/null",
];

/// Runs Aider.
#[derive(Clone)]
pub struct AiderAgent {
    processes: Processes,
}

impl AiderAgent {
    /// An agent that runs as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl CodingAgent for AiderAgent {
    fn kind(&self) -> &'static str {
        "aider"
    }

    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError> {
        adapter::installed(&self.processes, adapter::or(&spec.run, PROGRAM)).await
    }

    async fn run_turn(&self, request: &TurnRequest) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request)?;
        let prompt = adapter.prompt();
        let mut args = QUIET.to_vec();
        if request.role == Role::Review {
            args.push("--dry-run");
        }
        args.extend(["--message", &prompt]);
        let done = adapter.run(&adapter.call(PROGRAM, &args)).await?;
        match done.exit {
            ExitKind::Code(0) => {
                Ok(TurnEnd::Completed { words: adapter::end_of(done.out.text().trim(), 2000) })
            }
            ExitKind::TimedOut | ExitKind::Idle => Ok(adapter::limit(done.exit)),
            ExitKind::Code(_) | ExitKind::Signal(_) => {
                Err(adapter::crashed(done, "in the middle of its turn"))
            }
        }
    }
}
