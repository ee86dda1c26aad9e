//! Claude Code, one prompt at a time: `claude -p` with its report as lines of JSON. Only the line `result` says how a turn
//! ended, and an exit code of 0 without one is no end.

use async_trait::async_trait;
use serde_json::Value;

use super::adapter::{self, Adapter};
use super::beside::{Usage, micro_usd};
use super::{AgentError, AgentSpec, Beside, CodingAgent, Probe, Role, Session, TurnEnd, TurnRequest, Which};
use crate::process::{ProcessOutput, Processes};

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
        adapter::versioned(&self.processes, spec, PROGRAM, &["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"])
            .await
    }

    async fn run_turn(&self, request: &TurnRequest, beside: &Beside) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request, beside)?;
        let (flag, name) = match &request.session {
            Session::New(name) => ("--session-id", name),
            Session::Resume(name) => ("--resume", name),
        };
        let session = adapter::uuid(name);
        let mut done = self.call(&adapter, request, (flag, &session)).await?;
        // A turn that a crash cut off has used its session, or never got as far.
        let mut said = std::mem::take(&mut done.err).text();
        if said.contains("already in use") {
            done = self.call(&adapter, request, ("--resume", &session)).await?;
            said = std::mem::take(&mut done.err).text();
        } else if said.contains("No conversation found") {
            let another = adapter::uuid(&format!("{name}/again"));
            done = self.call(&adapter, request, ("--session-id", &another)).await?;
            said = std::mem::take(&mut done.err).text();
        }
        let exit = done.exit;
        let (report, _) = adapter::report(done);
        let result = report.iter().rev().find(|line| line["type"] == "result");
        result.and_then(usage).into_iter().for_each(|usage| beside.tell(usage));
        if let Some(end) = adapter::ended(exit) {
            return Ok(end);
        }
        match result {
            Some(result) => end(result, adapter::kept(request.role)),
            None => Err(adapter::fell(exit, &said, "without a result")),
        }
    }
}

impl ClaudeAgent {
    /// One prompt in a session.
    async fn call(
        &self,
        adapter: &Adapter<'_>,
        request: &TurnRequest,
        (flag, session): (&str, &str),
    ) -> Result<ProcessOutput, AgentError> {
        let mode = if request.role == Role::Review { "plan" } else { "acceptEdits" };
        let (prompt, limit) = (adapter.prompt(), request.limits.micro_usd);
        let dollars = format!("{}.{:06}", limit / 1_000_000, limit % 1_000_000);
        let mut args = vec!["-p", "--output-format", "stream-json", "--verbose", "--permission-mode", mode];
        if limit > 0 {
            args.extend(["--max-budget-usd", &dollars]);
        }
        args.extend([flag, session, &prompt]);
        let call = adapter
            .call(PROGRAM, &args)
            // Updates, reports and ten hidden retries are nobody's wish.
            .variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .variable("CLAUDE_CODE_MAX_RETRIES", "1");
        adapter.run(&call).await
    }
}

/// What it says it cost.
fn usage(result: &Value) -> Option<Usage> {
    let money = result["total_cost_usd"].as_f64().and_then(micro_usd);
    let count = |key: &str| result["usage"][key].as_u64().unwrap_or(0);
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map(count);
    let usage = Usage { micro_usd: money, input: input.iter().sum(), output: count("output_tokens") };
    (usage != Usage::default()).then_some(usage)
}

/// What its last line says.
fn end(result: &Value, kept: usize) -> Result<TurnEnd, AgentError> {
    let words = adapter::end_of(result["result"].as_str().unwrap_or_default().trim(), kept);
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
            assert_eq!(end(&result, 2000), ended, "{result}");
        }
    }

    #[test]
    fn its_cost_is_what_it_says() {
        let result = json!({"total_cost_usd": 0.0123, "usage": {"input_tokens": 5, "output_tokens": 7}});
        assert_eq!(usage(&result), Some(Usage { micro_usd: Some(12_300), input: 5, output: 7 }));
        assert_eq!(usage(&json!({"result": "Done."})), None);
    }
}
