//! Broken tables, each with exactly its defect.

use super::{Defect, defects};
use crate::{Kind, Outcome, RowText, StateText, TableText};

/// A table from words: `B?` waits, `Z!` ends, `B@G` stands in a group; rows as they are written in a source.
/// The first state is the start; the events are those the rows take.
fn table(states: &str, rows: &[&str]) -> TableText {
    let states: Vec<StateText> = states.split_whitespace().map(state).collect();
    let rows: Vec<RowText> = rows.iter().map(|line| row(&states, line)).collect();
    let mut events: Vec<String> = Vec::new();
    for row in &rows {
        if !events.contains(&row.on) {
            events.push(row.on.clone());
        }
    }
    TableText { workflow: "broken".to_owned(), start: states[0].name.clone(), states, events, rows }
}

fn state(word: &str) -> StateText {
    let (word, group) =
        word.split_once('@').map_or((word, None), |(word, group)| (word, Some(group.to_owned())));
    let kind = match word.chars().last() {
        Some('?') => Kind::Waits,
        Some('!') => Kind::Ends(Outcome::Completed),
        _ => Kind::Works,
    };
    StateText { name: word.trim_end_matches(['?', '!']).to_owned(), kind, group }
}

fn row(states: &[StateText], line: &str) -> RowText {
    let (left, right) = line.split_once(" => ").unwrap();
    let (source, event) = left.split_once(" + ").unwrap();
    let (on, guard) =
        event.split_once(" if ").map_or((event, None), |(on, guard)| (on, Some(guard.to_owned())));
    let (to, most) =
        right.split_once(" at most ").map_or((right, None), |(to, most)| (to, Some(most.parse().unwrap())));
    let covers = |state: &&StateText| match source.strip_prefix("in ") {
        Some(group) => state.group.as_deref() == Some(group),
        None if source == "any" => !state.is_final(),
        None => state.name == source,
    };
    let mut from: Vec<String> = states.iter().filter(covers).map(|state| state.name.clone()).collect();
    if from.is_empty() && source != "any" && !source.starts_with("in ") {
        from.push(source.to_owned());
    }
    RowText { source: source.to_owned(), from, on: on.to_owned(), guard, to: to.to_owned(), at_most: most }
}

fn said(table: &TableText) -> Vec<String> {
    defects(table).iter().map(Defect::to_string).collect()
}

#[track_caller]
fn check(states: &str, rows: &[&str], defects: &[&str]) {
    assert_eq!(said(&table(states, rows)), defects);
}

#[track_caller]
fn sound(states: &str, rows: &[&str]) {
    check(states, rows, &[]);
}

#[test]
fn a_name_used_twice() {
    check(
        "A Z! Z!",
        &["A + go => Z"],
        &["two states are named Z: rename one, for states are stored by name"],
    );
    let mut twice = table("A Z!", &["A + go => Z"]);
    twice.events = vec!["go".to_owned(); 3];
    assert_eq!(said(&twice), ["two events are named go: rename one, for events are stored by name"]);
}

#[test]
fn a_state_named_by_a_word_of_the_table() {
    let any = "a state is named `any`, which is a word of the table itself: rename it";
    let mut reserved = table("A Z!", &["A + go => Z"]);
    reserved.start = "any".to_owned();
    reserved.states[0].name = "any".to_owned();
    reserved.rows[0].from = vec!["any".to_owned()];
    assert_eq!(said(&reserved), [any]);
}

#[test]
fn a_name_that_is_declared_nowhere() {
    let end = "which the table does not declare: declare it, or correct the name";
    check("A Z!", &["A + go => Z", "A + run => Y"], &[&format!("row 1 (A + run => Y) names Y, {end}")]);
    check("A Z!", &["A + go => Z", "B + go => Z"], &[&format!("row 1 (B + go => Z) names B, {end}")]);
    let mut elsewhere = table("A Z!", &["A + go => Z"]);
    elsewhere.start = "B".to_owned();
    assert_eq!(said(&elsewhere), [format!("the start names B, {end}")]);
    let mut unheard = table("A Z!", &["A + go => Z"]);
    unheard.events.clear();
    assert_eq!(said(&unheard), [format!("row 0 (A + go => Z) names go, {end}")]);
}

