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
        // Whose letter is whose is not to be known.
        ("you:critique-", "none"),
        ("you:critique-", "minor: say who deletes old jobs"),
        ("you:critique-", "none"),
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
        "| Where do jobs wait? (broker) | postgres table | 4 of 4 | agreed |",
        "## Why postgres table (broker)",
        "- “We should put the jobs into a table in Postgres.” (Operations, written beforehand)",
        ", from You to ",
        "“say who deletes old jobs”",
        "- **R1: met**. A job must survive a restart. How: “",
        "- **R2: met**. The solution must not need a server that nobody on the team has run before. How: “",
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
    let open = home.baton(&["show", "last", "--json"]).json();
    let keys = open["questions"].as_array().expect("a list").iter().filter_map(|one| one["key"].as_str());
    let keys: Vec<&str> = keys.filter(|key| key.contains("you:critique-")).collect();
    assert_eq!(keys.len(), 3, "{open}");
    for key in keys {
        home.baton(&["answer", "last", key, "none"]);
    }
    let shown = home.baton(&["show", "last"]).out;
    assert!(shown.contains("kafka may not be taken for broker: no one on the team has run it"), "{shown}");
    assert!(shown.contains("7 days for history is not at least 14 days"), "{shown}");
    assert!(shown.contains("It does not say how R1 is met"), "{shown}");
}

/// A panel of one file and two people who are asked one after the other: who votes last must not see how others did.
#[test]
fn nobody_sees_a_vote_or_a_critic_before_everybody_has_voted() {
    let home = Home::new();
    let panel = "frame = [{ slot = \"s\", options = [\"alpha\", \"omega\"] }]\nrounds = 2\n\
                 [[agents]]\nid = \"paper\"\nkind = \"file\"\nfile = \"paper.md\"\n\
                 [[agents]]\nid = \"eve\"\nkind = \"person\"\n[[agents]]\nid = \"joe\"\nkind = \"person\"\n";
    home.write("panel.toml", panel);
    home.write("paper.md", "s: omega\n\nOmega, for it is the quietwordone.\n");
    assert_eq!(home.baton(&["debate", "A or B?", "--config", "panel.toml"]).code, Some(5));
    let answer = |key: &str, words: &str| home.baton(&["answer", "last", key, words]);
    answer("joe:s", "alpha");
    answer("joe:proposal", "alpha is the quietwordtwo");
    let files = home.baton(&["files", "last", "--json"]).json();
    let files: Vec<String> =
        files.as_array().expect("paths").iter().filter_map(|path| path.as_str().map(str::to_owned)).collect();
    let look = |secret: &[&str]| {
        let mut seen: Vec<(String, String)> = files
            .iter()
            .filter_map(|path| Some((path.clone(), std::fs::read_to_string(path).ok()?)))
            .collect();
        for words in [
            &["show", "last"][..],
            &["show", "last", "--json"],
            &["show", "last", "--memory"],
            &["show", "last", "--memory", "--json"],
            &["log", "last"],
            &["log", "last", "--json"],
        ] {
            seen.push((words.join(" "), home.baton(words).out));
        }
        for (place, text) in &seen {
            // The person's own setup holds the words of the file; what was voted stands nowhere.
            let text = text.split("\"contributions\"").last().unwrap_or_default();
            for word in secret {
                assert!(!text.contains(word), "{place} tells {word}: {text}");
            }
        }
        seen.len()
    };
    assert!(look(&["quietwordtwo"]) > 8, "files were looked at");
    answer("eve:s", "omega");
    answer("eve:proposal", "omega it is");
    // Everybody has proposed, and now everybody criticises: who raised what is not to be seen before all have voted again.
    let shown = home.baton(&["show", "last", "--json"]).json();
    let joes: Vec<String> = shown["questions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["key"].as_str())
        .filter(|key| key.contains("joe:critique"))
        .map(str::to_owned)
        .collect();
    assert_eq!(joes.len(), 2, "{shown}");
    for key in &joes {
        answer(key, "major: quietwordthree is missing");
    }
    look(&["quietwordthree"]);
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
