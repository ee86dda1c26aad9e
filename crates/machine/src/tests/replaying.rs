//! What was recorded is followed, never decided again.

use super::sample::{Event, Event::*, Input, Memory, State, State::*, Text};
use crate::{Position, Recorded, Row, Workflow, advance, follow, replay};

const INPUT: Input = Input { budget: 100 };

fn history() -> Vec<Event> {
    let reviews = |approvals| ReviewsIn { approvals, notes: vec!["a note".to_owned()] };
    vec![
        NodeFailed,
        PlanReady { cost: 10 },
        ParagraphDone { words: 80 },
        DraftReady,
        ChecksFailed,
        PauseAsked,
        PauseAsked,
        Resumed,
        DraftReady,
        ChecksPassed,
        reviews(0),
        Outdated,
        PlanReady { cost: 20 },
        DraftReady,
        ChecksPassed,
        reviews(2),
    ]
}

/// Runs the history, returning each record and where the run stood after it.
fn run() -> Vec<(Recorded<Text>, Position<Text>, Memory)> {
    let mut position = Position::start();
    let mut memory = Text::begin(&INPUT);
    let mut out = Vec::new();
    for event in history() {
        let step = advance(Text::TABLE, &mut position, &mut memory, &event).unwrap();
        let recorded = Recorded { from: step.from, row: step.row, to: step.to, event };
        out.push((recorded, position.clone(), memory.clone()));
    }
    assert_eq!(position.state, Done);
    out
}

#[test]
fn every_prefix_replays_to_where_the_run_stood() {
    let run = run();
    for (index, (_, position, memory)) in run.iter().enumerate() {
        let prefix = run[..=index].iter().map(|(recorded, ..)| recorded.clone());
        let replayed = replay(Text::TABLE, &INPUT, prefix).unwrap();
        assert_eq!(replayed, (position.clone(), memory.clone()), "after {} events", index + 1);
    }
}

#[test]
fn replay_follows_a_record_whose_guard_would_now_say_no() {
    let dear = Recorded { from: Planning, row: 0, to: Drafting, event: PlanReady { cost: 1_000 } };
    let (position, memory) = replay(Text::TABLE, &INPUT, [dear]).unwrap();
    assert_eq!((position.state, memory.cost), (Drafting, 1_000));
}

fn mismatch(recorded: &Recorded<Text>, table: &[Row<Text>]) -> String {
    let mut position = Position::start();
    let mut memory = Text::begin(&INPUT);
    let before = (position.clone(), memory.clone());
    let said = follow(table, &mut position, &mut memory, recorded).unwrap_err().to_string();
    assert_eq!((position, memory), before, "a record that does not fit changes nothing");
    said
}

fn record(from: State, row: usize, to: State, event: Event) -> Recorded<Text> {
    Recorded { from, row, to, event }
}

#[test]
fn a_record_that_does_not_fit_is_a_mismatch() {
    let plan = PlanReady { cost: 1 };
    let cases = [
        (
            record(Drafting, 3, Checking, DraftReady),
            "the record leaves DRAFTING, but the run stands in PLANNING",
        ),
        (record(Planning, 99, Drafting, plan.clone()), "the record names row 99, but the table has 17 rows"),
        (record(Planning, 0, Checking, plan), "row 0 does not lead from PLANNING to CHECKING on PLAN_READY"),
        (record(Planning, 0, Drafting, Resumed), "row 0 does not lead from PLANNING to DRAFTING on RESUMED"),
        (
            record(Planning, 3, Checking, DraftReady),
            "row 3 does not lead from PLANNING to CHECKING on DRAFT_READY",
        ),
        (
            record(Planning, 13, Drafting, NodeFailed),
            "row 13 does not lead from PLANNING to DRAFTING on NODE_FAILED",
        ),
        (
            record(Planning, 12, Drafting, Resumed),
            "row 12 does not lead from PLANNING to DRAFTING on RESUMED",
        ),
    ];
    for (recorded, said) in cases {
        assert_eq!(mismatch(&recorded, Text::TABLE), said);
    }
}

#[test]
fn back_to_a_state_the_run_did_not_come_from_is_a_mismatch() {
    let paused = record(Planning, 15, Paused, PauseAsked);
    let back = |to| replay(Text::TABLE, &INPUT, [paused.clone(), record(Paused, 12, to, Resumed)]);
    assert_eq!(back(Planning).unwrap().0.state, Planning);
    assert_eq!(
        back(Drafting).unwrap_err().to_string(),
        "row 12 does not lead from PAUSED to DRAFTING on RESUMED"
    );
}

#[test]
fn a_history_stops_at_its_first_mismatch() {
    let first = record(Planning, 0, Drafting, PlanReady { cost: 1 });
    assert!(replay(Text::TABLE, &INPUT, [first.clone(), first]).is_err());
}
