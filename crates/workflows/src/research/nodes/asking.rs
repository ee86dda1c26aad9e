//! Asking a role from a node: who answered, and what a failure means for a task.

use baton_agents::skill::{Answer, AskFailure, By, Cause, Question, Role, Skill, ask};
use baton_engine::{Cx, Fault};

use crate::asking::StepPort;
use crate::research::Research;

/// What a role said, and who it was.
pub struct Said<T> {
    /// The answer.
    pub output: T,
    /// `rules` or a model's name.
    pub by: String,
    /// Something for the report's limits: a model was configured and rules had to answer.
    pub note: Option<String>,
}

/// Asks. Text of documents may be in the input, so models elsewhere are asked only if the run allows it.
pub async fn said<S: Skill>(
    cx: &Cx<Research>,
    role: &Role,
    key: &str,
    input: &S::Input,
    last: bool,
) -> Result<Said<S::Output>, Fault> {
    let port = if last { StepPort::for_last(cx) } else { StepPort::new(cx) };
    let question = Question { key, input, carries_documents: true };
    match ask::<S>(&port, role, question).await {
        Ok(answer) => Ok(of(role, answer)),
        Err(failure) => Err(fault(&failure)),
    }
}

fn of<T>(role: &Role, answer: Answer<T>) -> Said<T> {
    let Answer { output, by, .. } = answer;
    match by {
        By::Model { name, .. } => Said { output, by: name, note: None },
        By::Rules => {
            let tried = !role.chain.is_empty();
            let note =
                tried.then(|| format!("no model of the role {} gave a good answer; rules did", role.name));
            Said { output, by: "rules".to_owned(), note }
        }
    }
}

fn fault(failure: &AskFailure) -> Fault {
    match &failure.cause {
        Cause::Stopped(why) => Fault::GaveUp(why.clone()),
        _ => Fault::Unavailable(failure.to_string()),
    }
}
