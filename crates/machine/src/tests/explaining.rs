//! Why a run stands where it stands.

use super::same_as_file;
use super::sample::{Event, Event::*, Input, Text};
use crate::{Explained, Position, Workflow, advance, explain};

fn explained(events: &[Event]) -> Vec<Explained> {
    let mut position: Position<Text> = Position::start();
    let mut memory = Text::begin(&Input { budget: 100 });
    for event in events {
        advance(Text::TABLE, &mut position, &mut memory, event).unwrap();
    }
    explain(Text::TABLE, &position, &memory)
}

fn shown(rows: &[Explained]) -> String {
    let line = |row: &Explained| {
        let why = row.why_not.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        let mark = if row.fires { "yes" } else { "no " };
        format!("{mark} row {} {} => {}{why}\n", row.row, row.event, row.to)
    };
    rows.iter().map(line).collect()
}

#[test]
fn every_row_out_of_the_state_and_why_it_would_not_fire() {
    let drafted = [PlanReady { cost: 10 }, DraftReady, NodeFailed, NodeFailed];
    let third = [ChecksFailed, DraftReady, ChecksFailed, DraftReady];
    let mut text = String::new();
    for (title, events) in [
        ("at the start", vec![]),
        ("checking, retries used up", drafted.to_vec()),
        ("checking the third draft", [drafted.as_slice(), &third].concat()),
        ("paused from the start", vec![PauseAsked]),
    ] {
        text.push_str(&format!("{title}\n{}\n", shown(&explained(&events))));
    }
    same_as_file("explained.txt", &text);
}

#[test]
fn a_guard_comes_with_what_it_saw_and_a_bound_with_its_count() {
    let rows = explained(&[PlanReady { cost: 10 }, DraftReady, ChecksFailed, DraftReady]);
    let row = rows.iter().find(|row| row.row == 5).unwrap();
    let guard = row.guard.as_ref().unwrap();
    assert_eq!((guard.guard.as_str(), guard.holds), ("drafts_left", true));
    assert_eq!(guard.saw, [("drafts".to_owned(), "2".to_owned())]);
    assert_eq!(row.fired, Some((1, 3)));
}

#[test]
fn nothing_leads_out_of_an_end() {
    assert_eq!(explained(&[Cancelled]), []);
}

#[test]
fn what_explain_says_fires_is_what_advance_takes() {
    let mut position: Position<Text> = Position::start();
    let mut memory = Text::begin(&Input { budget: 100 });
    // Events that teach nothing, so that explain and advance look at the same memory.
    for event in [NodeFailed, PauseAsked, NodeFailed, Resumed, NodeFailed] {
        let name = serde_json::to_value(&event).unwrap();
        let rows = explain(Text::TABLE, &position, &memory);
        let says: Vec<usize> =
            rows.iter().filter(|row| row.fires && name == row.event).map(|row| row.row).collect();
        let step = advance(Text::TABLE, &mut position, &mut memory, &event).unwrap();
        assert_eq!(says, [step.row]);
    }
}
