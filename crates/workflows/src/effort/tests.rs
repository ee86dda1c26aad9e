//! Lists of events and the states they lead to, and what every workflow has to show.

use baton_engine::torture::{Rehearse, Rigour};
use baton_testkit::suite::leads_to;
use baton_testkit::workflow_suite;

use super::Event::{self, *};
use super::State::{self, *};
use super::*;
use crate::coding::gate::{GateEnd, GateResult};
use crate::coding::order::{Finding, Severity};
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
    Review { commit: "tip".to_owned(), tree: "tree".to_owned(), findings: Vec::new(), gates: vec![gate] }
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
    let done = TurnEnd::Completed { words: String::new() };
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
        &[(WorkDone, Measuring), (measured(801), Splitting), (SplitPlanned { parts }, Superseded)],
    );
    let why = String::new();
    check(&order(), &[(WorkDone, Measuring), (measured(801), Splitting), (CannotSplit { why }, Parked)]);
}

#[test]
fn a_review_sends_it_back_three_times_and_no_more() {
    let refused = || (ChangesRequired { review: review(false) }, Fixing);
    let again = || [(WorkDone, Measuring), (measured(1), Reviewing)];
    let mut steps = Vec::from(again());
    for _ in 0..FIXES {
        steps.push(refused());
        steps.extend(again());
    }
    let mut recipe = steps.clone();
    recipe.push((ChangesRequired { review: review(false) }, State::Failed));
    check(&order(), &recipe);
    steps.push((ChangesRequired { review: review(false) }, Parked));
    check(&by("command"), &steps);
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
