//! Any agent that speaks the Agent Client Protocol on its standard streams. The conversation is a state machine over lines:
//! `acp/talk.rs` knows no process, and messages it does not know never end a turn.

mod talk;

#[cfg(test)]
mod tests;

use async_trait::async_trait;

use super::adapter::{self, Adapter};
use super::{AgentError, AgentSpec, CodingAgent, Probe, Session, TurnEnd, TurnRequest};
use crate::process::{ExitKind, Processes};
use talk::Talk;

/// Where the agent's own name of a session is kept until the effort is over: it chooses it, and only it understands it.
const SESSION: &str = "acp-session";

/// Speaks ACP with the program a plan names.
#[derive(Clone)]
pub struct AcpAgent {
    processes: Processes,
}

impl AcpAgent {
    /// An agent that runs as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl CodingAgent for AcpAgent {
    fn kind(&self) -> &'static str {
        "acp"
    }

    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError> {
        if spec.run.trim().is_empty() {
            let why = "its line in the plan names no program (`run`)".to_owned();
            return Err(AgentError::Unavailable { what: format!("the agent `{}`", spec.name), why });
        }
        adapter::installed(&self.processes, &spec.run).await
    }

    async fn run_turn(&self, request: &TurnRequest) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request)?;
        let kept = adapter.scratch().join(SESSION);
        let known = match &request.session {
            Session::New(_) => None,
            Session::Resume(_) => std::fs::read_to_string(&kept).ok(),
        };
        let mut talk = Talk::new(request, known);
        let call = adapter.shell(&request.agent.run);
        let done = adapter.converse(&call, &mut talk).await?;
        if let Some(session) = talk.session() {
            // Without it the next turn begins a session of its own; what was done is in the worktree either way.
            let _ = std::fs::write(&kept, session);
        }
        match (talk.end(), done.exit) {
            (Some(end), _) => end,
            (None, ExitKind::TimedOut | ExitKind::Idle) => Ok(adapter::limit(done.exit)),
            (None, _) => Err(adapter::crashed(done, "before it had answered")),
        }
    }
}
