//! What comes of an ask: an answer with its bill, or a typed failure with the same.

use serde::{Deserialize, Serialize};

use super::context::Cut;
use super::{Problem, PromptError};
use crate::config::RULES;
use crate::model::{FaultKind, ModelFault, Usage};
use crate::parse::Repair;

/// Who answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A model.
    Model {
        /// Its name in the configuration.
        name: String,
        /// The model the server says it used.
        served_by: String,
    },
    /// The rules twin.
    Rules,
}

/// Who gave an answer, by the name people know: the rules twin, or a model of the configuration. Stored as that
/// name; no model can be called `rules`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Answerer {
    /// The rules twin.
    #[default]
    Rules,
    /// A model, by its name in the configuration.
    Model(String),
}

impl Answerer {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Rules => RULES,
            Self::Model(name) => name,
        }
    }
}

impl std::fmt::Display for Answerer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl From<String> for Answerer {
    fn from(name: String) -> Self {
        if name == RULES { Self::Rules } else { Self::Model(name) }
    }
}

impl From<Answerer> for String {
    fn from(answerer: Answerer) -> Self {
        match answerer {
            Answerer::Rules => RULES.to_owned(),
            Answerer::Model(name) => name,
        }
    }
}

impl From<By> for Answerer {
    fn from(by: By) -> Self {
        match by {
            By::Model { name, .. } => Self::Model(name),
            By::Rules => Self::Rules,
        }
    }
}

/// What came of one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A good answer.
    Good,
    /// An answer with problems.
    Bad(Vec<Problem>),
    /// The model declined.
    Declined,
    /// The call failed.
    Fault(ModelFault),
    /// It could have cost more than what is left; it was not made.
    OverBudget(String),
    /// The prompt does not fit this model; it was not made.
    NoRoom(String),
}

/// One attempt: where, what came of it, what it cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    /// Its step key.
    pub key: String,
    /// The model's name in the configuration.
    pub model: String,
    /// What came of it.
    pub outcome: Outcome,
    /// Tokens used, as far as known.
    pub usage: Usage,
    /// What it cost in millionths of a dollar; for a broken answer, what had been set aside.
    pub cost_microusd: u64,
}

/// A good answer and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer<T> {
    /// The answer.
    pub output: T,
    /// Who gave it.
    pub by: By,
    /// Hash of the prompt files.
    pub prompt_hash: String,
    /// Every attempt, in order.
    pub tries: Vec<Try>,
    /// What the model did not see of the material.
    pub cut: Vec<Cut>,
    /// What had to be repaired to read the answer.
    pub repairs: Vec<Repair>,
}

impl<T> Answer<T> {
    /// What all attempts cost together.
    #[must_use]
    pub fn cost_microusd(&self) -> u64 {
        self.tries.iter().map(|t| t.cost_microusd).sum()
    }

    /// What all attempts used together.
    #[must_use]
    pub fn usage(&self) -> Usage {
        sum(&self.tries)
    }
}

fn sum(tries: &[Try]) -> Usage {
    tries.iter().fold(Usage::default(), |all, one| Usage {
        input: all.input + one.usage.input,
        cached: all.cached + one.usage.cached,
        output: all.output + one.usage.output,
        estimated: all.estimated || one.usage.estimated,
    })
}

/// Why an ask brought no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The role names no model, and rules may not or cannot answer.
    #[error(
        "the role has no model and rules cannot answer. Name one under [roles], or end its chain with \"rules\""
    )]
    NoModel,
    /// The prompt cannot be made.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// What is left of the budget does not cover an attempt.
    #[error("{0} Raise the budget, or use a cheaper model.")]
    OverBudget(String),
    /// The last model failed.
    #[error(transparent)]
    Model(ModelFault),
    /// Models answered, none well enough.
    #[error("no answer passed the checks; the last one: {}", list(.0))]
    NoGoodAnswer(Vec<Problem>),
    /// The models declined.
    #[error("the model declined to answer. Ask another model, or put the question differently")]
    Declined,
    /// The run must not go on.
    #[error("stopped: {0}")]
    Stopped(String),
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; ")
}

impl Cause {
    /// Whether asking the same again later may help.
    #[must_use]
    pub fn retriable(&self) -> bool {
        matches!(self, Self::Model(fault) if fault.kind.retriable())
    }

    /// The fault kind, if a model failed.
    #[must_use]
    pub fn fault(&self) -> Option<FaultKind> {
        if let Self::Model(fault) = self { Some(fault.kind) } else { None }
    }
}

/// An ask without an answer, with its bill.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{skill} for {role}: {cause}")]
pub struct AskFailure {
    /// Which skill.
    pub skill: String,
    /// For which role.
    pub role: String,
    /// Why.
    pub cause: Cause,
    /// Every attempt, in order.
    pub tries: Vec<Try>,
}

impl AskFailure {
    /// What all attempts cost together.
    #[must_use]
    pub fn cost_microusd(&self) -> u64 {
        self.tries.iter().map(|t| t.cost_microusd).sum()
    }
}