#[test]
fn a_state_nothing_leads_to() {
    let lost = "nothing leads to Y: add a row that goes there, or remove the state";
    check("A Y! Z!", &["A + go => Z"], &[lost]);
    let shadowed = "row 1 (A + go => Y) can never fire: row 0 (A + go => Z) always comes first: move this row before it, or remove it";
    check("A Y! Z!", &["A + go => Z", "A + go => Y"], &[lost, shadowed]);
}

#[test]
fn a_row_out_of_states_nothing_leads_to() {
    let lost = "nothing leads to B: add a row that goes there, or remove the state";
    let never = "row 1 (B + go => Z) can never fire: nothing leads to the states it covers: add a row into one, or remove this one";
    check("A B Z!", &["A + go => Z", "B + go => Z"], &[lost, never]);
}

#[test]
fn a_state_nothing_leaves() {
    let stuck = "no row leaves B: add one, or declare the state an end";
    check("A B Z!", &["A + go => B", "A + end => Z"], &[stuck]);
    check("A B Z!", &["A + go => B", "A + end => Z", "B + more => stay"], &[stuck]);
    check("A B? Z!", &["A + go => B", "A + end => Z", "B + again => B"], &[stuck]);
    check("A B", &["A + go => B"], &[stuck]); // A only leads into the dead end: reported once, where it is
}

#[test]
fn states_from_which_no_end_can_be_reached() {
    let rows = ["A + go => B", "A + end => Z", "B + go => C", "C + go => B"];
    let never =
        |state: &str| format!("no way out of {state} leads to an end: add a row towards a final state");
    check("A B? C Z!", &rows, &[&never("B"), &never("C")]);
}

#[test]
fn a_row_out_of_a_final_state() {
    let exit = "Z is final, yet row 1 (Z + more => A) applies there: remove the row, or declare that Z works or waits";
    check("A Z!", &["A + go => Z", "Z + more => A"], &[exit]);
}

#[test]
fn an_event_that_can_be_refused_though_rows_name_it() {
    let gap = |states: &str, row: &str| {
        format!(
            "go can be refused in {states}, for every row that takes it there has a condition: after row {row} add one \
             without `if`, `at most` or `back`"
        )
    };
    check("A Z!", &["A + end => Z", "A + go if ok => Z"], &[&gap("A", "1 (A + go if ok => Z)")]);
    check("A Z!", &["A + end => Z", "A + go => Z at most 2"], &[&gap("A", "1 (A + go => Z at most 2)")]);
    let two = ["A + end => Z", "A + go if ok => Z", "A + go if fine => Z"];
    check("A Z!", &two, &[&gap("A", "2 (A + go if fine => Z)")]);
    let everywhere = ["A + next => B", "B + end => Z", "any + go if ok => Z"];
    check("A B Z!", &everywhere, &[&gap("A, B", "2 (any + go if ok => Z)")]);
    check("A Z!", &["A + end => Z", "any + go => back"], &[&gap("A", "1 (any + go => back)")]);
    sound("A Z!", &["A + go if ok => Z", "A + go => same at most 2", "A + go => Z"]);
    sound("A B Z!", &["A + go => B", "B + undo if ok => back at most 1", "B + undo => Z"]);
}

#[test]
fn a_row_that_can_never_fire() {
    let never = |row: &str, why: &str| format!("row {row} can never fire: {why}");
    let first = "row 0 (A + go => Z) always comes first: move this row before it, or remove it";
    check("A Z!", &["A + go => Z", "A + go => Z"], &[&never("1 (A + go => Z)", first)]);
    check("A Z!", &["A + go => Z", "A + go if ok => Z"], &[&never("1 (A + go if ok => Z)", first)]);
    let none = "`at most 0` forbids it: raise the bound, or remove the row";
    check("A Z!", &["A + go => Z at most 0", "A + go => Z"], &[&never("0 (A + go => Z at most 0)", none)]);
    let empty = "it covers no state: name one, or remove the row";
    check("A Z!", &["A + go => Z", "in G + go => Z"], &[&never("1 (in G + go => Z)", empty)]);
}

#[test]
fn a_row_behind_another_that_asks_the_same_guard() {
    let rows = ["A + go if ok => Z", "A + go if ok => Z", "A + go => Z"];
    let never = "row 1 (A + go if ok => Z) can never fire: row 0 (A + go if ok => Z) always comes first: move this row before it, or remove it";
    check("A Z!", &rows, &[never]);
    sound("A Z!", &["A + go if ok => same at most 1", "A + go if ok => Z", "A + go => Z"]);
}

