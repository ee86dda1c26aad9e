//! Lists of events and the states they lead to, and what every workflow has to show.

use baton_engine::torture::{Rehearse, Rigour};
use baton_testkit::suite::leads_to;
use baton_testkit::workflow_suite;

use super::Event::{self, *};
use super::State::{self, *};
use super::*;
use crate::coding::gate::{GateEnd, GateResult};
use crate::coding::order::{Finding, Severity};
use crate::coding::{Cost, TurnEnd};
use crate::git::Provisioned;

mod rules;

workflow_suite!(
    Effort,
    Rigour { seed: 1, chains: 40, pairs: false },
    Rigour { seed: 2, chains: 40, pairs: false }
);

pub(super) fn order() -> EffortOrder {
    Effort::rehearsal().input
}

fn by(kind: &str) -> EffortOrder {
    let mut order = order();
    order.agent.kind = kind.to_owned();
    order
}

fn provisioned() -> Event {
    Event::Provisioned { place: Provisioned { worktree: "trees/schema".into(), tip: "base".to_owned() } }
}

pub(super) fn snapped() -> Snapped {
    Snapped { tip: "tip".to_owned(), tree: "tree".to_owned(), changed: true, ..Snapped::default() }
}

fn measured(lines: u64) -> Event {
    Measured { size: Size { lines, files: Vec::new() } }
}

fn review(passed: bool) -> Review {
    let end = if passed { GateEnd::Passed } else { GateEnd::Failed(Some(1)) };
    let gate = GateResult {
        name: "test".to_owned(),
        tree: "tree".to_owned(),
        end,
        output: "no".to_owned(),
        cached: false,
    };
    let (commit, tree) = ("tip".to_owned(), "tree".to_owned());
    Review { commit, tree, findings: Vec::new(), gates: vec![gate], opinions: Vec::new() }
}

fn stuck(again: bool) -> Event {
    Stuck { why: "it sat there".to_owned(), again }
}

fn begun(rest: &[(Event, State)]) -> Vec<(Event, State)> {
    let mut steps = vec![(Begun, Provisioning), (provisioned(), Implementing)];
    steps.extend_from_slice(rest);
    steps
}

#[track_caller]
fn check(order: &EffortOrder, rest: &[(Event, State)]) -> Memory {
    leads_to::<Effort>(order, &begun(rest))
}

#[test]
fn the_plain_way_ends_in_the_queue() {
    let done = Turned::free(TurnEnd::Completed { words: String::new() });
    let memory = check(
        &order(),
        &[
            (TurnEnded { role: Role::Implement, end: done }, Implementing),
            (Committed { snapped: snapped() }, Implementing),
            (WorkDone, Measuring),
            (measured(800), Reviewing),
            (Approved { review: review(true) }, Queued),
        ],
    );
    let report = memory.report();
    assert_eq!((report.state.as_str(), report.tip.as_str(), report.lines), ("QUEUED", "tip", 800));
}

#[test]
fn exactly_the_limit_passes_and_one_line_more_is_split() {
    check(&order(), &[(WorkDone, Measuring), (measured(800), Reviewing)]);
    let parts = Vec::new();
    check(
        &order(),
        &[
            (WorkDone, Measuring),
            (measured(801), Splitting),
            (SplitPlanned { parts, by: String::new(), note: String::new() }, Superseded),
        ],
    );
    let why = String::new();
    check(&order(), &[(WorkDone, Measuring), (measured(801), Splitting), (CannotSplit { why }, Parked)]);
}

#[test]
fn a_review_sends_it_back_three_times_and_no_more() {
    let again = || [(WorkDone, Measuring), (measured(1), Reviewing)];
    let mut steps = Vec::from(again());
    for what in ["a", "b", "c"] {
        steps.push((refused(what), Fixing));
        steps.extend(again());
    }
    let mut recipe = steps.clone();
    recipe.push((refused("d"), State::Failed));
    check(&order(), &recipe);
    steps.push((refused("d"), Parked));
    check(&by("command"), &steps);
}

/// A review that refuses it, with what its gate printed.
fn refused(output: &str) -> Event {
    let mut review = review(false);
    review.gates[0].output = output.to_owned();
    ChangesRequired { review }
}

