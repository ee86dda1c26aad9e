//! A person as an agent: the worktree and a TASK.md are theirs, and the run waits until they say that they are done.

use async_trait::async_trait;

use super::command::prompt;
use super::{AgentError, AgentSpec, Beside, CodingAgent, Probe, TurnEnd, TurnRequest};
use crate::git::Workshop;
use crate::process::Processes;

/// Waits for a person.
#[derive(Clone)]
pub struct PersonAgent {
    processes: Processes,
}

impl PersonAgent {
    /// An agent whose worktrees are those of these processes' workshops.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl CodingAgent for PersonAgent {
    fn kind(&self) -> &'static str {
        "person"
    }

    async fn probe(&self, spec: &AgentSpec) -> Result<Probe, AgentError> {
        Ok(Probe { what: format!("a person, {}", spec.name), ..Probe::default() })
    }

    async fn run_turn(&self, request: &TurnRequest, _beside: &Beside) -> Result<TurnEnd, AgentError> {
        if let Some(last) = request.answers.last() {
            return Ok(match last.trim().to_lowercase().as_str() {
                "no" | "refuse" | "refused" => TurnEnd::Refused { why: "the person said no".to_owned() },
                _ => TurnEnd::Completed { words: last.clone() },
            });
        }
        let folder = Workshop::new(&self.processes, request.workshop.clone()).scratch(&request.effort);
        let task = folder.join("TASK.md");
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&task, prompt(request)));
        written
            .map_err(|error| AgentError::Crashed { why: format!("the task cannot be written: {error}") })?;
        let question = format!(
            "{} is yours: read {}, work in {}, then answer `done` (or `refuse`).",
            request.effort,
            task.display(),
            request.worktree.display()
        );
        Ok(TurnEnd::NeedsInput { question })
    }

    /// A person does not begin again because our process died.
    fn starts_over(&self) -> bool {
        false
    }
}
