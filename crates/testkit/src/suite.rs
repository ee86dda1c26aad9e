//! What every workflow has to show, so that its own tests are data: `workflow_suite!` makes the tests that are the
//! same for all, [`leads_to`] and [`refuses`] take lists of events.

use std::path::Path;

use baton_machine::{Position, Workflow, advance, defects, describe, mermaid};

use crate::snapshot::same_as_file;

/// The tests every workflow has: a table without defects, a drawing of it in `src/NAME/diagram.md`, journals in
/// `tests/golden/NAME` that are read for ever, forks and rewinds at every record, and the crash test with each of these
/// rigours.
#[macro_export]
macro_rules! workflow_suite {
    ($workflow:ty, $($rigour:expr),+ $(,)?) => {
        #[test]
        fn the_table_is_sound() {
            $crate::suite::is_sound::<$workflow>();
        }

        #[test]
        fn the_diagram_is_current() {
            $crate::suite::is_drawn::<$workflow>(::std::path::Path::new(env!("CARGO_MANIFEST_DIR")));
        }

        #[tokio::test]
        async fn its_journals_are_read_for_ever() -> ::std::result::Result<(), $crate::golden::Unkept> {
            $crate::golden::hold::<$workflow>(::std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).await
        }

        #[tokio::test]
        async fn it_can_be_turned_at_every_point_and_nowhere_else() {
            $crate::turns::hold::<$workflow>().await;
        }

        #[tokio::test]
        async fn it_survives_a_crash_at_every_commit() {
            for rigour in [$($rigour),+] {
                $crate::crashes::survives::<$workflow>(rigour).await;
            }
        }
    };
}

/// Takes events one after the other, from the start; fails unless each leads to the state beside it.
/// What the run has learnt comes back.
#[track_caller]
pub fn leads_to<W: Workflow>(input: &W::Input, steps: &[(W::Event, W::State)]) -> W::Memory {
    let mut position = Position::<W>::start();
    let mut memory = W::begin(input);
    for (event, state) in steps {
        let moved = advance(W::TABLE, &mut position, &mut memory, event);
        assert!(moved.is_ok(), "{event:?}: {moved:?}");
        assert_eq!(position.state, *state, "after {event:?}");
    }
    memory
}

/// Fails unless a run that begins refuses each of these events and learns nothing from it.
#[track_caller]
pub fn refuses<W: Workflow>(input: &W::Input, events: &[W::Event]) {
    let mut position = Position::<W>::start();
    let mut memory = W::begin(input);
    for event in events {
        let moved = advance(W::TABLE, &mut position, &mut memory, event);
        assert!(moved.is_err(), "{event:?}: {moved:?}");
        assert_eq!(position.state, W::START, "{event:?}");
        assert_eq!(format!("{memory:?}"), format!("{:?}", W::begin(input)), "{event:?}");
    }
}

/// Fails if the table has a defect.
#[track_caller]
pub fn is_sound<W: Workflow>() {
    assert_eq!(defects(&describe(W::TABLE)), []);
}

/// The drawing of a workflow's table, as its diagram file holds it.
#[must_use]
pub fn drawing<W: Workflow>() -> String {
    format!("```mermaid\n{}```\n", mermaid(&describe(W::TABLE), None))
}

/// Fails unless the workflow's diagram file, below the folder of its crate, shows its table.
#[track_caller]
pub fn is_drawn<W: Workflow>(krate: &Path) {
    let path = krate.join("src").join(W::NAME).join("diagram.md");
    same_as_file(path, &format!("# {}\n\n{}", W::NAME, drawing::<W>()));
}
