//! `start`, with `files`, `runs` and `log` around it.

use crate::support::{Home, same};

#[test]
fn a_run_from_its_start_to_its_end() {
    let home = Home::new();
    let text = home.transcript(&[
        &["runs"],
        &["start", "approval", "release.toml"],
        &["runs"],
        &["show", "last"],
        &["answer", "last", "yes"],
        &["runs"],
        &["show", "last"],
        &["log", "last"],
        &["files", "last"],
    ]);
    same("from_start_to_end.txt", &text);
    let page = home.path().join("runs").join(&home.runs()[0]).join("progress.md");
    assert!(std::fs::read_to_string(page).expect("a page").contains("Approved by ann."));
}

#[test]
fn input_that_cannot_be_used_starts_nothing() {
    let home = Home::new();
    home.write("half.toml", "title = ");
    home.write("other.toml", "title = \"x\"\nsteps = []\n");
    home.write("half.json", "{\"title\": ");
    let text = home.transcript(&[
        &["start", "aproval", "release.toml"],
        &["start", "approval", "missing.toml"],
        &["start", "approval", "half.toml"],
        &["start", "approval", "half.json"],
        &["start", "approval", "other.toml"],
        &["start", "approval", "release.toml", "--budget-usd", "-1"],
        &["start", "approval", "release.toml", "--parallel", "0"],
        &["runs", "--all"],
    ]);
    same("bad_input.txt", &text);
}

#[test]
fn yes_answers_every_yes_or_no_question() {
    let home = Home::new();
    let said = home.baton(&["start", "approval", "release.toml", "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let log = home.baton(&["log", "last"]).out;
    assert!(log.contains("2/approve is answered by ann (--yes): true"), "{log}");
}

#[test]
fn yes_does_not_answer_other_questions() {
    let home = Home::new();
    home.write(
        "fails.toml",
        "title = \"Fails\"\n[[stages]]\nname = \"try\"\ncommands = [{ name = \"break\", run = \"exit 3\" }]\n",
    );
    let text = home.transcript(&[
        &["start", "approval", "fails.toml", "--yes"],
        &["explain", "last"],
        &["answer", "last", "stop"],
        &["explain", "last"],
    ]);
    same("fails.txt", &text);
}

#[test]
fn a_run_can_be_recorded_and_driven_later_with_its_settings() {
    let home = Home::new();
    let words =
        ["start", "approval", "release.toml", "--no-drive", "--budget-usd", "0.25", "--parallel", "2"];
    let text = home.transcript(&[&words, &["runs"], &["log", "last"], &["resume", "last", "--yes"]]);
    same("recorded.txt", &text);
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((&shown["limits"]["usd"], &shown["parallel"]), (&0.25.into(), &2.into()));
}

#[test]
fn input_comes_from_stdin_too() {
    let home = Home::new();
    let plan =
        r#"{"title": "From stdin", "stages": [{"name": "one", "commands": [{"name": "a", "run": "true"}]}]}"#;
    home.write("plan", plan);
    let mut command = home.command(&["start", "approval", "-"]);
    command.stdin(std::fs::File::open(home.desk().join("plan")).expect("a file"));
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(home.baton(&["runs", "--json"]).json()[0]["title"], "From stdin");
}

#[test]
fn what_comes_from_outside_cannot_steer_the_terminal() {
    let home = Home::new();
    home.write(
        "loud.toml",
        "title = \"\\u001b]0;owned\\u0007\\u001b[2Jloud\"\n[[stages]]\nname = \"a\"\n\
         commands = [{ name = \"b\", run = \"printf '\\\\033[31mred'\" }]\n",
    );
    for words in [&["start", "approval", "loud.toml"][..], &["runs"], &["show", "last"], &["log", "last"]] {
        let said = home.baton(words);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(!said.out.contains('\u{1b}') && !said.out.contains('\u{7}'), "{said:?}");
    }
}
