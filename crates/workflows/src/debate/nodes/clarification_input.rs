//! ClarificationInput: waits until the person has answered every open question. They may be answered in any order
//! and from any process; `NA` is an answer.

use std::collections::BTreeMap;

use baton_engine::{Cx, Fault, Question};
use futures::future::try_join_all;

use crate::debate::memory::Clarification;
use crate::debate::{Debate, Event};

pub async fn run(cx: Cx<Debate>) -> Result<Event, Fault> {
    let open: Vec<Clarification> = cx.read(|memory| memory.unanswered().cloned().collect());
    if !open.is_empty() {
        let ids = open.iter().map(|asked| asked.id.clone()).collect();
        cx.emit(Event::WaitingForInput { open: ids }).await?;
    }
    let answers = try_join_all(open.iter().map(|asked| answer(&cx, asked))).await?;
    let answers: BTreeMap<String, String> = open.iter().map(|asked| asked.id.clone()).zip(answers).collect();
    Ok(Event::AnswersSubmitted { answers })
}

async fn answer(cx: &Cx<Debate>, asked: &Clarification) -> Result<String, Fault> {
    let text = format!("{} asks: {} (NA if there is no answer)", asked.agent, asked.question);
    Ok(cx.ask::<String>(asked.id.clone(), Question::words(text)).await?.value)
}
