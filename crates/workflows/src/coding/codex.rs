//! Codex, one prompt at a time: `codex exec --json`. A turn ends with `turn.completed` or `turn.failed`; anything else is a
//! process that ended too early.

use async_trait::async_trait;
use serde_json::Value;

use super::adapter::{self, Adapter};
use super::beside::Usage;
use super::{AgentError, AgentSpec, Beside, CodingAgent, Probe, Role, Session, TurnEnd, TurnRequest};
use crate::process::{Processes, Sandbox};

/// Its program, unless the plan names another.
const PROGRAM: &str = "codex";
/// Where its own name of a session is kept until the effort is over: it chooses it.
const THREAD: &str = "codex-thread";

/// Runs Codex.
#[derive(Clone)]
pub struct CodexAgent {
    processes: Processes,
}

impl CodexAgent {
    /// An agent that runs as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl CodingAgent for CodexAgent {
    fn kind(&self) -> &'static str {
        "codex"
    }

    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError> {
        adapter::versioned(&self.processes, spec, PROGRAM, &["CODEX_API_KEY", "OPENAI_API_KEY"]).await
    }

    async fn run_turn(&self, request: &TurnRequest, beside: &Beside) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request, beside)?;
        let kept = adapter.scratch().join(THREAD);
        let thread = match &request.session {
            Session::New(_) => None,
            Session::Resume(_) => std::fs::read_to_string(&kept).ok(),
        };
        let prompt = adapter.prompt();
        // Its own sandbox cannot be set up inside ours: only where ours is sure to hold does it go without.
        let sandbox = match (request.role, request.confinement.sandbox) {
            (Role::Review, _) => "read-only",
            (_, Sandbox::Require) => "danger-full-access",
            _ => "workspace-write",
        };
        let mut args = vec!["exec", "--json", "--skip-git-repo-check", "-s", sandbox];
        if let Some(thread) = &thread {
            args.extend(["resume", thread]);
        }
        args.push(&prompt);
        let done = adapter.run(&adapter.call(PROGRAM, &args)).await?;
        let exit = done.exit;
        let (report, rest) = adapter::report(done);
        if let Some(thread) = report.iter().find_map(|line| line["thread_id"].as_str()) {
            // Without it the next turn begins a session of its own; what was done is in the worktree either way.
            let _ = std::fs::write(&kept, thread);
        }
        usage(&report).into_iter().for_each(|usage| beside.tell(usage));
        if let Some(end) = adapter::ended(exit) {
            return Ok(end);
        }
        let kept = adapter::kept(request.role);
        end(&report, kept).unwrap_or_else(|| Err(adapter::crashed(rest, "in the middle of its turn")))
    }
}

/// The tokens it tells; money it does not know.
fn usage(report: &[Value]) -> Option<Usage> {
    let usage = &report.iter().rev().find(|line| line["type"] == "turn.completed")?["usage"];
    let count = |key: &str| usage[key].as_u64();
    let (input, output) = (count("input_tokens")?, count("output_tokens")?);
    Some(Usage { micro_usd: None, input, output })
}

/// What its report says of the end of the turn; none if it does not.
fn end(report: &[Value], kept: usize) -> Option<Result<TurnEnd, AgentError>> {
    let last = |kind: &str| report.iter().rev().find(|line| line["type"] == kind);
    if let Some(failed) = last("turn.failed") {
        let why = failed["error"]["message"].as_str().unwrap_or("its turn failed");
        return Some(Err(adapter::trouble(why)));
    }
    last("turn.completed")?;
    let said = report.iter().rev().find(|line| line["item"]["type"] == "agent_message");
    let words = said.and_then(|line| line["item"]["text"].as_str()).unwrap_or_default();
    Some(Ok(TurnEnd::Completed { words: adapter::end_of(words.trim(), kept) }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_turn_ends_as_its_report_says() {
        let said = json!({"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}});
        let failed = json!({"type": "turn.failed", "error": {"message": "stream disconnected: 503"}});
        let completed = json!({"type": "turn.completed", "usage": {}});
        for (report, ended) in [
            (
                vec![said.clone(), completed.clone()],
                Some(Ok(TurnEnd::Completed { words: "Done.".to_owned() })),
            ),
            (vec![completed], Some(Ok(TurnEnd::Completed { words: String::new() }))),
            (vec![said.clone(), failed], Some(Err(AgentError::Overloaded))),
            (vec![said], None),
            (vec![], None),
        ] {
            assert_eq!(end(&report, 2000), ended, "{report:?}");
        }
    }

    #[test]
    fn tokens_are_told_where_there_are_some() {
        let done = json!({"type": "turn.completed", "usage": {"input_tokens": 20, "output_tokens": 3}});
        assert_eq!(usage(&[done]), Some(Usage { micro_usd: None, input: 20, output: 3 }));
        assert_eq!(usage(&[json!({"type": "turn.completed", "usage": {}})]), None);
        assert_eq!(usage(&[]), None);
    }
}
