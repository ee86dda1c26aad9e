//! Lists of events and the states they lead to, and what every workflow has to show.

use baton_engine::torture::Rigour;
use baton_testkit::suite::{drawing, leads_to};
use baton_testkit::workflow_suite;

use super::Event::{self, *};
use super::State::{self, *};
use super::{Approval, Command, Finished, Plan, Stage};

workflow_suite!(
    Approval,
    Rigour { seed: 1, chains: 60, pairs: false },
    Rigour { seed: 2, chains: 60, pairs: false },
);

fn plan(stages: usize) -> Plan {
    let stage = |number: usize| Stage {
        name: format!("stage {number}"),
        commands: vec![Command {
            name: "only".to_owned(),
            run: "true".to_owned(),
            folder: None,
            repeatable: true,
        }],
        ask: None,
        within_hours: None,
    };
    Plan { title: "a test".to_owned(), stages: (0..stages).map(stage).collect() }
}

#[track_caller]
fn check(stages: usize, steps: &[(Event, State)]) {
    leads_to::<Approval>(&plan(stages), steps);
}

fn yes() -> Event {
    Approved { by: "me".to_owned() }
}

fn finished(code: i32) -> Event {
    CommandFinished {
        result: Finished { stage: 0, name: "only".to_owned(), code: Some(code), output: String::new() },
    }
}

#[test]
fn two_stages_with_an_approval_between_them() {
    check(
        2,
        &[(finished(0), Working), (StageDone, AwaitingApproval), (yes(), Working), (StageDone, Completed)],
    );
}

#[test]
fn a_single_stage_asks_nobody() {
    check(1, &[(StageDone, Completed)]);
}

#[test]
fn a_no_ends_it() {
    check(2, &[(StageDone, AwaitingApproval), (Event::Rejected { why: "no".to_owned() }, State::Rejected)]);
}

#[test]
fn a_failure_is_repaired_skipped_or_stopped() {
    check(
        2,
        &[
            (finished(1), Working),
            (StageFailed, AwaitingRepair),
            (RepairedTryAgain, Working),
            (StageDone, AwaitingApproval),
        ],
    );
    check(2, &[(StageFailed, AwaitingRepair), (SkipStage, AwaitingApproval)]);
    check(1, &[(StageFailed, AwaitingRepair), (SkipStage, Completed)]);
    check(1, &[(StageFailed, AwaitingRepair), (Event::Rejected { why: "stop".to_owned() }, State::Rejected)]);
}

#[test]
fn repairs_are_bounded() {
    let mut steps = Vec::new();
    for _ in 0..20 {
        steps.extend([(StageFailed, AwaitingRepair), (RepairedTryAgain, Working)]);
    }
    steps.extend([(StageFailed, AwaitingRepair), (RepairedTryAgain, Failed)]);
    check(1, &steps);
}

#[test]
fn the_readme_shows_the_diagram() {
    assert!(include_str!("../../../../README.md").contains(&drawing::<Approval>()));
}

#[test]
fn a_workflow_of_ones_own_takes_under_80_lines() {
    assert!(include_str!("../../../../examples/approval.rs").lines().count() < 80);
}