#[test]
fn who_is_refused_for_the_same_twice_is_stuck() {
    let steps = [
        (WorkDone, Measuring),
        (measured(1), Reviewing),
        (refused("1 of 7 failed after 0.012 s"), Fixing),
        (WorkDone, Measuring),
        (measured(1), Reviewing),
        (refused("1 of 7 failed after 0.3 s"), Parked),
    ];
    let memory = check(&by("command"), &steps);
    assert!(memory.why.starts_with("it was refused for the same as before"), "{}", memory.why);
    let mut recipe = steps.to_vec();
    recipe.pop();
    recipe.push((refused("1 of 7 failed after 0.3 s"), State::Failed));
    check(&order(), &recipe);
}

#[test]
fn a_stopped_turn_is_told_to_the_next() {
    let stopped = TurnEnded { role: Role::Implement, end: Turned::free(TurnEnd::Cancelled) };
    let steps = [(stopped, Implementing), (Committed { snapped: snapped() }, Implementing)];
    let words = task::words(&check(&by("claude"), &steps), Role::Implement);
    assert!(words.contains("Turn 1 (a turn) was stopped before it was done"), "{words}");
    assert!(words.contains("What was done so far is in the worktree"), "{words}");
}

#[test]
fn a_changed_task_reaches_the_next_turn() {
    let mut memory = Memory::new(order());
    let change = |key: &str, value: serde_json::Value| Change { key: key.to_owned(), value };
    Effort::change(&mut memory, &change("task", "Write two schemas.".into())).unwrap();
    let words = task::words(&memory, Role::Implement);
    assert!(words.contains("Write two schemas.") && words.contains("was changed after"), "{words}");
    assert!(Effort::change(&mut memory, &change("paths", "x".into())).is_err());
}

#[test]
fn costs_that_nobody_knows_are_counted() {
    let cost = Cost::Paid { micro_usd: None, tokens: 0 };
    let end = Turned { end: TurnEnd::CutShort, cost };
    let memory = check(&by("aider"), &[(TurnEnded { role: Role::Implement, end }, Implementing)]);
    assert_eq!(memory.report().unknown_costs, 1);
}

#[test]
fn a_recipe_that_does_not_say_how_to_mend_itself_fails() {
    let mut order = order();
    order.fix.clear();
    let failed = (ChangesRequired { review: review(false) }, State::Failed);
    check(&order, &[(WorkDone, Measuring), (measured(1), Reviewing), failed]);
}

#[test]
fn a_stuck_agent_is_asked_again_then_parked_and_waits_for_a_word() {
    let by = by("command");
    check(&by, &[(stuck(true), Implementing), (stuck(true), Implementing), (stuck(true), Parked)]);
    check(&by, &[(stuck(false), Parked), (TryAgain { by: "me".to_owned() }, Implementing)]);
    check(&by, &[(stuck(false), Parked), (GaveUp { why: "no".to_owned() }, State::Failed)]);
    check(&order(), &[(stuck(false), State::Failed)]);
}

#[test]
fn what_an_agent_asks_goes_to_a_person_and_back_to_where_it_was_asked() {
    let asked = InputNeeded { question: "which?".to_owned() };
    let answered = Answered { text: "this".to_owned(), by: "me".to_owned() };
    let memory = check(&by("person"), &[(asked.clone(), NeedsInput), (answered.clone(), Implementing)]);
    assert_eq!(memory.answers, ["this"]);
    let fixing = [
        (WorkDone, Measuring),
        (measured(1), Reviewing),
        (ChangesRequired { review: review(false) }, Fixing),
        (asked, NeedsInput),
        (answered, Fixing),
    ];
    check(&by("person"), &fixing);
}

#[test]
fn what_the_base_holds_is_merged_already() {
    let tip = "base".to_owned();
    leads_to::<Effort>(&order(), &[(Begun, Provisioning), (AlreadyContained { tip }, Merged)]);
}

#[test]
fn a_blocker_is_in_the_way_and_less_is_not() {
    let mut review = review(true);
    let finding = |severity| Finding {
        rule: "scope".to_owned(),
        severity,
        path: "a".to_owned(),
        what: "it may not".to_owned(),
        by: "rules".to_owned(),
    };
    review.findings = vec![finding(Severity::Major)];
    assert!(review.approves());
    review.findings = vec![finding(Severity::Blocker)];
    assert!(!review.approves());
    assert_eq!(review.complaints(), ["scope (blocker, a): it may not"]);
}
