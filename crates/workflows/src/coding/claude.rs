//! Claude Code, one prompt at a time: `claude -p` with its report as lines of JSON. Only the line `result` says how a turn
//! ended, and an exit code of 0 without one is no end.

use async_trait::async_trait;
use serde_json::Value;

use super::adapter::{self, Adapter};
use super::{AgentError, AgentSpec, CodingAgent, Probe, Role, Session, TurnEnd, TurnRequest, Which};
use crate::process::{ExitKind, Processes};

/// Its program, unless the plan names another.
const PROGRAM: &str = "claude";

/// Runs Claude Code.
#[derive(Clone)]
pub struct ClaudeAgent {
    processes: Processes,
}

impl ClaudeAgent {
    /// An agent that runs as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl CodingAgent for ClaudeAgent {
    fn kind(&self) -> &'static str {
        "claude"
    }

    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError> {
        adapter::installed(&self.processes, adapter::or(&spec.run, PROGRAM)).await
    }

    async fn run_turn(&self, request: &TurnRequest) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request)?;
        let (flag, name) = match &request.session {
            Session::New(name) => ("--session-id", name),
            Session::Resume(name) => ("--resume", name),
        };
        let (session, prompt) = (adapter::uuid(name), adapter.prompt());
        let mode = if request.role == Role::Review { "plan" } else { "acceptEdits" };
        let args = [
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--permission-mode",
            mode,
            flag,
            &session,
            &prompt,
        ];
        let call = adapter
            .call(PROGRAM, &args)
            // Updates, reports and ten hidden retries are nobody's wish.
            .variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .variable("CLAUDE_CODE_MAX_RETRIES", "1");
        let done = adapter.run(&call).await?;
        if let ExitKind::TimedOut | ExitKind::Idle = done.exit {
            return Ok(adapter::limit(done.exit));
        }
        let (report, rest) = adapter::report(done);
        match report.iter().rev().find(|line| line["type"] == "result") {
            Some(result) => end(result),
            None => Err(adapter::crashed(rest, "without a result")),
        }
    }
}

/// What its last line says.
fn end(result: &Value) -> Result<TurnEnd, AgentError> {
    let words = adapter::end_of(result["result"].as_str().unwrap_or_default().trim(), 2000);
    let subtype = result["subtype"].as_str().unwrap_or_default();
    if subtype == "error_max_turns" {
        return Ok(TurnEnd::LimitHit { which: Which::Turns });
    }
    if subtype == "error_max_budget_usd" {
        return Ok(TurnEnd::LimitHit { which: Which::Budget });
    }
    // A failed call of its model comes as `success` that is an error.
    if result["is_error"].as_bool() != Some(false) {
        let status =
            result["api_error_status"].as_u64().map_or(String::new(), |status| format!("HTTP {status}: "));
        return Err(adapter::trouble(&format!(
            "{status}{}",
            if words.is_empty() { subtype } else { &words }
        )));
    }
    Ok(TurnEnd::Completed { words })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_result_without_error_is_a_completed_turn() {
        let completed = Ok(TurnEnd::Completed { words: "Done.".to_owned() });
        for (result, ended) in [
            (json!({"subtype": "success", "is_error": false, "result": " Done. "}), completed),
            (
                json!({"subtype": "error_max_turns", "is_error": true}),
                Ok(TurnEnd::LimitHit { which: Which::Turns }),
            ),
            (
                json!({"subtype": "success", "is_error": true, "api_error_status": 529, "result": "no"}),
                Err(AgentError::Overloaded),
            ),
            (
                json!({"subtype": "success", "is_error": true, "api_error_status": 401, "result": "bad key"}),
                Err(AgentError::Auth { why: "HTTP 401: bad key".to_owned() }),
            ),
            (
                json!({"subtype": "error_during_execution"}),
                Err(AgentError::Crashed { why: "error_during_execution".to_owned() }),
            ),
        ] {
            assert_eq!(end(&result), ended, "{result}");
        }
    }
}
