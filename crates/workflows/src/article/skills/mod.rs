//! What the workers ask of models, one file each: input, output, prompt, checks. The rules of a worker stand in its own
//! file, because they need the facts themselves and not what a prompt shows of them; a role without a model never gets here.

pub mod find_insights;
pub mod name_themes;
mod reader;
pub mod review;
pub mod write_article;
pub mod write_part;

#[cfg(test)]
mod tests;

use baton_agents::skill::{Answerer, Role, Skill, one_line};
use baton_engine::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::workers::writing::leaf;
use super::workers::{Job, Trouble};
use crate::asking::{Answered, Ask, ask};
use crate::citation::NumberedFact;

/// A fact as a model sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownFact {
    /// `Fact-001`.
    pub label: String,
    /// Whose words: author and year.
    pub source: String,
    /// What they stand under in it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// The words.
    pub quote: String,
}

impl ShownFact {
    /// A fact as a model sees it.
    pub fn of(fact: &NumberedFact<'_>, source: String) -> Self {
        let heading = leaf(&fact.found.heading);
        Self { label: fact.label(), source, heading, quote: fact.found.fact.quote.clone() }
    }

    /// In a line.
    pub fn line(&self) -> String {
        let under =
            if self.heading.is_empty() { String::new() } else { format!(", {}", one_line(&self.heading)) };
        format!("{} ({}{under}): {}", self.label, one_line(&self.source), one_line(&self.quote))
    }
}

/// A sentence a model wrote, and the facts it says it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenSentence {
    /// The sentence.
    pub text: String,
    /// Labels of its facts; none for a sentence about the article itself.
    pub facts: Vec<String>,
}

/// Puts a skill to a role, if a model is configured for it. A model that fails is none where rules may answer.
async fn put<S: Skill>(
    job: &Job<'_>,
    role: &Role,
    name: &str,
    input: &S::Input,
    last: bool,
) -> Result<Option<Answered<S::Output>>, Trouble> {
    if role.chain.is_empty() {
        return Ok(None);
    }
    // Rules of the worker stand in, not the skill's.
    let models = Role { rules: false, ..role.clone() };
    let key = format!("{}/{name}", job.id);
    let material = job.assignment.material();
    let asked = Ask { key: &key, input, material, last };
    match ask::<S, _>(job.cx, &models, asked).await {
        Ok(answered) => Ok(Some(answered)),
        Err(Fault::Unavailable(_)) if role.rules => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

/// Who answered.
fn who<T>(answered: &Answered<T>) -> Answerer {
    answered.by.clone()
}
