//! Skills: one thing an agent can be asked, with typed input and output, a prompt, checks, and a rules twin
//! that needs no model. [`ask`] is the one routine that puts a skill to the models of a role.
//!
//! Each skill here has its own file; workflows bring theirs. Nothing here knows a workflow or a journal.

mod answer;
mod any;
mod ask;
mod context;
mod direct;
mod extract_facts;
mod fence;
mod find_conflicts;
mod judge;
mod port;
mod prompt;
mod summarize;
mod vars;
mod words;
mod yes_no;

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::ModelCard;

pub use answer::{Answer, Answerer, AskFailure, By, Cause, Outcome, Try};
pub use any::{AnySkill, all, find};
pub use ask::{AskRequest, MOST_CALLS, ask};
pub use context::{Cut, Piece};
pub use direct::{Budget, DirectPort, Receipt};
pub use extract_facts::{ExtractFacts, Fact, Facts, Reading};
pub use fence::{Fence, one_line};
pub use find_conflicts::{Contradiction, Contradictions, FindConflicts, Stated, ToCompare};
pub use port::{Attempt, Port, PortFault, Reservation};
pub use prompt::PromptError;
pub use summarize::{Summarize, Summary, ToSummarize};
pub use vars::{Var, Vars, Words};
pub use yes_no::{Verdict, YesNo, YesNoAnswer, YesNoQuestion};

/// One thing an agent can be asked.
pub trait Skill: Send + Sync + 'static {
    /// Its name: lower case, words joined by `_`.
    const NAME: &'static str;
    /// Its prompt: Markdown with the variables of [`Skill::vars`] and `material`.
    const PROMPT: &'static str;
    /// Parts of the prompt that several skills share, by the name under which it includes them (`{% include "name" %}`).
    const PARTS: &'static [(&'static str, &'static str)] = &[];
    /// The longest answer worth paying for.
    const MAX_TOKENS: u32 = 1024;
    /// What it is given.
    type Input: Serialize + DeserializeOwned + JsonSchema + Send + Sync;
    /// What it gives back.
    type Output: Serialize + DeserializeOwned + JsonSchema + Send + Sync;

    /// The variables of the prompt. What neither the program nor its user wrote is fenced where it stands.
    fn vars(input: &Self::Input) -> Vars;
    /// Foreign text the prompt shows as `material`: fenced as data, and cut if it does not fit.
    fn material(input: &Self::Input) -> Vec<Piece>;
    /// What a schema cannot say: quotes exist, ids resolve, sums add up. Empty means good.
    fn check(input: &Self::Input, output: &Self::Output) -> Vec<Problem>;
    /// The rules twin: the same output by rules alone, honest about what it did not think about.
    fn rules(input: &Self::Input) -> Option<Self::Output>;
}

/// Something wrong with an answer, in words that help to write a better one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where in the answer, as a JSON pointer; empty for the whole.
    pub at: String,
    /// What is wrong.
    pub what: String,
}

impl Problem {
    /// A problem at a place.
    #[must_use]
    pub fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Self { at: at.into(), what: what.into() }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.at.is_empty() {
            write!(f, "{}", self.what)
        } else {
            write!(f, "at {}: {}", self.at, self.what)
        }
    }
}

/// A role: who is asked, in which order, and whether rules may answer when no model can. Plain data, so it
/// can be frozen into a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Role {
    /// Its name in the configuration.
    pub name: String,
    /// The models to try, first to last.
    pub chain: Vec<ModelCard>,
    /// Whether the rules twin may answer in the end.
    pub rules: bool,
}

impl Role {
    /// A role that asks no model.
    #[must_use]
    pub fn rules_only(name: &str) -> Self {
        Self { name: name.to_owned(), chain: Vec::new(), rules: true }
    }
}
