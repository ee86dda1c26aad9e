//! SIGTERM, Ctrl-C and SIGHUP: a clean stop, exit code 8, and a line that says how to go on.

use rustix::process::Signal;
use serde_json::json;

use crate::support::{Gate, Home};

#[test]
fn a_signal_stops_the_run_cleanly_and_keeps_what_comes_back() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let home = Home::new();
        let gate = Gate::new(&home, false);
        let mut running = gate.start(&home, &["start", "approval", "gate.toml", "--yes"]);
        running.signal(signal);
        assert!(running.message().starts_with("stopping;"));
        gate.open();
        let (status, told, _) = running.end();
        assert_eq!(status.code(), Some(8));
        let run = home.runs().pop().expect("a run");
        assert!(told.contains("is stopped: interrupted in "), "{told}");
        assert!(told.contains(&format!("  baton resume {run}\n")), "{told}");
        let log = home.baton(&["log", "last"]).out;
        assert!(log.contains("step 1/wait came back") && log.contains("stopped (interrupted)"), "{log}");
        let resumed = home.baton(&["resume", "last", "--yes"]);
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        assert_eq!(home.baton(&["log", "last"]).out.matches("begins: command").count(), 1);
    }
}

#[test]
fn a_second_signal_does_not_wait_for_calls_in_flight() {
    let home = Home::new();
    let gate = Gate::new(&home, false);
    let mut running = gate.start(&home, &["start", "approval", "gate.toml", "--yes", "--json"]);
    running.message();
    running.signal(Signal::TERM);
    assert!(running.message().starts_with("stopping;"));
    running.signal(Signal::INT);
    let (status, told, _) = running.end();
    assert_eq!(status.code(), Some(8));
    let told: serde_json::Value = serde_json::from_str(&told).expect("one value");
    assert_eq!((&told["status"], &told["why"]), (&json!("stopped"), &json!("interrupted")));
    assert_eq!(told["steps"][0]["unknown"], true);
    assert!(told["next"][0].as_str().is_some_and(|next| next.starts_with("baton resume ")));
    // Nobody knows what the command did, and it may not be repeated unasked.
    let resumed = home.baton(&["resume", "last"]);
    assert_eq!(resumed.code, Some(5), "{resumed:?}");
    assert!(resumed.out.contains("Did it happen?"), "{}", resumed.out);
    gate.open();
    assert_eq!(home.baton(&["answer", "last", "{\"happened\": false}"]).code, Some(5));
}

#[test]
fn a_watcher_that_is_stopped_leaves_the_run_alone() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    let driver = gate.start(&home, &["start", "approval", "gate.toml", "--yes"]);
    for words in [&["watch", "last"][..], &["log", "last", "--follow"]] {
        let mut watcher = home.spawn(words);
        watcher.line();
        watcher.signal(Signal::INT);
        assert_eq!(watcher.code(), Some(8), "{words:?}");
    }
    gate.open();
    assert_eq!(driver.code(), Some(0));
}
