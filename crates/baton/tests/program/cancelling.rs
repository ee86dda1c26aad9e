//! `cancel`: with and without somebody who drives.

use crate::support::{Gate, Home, same, until};

#[test]
fn a_run_that_nobody_drives_is_stopped_at_once() {
    let home = Home::new();
    home.waiting();
    let text = home.transcript(&[
        &["cancel", "last"],
        &["cancel", "last"],
        &["runs"],
        &["resume", "last"],
        &["answer", "last", "yes"],
        &["cancel", "last"],
        &["log", "last"],
    ]);
    same("cancel_waiting.txt", &text);
}

#[test]
fn cancelling_a_run_left_behind_repeats_nothing() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    gate.start(&home, &["start", "approval", "gate.toml", "--yes"]).kill();
    std::fs::remove_file(home.desk().join("begun")).expect("it had begun");
    let said = home.baton(&["cancel", "last"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!home.desk().join("begun").exists(), "the command was run again");
    assert!(said.out.contains("stopped: cancelled"), "{}", said.out);
    gate.open();
    let resumed = home.baton(&["resume", "last", "--yes"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
}

#[test]
fn a_run_that_another_process_drives_is_stopped_there() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    let driver = gate.start(&home, &["start", "approval", "gate.toml", "--yes"]);
    let canceller = home.spawn(&["cancel", "last"]);
    let database = home.path().join("baton.db");
    until("the letter is posted", || {
        let connection = rusqlite::Connection::open(&database).expect("a database");
        connection.query_row("SELECT count(*) FROM inbox", [], |row| row.get::<_, i64>(0)).expect("a number")
            == 1
    });
    gate.open();
    let (status, told, _) = driver.end();
    assert_eq!(status.code(), Some(8));
    assert!(told.contains("stopped: cancelled") && told.contains("cancelled by ann"), "{told}");
    let (status, told, _) = canceller.end();
    assert_eq!(status.code(), Some(0));
    assert!(told.contains("stopped: cancelled"), "{told}");
    // The call that came back meanwhile was kept, and is not made again.
    let log = home.baton(&["log", "last"]).out;
    assert!(log.contains("step 1/wait came back"), "{log}");
    assert_eq!(home.baton(&["resume", "last", "--yes"]).code, Some(0));
    assert_eq!(home.baton(&["log", "last"]).out.matches("begins: command").count(), 1);
}
