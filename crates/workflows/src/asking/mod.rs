//! Asking from inside a node, the same way for every workflow: [`ask`] puts a skill to a role, [`StepPort`] makes each paid
//! attempt a step of its own, [`CallModels`] makes the calls.
//! A model whose answers are refused again and again is left out for the rest of the try, see `breaker`.
//! `roles` makes the list of who is asked by a workflow.
//!
//! What does not live here: how an answer is judged and who is asked next; that is `baton_agents::skill`.

mod breaker;
mod port;
mod roles;

use baton_agents::skill::{self, Answer, Answerer, AskRequest, Cause, Role, Skill};
use baton_engine::{Cx, Fault};
use baton_machine::Workflow;

pub use port::{CallModel, CallModels, Replied, StepPort};
pub(crate) use roles::roles;

/// Whose text an ask puts before a model. A model elsewhere sees a person's documents only if the run allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Text of a person's own documents, or words derived from it.
    Documents,
    /// What was typed for this run, or can be fetched by anybody.
    Public,
}

impl Material {
    /// Documents if `is_private`.
    #[must_use]
    pub fn private_if(is_private: bool) -> Self {
        if is_private { Self::Documents } else { Self::Public }
    }
}

/// One ask of a node.
#[derive(Debug)]
pub struct Ask<'a, I> {
    /// Names it among all asks of its visit.
    pub key: &'a str,
    /// The skill's input.
    pub input: &'a I,
    /// Whose text the input holds.
    pub material: Material,
    /// Whether it may use the share of the budget kept for the final answer.
    pub last: bool,
}

impl<'a, I> Ask<'a, I> {
    /// An ask for ordinary work.
    pub fn new(key: &'a str, input: &'a I, material: Material) -> Self {
        Self { key, input, material, last: false }
    }

    /// The ask for the final answer.
    pub fn last(key: &'a str, input: &'a I, material: Material) -> Self {
        Self { key, input, material, last: true }
    }
}

/// An answer and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered<T> {
    /// The answer.
    pub output: T,
    /// Who gave it.
    pub by: Answerer,
    /// Tokens it took, over all attempts.
    pub tokens: u64,
    /// Something a reader must know: a model was configured and rules had to answer.
    pub note: Option<String>,
}

/// Puts a skill to a role. A budget that is used up is [`Fault::Budget`], so that rules never hide it; a role that cannot
/// answer is [`Fault::Unavailable`].
pub async fn ask<S: Skill, W: Workflow>(
    cx: &Cx<W>,
    role: &Role,
    ask: Ask<'_, S::Input>,
) -> Result<Answered<S::Output>, Fault> {
    let (role, tripped) = breaker::without_tripped(cx, role);
    let port = if ask.last { StepPort::for_last(cx) } else { StepPort::new(cx) };
    let carries_documents = ask.material == Material::Documents;
    let question = AskRequest { key: ask.key, input: ask.input, carries_documents };
    let asked = skill::ask::<S>(&port, &role, question).await;
    breaker::count(cx, asked.as_ref().map_or_else(|failure| &failure.tries, |answer| &answer.tries));
    match asked {
        Ok(answer) => Ok(answered(&role, answer, &tripped)),
        Err(failure) => Err(match &failure.cause {
            Cause::OverBudget(why) | Cause::Stopped(why) => {
                port.fault().unwrap_or_else(|| Fault::GaveUp(why.clone()))
            }
            _ => Fault::Unavailable(breaker::told(&failure.to_string(), &role, &tripped)),
        }),
    }
}

fn answered<T>(role: &Role, answer: Answer<T>, tripped: &[String]) -> Answered<T> {
    let usage = answer.usage();
    let by = Answerer::from(answer.by);
    let stood_in = by == Answerer::Rules && !(role.chain.is_empty() && tripped.is_empty());
    let note = stood_in.then(|| {
        let words = format!("no model of the role {} gave a good answer; rules did", role.name);
        breaker::told(&words, role, tripped)
    });
    Answered { output: answer.output, by, tokens: usage.input + usage.output, note }
}
