//! NEEDS_INPUT: the agent asked something; a person answers.

use baton_engine::{Cx, Fault, Question};

use crate::effort::{Effort, Event};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let text = cx.read(|memory| memory.question.clone().unwrap_or_default());
    let answer = cx.ask::<String>("input", Question::words(text)).await?;
    Ok(Event::Answered { text: answer.value, by: answer.by })
}
