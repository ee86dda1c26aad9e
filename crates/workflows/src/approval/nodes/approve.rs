//! AWAITING_APPROVAL: asks a person whether the next stage may begin.

use std::time::Duration;

use baton_engine::{Cx, Fault, Question};

use crate::approval::{Approval, Event};

pub async fn run(cx: Cx<Approval>) -> Result<Event, Fault> {
    let question = cx.read(|memory| {
        let stage = memory.present();
        let name = stage.map_or("the next stage", |stage| stage.name.as_str());
        let text =
            stage.and_then(|stage| stage.ask.clone()).unwrap_or_else(|| format!("May `{name}` begin?"));
        let question = Question::yes_no(text);
        match stage.and_then(|stage| stage.within_hours) {
            Some(hours) => question.within(Duration::from_secs(hours * 3600)),
            None => question,
        }
    });
    let answer = cx.ask::<bool>("approve", question).await?;
    Ok(if answer.value {
        Event::Approved { by: answer.by }
    } else {
        Event::Rejected { why: format!("{} said no", answer.by) }
    })
}
