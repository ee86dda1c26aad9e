//! `runs`, `show`, `watch`, `log`, `explain`, `files`, `diagram`: they look and change nothing.

use serde_json::json;

use crate::support::{Gate, Home, same};

#[test]
fn the_list_can_be_narrowed() {
    let home = Home::new();
    for number in 0..22 {
        let name = format!("{number}.toml");
        home.write(&name, &format!("title = \"Plan {number}\"\n[[stages]]\nname = \"a\"\ncommands = []\n"));
        home.baton(&["start", "approval", &name, "--no-drive"]);
    }
    home.waiting();
    let count = |words: &[&str]| home.baton(words).json().as_array().map(Vec::len);
    assert_eq!(count(&["runs", "--json"]), Some(20));
    assert_eq!(count(&["runs", "--json", "--all"]), Some(23));
    assert_eq!(count(&["runs", "--json", "--waiting"]), Some(1));
    assert_eq!(count(&["runs", "--json", "--workflow", "other"]), Some(0));
    let said = home.baton(&["runs"]);
    assert_eq!(said.out.lines().count(), 21);
    assert_eq!(said.err, "These are the newest 20; baton runs --all lists every run.\n");
    assert_eq!(
        home.baton(&["runs", "--workflow", "other"]).out,
        "No run fits; baton runs --all lists every run.\n"
    );
}

#[test]
fn a_run_is_found_by_any_beginning_that_fits_only_one() {
    let home = Home::new();
    home.waiting();
    home.waiting();
    home.tamper(
        "UPDATE run SET name = 'bcd2222222' WHERE id = 1; UPDATE run SET name = 'bcf3333333' WHERE id = 2;",
    );
    let text =
        home.transcript(&[&["log", "bc"], &["log", "zz"], &["log", ""], &["show", "nothing", "--json"]]);
    same("which_run.txt", &text);
    for (typed, code) in
        [("bcd", Some(0)), ("BCF3", Some(0)), ("last", Some(0)), ("b", Some(2)), ("bcd22222220", Some(2))]
    {
        assert_eq!(home.baton(&["log", typed]).code, code, "{typed}");
    }
}

#[test]
fn memory_is_printed_as_json() {
    let home = Home::new();
    home.waiting();
    let said = home.baton(&["show", "last", "--memory"]);
    assert_eq!(said.json()["plan"]["title"], "Release 1.4");
    let whole = home.baton(&["show", "last", "--memory", "--json"]).json();
    assert_eq!((&whole["memory"]["stage"], &whole["status"]), (&json!(1), &json!("waiting")));
}

#[test]
fn the_log_has_every_record_with_its_hash() {
    let home = Home::new();
    home.waiting();
    let log = home.baton(&["log", "last", "--json"]).json();
    let log = log.as_array().expect("an array");
    let kinds: Vec<&str> = log.iter().filter_map(|record| record["kind"].as_str()).collect();
    assert_eq!(kinds, ["started", "intent", "receipt", "event", "event", "asked"]);
    for (n, record) in (1..).zip(log) {
        assert_eq!(record["n"], n);
        assert_eq!(record["hash"].as_str().map(str::len), Some(64));
        assert!(record["at"].as_str().is_some_and(|at| at.ends_with('Z')) && record["body"].is_object());
    }
}

#[test]
fn the_end_of_a_log_is_what_the_whole_ends_with() {
    let home = Home::new();
    home.waiting();
    let whole = home.baton(&["log", "last", "--json"]).json();
    let whole = whole.as_array().expect("an array");
    for tail in [0, 1, 4, whole.len(), whole.len() + 5] {
        let end = home.baton(&["log", "last", "--tail", &tail.to_string(), "--json"]).json();
        let wanted = &whole[whole.len().saturating_sub(tail)..];
        assert_eq!(end.as_array().map(Vec::as_slice), Some(wanted), "the last {tail}");
    }
    let lines = home.baton(&["log", "last"]).out;
    let lines: Vec<&str> = lines.lines().collect();
    let end = home.baton(&["log", "last", "-n", "2"]).out;
    assert_eq!(end.lines().collect::<Vec<_>>(), lines[lines.len() - 2..]);
    assert_eq!(home.baton(&["log", "last", "--tail", "many"]).code, Some(2));
}

