//! The recipe agent: patches, cherry-picks, commands, codemods, files. It needs no model and does the same every time; a
//! turn that was cut short begins again from the commit it began from.

mod apply;
mod files;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{AgentError, AgentSpec, Beside, CodingAgent, Probe, TurnEnd, TurnRequest};
use crate::process::Processes;

/// One step of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// A file with this content.
    Write {
        /// The file.
        path: String,
        /// Its content.
        content: String,
        /// Whether it can be run.
        #[serde(default)]
        executable: bool,
    },
    /// Lines behind those of a file, which need not exist.
    Append {
        /// The file.
        path: String,
        /// The lines.
        content: String,
    },
    /// Other words for words that must be there.
    Replace {
        /// The file.
        path: String,
        /// The words.
        find: String,
        /// The other words.
        with: String,
    },
    /// A file less.
    Delete {
        /// The file.
        path: String,
    },
    /// A file under another name.
    Move {
        /// The file.
        path: String,
        /// Its new name.
        to: String,
    },
    /// A patch.
    Patch {
        /// Its name, for people.
        name: String,
        /// Its text.
        text: String,
    },
    /// What lies between two commits: `COMMIT`, `A..B`, or a branch of the person's repository.
    CherryPick {
        /// Which.
        what: String,
    },
    /// A file as it stands in another commit.
    Copy {
        /// The file.
        path: String,
        /// The commit or branch.
        from: String,
    },
    /// A line for the shell.
    Run {
        /// The line.
        line: String,
        /// How long it may take, in seconds.
        #[serde(default = "ten_minutes")]
        timeout_s: u64,
    },
    /// Goes on when a file or a branch of the person's repository is there.
    WaitFor {
        /// A path, or `branch:NAME`.
        what: String,
    },
}

fn ten_minutes() -> u64 {
    600
}

impl Work {
    /// The paths it says it changes; none where only doing it shows them.
    pub fn paths(&self) -> Vec<&str> {
        match self {
            Self::Write { path, .. }
            | Self::Append { path, .. }
            | Self::Replace { path, .. }
            | Self::Delete { path }
            | Self::Copy { path, .. } => vec![path],
            Self::Move { path, to } => vec![path, to],
            Self::Patch { .. } | Self::CherryPick { .. } | Self::Run { .. } | Self::WaitFor { .. } => {
                Vec::new()
            }
        }
    }
}

/// Carries out recipes.
#[derive(Clone)]
pub struct RecipeAgent {
    processes: Processes,
}

impl RecipeAgent {
    /// An agent that runs its commands as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl CodingAgent for RecipeAgent {
    fn kind(&self) -> &'static str {
        "recipe"
    }

    async fn probe(&self, _spec: &AgentSpec) -> Result<Probe, AgentError> {
        Ok(Probe { what: "patches, cherry-picks, commands, files".to_owned(), ..Probe::default() })
    }

    async fn run_turn(&self, request: &TurnRequest, _beside: &Beside) -> Result<TurnEnd, AgentError> {
        let kitchen = apply::Kitchen::new(&self.processes, request);
        kitchen.begin().await?;
        for (number, work) in request.work.iter().enumerate() {
            if let Some(end) = kitchen.perform(number + 1, work).await? {
                return Ok(end);
            }
        }
        let words = match request.work.len() {
            1 => "1 step of the recipe is done".to_owned(),
            many => format!("{many} steps of the recipe are done"),
        };
        Ok(TurnEnd::Completed { words })
    }

    fn starts_over(&self) -> bool {
        true
    }
}
