//! `resume`: after a stop, after a crash, and when there is nothing to resume.

use serde_json::json;

use crate::support::{Gate, Home, same};

#[test]
fn a_finished_run_stays_as_it_is() {
    let home = Home::new();
    home.baton(&["start", "approval", "release.toml", "--yes"]);
    let before = home.baton(&["log", "last", "--json"]).out;
    same(
        "resume_finished.txt",
        &home.transcript(&[&["resume", "last"], &["resume", "last", "--budget-usd", "9"]]),
    );
    assert_eq!(home.baton(&["log", "last", "--json"]).out, before);
    home.waiting();
    home.baton(&["answer", "last", "no"]);
    assert_eq!(home.baton(&["resume", "last"]).code, Some(8));
}

#[test]
fn a_run_whose_process_died_is_interrupted_and_goes_on() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    gate.start(&home, &["start", "approval", "gate.toml", "--yes"]).kill();
    gate.open();
    let text = home.transcript(&[
        &["runs"],
        &["show", "last"],
        &["doctor"],
        &["resume", "last", "--yes"],
        &["log", "last"],
    ]);
    // What is free and how large the file is differs from disk to disk.
    let text: Vec<&str> =
        text.lines().filter(|line| !line.contains(" space ") && !line.contains(" journal ")).collect();
    same("interrupted.txt", &(text.join("\n") + "\n"));
}

#[test]
fn a_second_driver_is_told_who_the_first_is() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    let driver = gate.start(&home, &["start", "approval", "gate.toml", "--yes"]);
    let before = home.baton(&["log", "last", "--json"]).out;
    let second = home.baton(&["resume", "last"]);
    assert_eq!(second.code, Some(1));
    assert!(second.err.contains(&format!("is being driven by process {}", driver.id())), "{}", second.err);
    assert!(second.err.contains("baton watch") && second.err.contains("baton cancel"), "{}", second.err);
    assert_eq!(home.baton(&["log", "last", "--json"]).out, before);
    gate.open();
    assert_eq!(driver.code(), Some(0));
}

#[test]
fn a_raised_budget_is_recorded_and_the_other_settings_stay() {
    let home = Home::new();
    home.baton(&["start", "approval", "release.toml", "--parallel", "3", "--no-drive"]);
    assert_eq!(home.baton(&["resume", "last", "--budget-usd", "2.5"]).code, Some(5));
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((&shown["limits"]["usd"], &shown["parallel"]), (&json!(2.5), &json!(3)));
    let log = home.baton(&["log", "last"]).out;
    assert!(log.contains("settings changed by ann: budget $2.50, 3 steps at once"), "{log}");
}

#[test]
fn a_run_of_an_unknown_workflow_can_be_seen_but_not_driven() {
    let home = Home::new();
    home.waiting();
    home.tamper("UPDATE run SET workflow = 'elsewhere'");
    let said = home.baton(&["resume", "last"]);
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains("`elsewhere`, which this Baton does not have"), "{}", said.err);
    let shown = home.baton(&["show", "last"]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.out.contains("this Baton does not have the workflow `elsewhere`"), "{}", shown.out);
}
