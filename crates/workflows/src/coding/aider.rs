//! Aider, one prompt at a time. It ends with 0 after failed calls and failed edits alike, so that nothing it says counts:
//! the worktree alone does.

use async_trait::async_trait;

use super::adapter::{self, Adapter};
use super::beside::{Usage, micro_usd};
use super::{AgentError, AgentSpec, Beside, CodingAgent, Probe, Role, TurnEnd, TurnRequest};
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
        adapter::versioned(&self.processes, spec, PROGRAM, &["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]).await
    }

    async fn run_turn(&self, request: &TurnRequest, beside: &Beside) -> Result<TurnEnd, AgentError> {
        let adapter = Adapter::prepare(&self.processes, request, beside)?;
        let prompt = adapter.prompt();
        let mut args = QUIET.to_vec();
        if request.role == Role::Review {
            args.push("--dry-run");
        }
        args.extend(["--message", &prompt]);
        let mut done = adapter.run(&adapter.call(PROGRAM, &args)).await?;
        let said = std::mem::take(&mut done.out).text();
        said.lines().rev().find_map(usage).into_iter().for_each(|usage| beside.tell(usage));
        match (adapter::ended(done.exit), done.exit) {
            (Some(end), _) => Ok(end),
            (None, ExitKind::Code(0)) => {
                Ok(TurnEnd::Completed { words: adapter::end_of(said.trim(), adapter::kept(request.role)) })
            }
            (None, _) => Err(adapter::crashed(done, "in the middle of its turn")),
        }
    }
}

/// What a line of its report tells: `Tokens: 1.2k sent, 50 received. Cost: $0.0012 message, $0.0034 session.`
fn usage(line: &str) -> Option<Usage> {
    let tokens = line.split_once("Tokens: ")?.1;
    let before = |word: &str| {
        let number = tokens.split_once(word)?.0.rsplit([' ', ',', '$']).next()?;
        let (digits, thousand) = number.strip_suffix('k').map_or((number, 1.0), |digits| (digits, 1000.0));
        Some(digits.replace(',', "").parse::<f64>().ok()? * thousand)
    };
    let count = |word: &str| before(word).map_or(0, |many| many.max(0.0) as u64);
    let money = before(" session").and_then(micro_usd);
    Some(Usage { micro_usd: money, input: count(" sent"), output: count(" received") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_last_line_about_tokens_tells_the_cost() {
        let line = "Tokens: 1.2k sent, 50 received. Cost: $0.0012 message, $0.0034 session.";
        assert_eq!(usage(line), Some(Usage { micro_usd: Some(3400), input: 1200, output: 50 }));
        let line = "Tokens: 640 sent, 12 received.";
        assert_eq!(usage(line), Some(Usage { micro_usd: None, input: 640, output: 12 }));
        assert_eq!(usage("Applied edit to a.py"), None);
    }
}
