//! Names and forms that journals keep. A change here is a migration.

use super::same_as_file;
use super::sample::{Event, Event::*, Input, On, State, Text};
use crate::{Happening, Position, TableText, Word, Workflow, advance, describe};

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}

fn one_of_each() -> Vec<Event> {
    let notes = vec!["shorter".to_owned()];
    vec![
        PlanReady { cost: 10 },
        ParagraphDone { words: 80 },
        DraftReady,
        ChecksPassed,
        ChecksFailed,
        ReviewsIn { approvals: 2, notes },
        Outdated,
        PauseAsked,
        Resumed,
        NodeFailed,
        Cancelled,
    ]
}

#[test]
fn names() {
    let events = one_of_each();
    let kinds: Vec<On> = events.iter().map(Happening::on).collect();
    assert_eq!(kinds, On::ALL, "one of each, in order");
    same_as_file("names.json", &json(&(State::ALL, On::ALL, events)));
}

#[test]
fn every_word_is_found_by_its_name_and_stored_under_it() {
    for state in State::ALL {
        assert_eq!(State::named(state.name()), Some(*state));
        assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        assert_eq!(serde_json::from_value::<State>(state.name().into()).unwrap(), *state);
    }
    assert_eq!(State::named("planning"), None);
}

#[test]
fn a_field_added_later_may_be_missing_from_an_old_journal() {
    let old: Event = serde_json::from_str(r#"{"REVIEWS_IN":{"approvals":1}}"#).unwrap();
    assert_eq!(old, ReviewsIn { approvals: 1, notes: Vec::new() });
}

#[test]
fn the_table_as_text() {
    let text = describe(Text::TABLE);
    same_as_file("table.json", &json(&text));
    let read: TableText = serde_json::from_str(&json(&text)).unwrap();
    assert_eq!(read, text);
    let lines: String = text.rows.iter().map(|row| row.line() + "\n").collect();
    same_as_file("rows.txt", &lines);
}

#[test]
fn a_position() {
    let mut position: Position<Text> = Position::start();
    let mut memory = Text::begin(&Input { budget: 100 });
    for event in [PlanReady { cost: 10 }, NodeFailed, PauseAsked] {
        advance(Text::TABLE, &mut position, &mut memory, &event).unwrap();
    }
    let stored = serde_json::to_string(&position).unwrap();
    assert_eq!(stored, r#"{"state":"PAUSED","visit":3,"entered_from":"DRAFTING","fired":{"13":1}}"#);
    assert_eq!(serde_json::from_str::<Position<Text>>(&stored).unwrap(), position);
}
