//! ARCHITECT_INTEGRATION: a way out is chosen, by the plan's policy or by a person. Where none can be gone, only a reset is
//! left, and that needs a word of its own.

use baton_engine::{Cx, Fault, Question};

use crate::factory::data::Way;
use crate::factory::plan::{Choice, Consent};
use crate::factory::{Event, Factory, Memory, RecoveryOption};
use crate::markup::count;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let feasible = cx.read(feasible);
    let (choice, recommended) = cx.read(|memory| {
        let choice = match memory.plan.policy.recovery {
            Choice::Ask if memory.order.yes => Choice::Recommended,
            choice => choice,
        };
        (choice, memory.strategy.as_ref().and_then(|strategy| strategy.recommended))
    });
    let by_policy = match choice {
        Choice::Ask => None,
        Choice::Recommended => recommended,
        Choice::Minimal => Some(RecoveryOption::Minimal),
        Choice::Standard => Some(RecoveryOption::Standard),
        Choice::Complete => Some(RecoveryOption::Complete),
    };
    if feasible.is_empty() {
        return without_a_way(&cx).await;
    }
    if let Some(option) = by_policy.filter(|option| feasible.contains(option)) {
        return Ok(Event::RecoveryApproved { option, by: "the policy of the plan".to_owned() });
    }
    let mut words: Vec<&str> = feasible.iter().map(|option| option.word()).collect();
    words.extend(["reset", "abandon"]);
    let text = cx.read(|memory| {
        let why = &memory.trigger;
        let named = recommended.map_or(String::new(), |option| format!(" Recommended: {}.", option.word()));
        let ways: String = memory.strategy.iter().flat_map(|strategy| &strategy.ways).map(told).collect();
        format!(
            "The project stopped, because {why}. Nothing is lost: all of it is in a checkpoint. These are the ways out, and \
             recovery/RECOVERY_STRATEGY.md in the run's folder weighs them.{named}{ways}\n  reset: everything from the \
             beginning, with what was done kept in an archive\n  abandon: the end; nothing is delivered\nWhich?"
        )
    });
    let answer = cx.ask::<String>("recovery", Question::choice(text, &words)).await?;
    let option = feasible.into_iter().find(|option| option.word() == answer.value);
    Ok(match option {
        Some(option) => Event::RecoveryApproved { option, by: answer.by },
        None if answer.value == "reset" => Event::ResetApproved { by: answer.by },
        None => Event::Abandon { why: format!("{} abandoned it", answer.by) },
    })
}

/// One way out, on a line.
fn told(way: &Way) -> String {
    let word = way.option.word();
    if !way.obstacle.is_empty() {
        return format!("\n  ({word} is not possible: {})", way.obstacle);
    }
    format!(
        "\n  {word}: {} ({}); {}, but {}",
        count(way.efforts.len(), "effort"),
        way.efforts.join(", "),
        way.benefit,
        way.risk
    )
}

/// The ways that can be gone, with recoveries left.
fn feasible(memory: &Memory) -> Vec<RecoveryOption> {
    if memory.recoveries >= memory.plan.policy.recoveries {
        return Vec::new();
    }
    let ways = memory.strategy.iter().flat_map(|strategy| &strategy.ways);
    ways.filter(|way| way.obstacle.is_empty()).map(|way| way.option).collect()
}

async fn without_a_way(cx: &Cx<Factory>) -> Result<Event, Fault> {
    let (resets_left, consent, why) = cx.read(|memory| {
        let left = memory.resets < memory.plan.policy.resets;
        (left, memory.plan.policy.reset, memory.trigger.clone())
    });
    if !resets_left {
        return Ok(Event::Abandon { why: format!("{why}; no recovery and no reset is left") });
    }
    if consent == Consent::Allow {
        return Ok(Event::ResetApproved { by: "the policy of the plan".to_owned() });
    }
    let text = format!(
        "No recovery is possible: {why}. Begin the project again (nothing is deleted), or abandon it?"
    );
    let answer = cx.ask::<String>("reset", Question::choice(text, &["reset", "abandon"])).await?;
    Ok(if answer.value == "reset" {
        Event::ResetApproved { by: answer.by }
    } else {
        Event::Abandon { why: format!("{} abandoned it", answer.by) }
    })
}