#[test]
fn a_row_behind_another_in_each_of_its_states() {
    let rows = ["A + next => B", "A + go => Z", "B + go => Z", "any + go => Z"];
    let never = "row 3 (any + go => Z) can never fire: row 1 (A + go => Z) or row 2 (B + go => Z) always comes first: move this row before it, or remove it";
    check("A B Z!", &rows, &[never]);
    sound("A B Z!", &["A + next => B", "A + go => Z", "any + go => Z"]);
}

fn round(states: &str, rows: &str) -> String {
    format!(
        "{states} can go round for ever: add `at most N` to {rows}, or declare that one of the states waits"
    )
}

#[test]
fn a_retry_without_a_bound() {
    let again = round("A -> A", "row 1 (A + fail => same)");
    check("A Z!", &["A + go => Z", "A + fail => same"], &[&again]);
    sound("A Z!", &["A + go => Z", "A + fail => same at most 3", "A + fail => Z"]);
    sound("A? Z!", &["A + go => Z", "A + fail => same"]);
    sound("A Z!", &["A + go => Z", "A + progress => stay"]);
}

#[test]
fn a_cycle_without_a_bound() {
    let rows = ["A + go => B", "B + go => C", "C + redo => A", "C + go => Z"];
    let whole =
        round("A -> B -> C -> A", "row 0 (A + go => B) or row 1 (B + go => C) or row 2 (C + redo => A)");
    check("A B C Z!", &rows, &[&whole]);
    sound("A B? C Z!", &rows);
    sound("A B C Z!", &["A + go => B", "B + go => C", "C + redo => A at most 2", "C + redo => Z"]);
}

#[test]
fn cycles_apart_are_each_reported() {
    let rows = ["A + go => B", "B + back => A", "B + go => C", "C + go => D", "D + back => C", "D + go => Z"];
    let first = round("A -> B -> A", "row 0 (A + go => B) or row 1 (B + back => A)");
    let second = round("C -> D -> C", "row 3 (C + go => D) or row 4 (D + back => C)");
    check("A B C D Z!", &rows, &[&first, &second]);
}

#[test]
fn an_error_state_that_any_leads_to_leads_to_itself() {
    let rows = ["A + go => Z", "E + go => Z", "any + fail => E"];
    check("A E Z!", &rows, &[&round("E -> E", "row 2 (any + fail => E)")]);
    sound("A E? Z!", &rows);
    sound("A E Z!", &["A + go => Z", "E + go => Z", "E + fail => Z", "any + fail => E"]);
}

#[test]
fn back_closes_a_cycle_with_every_state_that_leads_to_its_own() {
    let rows = ["A + go => B", "B + go => Z", "A + fail => E", "B + fail => E", "E + mend => back"];
    let first = round("A -> E -> A", "row 2 (A + fail => E) or row 4 (E + mend => back)");
    let second = round("B -> E -> B", "row 3 (B + fail => E) or row 4 (E + mend => back)");
    check("A B E Z!", &rows, &[&first, &second]);
    sound("A B E? Z!", &rows);
    sound(
        "A B E Z!",
        &["A + go => B", "B + go => Z", "any + fail => E at most 2", "any + fail => Z", "E + mend => back"],
    );
}

#[test]
fn back_can_lead_back_to_a_back() {
    let rows =
        ["S + go => A", "A + undo => back", "A + go => B at most 1", "A + go => Z", "B + undo => back"];
    let first = round("S -> A -> S", "row 0 (S + go => A) or row 1 (A + undo => back)");
    let second = round("B -> A -> B", "row 1 (A + undo => back) or row 4 (B + undo => back)");
    check("S A B Z!", &rows, &[&first, &second]);
}

#[test]
fn an_event_no_row_takes() {
    let mut unused = table("A Z!", &["A + go => Z"]);
    unused.events.push("nap".to_owned());
    assert_eq!(said(&unused), ["no row takes nap: add one, or remove the event"]);
}

#[test]
fn a_defect_is_stored_by_its_kind() {
    let found = defects(&table("A Y! Z!", &["A + go => Z"]));
    let json = serde_json::to_string(&found).unwrap();
    assert_eq!(json, r#"[{"defect":"unreachable","state":"Y"}]"#);
    assert_eq!(serde_json::from_str::<Vec<Defect>>(&json).unwrap(), found);
}
