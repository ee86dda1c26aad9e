//! Skills by name, with JSON in and out: what a command line needs.

use std::marker::PhantomData;

use async_trait::async_trait;
use serde_json::Value;

use super::{
    Answer, AskFailure, AskRequest, ExtractFacts, FindConflicts, Port, Role, Skill, Summarize, YesNo, ask,
};

/// A skill whose types were forgotten.
#[async_trait]
pub trait AnySkill: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// The schema of its input.
    fn input_schema(&self) -> Value;
    /// The schema of its output.
    fn output_schema(&self) -> Value;
    /// Asks it. An outer error says what is wrong with the input.
    async fn ask(
        &self,
        port: &dyn Port,
        role: &Role,
        question: AskRequest<'_, Value>,
    ) -> Result<Result<Answer<Value>, AskFailure>, serde_json::Error>;
}

struct Erased<S>(PhantomData<S>);

#[async_trait]
impl<S: Skill> AnySkill for Erased<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn input_schema(&self) -> Value {
        schemars::schema_for!(S::Input).to_value()
    }

    fn output_schema(&self) -> Value {
        schemars::schema_for!(S::Output).to_value()
    }

    async fn ask(
        &self,
        port: &dyn Port,
        role: &Role,
        question: AskRequest<'_, Value>,
    ) -> Result<Result<Answer<Value>, AskFailure>, serde_json::Error> {
        let input: S::Input = serde_json::from_value(question.input.clone())?;
        let AskRequest { key, carries_documents, .. } = question;
        let typed = match ask::<S>(port, role, AskRequest { key, input: &input, carries_documents }).await {
            Ok(typed) => typed,
            Err(failure) => return Ok(Err(failure)),
        };
        let Answer { output, by, prompt_hash, tries, cut, repairs } = typed;
        let output = serde_json::to_value(output)?;
        Ok(Ok(Answer { output, by, prompt_hash, tries, cut, repairs }))
    }
}

/// The skills of this crate, with their types forgotten. Workflows add theirs.
#[must_use]
pub fn all() -> Vec<Box<dyn AnySkill>> {
    fn erase<S: Skill>() -> Box<dyn AnySkill> {
        Box::new(Erased::<S>(PhantomData))
    }
    vec![erase::<ExtractFacts>(), erase::<FindConflicts>(), erase::<Summarize>(), erase::<YesNo>()]
}

/// The skill of that name among `skills`, or the name nearest to it.
pub fn find<'a>(
    skills: &'a [Box<dyn AnySkill>],
    name: &str,
) -> Result<&'a dyn AnySkill, Option<&'static str>> {
    match skills.iter().find(|s| s.name() == name) {
        Some(skill) => Ok(skill.as_ref()),
        None => Err(crate::nearest::nearest(name, skills.iter().map(|s| s.name()))),
    }
}
