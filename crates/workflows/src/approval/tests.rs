//! Lists of events and the states they lead to; the diagram beside it is written by a test.

use baton_engine::torture::Rigour;
use baton_machine::{Position, Workflow, advance, defects, describe, mermaid};
use baton_testkit::crashes::survives;

use super::Event::{self, *};
use super::State::{self, *};
use super::{Approval, Command, Finished, Plan, Stage};

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
    let mut position = Position::<Approval>::start();
    let mut memory = Approval::begin(&plan(stages));
    for (event, state) in steps {
        advance(Approval::TABLE, &mut position, &mut memory, event).unwrap();
        assert_eq!(position.state, *state, "after {event:?}");
    }
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
fn the_table_is_sound() {
    assert_eq!(defects(&describe(Approval::TABLE)), []);
}

#[test]
fn the_diagram_is_current() {
    let drawn = format!("# approval\n\n```mermaid\n{}```\n", mermaid(&describe(Approval::TABLE), None));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/approval/diagram.md");
    if std::env::var_os("UPDATE_DIAGRAMS").is_some() {
        std::fs::write(path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(kept, drawn, "run the tests with UPDATE_DIAGRAMS=1 to draw it again");
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains(drawn.trim_start_matches("# approval\n\n")), "README.md shows another diagram");
}

#[test]
fn a_workflow_of_ones_own_takes_under_80_lines() {
    assert!(include_str!("../../../../examples/approval.rs").lines().count() < 80);
}

#[tokio::test]
async fn it_survives_a_crash_at_every_commit() {
    for seed in [1, 2] {
        let report = survives::<Approval>(Rigour { seed, chains: 60, pairs: false }).await;
        assert_eq!(report.crash_points, 2 * report.commits);
    }
}
