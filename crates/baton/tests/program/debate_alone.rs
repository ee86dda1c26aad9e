//! `debate` without any model: files, a program, rules and a person; on a terminal, and through `answer`.

use std::path::Path;

use crate::support::Home;
use crate::terminal::Screen;

/// The example of the repository, on the desk.
fn example(home: &Home) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/debate");
    for entry in std::fs::read_dir(from).expect("the example") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, home.desk().join(path.file_name().expect("a name"))).expect("copied");
    }
}

#[test]
fn one_command_on_a_terminal_leads_to_a_decision_record() {
    let home = Home::new();
    example(&home);
    let words = ["debate", "-p", "problem.md", "--config", "panel.toml", "-o", "decision.md"];
    let mut screen = Screen::open(home.command(&words), 200);
    let talk = [
        ("you:broker (one of", "postgres table"),
        ("you:delivery (one of", "at least once"),
        ("you:history (one of", "30 days"),
        (
            "you:proposal (in words",
            "a table in postgres survives a restart and needs no new server to be run",
        ),
        ("you:critique-A", "none"),
        ("you:critique-B", "minor: say who deletes old jobs"),
        ("you:critique-C", "none"),
    ];
    for (question, answer) in talk {
        screen.until(question);
        screen.key_in(&format!("{answer}\n"));
    }
    let (code, seen) = screen.end();
    assert_eq!(code, Some(0), "{seen}");
    let record = std::fs::read_to_string(home.desk().join("decision.md")).expect("a record");
    for line in [
        "Ended by CONSENSUS_REACHED: agreement 100 reached the threshold 80 in round 1",
        "- broker: postgres table (votes: postgres table 4)",
        "you to audit: say who deletes old jobs (not answered)",
    ] {
        assert!(record.contains(line), "{line}: {record}");
    }
}

#[test]
fn rules_object_to_what_is_banned_and_out_of_bounds() {
    let home = Home::new();
    example(&home);
    assert_eq!(home.baton(&["debate", "-p", "problem.md", "--config", "panel.toml"]).code, Some(5));
    for (key, answer) in
        [("you:broker", "kafka"), ("you:delivery", "at least once"), ("you:history", "7 days")]
    {
        assert_eq!(home.baton(&["answer", "last", key, answer]).code, Some(5));
    }
    home.baton(&["answer", "last", "you:proposal", "kafka scales"]);
    for key in ["you:critique-A", "you:critique-B", "you:critique-C"] {
        home.baton(&["answer", "last", key, "none"]);
    }
    let shown = home.baton(&["show", "last"]).out;
    assert!(shown.contains("kafka may not be taken for broker: no one on the team has run it"), "{shown}");
    assert!(shown.contains("7 days for history is not at least 14 days"), "{shown}");
    assert!(shown.contains("It does not say how R1 is met"), "{shown}");
}

#[test]
fn it_survives_every_crash() {
    let home = Home::new();
    let memory = Path::new("/dev/shm");
    let folder =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder");
    let output = home
        .command(&["torture", "debate", "--chains", "10", "--json"])
        .env("TMPDIR", folder.path())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one value");
    assert_eq!(report["survived"], report["crash_points"]);
    assert_eq!((&report["paid_twice"], &report["identical"]), (&0.into(), &true.into()));
    assert!(report["aborts"].as_u64().is_some_and(|aborts| aborts >= 20), "{report}");
}
