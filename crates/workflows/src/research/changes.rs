//! What may be changed in a research run that has begun.

use baton_engine::Changeable;
use baton_engine::dag::TaskId;
use baton_engine::record::Change;

use super::{Memory, Research};
use crate::changing;

/// More iterations than this no plan can use: the table bounds them too.
const MOST_ITERATIONS: u32 = 1_000;

pub const CHANGEABLE: [Changeable; 4] = [
    Changeable { key: "max_iterations", hint: "a whole number", says: "tasks it may dispatch in all" },
    Changeable { key: "model.", hint: "models, in order", says: "who is asked in a role" },
    Changeable { key: "skip", hint: "a task", says: "go on without a task" },
    Changeable { key: "finish", hint: "true", says: "dispatch nothing more and write up what there is" },
];

/// Changes what the run knows of its order.
pub fn apply(memory: &mut Memory, change: &Change) -> Result<(), String> {
    if let Some(given) = changing::role(change) {
        let (name, role) = given?;
        let roles = &mut memory.brief.roles;
        let place = [
            &mut roles.planner,
            &mut roles.searcher,
            &mut roles.reader,
            &mut roles.reflector,
            &mut roles.resolver,
            &mut roles.synthesizer,
        ]
        .into_iter()
        .find(|place| place.name == name);
        let unknown = || {
            format!(
                "research has no role `{name}`; it has planner, searcher, reader, reflector, resolver and synthesizer"
            )
        };
        *place.ok_or_else(unknown)? = role;
        return Ok(());
    }
    match change.key.as_str() {
        "max_iterations" => memory.brief.max_iterations = changing::whole(change, 1, MOST_ITERATIONS)?,
        "finish" => {
            changing::yes(change)?;
            memory.brief.max_iterations = memory.iteration;
        }
        "skip" => {
            let id = TaskId(changing::words(change)?.to_owned());
            memory.dag.skip(&id, "a person skipped it").map_err(|error| error.to_string())?;
        }
        _ => {
            return Err(format!(
                "{} has nothing called `{}`",
                <Research as baton_machine::Workflow>::NAME,
                change.key
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
