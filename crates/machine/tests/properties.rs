//! The interpreter against the naive reference, and the checks against what runs really do, on random tables.

use std::collections::BTreeSet;

use baton_machine::{
    Defect, Happening, Kind, Position, Recorded, Refused, Row, TableText, Target, Word, Workflow, advance,
    defects, describe, explain, mermaid, replay, rows_for, svg,
};
use baton_testkit::random_table::{Event, Memory, Random, State, happenings, holds, tables};
use baton_testkit::reference::Reference;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn learnt(memory: &Memory, event: &Event) -> Memory {
    let mut memory = memory.clone();
    Random::learn(&mut memory, event);
    memory
}

/// A run over a table, with everything it went through.
struct Run {
    position: Position<Random>,
    memory: Memory,
    history: Vec<Recorded<Random>>,
}

impl Run {
    fn new() -> Self {
        Self { position: Position::start(), memory: Random::begin(&()), history: Vec::new() }
    }

    fn take(&mut self, table: &[Row<Random>], event: &Event) -> Result<usize, Refused> {
        let step = advance(table, &mut self.position, &mut self.memory, event)?;
        let (from, row, to) = (step.from, step.row, step.to);
        self.history.push(Recorded { from, row, to, event: event.clone() });
        Ok(row)
    }
}

/// `cheap` runs more cases. `PROPTEST_CASES` raises the number from outside; a failure's seed is kept beside this file.
fn config(cheap: bool) -> ProptestConfig {
    let failure_persistence = Some(Box::new(FileFailurePersistence::WithSource("regressions")) as _);
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases * if cheap { 4 } else { 1 }, failure_persistence, ..usual }
}

proptest! {
    #![proptest_config(config(true))]

    #[test]
    fn advance_agrees_with_the_reference(table in tables(), events in happenings(40)) {
        let text = describe(&table);
        let mut run = Run::new();
        let mut reference = Reference::start(&text, Random::begin(&()));
        for event in &events {
            let memory = learnt(&reference.memory, event);
            let expected = reference.take(&text, event.on().name(), memory, holds);
            prop_assert_eq!(run.take(&table, event).ok(), expected);
            prop_assert_eq!(run.position.state.name(), reference.state());
            prop_assert_eq!(run.position.visit as usize, reference.visit());
            prop_assert_eq!(run.position.entered_from.map(State::name), reference.origin());
            prop_assert_eq!(&run.memory, &reference.memory);
            for (row, _) in table.iter().enumerate().filter(|(_, row)| row.at_most.is_some()) {
                prop_assert_eq!(run.position.times_fired(row) as usize, reference.times(row));
            }
        }
    }

    #[test]
    fn every_prefix_replays_to_where_the_run_stood(table in tables(), events in happenings(40)) {
        let mut run = Run::new();
        for event in &events {
            let refused = run.take(&table, event).is_err();
            let (position, memory) = replay(&table, &(), run.history.clone()).unwrap();
            prop_assert_eq!((&position, &memory), (&run.position, &run.memory), "refused: {}", refused);
        }
    }

    #[test]
    fn explain_names_the_row_that_advance_takes(table in tables(), events in happenings(40)) {
        let mut run = Run::new();
        for event in &events {
            let rows = explain(&table, &run.position, &learnt(&run.memory, event));
            let name = event.on().name();
            let fires: Vec<usize> = rows.iter().filter(|row| row.fires && row.event == name).map(|row| row.row).collect();
            prop_assert!(rows.iter().all(|row| row.fires == row.why_not.is_none()));
            let taken: Vec<usize> = run.take(&table, event).into_iter().collect();
            prop_assert_eq!(fires, taken);
        }
    }

    #[test]
    fn what_is_called_impossible_never_happens(table in tables(), events in happenings(60)) {
        let found = defects(&describe(&table));
        let mut run = Run::new();
        for event in &events {
            let (state, on) = (run.position.state, event.on());
            match run.take(&table, event) {
                Ok(row) => {
                    let never = found.iter().any(|d| matches!(d, Defect::NeverFires { row: r, .. } if *r == row));
                    prop_assert!(!never, "row {} fired", row);
                }
                Err(_) if rows_for(&table, state, on).next().is_some() => {
                    let gap = |d: &Defect| matches!(d, Defect::NoOtherwise { states, event, .. }
                        if states.iter().any(|s| s == state.name()) && event == on.name());
                    prop_assert!(found.iter().any(gap), "{:?} was refused in {:?}", on, state);
                }
                Err(_) => {}
            }
            let state = run.position.state.name();
            let lost = found.iter().any(|d| matches!(d, Defect::Unreachable { state: s } if s == state));
            prop_assert!(!lost, "a run came to {}", state);
        }
    }

    /// Bounding what the check names must be enough, whatever the guards say: the run comes to rest.
    #[test]
    fn a_table_without_an_endless_cycle_comes_to_rest(mut table in tables(), events in happenings(400)) {
        bound_cycles(&mut table);
        let bounds: u32 = table.iter().filter_map(|row| row.at_most).sum();
        let most = (bounds as usize + 1) * State::ALL.len();
        let mut run = Run::new();
        let mut moves = 0;
        for event in &events {
            let waits = matches!(Random::kind(run.position.state), Kind::Waits);
            if let Ok(row) = run.take(&table, event) {
                moves = if waits { 0 } else { moves + usize::from(!matches!(table[row].to, Target::Stay)) };
            }
            prop_assert!(moves <= most, "{} moves without waiting, {} allowed", moves, most);
        }
    }

}

proptest! {
    #![proptest_config(config(false))]

    #[test]
    fn drawings_mark_the_state_and_are_the_same_each_time(table in tables(), here in 0..State::ALL.len()) {
        let text: TableText = describe(&table);
        let here = State::ALL[here].name();
        let (diagram, picture) = (mermaid(&text, Some(here)), svg(&text, Some(here)));
        let (class, mark) = (format!("class {here} here"), format!("data-state=\"{here}\""));
        prop_assert!(diagram.contains(&class) && picture.contains(&mark));
        prop_assert_eq!(diagram, mermaid(&text, Some(here)));
        prop_assert_eq!(picture, svg(&text, Some(here)));
    }
}

/// Gives every row of a reported cycle a bound until none is reported.
fn bound_cycles(table: &mut [Row<Random>]) {
    loop {
        let found = defects(&describe(table));
        let rows: BTreeSet<usize> = found.iter().flat_map(cycle_rows).copied().collect();
        if rows.is_empty() {
            return;
        }
        for row in rows {
            table[row].at_most = Some(1);
        }
    }
}

fn cycle_rows(defect: &Defect) -> &[usize] {
    match defect {
        Defect::Endless { rows, .. } => rows,
        _ => &[],
    }
}
