//! PARKED: nobody here can get it on; a person decides. Nothing else takes it up again.

use baton_engine::{Cx, Fault, Question};

use crate::effort::{Effort, Event};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let text = cx.read(|memory| {
        let place = memory
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!(" Its worktree is {}.", place.worktree.display()));
        format!(
            "{} is parked: {}.{place} Try again, or give it up?",
            memory.order.effort,
            memory.why.trim_end_matches('.')
        )
    });
    let answer = cx.ask::<String>("parked", Question::choice(text, &["again", "give up"])).await?;
    Ok(if answer.value == "again" {
        Event::TryAgain { by: answer.by }
    } else {
        Event::GaveUp { why: format!("{} gave it up", answer.by) }
    })
}
