//! The interview about a plan: a person says yes, abort, what to change, or edits it.

use baton_engine::{OpenQuestion, Runs};
use baton_workflows::research::task_md;
use serde_json::{Value, json};

use super::carry::memory_of;
use super::closing::plan_page;
use crate::presenter::{Choice, Draft, Interview, Sentence, Then};
use crate::program::Program;
use crate::trouble::Trouble;

/// The interview about a plan; none if this is another question.
pub fn interview(
    program: &Program,
    runs: &dyn Runs,
    open: &OpenQuestion,
) -> Result<Option<Interview>, Trouble> {
    if !open.key.name.starts_with("approve-") {
        return Ok(None);
    }
    let memory = memory_of(runs, &open.run)?;
    let Some(plan) = &memory.plan else { return Ok(None) };
    let name = format!("{}-plan-{}.md", open.run, plan.revision);
    let draft = Draft {
        what: "plan",
        file: program.home.path.join("edits").join(name),
        text: task_md::plan_form(plan),
        read: edited,
    };
    Ok(Some(Interview {
        page: plan_page(&memory, plan),
        choices: vec![
            Choice { words: &["yes", "y"], then: Then::Answer(json!("yes")) },
            Choice { words: &["abort", "no", "n"], then: Then::Answer(json!("abort")) },
            Choice { words: &["edit", "e"], then: Then::Edit(draft) },
            Choice { words: &["modify", "m"], then: Then::Ask },
        ],
        sentence: Sentence {
            name: "modify",
            says: "what to change",
            example: "Say in a sentence what to change, such as: also the costs; or: without the history.",
        },
    }))
}

/// The answer that an edited plan is.
fn edited(text: &str) -> Result<Value, String> {
    let file = task_md::parse(text).map_err(|error| error.to_string())?;
    Ok(json!({ "plan": file.plan() }))
}
