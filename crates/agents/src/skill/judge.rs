//! Whether a reply is an answer: read it, hold it against the schema, let the skill check it.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::prompt::prompt_hash;
use super::{Problem, Skill};
use crate::model::{Finish, ModelReply};
use crate::parse::{Repair, Wanted, parse};

/// How many problems a repair turn lists: more would not be read.
const MOST_PROBLEMS: usize = 8;

/// A skill's output schema, ready to be held against answers.
pub(super) struct Shape {
    pub schema: Value,
    /// The same as text, for the prompt.
    pub schema_text: String,
    /// Hash of everything written by hand that goes into a call of this skill.
    pub prompt_hash: String,
    validator: jsonschema::Validator,
}

/// The shape of a skill's output; made once, for building a validator takes longer than asking.
pub(super) fn shape_of<S: Skill>() -> Result<Arc<Shape>, Problem> {
    static MADE: OnceLock<Mutex<HashMap<TypeId, Arc<Shape>>>> = OnceLock::new();
    let mut made = MADE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shape) = made.get(&TypeId::of::<S>()) {
        return Ok(Arc::clone(shape));
    }
    let schema = schemars::schema_for!(S::Output).to_value();
    let validator = jsonschema::validator_for(&schema)
        .map_err(|error| Problem::new("", format!("the output schema of {} is wrong: {error}", S::NAME)))?;
    let (schema_text, prompt_hash) = (schema.to_string(), prompt_hash::<S>());
    let shape = Arc::new(Shape { schema, schema_text, prompt_hash, validator });
    made.insert(TypeId::of::<S>(), Arc::clone(&shape));
    Ok(shape)
}

/// What a reply turned out to be.
pub(super) enum Judged<T> {
    Good(T, Vec<Repair>),
    Bad(Vec<Problem>),
    Declined,
}

/// Judges one reply.
pub(super) fn judge<S: Skill>(
    input: &S::Input,
    shape: &Shape,
    reply: &ModelReply,
    max_tokens: u32,
) -> Judged<S::Output> {
    if reply.finish == Finish::Refused {
        return Judged::Declined;
    }
    let whole = |what: String| Judged::Bad(vec![Problem::new("", what)]);
    let too_long = || {
        whole(format!(
            "the answer reached the limit of {max_tokens} tokens and was cut off; answer more briefly"
        ))
    };
    let parsed = match parse(&reply.text, Wanted::by(&shape.schema)) {
        Ok(parsed) if reply.finish == Finish::Length && parsed.repairs.contains(&Repair::Closed) => {
            return too_long();
        }
        Ok(parsed) => parsed,
        Err(_) if reply.finish == Finish::Length => return too_long(),
        Err(refused) => return whole(refused.to_string()),
    };
    let problems: Vec<Problem> = shape
        .validator
        .iter_errors(&parsed.value)
        .take(MOST_PROBLEMS)
        .map(|e| Problem::new(e.instance_path().to_string(), e.to_string()))
        .collect();
    if !problems.is_empty() {
        return Judged::Bad(problems);
    }
    let output: S::Output = match serde_json::from_value(parsed.value) {
        Ok(output) => output,
        Err(error) => return whole(error.to_string()),
    };
    let mut problems = S::check(input, &output);
    problems.truncate(MOST_PROBLEMS);
    if problems.is_empty() { Judged::Good(output, parsed.repairs) } else { Judged::Bad(problems) }
}
