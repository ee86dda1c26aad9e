//! ClarificationInput: waits until the person has answered every open question. They may be answered in any order
//! and from any process; `NA` is an answer, and so is nothing at all, which means the same.

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
    let who = cx.read(|memory| memory.name(&asked.agent).to_owned());
    let text = format!("{who} asks: {} (NA if there is no answer)", asked.question);
    let words = cx.ask::<String>(asked.id.clone(), Question::words_or_nothing(text)).await?.value;
    Ok(if words.trim().is_empty() { "NA".to_owned() } else { words })
}
