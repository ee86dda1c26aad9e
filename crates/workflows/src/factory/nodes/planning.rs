//! PLANNING: a person says yes to the plan. What a program drafted needs a word that no flag gives.

use baton_engine::{Cx, Fault, Question};

use crate::coding::AgentSpec;
use crate::factory::money::dollars;
use crate::factory::plan::Plan;
use crate::factory::{Event, Factory};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (text, drafted) = cx.read(|memory| {
        let plan = &memory.plan;
        let efforts = plan.efforts().count();
        let again = if memory.resets > 0 { " once more, from the beginning" } else { "" };
        let what = format!(
            "Build `{}`{again}: {} phases, {efforts} efforts{}",
            plan.title,
            plan.phases.len(),
            money(plan)
        );
        let commands: Vec<String> =
            plan.commands().into_iter().map(|(who, line)| format!("\n  {who}: {line}")).collect();
        if plan.drafted {
            (
                format!(
                    "{what}. A program drafted this plan; it would run these commands:{}",
                    commands.concat()
                ),
                true,
            )
        } else {
            (format!("{what}?"), false)
        }
    });
    if drafted {
        let answer = cx.ask::<String>("drafted", Question::choice(text, &["run them", "stop"])).await?;
        return Ok(if answer.value == "run them" {
            Event::PlanApproved { by: answer.by }
        } else {
            Event::Abandon { why: format!("{} did not approve the plan", answer.by) }
        });
    }
    if cx.read(|memory| memory.order.yes) {
        return Ok(Event::PlanApproved { by: "--yes".to_owned() });
    }
    let answer = cx.ask::<bool>("plan", Question::yes_no(text)).await?;
    Ok(if answer.value {
        Event::PlanApproved { by: answer.by }
    } else {
        Event::Abandon { why: format!("{} did not approve the plan", answer.by) }
    })
}

/// What a plan may spend, if it pays anybody.
fn money(plan: &Plan) -> String {
    let paid = plan.agents.iter().any(AgentSpec::is_paid) || plan.review.model || plan.review.architect;
    match plan.budget.project.filter(|_| paid) {
        Some(most) => format!(", at most {}", dollars(most)),
        None => String::new(),
    }
}
