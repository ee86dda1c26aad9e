//! What may be changed in a debate that has begun.

use baton_engine::Changeable;
use baton_engine::record::Change;

use super::setup::Kind;
use super::spec::MOST_ROUNDS;
use super::{Debate, Memory};
use crate::changing;

pub const CHANGEABLE: [Changeable; 3] = [
    Changeable { key: "rounds", hint: "a whole number", says: "the most rounds" },
    Changeable { key: "model.", hint: "models, in order", says: "who speaks for an agent, or judges" },
    Changeable { key: "finish", hint: "true", says: "hold no further round and decide" },
];

/// Changes what the debate knows of its terms.
pub fn apply(memory: &mut Memory, change: &Change) -> Result<(), String> {
    if let Some(given) = changing::role(change) {
        let (name, role) = given?;
        let setup = &mut memory.setup;
        let agents = setup.agents.iter_mut().filter_map(|agent| match &mut agent.kind {
            Kind::Model { role, .. } => Some(role),
            Kind::Person { .. } | Kind::File(_) | Kind::Command { .. } | Kind::Rules(_) => None,
        });
        let mut places: Vec<_> =
            agents.chain([&mut setup.judge.role]).filter(|place| place.name == name).collect();
        if places.is_empty() {
            return Err(format!("nobody in this debate asks the role `{name}`"));
        }
        places.iter_mut().for_each(|place| **place = role.clone());
        return Ok(());
    }
    let terms = &mut memory.setup.terms;
    match change.key.as_str() {
        "rounds" => terms.rounds = changing::whole(change, 1, MOST_ROUNDS)?,
        "finish" => {
            changing::yes(change)?;
            terms.rounds = memory.round.max(1);
            terms.min_rounds = terms.min_rounds.map(|least| least.min(terms.rounds));
        }
        _ => {
            return Err(format!(
                "{} has nothing called `{}`",
                <Debate as baton_machine::Workflow>::NAME,
                change.key
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