#[test]
fn a_run_that_another_process_drives_can_be_watched() {
    let home = Home::new();
    let gate = Gate::new(&home, true);
    let driver = gate.start(&home, &["start", "approval", "gate.toml"]);
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((&shown["status"], &shown["steps"][0]["key"]), (&json!("running"), &json!("1/wait")));
    assert_eq!(shown["driven_by"], format!("process {}", driver.id()));
    let mut watcher = home.spawn(&["watch", "last"]);
    assert!(watcher.line().starts_with("watching run "));
    let logger = home.spawn(&["log", "last", "--follow", "--json"]);
    let mut follower = home.spawn(&["log", "last", "--follow"]);
    assert!(follower.line().contains("approval started: Gate"));
    assert!(follower.line().contains("step 1/wait begins: command"));
    gate.open();
    assert_eq!(driver.code(), Some(5));
    let (status, told, _) = watcher.end();
    assert_eq!(status.code(), Some(5));
    assert!(
        told.contains("WORKING -> AWAITING_APPROVAL on STAGE_DONE") && told.contains("is waiting"),
        "{told}"
    );
    assert!(follower.line().contains("step 1/wait came back"));
    assert_eq!(follower.code(), Some(0));
    let (_, log, _) = logger.end();
    let log: serde_json::Value = serde_json::from_str(&log).expect("one array");
    assert_eq!(log.as_array().and_then(|log| log.last()).map(|last| &last["kind"]), Some(&json!("asked")));
}

#[test]
fn watching_a_run_that_rests_says_where_it_rests() {
    let home = Home::new();
    home.waiting();
    let text = home.transcript(&[&["watch", "last"], &["answer", "last", "no"], &["watch", "last"]]);
    same("watch_resting.txt", &text);
}

#[test]
fn a_deleted_or_damaged_folder_comes_back() {
    let home = Home::new();
    home.waiting();
    let path = home.baton(&["files", "last"]).out;
    let path = path.trim_end();
    let before = std::fs::read(path).expect("a file");
    std::fs::write(path, "scribbled over").expect("damaged");
    assert_eq!(home.baton(&["files", "last"]).code, Some(0));
    assert_eq!(std::fs::read(path).expect("a file"), before);
    std::fs::remove_dir_all(home.path().join("runs")).expect("deleted");
    assert_eq!(home.baton(&["files", "last", "--json"]).json(), json!([path]));
    assert_eq!(std::fs::read(path).expect("a file"), before);
}

#[test]
fn tables_are_drawn_and_a_run_is_marked_in_its_own() {
    let home = Home::new();
    let plain = home.baton(&["diagram", "approval"]).out;
    assert!(plain.starts_with("stateDiagram-v2\n") && !plain.contains("class AWAITING_APPROVAL here"));
    // Drawing a workflow needs no home.
    assert!(!home.path().exists());
    home.waiting();
    assert!(home.baton(&["diagram", "last"]).out.contains("class AWAITING_APPROVAL here"));
    let picture = home.baton(&["diagram", "last", "--svg"]).out;
    assert!(picture.starts_with("<svg") && picture.contains("here"), "{picture}");
    assert_eq!(home.baton(&["diagram", "nothing"]).code, Some(2));
}

#[test]
fn a_closed_pipe_is_no_trouble() {
    let home = Home::new();
    home.waiting();
    let mut command = home.command(&["log", "last"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.stdout(writer).output().expect("it runs");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn files_can_be_looked_at_without_being_written() {
    let home = Home::new();
    let run = home.waiting();
    let names = home.baton(&["files", "last", "--names"]);
    let first = names.out.lines().next().expect("a file").to_owned();
    let path = home.path().join("runs").join(run).join(&first);
    std::fs::write(&path, "edited").expect("written");
    let printed = home.baton(&["files", "last", "--print", &first]);
    assert!(printed.code == Some(0) && printed.out.contains("Release 1.4"), "{printed:?}");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "edited", "nothing was written");
    let unknown = home.baton(&["files", "last", "--print", "../../baton.db"]);
    assert!(unknown.code == Some(1) && unknown.err.contains("has no file called"), "{unknown:?}");
}
