//! `fork`, `rewind` and `checkpoint`, as a person types them.

use crate::research::{HEADLINE, research};
use crate::support::{Home, same};

/// Stages whose commands may be run again, so that nothing outside stands in the way.
const REPEATABLE: &str = r#"
title = "Release 1.4"
[[stages]]
name = "check"
commands = [{ name = "test", run = "echo tested >> tested", repeatable = true }]
[[stages]]
name = "publish"
ask = "Publish it?"
commands = [{ name = "upload", run = "echo uploaded >> uploaded", repeatable = true }]
"#;

#[test]
fn points_are_listed_named_and_gone_back_to() {
    let home = Home::new();
    home.write("plan.toml", REPEATABLE);
    assert_eq!(home.baton(&["start", "approval", "plan.toml"]).code, Some(5));
    let text = home.transcript(&[
        &["checkpoint", "last", "before-publishing"],
        &["answer", "last", "yes"],
        &["checkpoint", "last"],
        &["rewind", "last", "--to", "before-publishing"],
        &["show", "last"],
        &["answer", "last", "2/approve", "no"],
        &["resume", "last"],
        &["answer", "last", "no"],
        &["checkpoint", "last"],
        &["log", "last"],
    ]);
    same("rewind.txt", &text);
}

#[test]
fn a_fork_goes_its_own_way() {
    let home = Home::new();
    home.write("plan.toml", REPEATABLE);
    assert_eq!(home.baton(&["start", "approval", "plan.toml", "--yes"]).code, Some(0));
    let origin = home.runs().pop().expect("a run");
    let said = home.baton(&[
        "fork",
        &origin,
        "--at",
        "AWAITING_APPROVAL",
        "--set",
        "budget_usd=0.5",
        "--no-drive",
        "--json",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let fork = said.json();
    assert_eq!((fork["status"].as_str(), fork["limits"]["usd"].as_f64()), (Some("new"), Some(0.5)), "{fork}");
    let name = fork["run"].as_str().expect("an id").to_owned();
    assert_ne!(name, origin);
    assert_eq!(home.baton(&["resume", &name]).code, Some(5));
    assert_eq!(home.baton(&["answer", &name, "no"]).code, Some(8), "a person said no");
    assert_eq!(home.baton(&["show", &origin, "--json"]).json()["why"], "completed", "the origin stays");
    let log = home.baton(&["log", &name]).out;
    assert!(log.contains(&format!("goes off from {origin} here, by ann (budget $0.50")), "{log}");
    // Both chains are whole.
    let doctor = home.baton(&["doctor", "--json"]).json();
    assert!(!doctor.to_string().contains("damaged"), "{doctor}");
}

#[test]
fn what_cannot_be_turned_says_why_and_stays() {
    let home = Home::new();
    assert_eq!(home.baton(&["start", "approval", "release.toml", "--yes"]).code, Some(0));
    let before = home.baton(&["log", "last", "--json"]).out;
    let text = home.transcript(&[
        &["fork", "last", "--at", "3"],
        &["fork", "last", "--at", "999"],
        &["fork", "last", "--at", "NOWHERE"],
        &["fork", "last", "--at", "COMPLETED"],
        &["fork", "last", "--at", "1"],
        &["fork", "last", "--at", "1", "--leave-effects", "--set", "colour=red"],
        &["fork", "last", "--at", "1", "--leave-effects", "--set", "parallel=many"],
        &["fork", "last", "--at", "1", "--set", "nothing"],
        &["rewind", "last", "--to", "AWAITING_APPROVAL"],
        &["checkpoint", "last", "12"],
        &["runs"],
    ]);
    same("turns_refused.txt", &text);
    assert_eq!(home.baton(&["log", "last", "--json"]).out, before, "nothing was changed");
}

#[test]
fn a_fork_of_research_behind_its_evidence_searches_and_reads_nothing() {
    let home = Home::new();
    assert_eq!(research(&home, HEADLINE, &[]).code, Some(0));
    let origin = home.runs().pop().expect("a run");
    let said = home.baton(&["fork", &origin, "--at", "SYNTHESIZING", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let fork = home.runs().pop().expect("a fork");
    let log = home.baton(&["log", &fork, "--json"]).json();
    let own = log.as_array().expect("records").iter().skip_while(|record| record["kind"] != "forked");
    let called: Vec<_> =
        own.filter(|record| record["kind"] == "receipt" && record["body"]["reused"].is_null()).collect();
    assert!(called.is_empty(), "{called:?}");
    let bytes = |run: &str| -> i64 {
        let file = rusqlite::Connection::open(home.path().join("baton.db")).expect("a database");
        let sql = "SELECT coalesce(sum(length(body)), 0) FROM record WHERE run = (SELECT id FROM run WHERE name = ?1)
                   UNION ALL SELECT coalesce(sum(length(body)), 0) FROM snapshot WHERE run = (SELECT id FROM run WHERE name = ?1)";
        let mut statement = file.prepare(sql).expect("a statement");
        let rows = statement.query_map([run], |row| row.get::<_, i64>(0)).expect("rows");
        rows.map(|row| row.expect("a number")).sum()
    };
    assert!(bytes(&fork) * 20 < bytes(&origin), "{} of {}", bytes(&fork), bytes(&origin));
    assert_eq!(home.baton(&["verify", &fork]).code, Some(0));
    let difference = home.baton(&["diff", &origin, &fork, "--json"]).json();
    assert_eq!(difference["learnt"], serde_json::json!([]), "{difference}");
}

#[test]
fn a_limit_is_changed_as_a_record_and_holds() {
    let home = Home::new();
    assert_eq!(research(&home, HEADLINE, &["--no-drive"]).code, Some(0));
    let wrong = home.baton(&["resume", "last", "--set", "colour=red"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(
        wrong.err.contains("research has nothing called `colour`") && wrong.err.contains("max_iterations"),
        "{}",
        wrong.err
    );
    let said = home.baton(&["resume", "last", "--max-iterations", "6", "--model", "reader=rules", "--yes"]);
    assert_eq!(said.code, Some(6), "{said:?}");
    let log = home.baton(&["log", "last"]).out;
    assert!(log.contains("changed by ann: max_iterations = 6, model.reader = "), "{log}");
    assert_eq!(home.baton(&["resume", "last", "--finish"]).code, Some(2), "it is over");
}
