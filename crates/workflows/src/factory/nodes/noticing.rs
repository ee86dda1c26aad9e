//! A plan that is edited while its build goes on is noticed here and offered as an adjustment. Who takes it over is the
//! plan's policy or a person; commands that it adds need a person's word, whatever flags were given.

use std::path::PathBuf;

use baton_engine::{Cx, Fault, Question};

use crate::factory::plan::{Edit, Edited, PlanSeen, ReadPlan, compare};
use crate::factory::{Event, Factory};

/// When the plan is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before efforts begin.
    Wave,
    /// Between two phases, and before the end: what was put off is asked now.
    Phase,
}

/// Looks whether the plan was edited.
pub async fn look(cx: &Cx<Factory>, moment: Moment) -> Result<(), Fault> {
    let (file, seen) = cx.read(|memory| (memory.order.file.clone(), memory.plan_seen.clone()));
    if seen.is_empty() {
        return Ok(());
    }
    let read = cx.step("plan-file", &ReadPlan { file: PathBuf::from(&file) }).await?;
    if read.hash == seen {
        return Ok(());
    }
    let compared = match read.plan {
        Ok(plan) => cx.read(|memory| compare(memory, &plan)),
        Err(why) => Err(why),
    };
    let (what, taken) = match compared {
        Err(why) => (format!("the plan was edited and is not taken over: {why}"), None),
        Ok((edit, _)) if edit.is_nothing() => (String::new(), None),
        Ok((edit, plan)) => match decided(cx, &file, &edit, moment).await? {
            Decision::Take(by) => (
                format!("the plan was edited: by {by} it {} from here on", edit.words()),
                Some(Box::new(plan)),
            ),
            Decision::Keep(why) => {
                (format!("the plan was edited ({}) and is not taken over: {why}", edit.words()), None)
            }
            Decision::Later => return Ok(()),
        },
    };
    cx.emit(Event::Noticed { what, plan: Some(PlanSeen { hash: read.hash, taken }) }).await
}

enum Decision {
    Take(String),
    Keep(String),
    Later,
}

async fn decided(cx: &Cx<Factory>, file: &str, edit: &Edit, moment: Moment) -> Result<Decision, Fault> {
    let (policy, yes) = cx.read(|memory| (memory.plan.policy.edited, memory.order.yes));
    match policy {
        Edited::Refuse => return Ok(Decision::Keep("its policy refuses edits".to_owned())),
        Edited::Take if edit.commands.is_empty() => {
            return Ok(Decision::Take("the policy of the plan".to_owned()));
        }
        Edited::Ask if yes && edit.commands.is_empty() => {
            let why = "--yes takes no edits; say `edited = \"take\"` or \"defer\" under [policy]";
            return Ok(Decision::Keep(why.to_owned()));
        }
        Edited::Ask if yes => {
            let why = "it would run commands that nobody approved, and --yes approves none";
            return Ok(Decision::Keep(why.to_owned()));
        }
        Edited::Defer if moment == Moment::Wave => return Ok(Decision::Later),
        Edited::Ask | Edited::Defer | Edited::Take => {}
    }
    let text = format!("{file} was edited: it {}. Take it over from here on?", edit.words());
    let answer = cx.ask::<String>("plan-edited", Question::choice(text, &["take over", "keep"])).await?;
    Ok(if answer.value == "take over" {
        Decision::Take(answer.by)
    } else {
        Decision::Keep(format!("{} kept the plan as it was", answer.by))
    })
}
