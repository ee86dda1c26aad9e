//! ARCHITECT_FEEDBACK: whether the adjustment can bring what is missing. Commands that the approved plan did not have need
//! a person's word.

use std::collections::BTreeSet;

use baton_engine::{Cx, Fault, Question};

use crate::factory::{Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (efforts, new) = cx.read(|memory| {
        let known: BTreeSet<String> =
            memory.order.plan.commands().into_iter().map(|(_, line)| line).collect();
        let new: Vec<String> = memory
            .plan
            .commands()
            .into_iter()
            .map(|(_, line)| line)
            .filter(|line| !known.contains(line))
            .collect();
        let wave = memory.plan.phases.get(memory.phase).and_then(|phase| phase.waves.last());
        (wave.map_or(0, |wave| wave.efforts.len()), new)
    });
    if efforts == 0 {
        return Ok(Event::AdjustmentRejected { why: "it has no efforts".to_owned() });
    }
    if new.is_empty() {
        return Ok(Event::AdjustmentApproved { by: "rules".to_owned() });
    }
    let text = format!("The adjustment would run commands that were not approved: {}", new.join("; "));
    let answer = cx.ask::<String>("commands", Question::choice(text, &["run them", "stop"])).await?;
    Ok(if answer.value == "run them" {
        Event::AdjustmentApproved { by: answer.by }
    } else {
        Event::AdjustmentRejected { why: format!("{} did not approve its commands", answer.by) }
    })
}
