//! A run as programs get it: the same names in every command that speaks of runs.

use baton_engine::{OpenQuestion, RunId, RunSummary, Runs, RunsError, Spend};
use baton_workflows::profile::Stakes;
use serde::Serialize;
use serde_json::Value;

use crate::catalogue::stakes;
use crate::program::Program;
use crate::standing::{Standing, answer_commands};
use crate::text::rfc3339;

/// A run in a list.
#[derive(Clone, Debug, Serialize)]
pub struct RunView {
    /// Its id.
    pub run: RunId,
    /// Its workflow.
    pub workflow: String,
    /// What it is about.
    pub title: String,
    /// Its state.
    pub state: String,
    /// `new`, `running`, `interrupted`, `waiting`, `stopped` or `finished`.
    pub status: &'static str,
    /// The reason of a stop or the outcome of a finished run.
    pub why: Option<&'static str>,
    /// Who drives it now.
    pub driven_by: Option<String>,
    /// When it was started.
    pub started: String,
    /// When it last did something.
    pub updated: String,
    /// How many records it has.
    pub records: u64,
    /// What it has spent.
    pub spent: SpendView,
    /// Its status with its meaning.
    #[serde(skip)]
    pub standing: Standing,
}

/// What has been spent.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SpendView {
    /// Dollars.
    pub usd: f64,
    /// Tokens in and out.
    pub tokens: u64,
    /// Paid calls.
    pub calls: u64,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionView {
    /// Its key.
    pub key: String,
    /// What is asked.
    pub text: String,
    /// What an answer looks like.
    pub expects: String,
    /// The JSON schema of an answer.
    pub schema: Value,
    /// When it was asked.
    pub asked: String,
    /// When it expires.
    pub deadline: Option<String>,
    /// What an answer can bring about.
    pub kind: Stakes,
    /// Who has answered it, until the run takes the answer up.
    pub answered_by: Option<String>,
    /// What can be typed to answer it.
    pub commands: Vec<String>,
}

impl RunView {
    /// A run of the list with its meaning.
    pub fn of(row: RunSummary) -> Self {
        let standing = Standing::of(&row);
        Self {
            run: row.name,
            workflow: row.workflow,
            title: row.title,
            state: row.state,
            status: standing.word(),
            why: standing.why(),
            driven_by: row.driven_by,
            started: rfc3339(row.started),
            updated: rfc3339(row.updated),
            records: row.records,
            spent: SpendView::of(row.spent),
            standing,
        }
    }
}

impl SpendView {
    /// In the units people use.
    pub fn of(spend: Spend) -> Self {
        Self { usd: dollars(spend.micro_usd), tokens: spend.tokens, calls: spend.calls }
    }
}

/// Dollars as a number.
pub fn dollars(micro: u64) -> f64 {
    micro as f64 / 1e6
}

impl QuestionView {
    /// A question of a run of this workflow, with what to type.
    pub fn of(
        program: &Program,
        runs: &dyn Runs,
        workflow: &str,
        open: &OpenQuestion,
    ) -> Result<Self, RunsError> {
        Ok(Self {
            key: open.key.to_string(),
            text: open.question.text.clone(),
            expects: open.question.hint(),
            schema: open.question.schema.clone(),
            asked: rfc3339(open.asked),
            deadline: open.deadline.map(rfc3339),
            kind: stakes(workflow, &open.key.name),
            answered_by: runs.answer_to(&open.run, &open.key)?.map(|(_, by)| by),
            commands: answer_commands(program, open),
        })
    }
}
