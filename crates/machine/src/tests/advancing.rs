//! Lists of events and the states they lead to.

use super::sample::{Event, Event::*, Input, Memory, State, State::*, Text};
use crate::{Asked, Position, Refused, Row, Word, Workflow, advance, rows_for, transitions};

const BUDGET: Input = Input { budget: 100 };
const PLAN: Event = PlanReady { cost: 10 };

fn reviews(approvals: u32) -> Event {
    ReviewsIn { approvals, notes: Vec::new() }
}

fn begin() -> (Position<Text>, Memory) {
    (Position::start(), Text::begin(&BUDGET))
}

/// Takes the events from the start and returns where the run stands.
fn after(events: &[Event]) -> (Position<Text>, Memory) {
    let (mut position, mut memory) = begin();
    for event in events {
        advance(Text::TABLE, &mut position, &mut memory, event).unwrap();
    }
    (position, memory)
}

fn check<const N: usize>(events: [Event; N], states: [State; N]) {
    let (mut position, mut memory) = begin();
    for (event, state) in events.into_iter().zip(states) {
        let step = advance(Text::TABLE, &mut position, &mut memory, &event).unwrap();
        assert_eq!((step.to, position.state), (state, state), "after {event:?}");
    }
}

#[test]
fn the_straight_way() {
    check(
        [PLAN, ParagraphDone { words: 80 }, DraftReady, ChecksPassed, reviews(2)],
        [Drafting, Drafting, Checking, Reviewing, Done],
    );
}

#[test]
fn a_guard_sees_what_its_own_event_taught() {
    check([PlanReady { cost: 101 }], [GaveUp]);
    check([PlanReady { cost: 100 }], [Drafting]);
}

#[test]
fn the_third_failed_draft_goes_to_a_person() {
    check(
        [PLAN, DraftReady, ChecksFailed, DraftReady, ChecksFailed, DraftReady, ChecksFailed],
        [Drafting, Checking, Drafting, Checking, Drafting, Checking, Paused],
    );
}

#[test]
fn a_bound_is_counted_over_the_whole_run() {
    check(
        [PLAN, DraftReady, ChecksPassed, reviews(0), DraftReady, ChecksPassed, reviews(1)],
        [Drafting, Checking, Reviewing, Drafting, Checking, Reviewing, GaveUp],
    );
}

#[test]
fn a_bound_on_any_is_one_bound_for_all_states() {
    check([NodeFailed, PLAN, NodeFailed, NodeFailed], [Planning, Drafting, Drafting, GaveUp]);
}

#[test]
fn a_group_speaks_for_its_states_and_no_other() {
    check([PLAN, Outdated, PLAN, DraftReady, Outdated], [Drafting, Planning, Drafting, Checking, GaveUp]);
    let (mut position, mut memory) = begin();
    assert!(advance(Text::TABLE, &mut position, &mut memory, &Outdated).is_err());
}

#[test]
fn back_leads_to_where_the_run_was() {
    check([PLAN, PauseAsked, Resumed], [Drafting, Paused, Drafting]);
    check(
        [PLAN, DraftReady, PauseAsked, Resumed, ChecksPassed],
        [Drafting, Checking, Paused, Checking, Reviewing],
    );
}

#[test]
fn a_state_entered_twice_in_a_row_still_leads_back_home() {
    check([PLAN, PauseAsked, PauseAsked, Resumed], [Drafting, Paused, Paused, Drafting]);
}

#[test]
fn only_entering_opens_a_visit() {
    assert_eq!(after(&[]).0.visit, 1);
    assert_eq!(after(&[NodeFailed]).0.visit, 1, "same: the visit goes on");
    assert_eq!(after(&[PLAN, ParagraphDone { words: 1 }]).0.visit, 2, "stay: the visit goes on");
    assert_eq!(after(&[PLAN, PauseAsked]).0.visit, 3);
    assert_eq!(after(&[PLAN, PauseAsked, PauseAsked]).0.visit, 4, "entering the same state is a new visit");
    assert_eq!(after(&[PLAN, PauseAsked, Resumed]).0.visit, 4, "back is a new visit");
}

#[test]
fn only_bounded_rows_are_counted() {
    let (position, _) = after(&[PLAN, DraftReady, ChecksFailed, NodeFailed, NodeFailed]);
    assert_eq!(position.fired.into_iter().collect::<Vec<_>>(), [(5, 1), (13, 2)]);
}

#[test]
fn a_move_tells_every_guard_that_was_asked() {
    let (mut position, mut memory) = after(&[PLAN, DraftReady, ChecksPassed]);
    let step = advance(Text::TABLE, &mut position, &mut memory, &reviews(1)).unwrap();
    let saw = vec![("approvals".to_owned(), "1".to_owned())];
    assert_eq!(step.asked, [Asked { guard: "approved".to_owned(), holds: false, saw }]);
    assert_eq!((step.from, step.row), (Reviewing, 8));
    assert_eq!(step.asked[0].to_string(), "approved is false (approvals = 1)");
}

#[test]
fn a_refused_event_changes_nothing() {
    let (mut position, mut memory) = after(&[PLAN, NodeFailed]);
    let before = (position.clone(), memory.clone());
    let refused = advance(Text::TABLE, &mut position, &mut memory, &PlanReady { cost: 99 }).unwrap_err();
    assert_eq!((position, memory), before);
    let rows = ["PARAGRAPH_DONE", "DRAFT_READY", "OUTDATED", "NODE_FAILED", "PAUSE_ASKED", "CANCELLED"];
    assert_eq!(refused.expected, rows);
    assert_eq!((refused.state.as_str(), refused.event.as_str()), ("DRAFTING", "PLAN_READY"));
    let said = "no row takes PLAN_READY in DRAFTING; rows there take PARAGRAPH_DONE, DRAFT_READY, OUTDATED, \
                NODE_FAILED, PAUSE_ASKED, CANCELLED";
    assert_eq!(refused.to_string(), said);
}

#[test]
fn an_event_refused_for_want_of_an_otherwise_changes_nothing_either() {
    let only_guarded = &Text::TABLE[..1];
    let (mut position, mut memory) = begin();
    let before = (position.clone(), memory.clone());
    let refused = advance(only_guarded, &mut position, &mut memory, &PlanReady { cost: 101 }).unwrap_err();
    assert_eq!((position, memory), before);
    assert_eq!(refused.to_string(), "no row that takes PLAN_READY in PLANNING fits now");
}

#[test]
fn back_from_the_very_start_is_refused() {
    use super::sample::On;
    let back: &[Row<Text>] = transitions! { any + Resumed => back; };
    let (mut position, mut memory) = begin();
    let refused: Refused = advance(back, &mut position, &mut memory, &Resumed).unwrap_err();
    assert_eq!(refused.event, "RESUMED");
    assert_eq!(position, Position::start());
}

#[test]
fn a_final_state_takes_nothing() {
    for event in [PLAN, NodeFailed, PauseAsked, Cancelled] {
        let (mut position, mut memory) = after(&[Cancelled]);
        let refused = advance(Text::TABLE, &mut position, &mut memory, &event).unwrap_err();
        assert!(refused.to_string().ends_with("in DROPPED; the run is over there"), "{refused}");
    }
}

#[test]
fn rows_for_gives_places_in_the_table() {
    let rows: Vec<usize> =
        rows_for(Text::TABLE, Checking, super::sample::On::ChecksFailed).map(|(row, _)| row).collect();
    assert_eq!(rows, [5, 6]);
    assert_eq!(State::named("CHECKING"), Some(Checking));
}
