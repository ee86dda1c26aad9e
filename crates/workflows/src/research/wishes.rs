//! What a person wants changed about a plan, said in a sentence: made as a change, or refused with what is understood.
//!
//! Rules read a handful of forms and guess at nothing: a wish that is none of them changes nothing.

mod reading;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use baton_agents::rules::answer::completed;
use baton_agents::rules::thesaurus;
use baton_agents::rules::words::{fold, is_stop, stem, word_ranges};

use super::plan::{Dimension, Plan, TaskKind, covering, order};
use super::skills::plan::{capitalised, name_of};
use reading::{Wish, clauses, read};

/// What is understood, for whoever said something else.
pub const UNDERSTOOD: &str = "understood are: \"add …\" or a question, \"without …\", \"drop the second\", \
                              \"only …\", \"change the second to …\"";

/// What is asked with one word and named with another.
const PROPERTIES: &[(&str, &[&str])] = &[
    ("age", &["old", "older"]),
    ("cost", &["much", "expensive", "price", "fee"]),
    ("price", &["much", "expensive", "cost", "fee"]),
    ("size", &["big", "large"]),
    ("length", &["long"]),
    ("duration", &["long"]),
    ("height", &["high", "tall"]),
    ("depth", &["deep"]),
    ("distance", &["far"]),
    ("speed", &["fast", "quickly"]),
    ("number", &["many"]),
    ("count", &["many"]),
    ("frequency", &["often", "frequently"]),
    ("noise", &["loud", "noisy"]),
    ("weight", &["heavy", "weigh"]),
    ("width", &["wide"]),
    ("date", &["when"]),
    ("time", &["when", "long"]),
    ("place", &["where"]),
    ("location", &["where"]),
    ("reason", &["why"]),
    ("cause", &["why"]),
    ("temperature", &["hot", "cold", "warm"]),
    ("reliability", &["reliable"]),
    ("person", &["who"]),
    ("history", &["when", "began", "founded"]),
];

/// The plan with a wish carried out, or why it is not. Whatever the wish does not speak of stays as it was.
pub fn granted(plan: &Plan, said: &str) -> Result<Plan, String> {
    let mut changed = plan.clone();
    for clause in clauses(said) {
        let Some(wish) = read(clause) else {
            return Err(format!("it is not clear what \"{}\" changes; {UNDERSTOOD}", clause.trim()));
        };
        grant(&mut changed, wish)?;
    }
    Ok(changed)
}

/// Whether a sentence is about something that was excluded: every telling word of it is there.
#[must_use]
pub fn is_excluded(sentence: &str, exclusions: &[String]) -> bool {
    exclusions.iter().any(|what| is_about(sentence, "", what))
}

/// Takes what was excluded out of a plan that was drafted anew; what would take everything stays.
pub fn keep_out(plan: &mut Plan, exclusions: &[String]) {
    for what in exclusions {
        let hit: Vec<usize> = about(plan, what);
        if hit.len() < plan.dimensions.len() {
            remove(plan, &hit);
        }
        if !plan.exclusions.contains(what) {
            plan.exclusions.push(what.clone());
        }
    }
}

/// The question a part asks that somebody gave only a name: with what the plan's question is about, so that it can be
/// searched by itself.
#[must_use]
pub fn question_of(name: &str, core_question: &str) -> String {
    let bare = name.trim().trim_end_matches(['.', '!']);
    completed(&capitalised(bare), core_question)
}

fn grant(plan: &mut Plan, wish: Wish) -> Result<(), String> {
    match wish {
        Wish::Add(what) => add(plan, &what),
        Wish::Drop(places) => {
            let places = places.into_iter().map(|at| place(plan, at)).collect::<Result<Vec<_>, _>>()?;
            left(plan, &places)?;
            remove(plan, &places);
            Ok(())
        }
        Wish::Without(what) => {
            let hit = about(plan, &what);
            left(plan, &hit)?;
            remove(plan, &hit);
            plan.exclusions.push(what);
            Ok(())
        }
        Wish::Only(what) => {
            let kept = about(plan, &what);
            if kept.is_empty() {
                return Err(format!("no part of the plan is about \"{what}\""));
            }
            let others: Vec<usize> = (0..plan.dimensions.len()).filter(|at| !kept.contains(at)).collect();
            remove(plan, &others);
            Ok(())
        }
        Wish::Reword(at, what) => {
            let at = place(plan, at)?;
            let new = dimension(&what, &plan.core_question);
            rename(plan, at, &new);
            Ok(())
        }
    }
}

/// A place that exists.
fn place(plan: &Plan, at: usize) -> Result<usize, String> {
    let parts = plan.dimensions.len();
    match at {
        usize::MAX => Ok(parts - 1),
        at if at < parts => Ok(at),
        _ => Err(format!("there is no part {} of the plan; it has {parts}", at + 1)),
    }
}

