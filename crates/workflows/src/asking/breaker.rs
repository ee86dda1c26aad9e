//! A weak or dead model is not asked for ever: after so many asks in a row without a good answer it is left out for the
//! rest of the try, the rest of its chain answers, and the change that would help is offered by name.

use std::borrow::Cow;

use baton_agents::skill::{Outcome, Role, Try};
use baton_engine::Cx;
use baton_machine::Workflow;

/// Asks in a row without a good answer, after which a model is left out.
pub(super) const MOST: u32 = 3;

fn place(model: &str) -> String {
    format!("refused/{model}")
}

/// The role without the models that are left out, and the names of those.
pub(super) fn without_tripped<'a, W: Workflow>(cx: &Cx<W>, role: &'a Role) -> (Cow<'a, Role>, Vec<String>) {
    let is_out =
        |model: &str| cx.counts(|counts| counts.get(&place(model)).is_some_and(|times| *times >= MOST));
    let tripped: Vec<String> =
        role.chain.iter().map(|card| card.name.clone()).filter(|model| is_out(model)).collect();
    if tripped.is_empty() {
        return (Cow::Borrowed(role), tripped);
    }
    let mut left = role.clone();
    left.chain.retain(|card| !tripped.contains(&card.name));
    (Cow::Owned(left), tripped)
}

/// Counts what one ask said of each model that was asked.
pub(super) fn count<W: Workflow>(cx: &Cx<W>, tries: &[Try]) {
    cx.counts(|counts| {
        let mut seen: Vec<&str> = Vec::new();
        for it in tries.iter().filter(|it| judges(&it.outcome)) {
            if seen.contains(&it.model.as_str()) {
                continue;
            }
            seen.push(&it.model);
            let good = tries.iter().any(|other| other.model == it.model && other.outcome == Outcome::Good);
            let times = counts.entry(place(&it.model)).or_insert(0);
            *times = if good { 0 } else { *times + 1 };
        }
    });
}

/// Whether an attempt says anything of the model; one that was not made does not.
fn judges(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Good | Outcome::Bad(_) | Outcome::Declined | Outcome::Fault(_) => true,
        Outcome::OverBudget(_) | Outcome::NoRoom(_) => false,
    }
}

/// These words, with what to change where models were left out.
pub(super) fn told(words: &str, role: &Role, tripped: &[String]) -> String {
    if tripped.is_empty() {
        return words.to_owned();
    }
    format!(
        "{words}. {} gave no good answer {MOST} times in a row and {} not asked any more; `baton resume RUN --model \
         {}=MODEL` asks another",
        tripped.join(" and "),
        if tripped.len() == 1 { "is" } else { "are" },
        role.name
    )
}
