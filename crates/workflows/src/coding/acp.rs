//! Any agent that speaks the Agent Client Protocol on its standard streams. The conversation is a state machine over lines:
//! `acp/talk.rs` knows no process, and messages it does not know never end a turn.

mod hello;
mod talk;

#[cfg(test)]
mod tests;

use async_trait::async_trait;

use super::adapter::{self, Adapter};
use super::{AgentError, AgentSpec, Beside, CodingAgent, Probe, Session, TurnEnd, TurnRequest};
use crate::process::{Invocation, Processes};
use hello::Hello;
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
        let found = adapter::installed(&self.processes, &spec.run).await?;
        self.greet(spec, found).await
    }

    async fn run_turn(&self, request: &TurnRequest, beside: &Beside) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request, beside)?;
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
        talk.usage().into_iter().for_each(|usage| beside.tell(usage));
        match (talk.end(), adapter::ended(done.exit)) {
            // Some answer a cancel as if they had come to an end by themselves.
            (Some(Ok(_)), _) if beside.is_stopped() => Ok(TurnEnd::Cancelled),
            (Some(end), _) => end,
            (None, Some(end)) => Ok(end),
            (None, None) => Err(adapter::crashed(done, "before it had answered")),
        }
    }
}

impl AcpAgent {
    /// Shakes hands with an agent and asks for a session, in folders of its own. Neither asks its model anything.
    async fn greet(&self, spec: &AgentSpec, found: Probe) -> Result<Probe, AgentError> {
        let folder = std::env::temp_dir().join(format!("baton-probe-{}-{}", std::process::id(), spec.name));
        let made = std::fs::create_dir_all(&folder);
        made.map_err(|error| AgentError::Unavailable {
            what: spec.run.clone(),
            why: format!("a folder for it cannot be made: {error}"),
        })?;
        let mut hello = Hello::new(&folder);
        let mut call = Invocation::shell(&format!("exec {}", spec.run))
            .folder(Some(&folder))
            .variable("HOME", &folder)
            .variable("TMPDIR", &folder)
            .time_limit(adapter::PROBED);
        for name in &spec.env {
            if let Some(value) = std::env::var_os(name) {
                call = call.variable(name, value);
            }
        }
        let done = self.processes.converse(&call, &folder, &mut hello).await;
        // What an agent left there is of no use to anybody.
        let _ = std::fs::remove_dir_all(&folder);
        let done = done.map_err(|error| super::command::not_run(&spec.run, &error))?;
        match hello.answer(spec, found) {
            Some(probe) => Ok(probe),
            None => Err(match adapter::ended(done.exit) {
                Some(_) => AgentError::Protocol { why: "it does not answer a handshake".to_owned() },
                None => adapter::crashed(done, "before it had answered a handshake"),
            }),
        }
    }
}
