//! Homes that are damaged, newer than we are, or cannot be written.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::{Home, same};

#[test]
fn a_home_of_a_newer_baton_is_left_alone() {
    let home = Home::new();
    home.waiting();
    home.tamper("PRAGMA user_version = 99");
    let text = ["runs", "doctor", "resume"].map(|word| {
        let words: &[&str] = if word == "resume" { &["resume", "last"] } else { &[word] };
        let said = home.baton(words);
        format!("$ baton {}\n{}{}[{}]\n", words.join(" "), said.out, said.err, said.code.unwrap_or(-1))
    });
    let text = text.join("\n").replace(&home.path().display().to_string(), "HOME");
    same("newer.txt", &text.replace(&home.desk().display().to_string(), "DESK"));
}

#[test]
fn damage_in_the_middle_is_found_and_the_run_is_not_touched() {
    let home = Home::new();
    let run = home.waiting();
    home.tamper("UPDATE record SET body = replace(body, 'tested', 'pretend') WHERE n = 3");
    let said = home.baton(&["doctor", "--json"]);
    assert_eq!(said.code, Some(1));
    let damage = &said.json()["damage"][0];
    assert_eq!(
        (&damage["run"], &damage["record"], &damage["is_last"]),
        (&json!(run), &json!(3), &json!(false))
    );
    assert!(home.baton(&["doctor"]).out.contains(&format!("run {run}, record 3: its hash does not fit")));
    let resumed = home.baton(&["answer", "last", "yes"]);
    assert_eq!(resumed.code, Some(1));
    assert!(
        resumed.err.contains("record 3 of run") && resumed.err.contains("`baton doctor` shows where"),
        "{}",
        resumed.err
    );
    // It can still be looked at.
    let shown = home.baton(&["show", "last"]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.out.contains("trouble") && shown.out.contains("record 3"), "{}", shown.out);
}

#[test]
fn a_torn_last_record_is_found_and_rolled_back() {
    let home = Home::new();
    let run = home.waiting();
    home.tamper("UPDATE record SET body = substr(body, 1, 20) WHERE n = 6");
    let told = home.baton(&["doctor"]);
    assert_eq!(told.code, Some(1));
    assert!(told.out.contains(&format!("`baton resume {run}` goes on from record 5")), "{}", told.out);
    assert_eq!(home.baton(&["resume", "last"]).code, Some(5));
    assert!(home.baton(&["log", "last"]).out.contains("record 6 was torn"));
    assert_eq!(home.baton(&["doctor"]).code, Some(0));
    assert_eq!(home.baton(&["answer", "last", "yes"]).code, Some(0));
}

#[test]
fn a_lost_payload_is_found() {
    let home = Home::new();
    let long = "x".repeat(40_000);
    home.write(
        "long.toml",
        &format!("title = \"Long\"\n[[stages]]\nname = \"a\"\nask = \"{long}\"\ncommands = []\n"),
    );
    assert_eq!(home.baton(&["start", "approval", "long.toml"]).code, Some(0));
    assert_eq!(home.baton(&["doctor"]).code, Some(0));
    std::fs::remove_dir_all(home.path().join("blobs")).expect("there were long payloads");
    let said = home.baton(&["doctor"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("record 1: the stored payload"), "{}", said.out);
}

#[test]
fn a_disk_that_takes_no_more_stops_the_run_and_it_goes_on_later() {
    let home = Home::new();
    let output = "head -c 20000 /dev/zero | tr '\\\\000' x";
    home.write(
        "long.toml",
        &format!("title = \"Long\"\n[[stages]]\nname = \"a\"\ncommands = [{{ name = \"b\", run = \"{output}\", repeatable = true }}]\n"),
    );
    home.baton(&["runs"]);
    // A file stands where the folder of long payloads should be, so the receipt cannot be kept.
    std::fs::write(home.path().join("blobs"), "").expect("a file");
    let said = home.baton(&["start", "approval", "long.toml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let run = home.runs().pop().expect("a run");
    assert!(said.err.contains("cannot write to the home folder"), "{}", said.err);
    assert!(said.err.contains("Everything recorded before is kept"), "{}", said.err);
    assert!(said.err.contains(&format!("go on with: baton resume {run}")), "{}", said.err);
    assert_eq!(home.baton(&["show", "last", "--json"]).json()["status"], "interrupted");
    std::fs::remove_file(home.path().join("blobs")).expect("removed");
    let resumed = home.baton(&["resume", "last"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
}

#[test]
fn a_home_that_is_no_database_is_reported() {
    let home = Home::new();
    std::fs::create_dir(home.path()).expect("a folder");
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o700)).expect("closed");
    std::fs::write(home.path().join("baton.db"), "this is not a database, whatever its name says")
        .expect("a file");
    let said = home.baton(&["doctor"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("BAD  journal"), "{}", said.out);
    assert_eq!(home.baton(&["runs"]).code, Some(1));
}

#[test]
fn a_home_that_cannot_be_made_says_so() {
    let home = Home::new();
    let closed = home.desk().join("closed");
    std::fs::write(&closed, "a file where a folder is wanted").expect("a file");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o600)).expect("closed");
    let said = home.baton(&["runs", "--home", "closed/home"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("cannot make the home folder"), "{}", said.err);
}
