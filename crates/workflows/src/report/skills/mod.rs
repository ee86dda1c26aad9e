//! What a report asks of models, one file each: input, output, prompt, checks. Rules do all of it where no model is
//! configured or none gives a good answer.

pub mod propose;
pub mod tell_story;
pub mod write_section;

use baton_agents::skill::{Role, Skill, one_line};
use baton_engine::{Cx, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Report;
use crate::asking::{Answered, Ask, Material, ask};

/// A figure or a fact as a model sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownEvidence {
    /// `d1.1` or `Fact-001`.
    pub label: String,
    /// What it says.
    pub says: String,
}

impl ShownEvidence {
    /// In a line.
    pub fn line(&self) -> String {
        format!("{}: {}", self.label, one_line(&self.says))
    }
}

/// A sentence a model wrote, and what it says it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenSentence {
    /// The sentence.
    pub text: String,
    /// Labels of figures and facts.
    pub evidence: Vec<String>,
}

/// Puts a skill to a role, if a model is configured for it. A model that fails is none where rules may answer, and that is
/// noted.
async fn put<S: Skill>(
    cx: &Cx<Report>,
    role: &Role,
    key: &str,
    input: &S::Input,
    material: Material,
) -> Result<Result<Answered<S::Output>, Option<String>>, Fault> {
    if role.chain.is_empty() {
        return Ok(Err(None));
    }
    let models = Role { rules: false, ..role.clone() };
    match ask::<S, _>(cx, &models, Ask::last(key, input, material)).await {
        Ok(answered) => Ok(Ok(answered)),
        Err(Fault::Unavailable(why)) if role.rules => {
            Ok(Err(Some(format!("no model of the role {} gave a good answer; rules did ({why})", role.name))))
        }
        Err(fault) => Err(fault),
    }
}
