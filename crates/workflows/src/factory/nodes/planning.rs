//! PLANNING: a person says yes to the plan. What a program drafted needs a word that no flag gives.

use baton_engine::{Cx, Fault, Question};

use crate::coding::AgentSpec;
use crate::factory::money::dollars;
use crate::factory::plan::{EffortPlan, Plan};
use crate::factory::{Event, Factory};
use crate::markup::count;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let (text, drafted) = cx.read(|memory| {
        let plan = &memory.plan;
        let again = if memory.resets > 0 { " once more, from the beginning" } else { "" };
        let what = format!(
            "Build `{}`{again}: {}, {}{}",
            plan.title,
            count(plan.phases.len(), "phase"),
            count(plan.efforts().count(), "effort"),
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
            (format!("{what}.{}{}\nShall it be built?", efforts(plan), commands.concat()), false)
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

/// How many efforts are listed; `baton build validate` shows all.
const LISTED: usize = 20;

/// Who does what, a line each.
fn efforts(plan: &Plan) -> String {
    let line = |(phase, wave, effort): (usize, usize, &EffortPlan)| {
        format!(
            "\n  {}.{} {}, by {}: {}",
            phase + 1,
            wave + 1,
            effort.name,
            effort.agent,
            effort.paths.join(" ")
        )
    };
    let many = plan.efforts().count();
    let more = if many > LISTED { format!("\n  and {} more", many - LISTED) } else { String::new() };
    plan.efforts().take(LISTED).map(line).collect::<String>() + &more
}

/// What a plan may spend, if it pays anybody.
fn money(plan: &Plan) -> String {
    let paid = plan.agents.iter().any(AgentSpec::is_paid) || plan.review.model || plan.review.architect;
    match plan.budget.project.filter(|_| paid) {
        Some(most) => format!(", at most {}", dollars(most)),
        None => String::new(),
    }
}