fn left(plan: &Plan, gone: &[usize]) -> Result<(), String> {
    let gone: BTreeSet<usize> = gone.iter().copied().collect();
    match gone.len() < plan.dimensions.len() {
        true => Ok(()),
        false => Err("nothing would be left to find out; \"abort\" ends it".to_owned()),
    }
}

fn dimension(what: &str, core_question: &str) -> Dimension {
    let question = question_of(what, core_question);
    let name = name_of(what);
    let focus = word_ranges(what).map(|range| &what[range]).filter(|word| !is_stop(&fold(word)));
    Dimension {
        name: if name.is_empty() { capitalised(what) } else { name },
        focus: focus.map(str::to_owned).collect(),
        question,
    }
}

fn add(plan: &mut Plan, what: &str) -> Result<(), String> {
    let new = dimension(what, &plan.core_question);
    if plan.dimensions.iter().any(|known| fold(&known.name) == fold(&new.name)) {
        return Err(format!("\"{}\" is in the plan already", new.name));
    }
    plan.dimensions.push(new);
    cover(plan, plan.dimensions.len() - 1);
    Ok(())
}

/// Adds the search and the reading of a part.
pub fn cover(plan: &mut Plan, at: usize) {
    let Some(dimension) = plan.dimensions.get(at) else { return };
    let last = |kind: TaskKind| {
        plan.tasks
            .iter()
            .filter(|duty| duty.kind() == kind)
            .map(|duty| order(&duty.id.0).1)
            .max()
            .unwrap_or(0)
    };
    let number = last(TaskKind::Search).max(last(TaskKind::Read)) as usize + 1;
    let first = plan.tasks.iter().filter(|duty| duty.kind() == TaskKind::Plan).map(|duty| duty.id.clone());
    let duties = covering(at, number, dimension, first.collect());
    plan.tasks.extend(duties);
    plan.tasks.sort_by_key(|duty| order(&duty.id.0));
}

/// Takes parts out, with the tasks that serve them alone.
pub fn remove(plan: &mut Plan, places: &[usize]) {
    let gone = |at: usize| places.contains(&at);
    let after = |at: usize| {
        at - places.iter().collect::<BTreeSet<_>>().into_iter().filter(|gone| **gone < at).count()
    };
    let (out, mut kept): (Vec<_>, Vec<_>) =
        std::mem::take(&mut plan.tasks).into_iter().partition(|duty| duty.dimension.is_some_and(gone));
    for duty in &mut kept {
        duty.dimension = duty.dimension.map(after);
        duty.depends_on.retain(|id| !out.iter().any(|gone| gone.id == *id));
    }
    plan.tasks = kept;
    plan.done.retain(|id| !out.iter().any(|gone| gone.id == *id));
    let mut at = 0;
    plan.dimensions.retain(|_| {
        at += 1;
        !gone(at - 1)
    });
}

/// Gives a part another name and question; its tasks follow where nobody gave them words of their own.
pub fn rename(plan: &mut Plan, at: usize, new: &Dimension) {
    let Some(old) = plan.dimensions.get_mut(at) else { return };
    let old = std::mem::replace(old, new.clone());
    for duty in plan.tasks.iter_mut().filter(|duty| duty.dimension == Some(at)) {
        if duty.query == old.question {
            duty.query.clone_from(&new.question);
        }
        if let Some(kind) = duty.description.strip_suffix(&old.name).map(str::to_owned) {
            duty.description = format!("{kind}{}", new.name);
        }
    }
}

/// The parts that are about something.
fn about(plan: &Plan, what: &str) -> Vec<usize> {
    let hit = |dimension: &Dimension| {
        let own = dimension.question.split(" (").next().unwrap_or_default();
        is_about(&format!("{own} {}", dimension.name), &dimension.question, what)
    };
    (0..plan.dimensions.len()).filter(|at| hit(&plan.dimensions[*at])).collect()
}

/// Whether a text is about something: every telling word of it stands there, as itself or as what asks for it, and at
/// least one of them outside what the text only takes over from elsewhere.
fn is_about(own: &str, around: &str, what: &str) -> bool {
    let wanted: Vec<String> = words(what).into_iter().filter(|word| !is_stop(word)).collect();
    let (own, around) = (words(own), words(around));
    let has = |words: &[String], wanted: &String| words.iter().any(|word| is_same(word, wanted));
    !wanted.is_empty()
        && wanted.iter().any(|word| has(&own, word))
        && wanted.iter().all(|word| has(&own, word) || has(&around, word))
}

fn words(text: &str) -> Vec<String> {
    word_ranges(text).map(|range| fold(&text[range])).collect()
}

fn is_same(found: &str, wanted: &str) -> bool {
    let asks = |name: &str, word: &str| {
        PROPERTIES.iter().any(|(known, words)| {
            stem(known) == stem(name) && words.iter().any(|asks| stem(asks) == stem(word))
        })
    };
    stem(found) == stem(wanted)
        || asks(wanted, found)
        || asks(found, wanted)
        || (!is_stop(found) && thesaurus::same(found, wanted))
}
