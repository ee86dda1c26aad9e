//! `init`, `doctor`, and where things are set.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Home, same};

#[test]
fn init_writes_a_file_once() {
    let home = Home::new();
    let text = home.transcript(&[&["init"], &["init"], &["init", "--force"], &["doctor", "--json"]]);
    let text: Vec<&str> = text.lines().take_while(|line| !line.contains("doctor")).collect();
    same("init.txt", &(text.join("\n") + "\n"));
    let written = std::fs::read_to_string(home.desk().join("baton.toml")).expect("a file");
    for part in ["# home = ", "# parallel = 8", "# [models.local]", "[roles]", "# usd = 1.00", "[privacy]"] {
        assert!(written.contains(&format!("\n{part}")), "{part}: {written}");
    }
    assert_eq!(home.baton(&["runs"]).code, Some(0), "as written it can be used, and needs no trust");
}

#[test]
fn flags_are_over_the_environment_over_the_file() {
    let home = Home::new();
    home.write("baton.toml", "parallel = 4\n[budget]\nusd = 3\n");
    home.baton(&["trust", "--yes"]);
    home.baton(&["start", "approval", "release.toml", "--no-drive", "--budget-usd", "7"]);
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((shown["limits"]["usd"].as_f64(), shown["parallel"].as_u64()), (Some(7.0), Some(4)));
    let mut command = home.command(&["start", "approval", "release.toml", "--no-drive"]);
    command.env("BATON_PARALLEL", "6").output().expect("it runs");
    let shown = home.baton(&["show", "last", "--json"]).json();
    assert_eq!((shown["limits"]["usd"].as_f64(), shown["parallel"].as_u64()), (Some(3.0), Some(6)));
}

#[test]
fn a_file_that_cannot_be_meant_stops_everything() {
    let home = Home::new();
    home.write("baton.toml", "# mine\n[budgte]\nusd = 3\n");
    let said = home.baton(&["runs"]);
    assert_eq!(said.code, Some(4));
    let wanted = "baton.toml, line 2, column 2: unknown key `budgte`; did you mean `budget`?";
    assert!(said.err.contains(wanted), "{}", said.err);
    assert!(!home.path().exists());
    // What does not need it, and what mends it, works.
    assert_eq!(home.baton(&["completions", "bash"]).code, Some(0));
    assert_eq!(home.baton(&["init", "--force"]).code, Some(0));
    assert_eq!(home.baton(&["runs"]).code, Some(0));
}

#[test]
fn the_home_is_chosen_by_flag_then_environment_then_file_and_closed_to_others() {
    let home = Home::new();
    // The person's own file: a project's needs trust.
    let own = home.desk().parent().expect("a folder").join(".config/baton");
    std::fs::create_dir_all(&own).expect("a folder");
    std::fs::write(own.join("baton.toml"), format!("home = \"{}/by-file\"\n", home.desk().display()))
        .expect("a file");
    home.baton(&["runs"]);
    home.baton(&["runs", "--home", "by-flag"]);
    home.command(&["runs"]).env_remove("BATON_HOME").output().expect("it runs");
    for path in [home.path(), home.desk().join("by-flag"), home.desk().join("by-file")] {
        let mode = std::fs::metadata(&path).expect("it was made").permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", path.display());
    }
}

#[test]
fn a_home_that_was_typed_is_in_what_to_type_next() {
    let home = Home::new();
    let said = home.baton(&["start", "approval", "release.toml", "--home", "a b"]);
    let next = said.out.lines().last().expect("a line");
    assert!(next.starts_with("  baton answer ") && next.ends_with(" 2/approve yes --home 'a b'"), "{next}");
}

#[test]
fn doctor_finds_nothing_in_a_healthy_home() {
    let home = Home::new();
    home.waiting();
    let said = home.baton(&["doctor", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    let mut names: Vec<&str> = told["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter_map(|check| check["name"].as_str())
        .collect();
    // One for each workflow.
    names.dedup();
    assert_eq!(
        names,
        ["config", "home", "space", "journal", "records", "drivers", "locks", "table", "models", "search"]
    );
    let journal = told["checks"][3]["what"].as_str().expect("words");
    assert!(
        journal.contains("SQLite 3.") && journal.contains("journal_mode wal, synchronous 2"),
        "{journal}"
    );
}

#[test]
fn doctor_lists_the_places_beyond_the_disk_and_asks_none() {
    let home = Home::new();
    home.write(
        "baton.toml",
        "[search.wikipedia]\n[search.tavily]\nkey_env = \"NO_SUCH_KEY\"\n[mcp.notes]\ncommand = \"notes\"\nsearch_tool = \"find\"\n",
    );
    let refused = home.baton(&["doctor"]);
    assert!(refused.err.contains("baton trust"), "{refused:?}");
    home.baton(&["trust", "--yes"]);
    let said = home.baton(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for line in [
        "ok   search   wikipedia at en.wikipedia.org, no key, at most 60 a minute; asked only in runs that allow it",
        "BAD  search   tavily at api.tavily.com, NO_SUCH_KEY is not set, at most 60 a minute",
        "set NO_SUCH_KEY in the environment",
        "ok   mcp      notes at notes, no key, at most 30 a minute; asked only in runs that allow it",
    ] {
        assert!(said.out.contains(line), "{line} is not in:\n{}", said.out);
    }
}

#[test]
fn doctor_notices_a_home_that_others_can_enter() {
    let home = Home::new();
    home.waiting();
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).expect("opened");
    let said = home.baton(&["doctor"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("others on this machine can enter it (mode 0755)"), "{}", said.out);
    assert!(said.out.contains("chmod 700 ") && said.out.contains("was not looked at"), "{}", said.out);
}
